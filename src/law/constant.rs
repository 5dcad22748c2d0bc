//! The constant law: always the same length.

use super::error::{self, LawError};
use crate::engine::Rng;
use crate::time::Span;

/// Always the same length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    value: f64,
}

impl Constant {
    pub(super) fn new(value: f64) -> Result<Self, LawError> {
        error::length_or_zero("constant", "value", value).map(|value| Constant { value })
    }

    pub(super) fn of(value: Span) -> Self {
        Constant { value: value.max(Span::ZERO).as_secs_f64() }
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Constant { value: self.value * factor }
    }

    /// The length in seconds.
    pub fn value(&self) -> f64 {
        self.value
    }

    #[inline]
    pub(super) fn sample(&self, _: &mut Rng) -> f64 {
        self.value
    }

    /// Mean in seconds.
    pub fn mean(&self) -> f64 {
        self.value
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        if x < self.value { 0.0 } else { 1.0 }
    }

    pub(super) fn survival(&self, x: f64) -> f64 {
        if x < self.value { 1.0 } else { 0.0 }
    }

    pub(super) fn cumulative_survival(&self, x: f64) -> f64 {
        x.min(self.value)
    }

    pub(super) fn quantile(&self, _: f64) -> f64 {
        self.value
    }

    pub(super) fn ln_density(&self, _: f64) -> f64 {
        f64::NAN
    }
}
