//! Laws of durations: how long a blip, a gap or a stage lasts.
//!
//! One file a family; [`Law`] dispatches to them without indirection, since drawing is the hottest
//! path of a simulation. Every family has its distribution function, survival, cumulative survival,
//! quantile, density and mean, kept accurate in relative terms far out in the tail, because the tail
//! decides how often a patient trigger fires. All are in seconds; only a draw is rounded to the
//! nanoseconds of the clock.
//!
//! A draw multiplies a variate of the family's shape by its scale, so that two laws that differ by
//! their mean alone draw the same stream stretched: common random numbers. Elementary functions of
//! draws come from `libm`, so that a draw does not hang on the machine's own library (the gamma's are
//! `rand_distr`'s own, and the exponential's logarithm is written out so that it can be drawn in lanes).
//!
//! Never here: a clock, a file, or a generator of its own.

mod ahead;
mod constant;
mod empirical;
mod error;
mod exponential;
mod gamma;
mod log_logistic;
mod lognormal;
mod mixture;
mod numeric;
mod pareto;
mod secs;
mod uniform;
mod weibull;
mod written;

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod reference;

use std::sync::Arc;

pub(crate) use ahead::Ahead;
pub use constant::Constant;
pub use empirical::Empirical;
pub use error::LawError;
pub(crate) use exponential::LONGEST_STANDARD;
pub use exponential::{Exponential, standard_exponential};
pub use gamma::Gamma;
pub use log_logistic::LogLogistic;
pub use lognormal::Lognormal;
pub use mixture::Mixture;
pub use pareto::Pareto;
pub use uniform::Uniform;
pub use weibull::Weibull;

use rand::Rng as _;

use crate::engine::Rng;
use crate::time::{LONGEST, NANOS_PER_SECOND, Span};

/// A law of non-negative durations.
///
/// In TOML a table `{ law = "lognormal", mean = "20s", sigma = 1.0 }`, by mean and shape or by the
/// family's natural parameters, or a bare length like `"20s"` for a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// No memory: `mean`.
    Exponential(Exponential),
    /// The logarithm is normal: `mu` (or `median` or `mean`) and `sigma`.
    Lognormal(Lognormal),
    /// `shape` below 1 has a heavier tail than the exponential: `scale` (or `mean`) and `shape`.
    Weibull(Weibull),
    /// `scale` (or `mean`) and `shape`.
    Gamma(Gamma),
    /// Type I, a power tail above a minimum: `minimum` (or `mean`) and `alpha`.
    Pareto(Pareto),
    /// A power tail with density down to zero: `scale` (the median; or `mean`) and `shape`.
    LogLogistic(LogLogistic),
    /// Between `from` and `to`.
    Uniform(Uniform),
    /// Always `value`.
    Constant(Constant),
    /// One of several laws, by weight: `of`.
    Mixture(Arc<Mixture>),
    /// One of the `values` that were seen, by optional `weights`.
    Empirical(Arc<Empirical>),
}

/// Calls the same method of whichever family a law is of.
macro_rules! each {
    ($law:expr, $one:ident => $call:expr) => {
        match $law {
            Law::Exponential($one) => $call,
            Law::Lognormal($one) => $call,
            Law::Weibull($one) => $call,
            Law::Gamma($one) => $call,
            Law::Pareto($one) => $call,
            Law::LogLogistic($one) => $call,
            Law::Uniform($one) => $call,
            Law::Constant($one) => $call,
            Law::Mixture($one) => $call,
            Law::Empirical($one) => $call,
        }
    };
}

/// Constructors. Lengths are in seconds.
///
/// # Errors
/// Each returns a [`LawError`] that names the parameter, what was found and what is allowed.
impl Law {
    /// Exponential with this mean.
    pub fn exponential(mean_s: f64) -> Result<Law, LawError> {
        Exponential::new(mean_s).map(Law::Exponential)
    }

    /// Lognormal: the logarithm of the seconds is normal with mean `mu`, deviation `sigma`.
    pub fn lognormal(mu: f64, sigma: f64) -> Result<Law, LawError> {
        Lognormal::new(mu, sigma).map(Law::Lognormal)
    }

