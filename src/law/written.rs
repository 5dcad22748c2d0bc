//! How laws are written in TOML: a table by natural parameters or by mean and shape, or a bare
//! length for a constant.
//!
//! Lengths are strings with units. A length that a law was computed to have (a fitted scale) keeps
//! every digit: it is written in seconds with as many decimals as it takes.

mod table;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use self::table::Written;
use super::Law;
use super::secs::Secs;
use crate::time::SpanError;

/// The families, as written.
const FAMILIES: &[&str] = &[
    "exponential",
    "lognormal",
    "weibull",
    "gamma",
    "pareto",
    "log-logistic",
    "uniform",
    "constant",
    "mixture",
    "empirical",
];

/// What stands at `law`: a family's name, or, in a part of a mixture, a whole law.
#[derive(Clone, Debug)]
enum Head {
    Family(&'static str),
    Law(Law),
}

impl Serialize for Head {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Head::Family(family) => serializer.serialize_str(family),
            Head::Law(law) => law.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Head {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Named;
        impl<'de> Visitor<'de> for Named {
            type Value = Head;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a law's name: {}", FAMILIES.join(", "))
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Head, E> {
                if let Some(family) = FAMILIES.iter().find(|family| **family == text) {
                    return Ok(Head::Family(family));
                }
                match text.parse::<Secs>() {
                    Ok(secs) => Law::constant(secs.0).map(Head::Law).map_err(E::custom),
                    Err(_) => Err(E::unknown_variant(text, FAMILIES)),
                }
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Head, A::Error> {
                Law::deserialize(MapAccessDeserializer::new(map)).map(Head::Law)
            }
        }
        deserializer.deserialize_any(Named)
    }
}

impl Serialize for Law {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Law::Constant(constant) => Secs(constant.value()).serialize(serializer),
            law => Written::of_law(law).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Law {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TableOrLength;
        impl<'de> Visitor<'de> for TableOrLength {
            type Value = Law;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a law like { law = \"exponential\", mean = \"20s\" }, or a length like \"20s\"",
                )
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Law, E> {
                let secs: Secs = text.parse().map_err(E::custom)?;
                Law::constant(secs.0).map_err(E::custom)
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Law, E> {
                Err(E::custom(SpanError::NoUnit(number.to_string())))
            }
            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Law, E> {
                Err(E::custom(SpanError::NoUnit(number.to_string())))
            }
            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Law, E> {
                Err(E::custom(SpanError::NoUnit(number.to_string())))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Law, A::Error> {
                let written = Written::deserialize(MapAccessDeserializer::new(map))?;
                written.into_law().map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_any(TableOrLength)
    }
}
