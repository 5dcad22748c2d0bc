//! The log-logistic law: a power tail, and density down to zero.

use std::cmp::Ordering;
use std::f64::consts::PI;

use rand_distr::{Distribution, Open01};

use super::error::{self, LawError};
use super::numeric::gauss;
use crate::engine::Rng;

/// Log-logistic with survival `1/(1 + (x/scale)^shape)`; the scale is the median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogLogistic {
    shape: f64,
    scale: f64,
}

impl LogLogistic {
    pub(super) fn new(shape: f64, scale: f64) -> Result<Self, LawError> {
        let shape = error::shape("log-logistic", "shape", shape)?;
        let scale = error::length("log-logistic", "scale", scale)?;
        Ok(LogLogistic { shape, scale })
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        LogLogistic { scale: self.scale * factor, ..*self }
    }

    /// The tail's index.
    pub fn shape(&self) -> f64 {
        self.shape
    }

    /// Scale in seconds: the median.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    #[inline]
    pub(super) fn sample(&self, rng: &mut Rng) -> f64 {
        let unit: f64 = Open01.sample(rng);
        self.scale * libm::pow(unit / (1.0 - unit), 1.0 / self.shape)
    }

    /// Mean in seconds; infinite unless the shape is above 1.
    pub fn mean(&self) -> f64 {
        if self.shape <= 1.0 {
            return f64::INFINITY;
        }
        let angle = PI / self.shape;
        // Near the index 1 the sine of π minus a little is taken as the sine of that little.
        self.scale * angle / (PI * (self.shape - 1.0) / self.shape).sin()
    }

    /// `(x/scale)^shape`: the odds of at most `x`.
    fn odds(&self, x: f64) -> f64 {
        (x / self.scale).powf(self.shape)
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        let odds = self.odds(x);
        if odds.is_infinite() { 1.0 } else { odds / (1.0 + odds) }
    }

    pub(super) fn survival(&self, x: f64) -> f64 {
        1.0 / (1.0 + self.odds(x))
    }

    pub(super) fn cumulative_survival(&self, x: f64) -> f64 {
        let ratio = x / self.scale;
        if ratio <= 1.0 {
            return self.scale * ratio * self.average_survival(self.odds(x));
        }
        self.scale * (self.average_survival(1.0) + self.beyond_median(ratio.ln()))
    }

    /// `(1/x) ∫_0^x S`, for odds of at most 1: the hypergeometric ₂F₁(1, 1/shape; 1 + 1/shape; −odds)
    /// by Pfaff's transformation, a series of positive terms in odds/(1 + odds) ≤ 1/2.
    fn average_survival(&self, odds: f64) -> f64 {
        let (z, b) = (odds / (1.0 + odds), 1.0 / self.shape);
        let (mut term, mut sum, mut n) = (1.0, 1.0, 1.0);
        while term > 1e-17 * sum {
            term *= z * n / (b + n);
            sum += term;
            n += 1.0;
        }
        sum / (1.0 + odds)
    }

    /// `∫ S` from the median to `e^log` times the median, in medians, by Gauss panels on the scale of
    /// the logarithm, where the integrand is smooth with poles at ±iπ/shape.
    fn beyond_median(&self, log: f64) -> f64 {
        let width = (2.0 / self.shape).min(1.0);
        let integrand = |y: f64| y.exp() / (1.0 + (self.shape * y).exp());
        let (mut from, mut sum) = (0.0, 0.0);
        while from < log {
            let to = (from + width).min(log);
            let panel = gauss(from, to, integrand);
            sum += panel;
            // With an index above 1 the panels fall geometrically by this factor.
            let factor = (-(self.shape - 1.0) * width).exp();
            if self.shape > 1.0 && panel * factor < 1e-17 * sum * (1.0 - factor) {
                break;
            }
            from = to;
        }
        sum
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.scale * (p / (1.0 - p)).powf(1.0 / self.shape)
    }

    pub(super) fn ln_density(&self, x: f64) -> f64 {
        if x < 0.0 {
            return f64::NEG_INFINITY;
        }
        if x == 0.0 {
            return match self.shape.total_cmp(&1.0) {
                Ordering::Less => f64::INFINITY,
                Ordering::Equal => -self.scale.ln(),
                Ordering::Greater => f64::NEG_INFINITY,
            };
        }
        // With y = shape·ln(x/scale) the density is (shape/x)·e^y/(1 + e^y)², taken on the side
        // where nothing overflows.
        let y = self.shape * (x / self.scale).ln();
        self.shape.ln() - x.ln() - y.abs() - 2.0 * (-y.abs()).exp().ln_1p()
    }
}
