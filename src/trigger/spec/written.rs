//! The written form of a trigger: `consecutive:12`, `window:300s`, `m-of-n:3/5`,
//! `success-rate:0.9/60s/180s`; the same on the command line, in TOML and in JSON.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Spec, SpecError};
use crate::time::Span;
use crate::trigger::words::nearest;

const FAMILIES: [&str; 4] = ["consecutive", "window", "m-of-n", "success-rate"];

/// A span in seconds, exactly, as triggers are written: `300s`, `292.5s`.
pub(in crate::trigger) fn seconds(span: Span) -> String {
    let nanos = span.as_nanos().unsigned_abs();
    let sign = if span < Span::ZERO { "-" } else { "" };
    let (whole, rest) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
    if rest == 0 {
        return format!("{sign}{whole}s");
    }
    let decimals = format!("{rest:09}");
    format!("{sign}{whole}.{}s", decimals.trim_end_matches('0'))
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Spec::Consecutive { k } => format!("consecutive:{k}"),
            Spec::Window { window } => format!("window:{}", seconds(*window)),
            Spec::MOfN { m, n } => format!("m-of-n:{m}/{n}"),
            Spec::SuccessRate { min_success, window, fail_after } => {
                format!("success-rate:{min_success}/{}/{}", seconds(*window), seconds(*fail_after))
            }
        };
        f.pad(&text)
    }
}

/// Reads the parameters of one trigger, for messages that quote it whole.
pub(in crate::trigger) struct Reader<'a> {
    pub(in crate::trigger) spec: &'a str,
}

impl Reader<'_> {
    pub(in crate::trigger) fn count(
        &self,
        part: &'static str,
        text: &str,
    ) -> Result<u64, SpecError> {
        let text = text.trim();
        text.parse().map_err(|_| SpecError::NotANumber {
            spec: self.spec.to_owned(),
            part,
            found: text.to_owned(),
            allowed: "a whole number like 12",
        })
    }

    fn share(&self, part: &'static str, text: &str) -> Result<f64, SpecError> {
        let text = text.trim();
        text.parse().map_err(|_| SpecError::NotANumber {
            spec: self.spec.to_owned(),
            part,
            found: text.to_owned(),
            allowed: "a share like 0.9",
        })
    }

    pub(in crate::trigger) fn span(
        &self,
        part: &'static str,
        text: &str,
    ) -> Result<Span, SpecError> {
        text.parse().map_err(|why| SpecError::NotASpan { spec: self.spec.to_owned(), part, why })
    }

    fn parts<'t, const N: usize>(
        &self,
        parameters: &'t str,
        like: &'static str,
    ) -> Result<[&'t str; N], SpecError> {
        let parts: Vec<&str> = parameters.split('/').collect();
        let found = if parameters.trim().is_empty() { 0 } else { parts.len() };
        parts.try_into().ok().filter(|_| found == N).ok_or_else(|| SpecError::Parameters {
            spec: self.spec.to_owned(),
            found,
            like,
        })
    }
}

/// Splits a written trigger into its family (a known one) and the text of its parameters.
pub(in crate::trigger) fn split(text: &str) -> Result<(&'static str, &str), SpecError> {
    let spec = text.trim();
    let (family, parameters) = match spec.split_once(':') {
        Some((family, parameters)) if !family.trim().is_empty() => (family.trim(), parameters),
        // A family without parameters is a known thing half said.
        _ if FAMILIES.contains(&spec) => (spec, ""),
        _ => return Err(SpecError::NoFamily(spec.to_owned())),
    };
    match FAMILIES.into_iter().find(|known| *known == family) {
        Some(family) => Ok((family, parameters)),
        None => Err(SpecError::UnknownFamily {
            spec: spec.to_owned(),
            found: family.to_owned(),
            nearest: nearest(family, &FAMILIES),
        }),
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (family, parameters) = split(text)?;
        let spec = text.trim();
        if parameters.contains("..") {
            let why = "this is a range, which names many triggers; one is wanted here (ranges are for \
                       the axes of a sweep)";
            return Err(SpecError::Range { spec: spec.to_owned(), why: why.to_owned() });
        }
        let read = Reader { spec };
        match family {
            "consecutive" => {
                let [k] = read.parts(parameters, "consecutive:12")?;
                Spec::Consecutive { k: read.count("number of checks", k)? }
            }
            "window" => {
                let [window] = read.parts(parameters, "window:300s")?;
                Spec::Window { window: read.span("window", window)? }
            }
            "m-of-n" => {
                let [m, n] = read.parts(parameters, "m-of-n:3/5")?;
                Spec::MOfN { m: read.count("M", m)?, n: read.count("N", n)? }
            }
            _ => {
                let [share, window, after] = read.parts(parameters, "success-rate:0.9/60s/180s")?;
                Spec::SuccessRate {
                    min_success: read.share("minimum success", share)?,
                    window: read.span("window", window)?,
                    fail_after: read.span("fail-after", after)?,
                }
            }
        }
        .checked()
    }
}