    /// Weibull.
    pub fn weibull(shape: f64, scale_s: f64) -> Result<Law, LawError> {
        Weibull::new(shape, scale_s).map(Law::Weibull)
    }

    /// Gamma.
    pub fn gamma(shape: f64, scale_s: f64) -> Result<Law, LawError> {
        Gamma::new(shape, scale_s).map(Law::Gamma)
    }

    /// Pareto of type I; its mean is infinite unless `alpha > 1`.
    pub fn pareto(alpha: f64, minimum_s: f64) -> Result<Law, LawError> {
        Pareto::new(alpha, minimum_s).map(Law::Pareto)
    }

    /// Log-logistic with median `scale_s`; its mean is infinite unless `shape > 1`.
    pub fn log_logistic(shape: f64, scale_s: f64) -> Result<Law, LawError> {
        LogLogistic::new(shape, scale_s).map(Law::LogLogistic)
    }

    /// Uniform between two lengths.
    pub fn uniform(from_s: f64, to_s: f64) -> Result<Law, LawError> {
        Uniform::new(from_s, to_s).map(Law::Uniform)
    }

    /// Always the same length.
    pub fn constant(value_s: f64) -> Result<Law, LawError> {
        Constant::new(value_s).map(Law::Constant)
    }

    /// One of several laws, each with its weight; weights need not add up to 1.
    pub fn mixture(of: Vec<(f64, Law)>) -> Result<Law, LawError> {
        Mixture::new(of).map(|mixture| Law::Mixture(Arc::new(mixture)))
    }

    /// One of the values that were seen, equally likely unless weights are given.
    pub fn empirical(values_s: Vec<f64>, weights: Option<Vec<f64>>) -> Result<Law, LawError> {
        Empirical::new(values_s, weights).map(|seen| Law::Empirical(Arc::new(seen)))
    }
}

impl Law {
    /// Exponential with this mean; a mean that is not positive is taken as a nanosecond.
    pub fn exponential_mean(mean: Span) -> Law {
        Law::Exponential(Exponential::of_mean(mean))
    }

    /// Always this length; a negative one is taken as zero.
    pub fn constant_span(value: Span) -> Law {
        Law::Constant(Constant::of(value))
    }

    /// Draws a length, rounded to a nanosecond and held to the longest span that is reckoned with.
    #[inline]
    pub fn sample(&self, rng: &mut Rng) -> Span {
        match self {
            Law::Exponential(law) => law.span(standard_exponential(rng.next_u64())),
            _ => rounded(self.sample_secs(rng) * NANOS_PER_SECOND as f64),
        }
    }

    /// Draws a length in seconds, as it comes.
    #[inline]
    pub fn sample_secs(&self, rng: &mut Rng) -> f64 {
        each!(self, one => one.sample(rng))
    }

    /// Mean in seconds; infinite for a Pareto or log-logistic law with a tail index of 1 or less.
    pub fn mean(&self) -> f64 {
        each!(self, one => one.mean())
    }

    /// True iff the mean is finite.
    pub fn is_finite_mean(&self) -> bool {
        self.mean().is_finite()
    }

    /// Chance of at most `secs` seconds, accurate in relative terms near zero.
    pub fn cdf(&self, secs: f64) -> f64 {
        if secs < 0.0 { 0.0 } else { each!(self, one => one.cdf(secs)) }
    }

    /// Chance of more than `secs` seconds, accurate in relative terms far out in the tail.
    pub fn survival(&self, secs: f64) -> f64 {
        if secs < 0.0 { 1.0 } else { each!(self, one => one.survival(secs)) }
    }

    /// Integral of the survival from 0 to `secs`, in seconds; tends to the mean.
    pub fn cumulative_survival(&self, secs: f64) -> f64 {
        if secs <= 0.0 {
            0.0
        } else if secs == f64::INFINITY {
            self.mean()
        } else {
            each!(self, one => one.cumulative_survival(secs))
        }
    }

