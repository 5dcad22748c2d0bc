//! The uniform law: anything between two lengths.

use rand::RngExt;

use super::error::{self, LawError};
use crate::engine::Rng;

/// Uniform between two lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniform {
    from: f64,
    to: f64,
}

impl Uniform {
    pub(super) fn new(from: f64, to: f64) -> Result<Self, LawError> {
        let from = error::length_or_zero("uniform", "from", from)?;
        let to = error::length("uniform", "to", to)?;
        if from >= to {
            return Err(LawError::Reversed { from_s: from, to_s: to });
        }
        Ok(Uniform { from, to })
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Uniform { from: self.from * factor, to: self.to * factor }
    }

    /// The shortest, in seconds.
    pub fn from(&self) -> f64 {
        self.from
    }

    /// The longest, in seconds.
    pub fn to(&self) -> f64 {
        self.to
    }

    #[inline]
    pub(super) fn sample(&self, rng: &mut Rng) -> f64 {
        let unit: f64 = rng.random();
        self.from + (self.to - self.from) * unit
    }

    /// Mean in seconds.
    pub fn mean(&self) -> f64 {
        0.5 * (self.from + self.to)
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        ((x - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }

    pub(super) fn survival(&self, x: f64) -> f64 {
        ((self.to - x) / (self.to - self.from)).clamp(0.0, 1.0)
    }

    pub(super) fn cumulative_survival(&self, x: f64) -> f64 {
        if x <= self.from {
            return x;
        }
        let into = x.min(self.to) - self.from;
        self.from + into * (1.0 - 0.5 * into / (self.to - self.from))
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.from + (self.to - self.from) * p
    }

    pub(super) fn ln_density(&self, x: f64) -> f64 {
        if x < self.from || x > self.to {
            return f64::NEG_INFINITY;
        }
        -(self.to - self.from).ln()
    }
}
