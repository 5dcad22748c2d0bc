//! The lognormal law: many small causes multiplied.

use std::f64::consts::{PI, SQRT_2};

use rand_distr::{Distribution, StandardNormal};
use statrs::function::erf::erfc_inv;

use super::error::LawError;
use crate::engine::Rng;

/// Lognormal: the logarithm of the seconds is normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lognormal {
    mu: f64,
    sigma: f64,
}

impl Lognormal {
    pub(super) fn new(mu: f64, sigma: f64) -> Result<Self, LawError> {
        let refused = |parameter, found, allowed| {
            Err(LawError::OutOfRange { family: "lognormal", parameter, found, allowed })
        };
        if !(-300.0..=300.0).contains(&mu) {
            return refused("mu", mu, "-300 to 300, the logarithm of a number of seconds");
        }
        if !(sigma > 0.0 && sigma <= 20.0) {
            return refused("sigma", sigma, "more than 0, up to 20");
        }
        Ok(Lognormal { mu, sigma })
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Lognormal { mu: self.mu + factor.ln(), sigma: self.sigma }
    }

    /// Mean of the logarithm of the seconds.
    pub fn mu(&self) -> f64 {
        self.mu
    }

    /// Deviation of the logarithm.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    #[inline]
    pub(super) fn sample(&self, rng: &mut Rng) -> f64 {
        let normal: f64 = StandardNormal.sample(rng);
        libm::exp(self.mu + self.sigma * normal)
    }

    /// Mean in seconds.
    pub fn mean(&self) -> f64 {
        (self.mu + 0.5 * self.sigma * self.sigma).exp()
    }

    /// How many deviations the logarithm of `x` lies above its mean.
    fn deviations(&self, x: f64) -> f64 {
        (x.ln() - self.mu) / self.sigma
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        0.5 * libm::erfc(-self.deviations(x) / SQRT_2)
    }

    pub(super) fn survival(&self, x: f64) -> f64 {
        0.5 * libm::erfc(self.deviations(x) / SQRT_2)
    }

    pub(super) fn cumulative_survival(&self, x: f64) -> f64 {
        // By parts: x S(x) plus the mean of what lies below x, itself lognormal.
        let below = 0.5 * libm::erfc((self.sigma - self.deviations(x)) / SQRT_2);
        x * self.survival(x) + self.mean() * below
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        (self.mu - self.sigma * SQRT_2 * erfc_inv(2.0 * p)).exp()
    }

    pub(super) fn ln_density(&self, x: f64) -> f64 {
        if x <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let z = self.deviations(x);
        -0.5 * z * z - x.ln() - self.sigma.ln() - 0.5 * (2.0 * PI).ln()
    }
}
