//! The silence rule: what a check that was due and never arrived counts as.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::rule::Reading;
use super::words::{UnknownWord, nearest};
use crate::history::Check;

/// What an absent check counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Silence {
    /// Nothing is learnt from it. A region that goes dark is missed: the flaw to be shown.
    Ignored,
    /// It counts as unhealthy. A prober that dies becomes a false failover: the price.
    Failure,
}

impl Silence {
    /// Both rules.
    pub const ALL: [Silence; 2] = [Silence::Ignored, Silence::Failure];

    /// The rule as it is written.
    pub const fn word(self) -> &'static str {
        match self {
            Silence::Ignored => "ignored",
            Silence::Failure => "failure",
        }
    }

    #[inline]
    pub(super) fn reading(self, check: Check) -> Reading {
        match (check, self) {
            (Check::Healthy, _) => Reading::Healthy,
            (Check::Unhealthy, _) | (Check::Absent, Silence::Failure) => Reading::Unhealthy,
            (Check::Absent, Silence::Ignored) => Reading::Nothing,
        }
    }
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Silence {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let found = text.trim();
        Silence::ALL.into_iter().find(|rule| rule.word() == found).ok_or_else(|| UnknownWord {
            what: "silence rule",
            found: found.to_owned(),
            allowed: "`ignored` or `failure`",
            nearest: nearest(found, &Silence::ALL.map(Silence::word)),
        })
    }
}

impl TryFrom<String> for Silence {
    type Error = UnknownWord;

    fn try_from(text: String) -> Result<Self, UnknownWord> {
        text.parse()
    }
}

impl From<Silence> for &'static str {
    fn from(rule: Silence) -> Self {
        rule.word()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_printed() {
        for rule in Silence::ALL {
            assert_eq!(rule.to_string().parse(), Ok(rule));
            let json = serde_json::to_string(&rule).unwrap();
            assert_eq!(json, format!("\"{rule}\""));
            assert_eq!(serde_json::from_str::<Silence>(&json).unwrap(), rule);
        }
    }

    #[test]
    fn a_slip_is_met_with_the_word_meant() {
        let said = "ignore".parse::<Silence>().unwrap_err().to_string();
        assert_eq!(
            said,
            "`ignore` is no silence rule: write `ignored` or `failure` (did you mean `ignored`?)"
        );
        let said = serde_json::from_str::<Silence>("\"health\"").unwrap_err().to_string();
        assert!(said.contains("`ignored` or `failure`"), "{said}");
    }
}