impl Serialize for Spec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Spec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        text.parse::<Spec>().unwrap_err().to_string()
    }

    #[test]
    fn specs_are_read_as_people_write_them() {
        let secs = Span::from_secs;
        for (text, spec) in [
            ("consecutive:12", Spec::Consecutive { k: 12 }),
            (" window: 5min ", Spec::Window { window: secs(300) }),
            ("m-of-n:3/5", Spec::MOfN { m: 3, n: 5 }),
            (
                "success-rate:0.9/60s/3min",
                Spec::SuccessRate { min_success: 0.9, window: secs(60), fail_after: secs(180) },
            ),
        ] {
            assert_eq!(text.parse(), Ok(spec), "{text}");
        }
        assert_eq!("window:5min".parse::<Spec>().unwrap().to_string(), "window:300s");
        assert_eq!("window:292500ms".parse::<Spec>().unwrap().to_string(), "window:292.5s");
    }

    #[test]
    fn what_is_no_trigger_is_refused_with_the_way_out() {
        for (text, hint) in [
            ("12", "like `consecutive:12`"),
            ("", "like `consecutive:12`"),
            (":3", "like `consecutive:12`"),
            ("consecutve:3", "did you mean `consecutive`?"),
            ("windows:3s", "did you mean `window`?"),
            ("m_of_n:3/5", "did you mean `m-of-n`?"),
            ("xyz:3", "there are `consecutive`, `window`, `m-of-n` and `success-rate`"),
            ("consecutive", "0 parameters after the colon; write it like `consecutive:12`"),
            ("consecutive:", "0 parameters"),
            ("consecutive:0", "the number of checks is 0; it must be a whole number from 1"),
            ("consecutive:-3", "`-3` is no number"),
            ("consecutive:3.5", "must be a whole number"),
            ("consecutive:99999999999999999999", "must be a whole number"),
            ("consecutive:2000000000", "from 1 to 1000000000"),
            ("consecutive:3/5", "2 parameters"),
            ("consecutive:1..40", "axes of a sweep"),
            ("window:300", "`300` has no unit: write it as \"300s\""),
            ("window:0s", "the window is 0s; it must be longer than 0s"),
            ("window:-5s", "the window is -5s"),
            ("window:200y", "no fixed length"),
            ("window:40000d", "hundred years"),
            ("m-of-n:6/5", "the M is 6; it must be a whole number from 1 to N"),
            ("m-of-n:0/5", "the M is 0"),
            ("m-of-n:0/0", "the N is 0"),
            ("m-of-n:3/2000000", "from 1 to 1000000"),
            ("m-of-n:3", "1 parameters after the colon; write it like `m-of-n:3/5`"),
            ("success-rate:1.5/60s/180s", "a share above 0 and up to 1"),
            ("success-rate:0/60s/180s", "a share above 0 and up to 1"),
            ("success-rate:nan/60s/180s", "a share above 0 and up to 1"),
            ("success-rate:90%/60s/180s", "`90%` is no number; it must be a share like 0.9"),
            ("success-rate:0.9/60s/-1s", "the fail-after is -1s; it must be 0s or longer"),
            ("success-rate:0.9/60/180s", "the window cannot be read: `60` has no unit"),
            ("success-rate:0.9", "write it like `success-rate:0.9/60s/180s`"),
        ] {
            assert!(said(text).contains(hint), "{text}: {}", said(text));
        }
    }

    #[test]
    fn serde_takes_the_same_strings() {
        let spec: Spec = serde_json::from_str("\"window:300s\"").unwrap();
        assert_eq!(serde_json::to_string(&spec).unwrap(), "\"window:300s\"");
        let said = serde_json::from_str::<Spec>("\"window:300\"").unwrap_err().to_string();
        assert!(said.contains("has no unit"), "{said}");
    }
}
