//! The words of the page: what an axis, a value, a law, a rate and a length of time are called.

use toml::Value;

use crate::estimate::Estimate;
use crate::figure::words::spaced;
pub(super) use crate::figure::words::{axis, counted as count};
use crate::law::Law;
use crate::time::Span;

/// A blank at which no line is broken.
const NO_BREAK: char = '\u{a0}';

/// How a value on an axis is written.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::String(text) if text.parse::<Span>().is_ok() => spaced(text.trim()),
        Value::String(text) => text.clone(),
        Value::Float(number) => significant(*number, 4),
        Value::Table(table) => {
            let pairs = table.iter().map(|(key, inner)| format!("{key} {}", self::value(inner)));
            pairs.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// A length of time with a blank before each unit: `1 h 30 min`.
pub(super) fn span(span: Span) -> String {
    spaced(&span.to_string())
}

/// A law in words: `exponential, mean 20 s`; a constant is its length.
pub(super) fn law(law: &Law) -> String {
    let mean = law.mean();
    let mean_text = if mean.is_finite() {
        span(Span::from_secs_f64(round(mean, 4)))
    } else {
        "infinite".into()
    };
    match Value::try_from(law) {
        Ok(Value::Table(table)) if !matches!(law, Law::Mixture(_) | Law::Empirical(_)) => {
            let mut words = vec![law.family().to_owned()];
            let own = table.iter().filter(|(key, _)| !matches!(key.as_str(), "law" | "mean"));
            words.extend(own.map(|(key, value)| format!("{key} {}", self::value(value))));
            words.push(format!("mean {mean_text}"));
            words.join(", ")
        }
        Ok(Value::String(_)) | Ok(Value::Integer(_)) | Ok(Value::Float(_)) => mean_text,
        _ => format!("{}, mean {mean_text}", law.family()),
    }
}

/// A number rounded to this many significant digits.
pub(super) fn round(value: f64, digits: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let text = format!("{value:.*e}", usize::try_from(digits - 1).unwrap_or(0));
    text.parse().unwrap_or(value)
}

/// Seconds as they stand on the page: tenths are enough of long ones.
pub(super) fn seconds(value: f64) -> String {
    let tenths = (value * 10.0).round() / 10.0;
    crate::budget::words::number(if value.abs() >= 10.0 { tenths } else { value })
}

/// A number with at most this many significant digits: `0.3116`, `2.482e-5`, `1500`.
pub(super) fn significant(value: f64, digits: i32) -> String {
    let rounded = round(value, digits);
    if rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs()) {
        return rounded.to_string();
    }
    format!("{rounded:e}")
}

/// A rate a day with its interval, and the true value where it is known.
pub(super) fn rate(rate: &Estimate) -> String {
    if rate.exact == Some(rate.value) && rate.lo == rate.hi {
        return format!("exactly{NO_BREAK}{}", significant(rate.value, 3));
    }
    with_exact(rate.show(2), rate.exact)
}

/// A share as a percentage with its interval, and the true value where it is known.
pub(super) fn percent(share: &Estimate) -> String {
    if !share.lo.is_finite() {
        return "not measured".to_owned();
    }
    let share = share.scaled(100.0);
    let exact = share.exact.filter(|exact| (exact - share.value).abs() > 1e-9);
    if share.value == 100.0 && share.lo < 100.0 {
        // All of them: a lower bound, as none of them is an upper one.
        let short = 100.0 - share.lo;
        let unit = 10_f64.powf(short.log10().floor());
        let lowest = round(100.0 - (short / unit * (1.0 - 1e-9)).ceil() * unit, 12);
        return with_exact(format!(">{NO_BREAK}{lowest}{NO_BREAK}%"), exact);
    }
    let shown = if share.lo == share.hi { significant(share.value, 4) } else { share.show(1) };
    let unit = shown.split_once(" (").map(|(value, rest)| format!("{value}{NO_BREAK}% ({rest}"));
    with_exact(unit.unwrap_or_else(|| format!("{shown}{NO_BREAK}%")), exact)
}

fn with_exact(shown: String, exact: Option<f64>) -> String {
    match exact {
        Some(exact) => format!("{shown}; exact{NO_BREAK}{}", significant(exact, 3)),
        None => shown,
    }
}

/// How often something of this daily rate happens, roughly.
pub(super) fn how_often(per_day: f64) -> String {
    let about = |n: f64, unit: &str| {
        let n = if n < 10.0 { round(n, 2) } else { round(n, 2).round() };
        let shown = if n >= 1e4 { format!("{} thousand", n / 1e3) } else { n.to_string() };
        if n == 1.0 {
            format!("about one a {unit}")
        } else {
            format!("about one every {shown} {unit}s")
        }
    };
    match per_day {
        rate if rate.is_nan() || rate <= 0.0 => "never".to_owned(),
        rate if rate >= 1.5 => format!("about {} a day", significant(rate, 2)),
        rate if rate >= 1.0 / 60.0 => about(1.0 / rate, "day"),
        rate if rate >= 1.0 / 730.0 => about(1.0 / rate / 30.44, "month"),
        rate if rate >= 1.0 / 3.6525e8 => about(1.0 / rate / 365.25, "year"),
        _ => "less than one in a million years".to_owned(),
    }
}

/// The same words with a capital at the beginning and a full stop at the end.
pub(super) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let stop = if words.ends_with('.') { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// A list in words: `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A list that names its ends only, where it is long.
pub(super) fn ends(items: &[String]) -> String {
    match items {
        [first, _, .., last] if items.len() > 6 => {
            format!("{} values from {first} to {last}", items.len())
        }
        _ => list(items),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_laws_read_as_words() {
        assert_eq!(value(&"1h 30min".into()), "1 h 30 min");
        assert_eq!(value(&"dark".into()), "dark");
        assert_eq!(value(&0.25.into()), "0.25");
        assert_eq!(axis("blips.length.mean"), "mean blip");
        assert_eq!(law(&Law::exponential_mean(Span::from_secs(20))), "exponential, mean 20 s");
        assert_eq!(law(&Law::constant_span(Span::from_secs(90))), "1 min 30 s");
    }

    #[test]
    fn rates_are_said_in_the_unit_that_fits() {
        assert_eq!(how_often(73.5), "about 74 a day");
        assert_eq!(how_often(0.3116), "about one every 3.2 days");
        assert_eq!(how_often(1.0), "about one a day");
        assert_eq!(how_often(1.0 / 152.0), "about one every 5 months");
        assert_eq!(how_often(2.482e-5), "about one every 110 years");
        assert_eq!(how_often(1e-30), "less than one in a million years");
        assert_eq!(how_often(0.0), "never");
    }

    #[test]
    fn numbers_are_no_longer_than_they_need() {
        assert_eq!(significant(0.31163, 4), "0.3116");
        assert_eq!(significant(2.4821e-5, 4), "2.482e-5");
        assert_eq!(significant(1500.0, 4), "1500");
        assert_eq!(count(60_000, "day"), "60,000 days");
        let share = Estimate { value: 0.5, lo: 0.4, hi: 0.6, level: 0.95, n: 9, exact: None };
        assert_eq!(percent(&share), "50\u{a0}% (40–60)");
        let all = Estimate { value: 1.0, lo: 0.999945, hi: 1.0, exact: Some(1.0), ..share };
        assert_eq!(percent(&all), ">\u{a0}99.994\u{a0}%");
        let none = Estimate { value: 0.0, lo: 0.0, hi: 0.00123, exact: Some(0.0), ..share };
        assert_eq!(percent(&none), "< 0.2\u{a0}%");
    }
}
