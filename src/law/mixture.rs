//! A mixture: one of several laws, by weight. Packet loss is short, a garbage collection is not.

use rand::RngExt;

use super::Law;
use super::error::{self, LawError};
use super::numeric::invert;
use crate::engine::Rng;

/// One of several laws, by weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    of: Vec<(f64, Law)>,
    /// Chance of each part: its weight over the sum.
    chances: Vec<f64>,
}

impl Mixture {
    pub(super) fn new(of: Vec<(f64, Law)>) -> Result<Self, LawError> {
        if of.is_empty() {
            return Err(LawError::Empty { family: "mixture", parameter: "of" });
        }
        for (weight, _) in &of {
            error::weight("mixture", *weight)?;
        }
        let sum: f64 = of.iter().map(|(weight, _)| weight).sum();
        error::weight("mixture", sum)?;
        let chances = of.iter().map(|(weight, _)| weight / sum).collect();
        Ok(Mixture { of, chances })
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        let of = self.of.iter().map(|(weight, law)| (*weight, law.scaled(factor))).collect();
        Mixture { of, chances: self.chances.clone() }
    }

    /// The parts with their weights, as given.
    pub fn parts(&self) -> &[(f64, Law)] {
        &self.of
    }

    pub(super) fn breaks(&self) -> Vec<f64> {
        let mut all: Vec<f64> = self.of.iter().flat_map(|(_, law)| law.breaks()).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        all
    }

    pub(super) fn sample(&self, rng: &mut Rng) -> f64 {
        let mut unit: f64 = rng.random();
        let last = self.of.len() - 1;
        for (chance, (_, law)) in self.chances.iter().zip(&self.of).take(last) {
            if unit < *chance {
                return law.sample_secs(rng);
            }
            unit -= chance;
        }
        self.of[last].1.sample_secs(rng)
    }

    /// The chances' average of a figure of the parts.
    fn average(&self, figure: impl Fn(&Law) -> f64) -> f64 {
        self.chances.iter().zip(&self.of).map(|(chance, (_, law))| chance * figure(law)).sum()
    }

    /// Mean in seconds.
    pub fn mean(&self) -> f64 {
        self.average(Law::mean)
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        self.average(|law| law.cdf(x))
    }

    pub(super) fn survival(&self, x: f64) -> f64 {
        self.average(|law| law.survival(x))
    }

    pub(super) fn cumulative_survival(&self, x: f64) -> f64 {
        self.average(|law| law.cumulative_survival(x))
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        // The mixture's quantile lies between the least and the greatest of its parts'.
        let quantiles = self.of.iter().map(|(_, law)| law.quantile(p));
        let (low, high) = quantiles.fold((f64::INFINITY, 0.0_f64), |(low, high), quantile| {
            (low.min(quantile), high.max(quantile))
        });
        if p >= 1.0 {
            return high;
        }
        if p <= 0.0 {
            return low;
        }
        invert(p, low, high, |x| self.cdf(x), |x| self.survival(x))
    }

    pub(super) fn ln_density(&self, x: f64) -> f64 {
        let logs: Vec<f64> = self
            .chances
            .iter()
            .zip(&self.of)
            .map(|(chance, (_, law))| chance.ln() + law.ln_density(x))
            .collect();
        if logs.iter().any(|log| log.is_nan()) {
            return f64::NAN;
        }
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most.is_infinite() {
            return most;
        }
        most + logs.iter().map(|log| (log - most).exp()).sum::<f64>().ln()
    }
}
