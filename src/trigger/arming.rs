//! The arming rule: the history a (re)started controller must hold before it may fire.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::words::{UnknownWord, nearest};

/// When a trigger that has just been (re)started may fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arming {
    /// At once: fires on its first bad probe. The lab's flaw.
    Immediate,
    /// After as many due checks as the trigger's own patience spans.
    FullWindow,
    /// After so many due checks, that one included.
    Checks(u64),
}

const ALLOWED: &str = "`immediate`, `full-window` or a number of checks";

impl fmt::Display for Arming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arming::Immediate => f.pad("immediate"),
            Arming::FullWindow => f.pad("full-window"),
            Arming::Checks(checks) => f.pad(&checks.to_string()),
        }
    }
}

impl FromStr for Arming {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let found = text.trim();
        match found {
            "immediate" => Ok(Arming::Immediate),
            "full-window" => Ok(Arming::FullWindow),
            _ => found.parse().map(Arming::Checks).map_err(|_| UnknownWord {
                what: "arming rule",
                found: found.to_owned(),
                allowed: ALLOWED,
                nearest: nearest(found, &["immediate", "full-window"]),
            }),
        }
    }
}

impl Serialize for Arming {
    /// A word, or the number of checks as a number.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Arming::Checks(checks) => serializer.serialize_u64(*checks),
            rule => serializer.collect_str(rule),
        }
    }
}

impl<'de> Deserialize<'de> for Arming {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl serde::de::Visitor<'_> for Written {
            type Value = Arming;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an arming rule: {ALLOWED}")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Arming, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_u64<E: serde::de::Error>(self, checks: u64) -> Result<Arming, E> {
                Ok(Arming::Checks(checks))
            }
            fn visit_i64<E: serde::de::Error>(self, checks: i64) -> Result<Arming, E> {
                self.visit_str(&checks.to_string())
            }
        }
        deserializer.deserialize_any(Written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_printed() {
        for (rule, json) in [
            (Arming::Immediate, "\"immediate\""),
            (Arming::FullWindow, "\"full-window\""),
            (Arming::Checks(31), "31"),
        ] {
            assert_eq!(rule.to_string().parse(), Ok(rule));
            assert_eq!(serde_json::to_string(&rule).unwrap(), json);
            assert_eq!(serde_json::from_str::<Arming>(json).unwrap(), rule);
        }
    }

    #[test]
    fn what_is_no_rule_is_refused_with_the_rules_there_are() {
        for (text, hint) in
            [("full_window", "did you mean `full-window`?"), ("-3", ALLOWED), ("", ALLOWED)]
        {
            let said = text.parse::<Arming>().unwrap_err().to_string();
            assert!(said.contains(hint), "{said}");
        }
        for json in ["-3", "2.5", "true"] {
            let said = serde_json::from_str::<Arming>(json).unwrap_err().to_string();
            assert!(said.contains("number of checks"), "{said}");
        }
    }
}
