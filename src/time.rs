//! Instants and spans on an integer clock of nanoseconds; how users write and read them.
//!
//! An instant is a count of nanoseconds since the start of a run (or of a recording). Nothing here
//! adds up floating-point seconds: floats appear only at the edges, when a law is sampled or a
//! figure is printed. This module never reads the wall clock.

mod divisor;

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use divisor::Divisor;

/// Nanoseconds in a second.
pub const NANOS_PER_SECOND: i64 = 1_000_000_000;

/// The longest span that is accepted from a user or drawn from a law: a hundred years.
///
/// It keeps sums of instants and spans far from the end of `i64` (292 years).
pub const LONGEST: Span = Span::from_days(36_525);

/// An instant: nanoseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

/// A length of time in nanoseconds. May be negative: the room left by an RTO can be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(i64);

impl Time {
    /// The start of the run.
    pub const START: Time = Time(0);

    /// The instant `nanos` nanoseconds after the start.
    pub const fn from_nanos(nanos: i64) -> Self {
        Time(nanos)
    }

    /// Nanoseconds since the start.
    pub const fn as_nanos(self) -> i64 {
        self.0
    }

    /// Seconds since the start, for printing.
    pub fn as_secs_f64(self) -> f64 {
        Span(self.0).as_secs_f64()
    }

    /// The span since the start.
    pub const fn since_start(self) -> Span {
        Span(self.0)
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// A span of `nanos` nanoseconds.
    pub const fn from_nanos(nanos: i64) -> Self {
        Span(nanos)
    }

    /// A span of whole seconds.
    pub const fn from_secs(secs: i64) -> Self {
        Span(secs * NANOS_PER_SECOND)
    }

    /// A span of whole days of 24 hours.
    pub const fn from_days(days: i64) -> Self {
        Span::from_secs(days * 86_400)
    }

    /// The nearest span to `secs` seconds, held to `±`[`LONGEST`]; not-a-number becomes zero.
    pub fn from_secs_f64(secs: f64) -> Self {
        let longest = LONGEST.0 as f64;
        let nanos = (secs * NANOS_PER_SECOND as f64).clamp(-longest, longest);
        Span(nanos.round() as i64)
    }

    /// Nanoseconds.
    pub const fn as_nanos(self) -> i64 {
        self.0
    }

    /// Seconds, for printing and for laws.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_SECOND as f64
    }

    /// Days of 24 hours, for rates.
    pub fn as_days_f64(self) -> f64 {
        self.as_secs_f64() / 86_400.0
    }

    /// True iff longer than nothing.
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// How many whole `step`s fit, rounded towards minus infinity. `step` must be positive.
    pub const fn div_floor(self, step: Span) -> i64 {
        self.0.div_euclid(step.0)
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        *self = *self + span;
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    fn sub(self, span: Span) -> Time {
        Time(self.0.saturating_sub(span.0))
    }
}

impl Sub for Time {
    type Output = Span;
    fn sub(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        *self = *self + other;
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
}

impl Neg for Span {
    type Output = Span;
    fn neg(self) -> Span {
        Span(self.0.saturating_neg())
    }
}

impl Mul<i64> for Span {
    type Output = Span;
    fn mul(self, times: i64) -> Span {
        Span(self.0.saturating_mul(times))
    }
}

impl Div<i64> for Span {
    type Output = Span;
    fn div(self, parts: i64) -> Span {
        Span(self.0 / parts)
    }
}

impl std::iter::Sum for Span {
    fn sum<I: Iterator<Item = Span>>(spans: I) -> Span {
        spans.fold(Span::ZERO, Add::add)
    }
}

/// Why a written span was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// A bare number.
    #[error("`{0}` has no unit: write it as \"{0}s\", \"{0}min\" or \"{0}h\"")]
    NoUnit(String),
    /// Not a span at all.
    #[error(
        "`{found}` is not a length of time ({why}); write it like \"10s\", \"15min\", \"1h 30m\" or \"30d\""
    )]
    Unreadable {
        /// What was written.
        found: String,
        /// What the parser made of it.
        why: String,
    },
    /// Months and years have no fixed length.
    #[error(
        "`{0}` uses months or years, which have no fixed length: write it in days (\"30d\") or weeks (\"4w\")"
    )]
    Calendar(String),
    /// Longer than [`LONGEST`].
    #[error("`{0}` is longer than the hundred years this tool reckons with")]
    TooLong(String),
}

impl FromStr for Span {
    type Err = SpanError;

