//! Durations as Prometheus writes them: `1m50s`, `49s999ms`.

use crate::time::{LONGEST, Span};

/// Units, the largest first, in milliseconds. A year is 365 days, a day 24 hours.
const UNITS: [(&str, i64); 7] = [
    ("y", 365 * 86_400_000),
    ("w", 7 * 86_400_000),
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

/// Writes a span, rounded to milliseconds.
pub fn write(span: Span) -> String {
    let mut rest = (span + Span::from_nanos(500_000)).div_floor(super::MILLISECOND).max(0);
    if rest == 0 {
        return "0s".to_owned();
    }
    let mut text = String::new();
    // Years and weeks are left out: days say the same, and everybody knows how long one is.
    for (unit, size) in &UNITS[2..] {
        if rest >= *size {
            text.push_str(&format!("{}{unit}", rest / size));
            rest %= size;
        }
    }
    text
}

/// Reads a duration; `None` when it is not one or lasts more than a hundred years.
pub fn read(text: &str) -> Option<Span> {
    let text = text.trim();
    if text == "0" {
        return Some(Span::ZERO);
    }
    let mut rest = text;
    let mut total: i64 = 0;
    let mut units = UNITS.iter();
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: i64 = rest.get(..digits)?.parse().ok()?;
        rest = rest.get(digits..)?;
        let letters = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let unit = rest.get(..letters)?;
        rest = rest.get(letters..)?;
        // Units come once each and the largest first.
        let (_, size) = units.find(|(name, _)| *name == unit)?;
        total = total.checked_add(number.checked_mul(*size)?)?;
    }
    let span = super::MILLISECOND * total;
    (!text.is_empty() && span <= LONGEST).then_some(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for millis in [0, 1, 999, 49_999, 110_000, 3_600_000, 86_400_000 * 400 + 1] {
            let span = super::super::MILLISECOND * millis;
            assert_eq!(read(&write(span)), Some(span), "{}", write(span));
        }
        assert_eq!(write(Span::from_secs(110)), "1m50s");
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in [
            "",
            "5",
            "m",
            "5x",
            "1s1m",
            "1s1s",
            "-1s",
            "99999999999999999999s",
            "200y",
            "1 m",
            "5é",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("1h30m"), Some(Span::from_secs(5_400)));
        assert_eq!(read("1y"), Some(Span::from_days(365)));
    }
}
