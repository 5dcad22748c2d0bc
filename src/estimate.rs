//! Figures with their uncertainty: means, rates, proportions, quantiles and paired differences.
//!
//! What is gathered is gathered in integers ([`Sums`]), so that it does not depend on the order or the
//! grouping in which parts are merged. Floats appear when an [`Estimate`] is made. This module knows
//! nothing of what is being estimated.

mod inverse;
mod order;
mod proportion;
mod rate;
mod show;
mod sums;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use sums::Sums;

/// The confidence level used where nobody asks for another.
pub const LEVEL: f64 = 0.95;

/// A figure, the interval that covers the truth with probability `level`, and what it rests on.
///
/// Constructors return `None` where there is nothing to estimate from. A bound that cannot be known
/// (the mean of a single observation) is infinite here and `null` in JSON; the value is always finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// Lower end of the interval.
    #[serde(serialize_with = "bound", deserialize_with = "lower")]
    pub lo: f64,
    /// Upper end of the interval.
    #[serde(serialize_with = "bound", deserialize_with = "upper")]
    pub hi: f64,
    /// The probability with which such intervals cover the truth (at least). It is what was asked
    /// for, but for a quantile of too small a sample, where it is what the sample can give.
    pub level: f64,
    /// What the figure rests on: replications, trials or observations; for a rate of one stream of
    /// events, the events.
    pub n: u64,
    /// The true value, where theory gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<f64>,
}

impl Estimate {
    fn new(value: f64, (lo, hi): (f64, f64), level: f64, n: u64) -> Option<Estimate> {
        // Rounding must not put the value outside its own interval.
        let estimate =
            Estimate { value, lo: lo.min(value), hi: hi.max(value), level, n, exact: None };
        value.is_finite().then_some(estimate)
    }

    /// The same with the true value beside it.
    pub fn with_exact(mut self, exact: f64) -> Estimate {
        self.exact = exact.is_finite().then_some(exact);
        self
    }

    /// The same in another unit, `factor` (positive) of which make one of this.
    pub fn scaled(mut self, factor: f64) -> Estimate {
        self.value *= factor;
        self.lo *= factor;
        self.hi *= factor;
        self.exact = self.exact.map(|exact| exact * factor);
        self
    }

    /// True iff `truth` lies in the interval, ends included.
    pub fn covers(&self, truth: f64) -> bool {
        self.lo <= truth && truth <= self.hi
    }
}

/// A level that intervals can be made for: what is no probability becomes [`LEVEL`].
fn sane_level(level: f64) -> f64 {
    if level > 0.0 && level < 1.0 { level.min(1.0 - 1e-12) } else { LEVEL }
}

fn bound<S: Serializer>(bound: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    bound.is_finite().then_some(*bound).serialize(serializer)
}

fn lower<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NEG_INFINITY))
}

fn upper<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_keys_of_the_contract() {
        let estimate = Estimate::rate(3, 10.0, 0.95).unwrap();
        let json = serde_json::to_value(estimate).unwrap();
        let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["value", "lo", "hi", "level", "n"]);
        let known = serde_json::to_value(estimate.with_exact(0.25)).unwrap();
        assert_eq!(known["exact"], 0.25);
        assert_eq!(serde_json::from_value::<Estimate>(json).unwrap(), estimate);
    }

    #[test]
    fn a_bound_nobody_knows_is_null() {
        let single = Sums::of([7]).mean(1.0, 0.95).unwrap();
        let json = serde_json::to_string(&single).unwrap();
        assert_eq!(json, r#"{"value":7.0,"lo":null,"hi":null,"level":0.95,"n":1}"#);
        assert_eq!(serde_json::from_str::<Estimate>(&json).unwrap(), single);
    }
}