    /// Reads `"10s"`, `"15min"`, `"1h 30m"`, `"30d"`, `"250ms"`; a day is 24 hours.
    fn from_str(text: &str) -> Result<Self, SpanError> {
        let text = text.trim();
        let found = || text.to_owned();
        if text == "0" {
            return Ok(Span::ZERO);
        }
        if text.parse::<f64>().is_ok() {
            return Err(SpanError::NoUnit(found()));
        }
        let span: jiff::Span = text.parse().map_err(|why: jiff::Error| SpanError::Unreadable {
            found: found(),
            why: why.to_string(),
        })?;
        if span.get_years() != 0 || span.get_months() != 0 {
            return Err(SpanError::Calendar(found()));
        }
        let duration = span
            .to_duration(jiff::SpanRelativeTo::days_are_24_hours())
            .map_err(|_| SpanError::TooLong(found()))?;
        let nanos = i64::try_from(duration.as_nanos()).map_err(|_| SpanError::TooLong(found()))?;
        if nanos.abs() > LONGEST.0 {
            return Err(SpanError::TooLong(found()));
        }
        Ok(Span(nanos))
    }
}

impl fmt::Display for Span {
    /// Writes the span exactly, in the largest units that fit, so that it can be read back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(i64, &str); 7] = [
            (86_400 * NANOS_PER_SECOND, "d"),
            (3_600 * NANOS_PER_SECOND, "h"),
            (60 * NANOS_PER_SECOND, "min"),
            (NANOS_PER_SECOND, "s"),
            (1_000_000, "ms"),
            (1_000, "us"),
            (1, "ns"),
        ];
        if self.0 == 0 {
            return f.pad("0s");
        }
        let mut text = String::new();
        let mut rest = self.0.unsigned_abs();
        for (size, unit) in UNITS {
            let size = size.unsigned_abs();
            if rest >= size {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&format!("{}{unit}", rest / size));
                rest %= size;
            }
        }
        if self.0 < 0 {
            text.insert(0, '-');
        }
        f.pad(&text)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.since_start().fmt(f)
    }
}

impl Serialize for Span {
    /// As text with units for people, as nanoseconds in binary formats.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return serializer.serialize_i64(self.0);
        }
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    /// From a string with a unit. A bare number is refused with a message that says how to write it.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl serde::de::Visitor<'_> for Written {
            type Value = Span;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a length of time in quotes, like \"10s\" or \"15min\"")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Span, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Span, E> {
                self.visit_str(&number.to_string())
                    .map_err(|_: E| E::custom(SpanError::NoUnit(number.to_string())))
            }
            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Span, E> {
                self.visit_str(&number.to_string())
                    .map_err(|_: E| E::custom(SpanError::NoUnit(number.to_string())))
            }
            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Span, E> {
                Err(E::custom(SpanError::NoUnit(number.to_string())))
            }
        }
        if !deserializer.is_human_readable() {
            return i64::deserialize(deserializer).map(Span);
        }
        deserializer.deserialize_any(Written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(text: &str) -> f64 {
        text.parse::<Span>().unwrap().as_secs_f64()
    }

    #[test]
    fn spans_are_read_as_people_write_them() {
        assert_eq!(secs("10s"), 10.0);
        assert_eq!(secs("15min"), 900.0);
        assert_eq!(secs("15m"), 900.0);
        assert_eq!(secs("1h 30m"), 5_400.0);
        assert_eq!(secs("30d"), 2_592_000.0);
        assert_eq!(secs("250ms"), 0.25);
        assert_eq!(secs("1.5h"), 5_400.0);
        assert_eq!(secs("0"), 0.0);
    }

    #[test]
    fn what_is_not_a_span_is_refused_with_the_way_out() {
        let said = |text: &str| text.parse::<Span>().unwrap_err().to_string();
        assert!(said("10").contains("write it as \"10s\""));
        assert!(said("ten").contains("not a length of time"));
        assert!(said("3mo").contains("write it in days"));
        assert!(said("900000d").contains("hundred years"));
    }

    #[test]
    fn what_is_printed_can_be_read_back() {
        for nanos in [0, 1, 999, 10_000_000_000, 90_061_001_002_003, -20_000_000_000] {
            let span = Span::from_nanos(nanos);
            assert_eq!(span.to_string().parse::<Span>(), Ok(span), "{span}");
        }
        assert_eq!(Span::from_secs(900).to_string(), "15min");
    }

    #[test]
    fn floats_are_held_to_the_longest_span() {
        assert_eq!(Span::from_secs_f64(f64::INFINITY), LONGEST);
        assert_eq!(Span::from_secs_f64(f64::NAN), Span::ZERO);
        assert_eq!(Span::from_secs_f64(1e-9), Span::from_nanos(1));
    }
}
