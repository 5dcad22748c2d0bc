//! The most false failovers that are accepted, as people write it: `1/30d`.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::time::Span;

/// So many false failovers in so long a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    count: f64,
    every: Span,
}

/// Why a limit was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// There is no slash.
    #[error("`{0}` is no limit; write so many in a length of time, like \"1/30d\" or \"0.5/1d\"")]
    NoSlash(String),
    /// The count is not a positive number.
    #[error(
        "`{0}` is not a number of false failovers; allowed: more than 0, up to 1e9. No trigger is \
         silent for ever: for hardly any, write a long time, like \"1/3650d\""
    )]
    Count(String),
    /// The length of time is not one.
    #[error("{0}")]
    Every(String),
}

impl Limit {
    /// False failovers a day.
    pub fn per_day(&self) -> f64 {
        self.count / self.every.as_days_f64()
    }
}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let Some((count, every)) = text.split_once('/') else {
            return Err(LimitError::NoSlash(text.to_owned()));
        };
        let number = count.trim().parse::<f64>().ok();
        let Some(count) = number.filter(|count| *count > 0.0 && *count <= 1e9) else {
            return Err(LimitError::Count(count.trim().to_owned()));
        };
        let every: Span = every
            .parse()
            .map_err(|why: crate::time::SpanError| LimitError::Every(why.to_string()))?;
        if !every.is_positive() {
            return Err(LimitError::Every(format!("{every} found; allowed: longer than 0s")));
        }
        Ok(Limit { count, every })
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.count, self.every)
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_people_write_them() {
        let per_day = |text: &str| text.parse::<Limit>().unwrap().per_day();
        assert_eq!(per_day("1/30d"), 1.0 / 30.0);
        assert_eq!(per_day("0.5/1d"), 0.5);
        assert_eq!(per_day("2/12h"), 4.0);
        assert_eq!("1/30d".parse::<Limit>().unwrap().to_string(), "1/30d");
    }

    #[test]
    fn what_is_no_limit_is_refused_with_the_way_out() {
        let said = |text: &str| text.parse::<Limit>().unwrap_err().to_string();
        assert!(said("1").contains("\"1/30d\""));
        assert!(said("0/30d").contains("silent for ever"));
        assert!(said("nan/30d").contains("not a number"));
        assert!(said("1/30").contains("has no unit"));
        assert!(said("1/0s").contains("longer than 0s"));
    }
}
