//! Ranges of an axis: `{ from, to, step }` and `{ from, to, points, scale = "log" }`.

use toml::{Table, Value};

use super::MOST_VALUES;
use crate::time::Span;

/// A range's ends: spans, or numbers whole or not.
enum Ends {
    Spans(Span, Span),
    Whole(i64, i64),
    Numbers(f64, f64),
}

/// The keys of a range.
pub const KEYS: [&str; 5] = ["from", "to", "step", "points", "scale"];

/// The values of a range.
///
/// # Errors
/// In words without the place: an unknown key, a range that never ends, too many values.
pub fn values(range: &Table) -> Result<Vec<Value>, String> {
    let allowed = KEYS;
    if let Some(unknown) = range.keys().find(|key| !allowed.contains(&key.as_str())) {
        let hint = crate::scenario::document::nearest(unknown, allowed)
            .map(|word| format!("did you mean `{word}`? "))
            .unwrap_or_default();
        return Err(format!("unknown key `{unknown}`; {hint}allowed: {}", allowed.join(", ")));
    }
    let (Some(from), Some(to)) = (range.get("from"), range.get("to")) else {
        return Err("a range needs both `from` and `to`".to_owned());
    };
    let ends = ends(from, to)?;
    match (range.get("step"), range.get("points")) {
        (Some(_), None) if range.contains_key("scale") => {
            Err("`scale` goes with `points`; steps are always linear".to_owned())
        }
        (Some(step), None) => stepped(&ends, step),
        (None, Some(points)) => spaced(&ends, points, range.get("scale")),
        _ => Err("a range needs either `step` or `points`, and not both".to_owned()),
    }
}

fn ends(from: &Value, to: &Value) -> Result<Ends, String> {
    let found = match (from, to) {
        (Value::String(from), Value::String(to)) => {
            let span = |text: &str| text.parse::<Span>().map_err(|why| why.to_string());
            Ends::Spans(span(from)?, span(to)?)
        }
        (Value::Integer(from), Value::Integer(to)) => Ends::Whole(*from, *to),
        _ => match (number(from), number(to)) {
            (Some(from), Some(to)) => Ends::Numbers(from, to),
            _ => return Err("`from` and `to` must both be numbers or both spans".to_owned()),
        },
    };
    let (from, to) = found.as_numbers();
    if !from.is_finite() || !to.is_finite() {
        return Err("a range without two finite ends never ends".to_owned());
    }
    if from > to {
        return Err("`from` must not be above `to`".to_owned());
    }
    Ok(found)
}

impl Ends {
    fn as_numbers(&self) -> (f64, f64) {
        match self {
            Ends::Spans(from, to) => (from.as_secs_f64(), to.as_secs_f64()),
            Ends::Whole(from, to) => (*from as f64, *to as f64),
            Ends::Numbers(from, to) => (*from, *to),
        }
    }
}

/// A number, whole or not.
pub fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))
}

fn stepped(ends: &Ends, step: &Value) -> Result<Vec<Value>, String> {
    let never_ends = || "a range whose step is not above zero never ends".to_owned();
    let too_many = |count: i128| {
        (count >= MOST_VALUES as i128)
            .then(|| format!("the range has {} values; allowed: up to {MOST_VALUES}", count + 1))
    };
    match ends {
        Ends::Spans(from, to) => {
            let step = step.as_str().ok_or("the step of spans is a span, like \"10s\"")?;
            let step: Span = step.parse().map_err(|why: crate::time::SpanError| why.to_string())?;
            if !step.is_positive() {
                return Err(never_ends());
            }
            let count = (*to - *from).div_floor(step);
            too_many(count.into()).map_or(Ok(()), Err)?;
            Ok((0..=count).map(|i| Value::String((*from + step * i).to_string())).collect())
        }
        Ends::Whole(from, to) if step.is_integer() => {
            let step = step.as_integer().filter(|step| *step > 0).ok_or_else(never_ends)?;
            let count = (i128::from(*to) - i128::from(*from)) / i128::from(step);
            too_many(count).map_or(Ok(()), Err)?;
            Ok((0..=count as i64).map(|i| Value::Integer(from + step * i)).collect())
        }
        _ => {
            let (from, to) = ends.as_numbers();
            let step = number(step).filter(|step| *step > 0.0).ok_or_else(never_ends)?;
            // A hair more than the quotient, so that 0.1 … 0.5 by 0.1 has its last value.
            let count = ((to - from) / step * (1.0 + 1e-12)).floor();
            too_many(count as i128).map_or(Ok(()), Err)?;
            Ok((0..=count as i64).map(|i| Value::Float(from + step * i as f64)).collect())
        }
    }
}

fn spaced(ends: &Ends, points: &Value, scale: Option<&Value>) -> Result<Vec<Value>, String> {
    let points = points.as_integer().unwrap_or(0);
    if !(2..=MOST_VALUES as i64).contains(&points) {
        return Err(format!("`points` must be a whole number from 2 to {MOST_VALUES}"));
    }
    let (from, to) = ends.as_numbers();
    let log = match scale.map(|scale| scale.as_str()) {
        None | Some(Some("linear")) => false,
        Some(Some("log")) if from > 0.0 => true,
        Some(Some("log")) => return Err("a log scale needs `from` above zero".to_owned()),
        _ => return Err("`scale` is \"linear\" or \"log\"".to_owned()),
    };
    let at = |i: i64| {
        let part = i as f64 / (points - 1) as f64;
        if log {
            (from.ln() + (to.ln() - from.ln()) * part).exp()
        } else {
            from + (to - from) * part
        }
    };
    let value = |i: i64| match ends {
        // Spaced spans are rounded to a millisecond: nobody reads more.
        Ends::Spans(..) => {
            let millis = (at(i) * 1_000.0).round() as i64;
            Value::String(Span::from_nanos(millis * 1_000_000).to_string())
        }
        Ends::Whole(..) if !log && at(i).fract() == 0.0 => Value::Integer(at(i) as i64),
        Ends::Whole(..) if log => Value::Integer(at(i).round() as i64),
        _ => Value::Float(at(i)),
    };
    let mut values: Vec<Value> = (0..points).map(value).collect();
    values.dedup();
    Ok(values)
}