    /// The least length, in seconds, that is not exceeded with chance `p`; `p` is held to 0 … 1.
    pub fn quantile(&self, p: f64) -> f64 {
        each!(self, one => one.quantile(p.clamp(0.0, 1.0)))
    }

    /// Logarithm of the density per second; minus infinity where the density is zero, and
    /// not-a-number for a law with atoms (constant, empirical, a mixture of such), which has none.
    pub fn ln_density(&self, secs: f64) -> f64 {
        each!(self, one => one.ln_density(secs))
    }

    /// The family's name, as written in TOML.
    pub fn family(&self) -> &'static str {
        match self {
            Law::Exponential(_) => "exponential",
            Law::Lognormal(_) => "lognormal",
            Law::Weibull(_) => "weibull",
            Law::Gamma(_) => "gamma",
            Law::Pareto(_) => "pareto",
            Law::LogLogistic(_) => "log-logistic",
            Law::Uniform(_) => "uniform",
            Law::Constant(_) => "constant",
            Law::Mixture(_) => "mixture",
            Law::Empirical(_) => "empirical",
        }
    }

    /// Lengths in seconds at which the survival has a jump or a kink, ascending: where numerical
    /// integration must break.
    pub fn breaks(&self) -> Vec<f64> {
        match self {
            Law::Pareto(law) => vec![law.minimum()],
            Law::Uniform(law) => vec![law.from(), law.to()],
            Law::Constant(law) => vec![law.value()],
            Law::Empirical(law) => law.values().to_vec(),
            Law::Mixture(law) => law.breaks(),
            _ => Vec::new(),
        }
    }

    /// The law of the same shape with mean `mean_s` seconds.
    ///
    /// # Errors
    /// When the mean is not positive and finite, or this law's own mean is infinite or zero, so that
    /// no stretching leads there.
    pub fn with_mean(&self, mean_s: f64) -> Result<Law, LawError> {
        error::length(self.family(), "mean", mean_s)?;
        let own = self.mean();
        if !own.is_finite() {
            return Err(LawError::InfiniteMean { family: self.family() });
        }
        if own <= 0.0 {
            return Err(LawError::ZeroMean { family: self.family() });
        }
        Ok(self.scaled(mean_s / own))
    }

    /// The law of `factor` times what this law draws. `factor` must be positive.
    fn scaled(&self, factor: f64) -> Law {
        match self {
            Law::Exponential(law) => Law::Exponential(law.scaled(factor)),
            Law::Lognormal(law) => Law::Lognormal(law.scaled(factor)),
            Law::Weibull(law) => Law::Weibull(law.scaled(factor)),
            Law::Gamma(law) => Law::Gamma(law.scaled(factor)),
            Law::Pareto(law) => Law::Pareto(law.scaled(factor)),
            Law::LogLogistic(law) => Law::LogLogistic(law.scaled(factor)),
            Law::Uniform(law) => Law::Uniform(law.scaled(factor)),
            Law::Constant(law) => Law::Constant(law.scaled(factor)),
            Law::Mixture(law) => Law::Mixture(Arc::new(law.scaled(factor))),
            Law::Empirical(law) => Law::Empirical(Arc::new(law.scaled(factor))),
        }
    }
}

/// The nearest of the clock's nanoseconds, the even one of two: never negative, never beyond the longest
/// span.
#[inline]
fn rounded(nanos: f64) -> Span {
    const MOST: f64 = LONGEST.as_nanos() as f64;
    let held = nanos.clamp(0.0, MOST);
    Span::from_nanos(if held < TWO_TO_52 { nearest(held) } else { held } as i64)
}

/// From here on a float has no bits for a fraction: adding it to a smaller one that is not negative
/// rounds that one to the nearest whole number, and leaves it in the last 52 bits.
pub(crate) const TWO_TO_52: f64 = (1_u64 << 52) as f64;

/// The nearest whole number, for numbers from 0 to 2^52: without a branch or a call.
#[inline(always)]
pub(crate) fn nearest(number: f64) -> f64 {
    number + TWO_TO_52 - TWO_TO_52
}
