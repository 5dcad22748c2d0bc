//! The Pareto law of type I: a power tail above a minimum.

use rand::Rng as _;

use super::error::{self, LawError};
use super::exponential::standard_exponential;
use crate::engine::Rng;

/// Pareto of type I with survival `(minimum/x)^alpha` above the minimum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pareto {
    alpha: f64,
    minimum: f64,
}

impl Pareto {
    pub(super) fn new(alpha: f64, minimum: f64) -> Result<Self, LawError> {
        let alpha = error::shape("pareto", "alpha", alpha)?;
        let minimum = error::length("pareto", "minimum", minimum)?;
        Ok(Pareto { alpha, minimum })
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Pareto { minimum: self.minimum * factor, ..*self }
    }

    /// The tail's index.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The least length, in seconds.
    pub fn minimum(&self) -> f64 {
        self.minimum
    }

    #[inline]
    pub(super) fn sample(&self, rng: &mut Rng) -> f64 {
        let standard = standard_exponential(rng.next_u64());
        self.minimum * libm::exp(standard / self.alpha)
    }

    /// Mean in seconds; infinite unless the index is above 1.
    pub fn mean(&self) -> f64 {
        if self.alpha <= 1.0 {
            return f64::INFINITY;
        }
        self.minimum * self.alpha / (self.alpha - 1.0)
    }

    /// The cumulative hazard.
    fn hazard(&self, x: f64) -> f64 {
        if x <= self.minimum { 0.0 } else { self.alpha * (x / self.minimum).ln() }
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        -(-self.hazard(x)).exp_m1()
    }

    pub(super) fn survival(&self, x: f64) -> f64 {
        (-self.hazard(x)).exp()
    }

    pub(super) fn cumulative_survival(&self, x: f64) -> f64 {
        if x <= self.minimum {
            return x;
        }
        // ∫ (m/t)^alpha dt from m to x is m L (1 − e^−u)/u, with L = ln(x/m) and u = (alpha − 1) L;
        // written so, it passes smoothly through alpha = 1.
        let log = (x / self.minimum).ln();
        let u = (self.alpha - 1.0) * log;
        let mean_factor = if u == 0.0 { 1.0 } else { -(-u).exp_m1() / u };
        self.minimum * (1.0 + log * mean_factor)
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.minimum * (-(-p).ln_1p() / self.alpha).exp()
    }

    pub(super) fn ln_density(&self, x: f64) -> f64 {
        if x < self.minimum {
            return f64::NEG_INFINITY;
        }
        self.alpha.ln() - x.ln() - self.hazard(x)
    }
}
