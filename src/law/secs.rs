//! Lengths in seconds as written in a law's table: spans with units, finer than the clock's
//! nanoseconds where a computed parameter needs it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::time::{Span, SpanError};

/// Seconds, read from and written to a string with a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Secs(pub(super) f64);

impl FromStr for Secs {
    type Err = SpanError;

    /// Reads plain decimal seconds (`"20.25s"`) to the last digit, all else as a [`Span`].
    fn from_str(text: &str) -> Result<Self, SpanError> {
        let span: Span = match text.trim().strip_suffix('s').map(str::parse::<f64>) {
            Some(Ok(secs)) if text.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
                let longest = crate::time::LONGEST.as_secs_f64();
                if secs <= longest {
                    return Ok(Secs(secs));
                }
                return Err(SpanError::TooLong(text.to_owned()));
            }
            _ => text.parse()?,
        };
        Ok(Secs(span.as_secs_f64()))
    }
}

impl fmt::Display for Secs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let span = Span::from_secs_f64(self.0);
        if span.as_secs_f64() == self.0 {
            return span.fmt(f);
        }
        write!(f, "{}s", self.0)
    }
}

impl Serialize for Secs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Secs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl serde::de::Visitor<'_> for Written {
            type Value = Secs;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a length of time in quotes, like \"10s\" or \"15min\"")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Secs, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Secs, E> {
                Err(E::custom(SpanError::NoUnit(number.to_string())))
            }
            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Secs, E> {
                Err(E::custom(SpanError::NoUnit(number.to_string())))
            }
            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Secs, E> {
                Err(E::custom(SpanError::NoUnit(number.to_string())))
            }
        }
        deserializer.deserialize_any(Written)
    }
}
