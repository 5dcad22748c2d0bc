//! Ranges of triggers for sweeps: `consecutive:1..40`, `window:60s..900s..60s`.

use super::spec::{Reader, Spec, SpecError, split};
use crate::time::Span;

/// The most triggers one range may name.
pub const LONGEST_RANGE: u64 = 100_000;

impl Spec {
    /// Every trigger that `text` names: one, or a range `from..to` or `from..to..step` of
    /// consecutive failures or windows, the last value included if a step lands on it.
    ///
    /// A range of windows needs a step. An empty or reversed range, or one of more than
    /// [`LONGEST_RANGE`] triggers, is an error.
    pub fn expand(text: &str) -> Result<Vec<Spec>, SpecError> {
        let (family, parameters) = split(text)?;
        if !parameters.contains("..") {
            return Ok(vec![text.parse()?]);
        }
        let spec = text.trim();
        let read = Reader { spec };
        let bounds: Vec<&str> = parameters.split("..").collect();
        match (family, bounds.as_slice()) {
            ("consecutive", [from, to]) => counts(&read, from, to, "1"),
            ("consecutive", [from, to, step]) => counts(&read, from, to, step),
            ("window", [from, to, step]) => windows(&read, from, to, step),
            ("window", [_, _]) => {
                wrong(spec, "a range of windows needs a step, like `window:60s..900s..60s`")
            }
            ("consecutive" | "window", _) => wrong(spec, "write a range as `from..to..step`"),
            _ => wrong(
                spec,
                "only `consecutive` and `window` can be ranges; list the others one by one",
            ),
        }
    }
}

fn wrong<T>(spec: &str, why: &str) -> Result<T, SpecError> {
    Err(SpecError::Range { spec: spec.to_owned(), why: why.to_owned() })
}

fn counts(read: &Reader<'_>, from: &str, to: &str, step: &str) -> Result<Vec<Spec>, SpecError> {
    let from = read.count("first value of the range", from)?;
    let to = read.count("last value of the range", to)?;
    let step = read.count("step of the range", step)?;
    range(read.spec, from, to, step, |k| Spec::Consecutive { k })
}

fn windows(read: &Reader<'_>, from: &str, to: &str, step: &str) -> Result<Vec<Spec>, SpecError> {
    let nanos = |part: &'static str, text: &str| {
        let span = read.span(part, text)?;
        u64::try_from(span.as_nanos()).or_else(|_| wrong(read.spec, "a range cannot be negative"))
    };
    let from = nanos("first value of the range", from)?;
    let to = nanos("last value of the range", to)?;
    let step = nanos("step of the range", step)?;
    let window = |nanos| Span::from_nanos(i64::try_from(nanos).unwrap_or(i64::MAX));
    range(read.spec, from, to, step, |nanos| Spec::Window { window: window(nanos) })
}

/// The values `from, from + step, …` up to `to`, each a trigger.
fn range(
    spec: &str,
    from: u64,
    to: u64,
    step: u64,
    make: impl Fn(u64) -> Spec,
) -> Result<Vec<Spec>, SpecError> {
    if step == 0 {
        return wrong(spec, "a range with a step of 0 never ends; write a positive step");
    }
    if from > to {
        return wrong(spec, "the range is reversed; write the smaller value first");
    }
    let steps = (to - from) / step;
    if steps >= LONGEST_RANGE {
        let why = format!(
            "the range names {} triggers; at most {LONGEST_RANGE} are allowed, so take a larger step",
            u128::from(steps) + 1
        );
        return wrong(spec, &why);
    }
    (0..=steps).map(|place| make(from + place * step).checked()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<String> {
        Spec::expand(text).unwrap().iter().map(Spec::to_string).collect()
    }

    fn said(text: &str) -> String {
        Spec::expand(text).unwrap_err().to_string()
    }

    #[test]
    fn ranges_include_both_ends() {
        assert_eq!(written("consecutive:1..4").len(), 4);
        assert_eq!(written("consecutive:1..40").last().unwrap(), "consecutive:40");
        assert_eq!(
            written("consecutive:10..35..10"),
            ["consecutive:10", "consecutive:20", "consecutive:30"]
        );
        assert_eq!(written("window:60s..3min..1min"), ["window:60s", "window:120s", "window:180s"]);
        assert_eq!(written("consecutive:7..7"), ["consecutive:7"]);
        assert_eq!(written(" m-of-n:3/5 "), ["m-of-n:3/5"]);
    }

    #[test]
    fn ranges_that_make_no_sense_are_refused() {
        assert!(said("consecutive:9..3").contains("smaller value first"));
        assert!(said("consecutive:1..9..0").contains("never ends"));
        assert!(said("consecutive:1..200000").contains("names 200000 triggers"));
        assert!(said("consecutive:0..3").contains("must be a whole number from 1"));
        assert!(said("consecutive:1..2..3..4").contains("from..to..step"));
        assert!(said("consecutive:..").contains("first value of the range"));
        assert!(said("consecutive:0..18446744073709551615").contains("18446744073709551616"));
        assert!(said("window:60s..900s").contains("needs a step"));
        assert!(said("window:-60s..900s..60s").contains("negative"));
        assert!(said("window:60..900..60").contains("unit"));
        assert!(said("m-of-n:1..3/5").contains("only `consecutive` and `window`"));
        assert!(said("consecutve:1..3").contains("did you mean `consecutive`?"));
    }
}
