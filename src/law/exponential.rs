//! The exponential law: how long one waits for what has no memory.

use rand_distr::{Distribution, Exp1};

use super::error::{self, LawError};
use crate::engine::Rng;
use crate::time::Span;

/// Exponential with a mean in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    mean: f64,
}

impl Exponential {
    pub(super) fn new(mean: f64) -> Result<Self, LawError> {
        error::length("exponential", "mean", mean).map(|mean| Exponential { mean })
    }

    pub(super) fn of_mean(mean: Span) -> Self {
        Exponential { mean: mean.max(Span::from_nanos(1)).as_secs_f64() }
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Exponential { mean: self.mean * factor }
    }

    #[inline]
    pub(super) fn sample(&self, rng: &mut Rng) -> f64 {
        let unit: f64 = Exp1.sample(rng);
        unit * self.mean
    }

    /// A draw in nanoseconds, as [`super::Law::sample`] makes it, for loops that must not dispatch.
    #[inline(always)]
    pub(crate) fn sample_nanos(&self, rng: &mut Rng) -> i64 {
        super::rounded(self.sample(rng)).as_nanos()
    }

    /// Mean in seconds.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        -(-x / self.mean).exp_m1()
    }

    pub(super) fn survival(&self, x: f64) -> f64 {
        (-x / self.mean).exp()
    }

    pub(super) fn cumulative_survival(&self, x: f64) -> f64 {
        self.mean * self.cdf(x)
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        -self.mean * (-p).ln_1p()
    }

    pub(super) fn ln_density(&self, x: f64) -> f64 {
        if x < 0.0 { f64::NEG_INFINITY } else { -x / self.mean - self.mean.ln() }
    }
}
