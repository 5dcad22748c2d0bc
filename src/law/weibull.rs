//! The Weibull law: a hazard that grows or falls as a power of the age.

use rand::Rng as _;

use super::error::{self, LawError};
use super::exponential::standard_exponential;
use super::numeric::lower_gamma;
use crate::engine::Rng;

/// Weibull with survival `exp(−(x/scale)^shape)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weibull {
    shape: f64,
    scale: f64,
}

impl Weibull {
    pub(super) fn new(shape: f64, scale: f64) -> Result<Self, LawError> {
        let shape = error::shape("weibull", "shape", shape)?;
        let scale = error::length("weibull", "scale", scale)?;
        Ok(Weibull { shape, scale })
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Weibull { scale: self.scale * factor, ..*self }
    }

    /// The power of the age.
    pub fn shape(&self) -> f64 {
        self.shape
    }

    /// Scale in seconds.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    #[inline]
    pub(super) fn sample(&self, rng: &mut Rng) -> f64 {
        let standard = standard_exponential(rng.next_u64());
        self.scale * libm::pow(standard, 1.0 / self.shape)
    }

    /// Mean in seconds.
    pub fn mean(&self) -> f64 {
        self.scale * libm::tgamma(1.0 + 1.0 / self.shape)
    }

    /// The cumulative hazard.
    fn hazard(&self, x: f64) -> f64 {
        (x / self.scale).powf(self.shape)
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        -(-self.hazard(x)).exp_m1()
    }

    pub(super) fn survival(&self, x: f64) -> f64 {
        (-self.hazard(x)).exp()
    }

    pub(super) fn cumulative_survival(&self, x: f64) -> f64 {
        self.mean() * lower_gamma(1.0 / self.shape, self.hazard(x))
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.scale * (-(-p).ln_1p()).powf(1.0 / self.shape)
    }

    pub(super) fn ln_density(&self, x: f64) -> f64 {
        if x < 0.0 || (x == 0.0 && self.shape > 1.0) {
            return f64::NEG_INFINITY;
        }
        let power =
            if self.shape == 1.0 { 0.0 } else { (self.shape - 1.0) * (x / self.scale).ln() };
        (self.shape / self.scale).ln() + power - self.hazard(x)
    }
}
