//! The gamma law: so many exponential waits one after the other.

use rand_distr::Distribution;

use super::error::{self, LawError};
use super::numeric::{invert, lower_gamma, upper_gamma};
use crate::engine::Rng;

/// Gamma with shape and scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gamma {
    shape: f64,
    scale: f64,
    /// Draws of this shape at scale 1.
    unit: rand_distr::Gamma<f64>,
}

impl Gamma {
    pub(super) fn new(shape: f64, scale: f64) -> Result<Self, LawError> {
        let shape = error::shape("gamma", "shape", shape)?;
        let scale = error::length("gamma", "scale", scale)?;
        let refused = |_| LawError::OutOfRange {
            family: "gamma",
            parameter: "shape",
            found: shape,
            allowed: "0.01 to 1000000",
        };
        let unit = rand_distr::Gamma::new(shape, 1.0).map_err(refused)?;
        Ok(Gamma { shape, scale, unit })
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Gamma { scale: self.scale * factor, ..*self }
    }

    /// Shape: how many exponential waits.
    pub fn shape(&self) -> f64 {
        self.shape
    }

    /// Scale in seconds: the mean of each wait.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    #[inline]
    pub(super) fn sample(&self, rng: &mut Rng) -> f64 {
        self.scale * self.unit.sample(rng)
    }

    /// Mean in seconds.
    pub fn mean(&self) -> f64 {
        self.shape * self.scale
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        lower_gamma(self.shape, x / self.scale)
    }

    pub(super) fn survival(&self, x: f64) -> f64 {
        upper_gamma(self.shape, x / self.scale)
    }

    pub(super) fn cumulative_survival(&self, x: f64) -> f64 {
        // By parts: x S(x) plus the mean of what lies below x, itself gamma of the next shape.
        x * self.survival(x) + self.mean() * lower_gamma(self.shape + 1.0, x / self.scale)
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        if p <= 0.0 {
            return 0.0;
        }
        if p >= 1.0 {
            return f64::INFINITY;
        }
        // P(a, x) < x^a / Γ(a + 1), so the root lies above where that bound meets p.
        let low = ((p.ln() + libm::lgamma(self.shape + 1.0)) / self.shape).exp() * self.scale;
        let mut high = self.mean().max(low);
        while self.survival(high) > 1.0 - p {
            high *= 2.0;
        }
        invert(p, low.min(high), high, |x| self.cdf(x), |x| self.survival(x))
    }

    pub(super) fn ln_density(&self, x: f64) -> f64 {
        if x < 0.0 || (x == 0.0 && self.shape > 1.0) {
            return f64::NEG_INFINITY;
        }
        let t = x / self.scale;
        let power = if self.shape == 1.0 { 0.0 } else { (self.shape - 1.0) * t.ln() };
        power - t - libm::lgamma(self.shape) - self.scale.ln()
    }
}
