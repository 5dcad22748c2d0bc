//! The empirical law: one of the lengths that were seen.

use rand::RngExt;

use super::error::{self, LawError};
use crate::engine::Rng;

/// One of the values that were seen, by weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Empirical {
    /// Seconds, ascending.
    values: Vec<f64>,
    /// Weights as given, in the order of the values; 1 where none were given.
    weights: Vec<f64>,
    /// `upto[i]`: chance of the first `i` values.
    upto: Vec<f64>,
    /// `beyond[i]`: chance of all values but the first `i`, summed from the far end.
    beyond: Vec<f64>,
    /// `below[i]`: sum of chance times value over the first `i`.
    below: Vec<f64>,
}

impl Empirical {
    pub(super) fn new(values: Vec<f64>, weights: Option<Vec<f64>>) -> Result<Self, LawError> {
        if values.is_empty() {
            return Err(LawError::Empty { family: "empirical", parameter: "values" });
        }
        let weights = weights.unwrap_or_else(|| vec![1.0; values.len()]);
        if weights.len() != values.len() {
            let (values, weights) = (values.len(), weights.len());
            return Err(LawError::Weights { values, weights });
        }
        let mut pairs = Vec::with_capacity(values.len());
        for (value, weight) in values.into_iter().zip(weights) {
            let value = error::length_or_zero("empirical", "values", value)?;
            pairs.push((value, error::weight("empirical", weight)?));
        }
        let sum: f64 = pairs.iter().map(|(_, weight)| weight).sum();
        error::weight("empirical", sum)?;
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        Ok(Empirical::from_sorted(&pairs, sum))
    }

    fn from_sorted(pairs: &[(f64, f64)], sum: f64) -> Self {
        let n = pairs.len();
        let (mut upto, mut below) = (vec![0.0; n + 1], vec![0.0; n + 1]);
        for (i, (value, weight)) in pairs.iter().enumerate() {
            upto[i + 1] = upto[i] + weight / sum;
            below[i + 1] = below[i] + weight / sum * value;
        }
        let mut beyond = vec![0.0; n + 1];
        for (i, (_, weight)) in pairs.iter().enumerate().rev() {
            beyond[i] = beyond[i + 1] + weight / sum;
        }
        let (values, weights) = pairs.iter().copied().unzip();
        Empirical { values, weights, upto, beyond, below }
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        let by = |all: &[f64]| all.iter().map(|x| x * factor).collect();
        Empirical { values: by(&self.values), below: by(&self.below), ..self.clone() }
    }

    /// The values in seconds, ascending.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Their weights, as given.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub(super) fn sample(&self, rng: &mut Rng) -> f64 {
        self.quantile(rng.random())
    }

    /// Mean in seconds.
    pub fn mean(&self) -> f64 {
        self.below[self.values.len()]
    }

    /// How many values are at most `x`.
    fn count(&self, x: f64) -> usize {
        self.values.partition_point(|value| *value <= x)
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        self.upto[self.count(x)].min(1.0)
    }

    pub(super) fn survival(&self, x: f64) -> f64 {
        self.beyond[self.count(x)].min(1.0)
    }

    pub(super) fn cumulative_survival(&self, x: f64) -> f64 {
        let count = self.count(x);
        self.below[count] + self.beyond[count] * x
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        let index = self.upto[1..].partition_point(|upto| *upto < p);
        self.values[index.min(self.values.len() - 1)]
    }

    pub(super) fn ln_density(&self, _: f64) -> f64 {
        f64::NAN
    }
}
