//! The exponential law: how long one waits for what has no memory.

use rand_distr::{Distribution, Exp1};

use super::error::{self, LawError};
use crate::engine::Rng;
use crate::time::{NANOS_PER_SECOND, Span};

const TWO_TO_52: f64 = (1_u64 << 52) as f64;
const LAST_52_BITS: u64 = (1 << 52) - 1;

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

    /// True iff the draws are short enough for [`Self::nanos`].
    pub(crate) fn is_short(&self) -> bool {
        // No draw of mean 1 but an infinite one, which comes once in 2^64, is above 45.
        self.mean * 45.0 * (NANOS_PER_SECOND as f64) < TWO_TO_52
    }

    /// A draw of mean 1 as the draw of this law in nanoseconds that [`super::Law::sample`] makes of
    /// it, but no less than `least`. For loops over many: it neither branches nor calls. The law must
    /// be short.
    #[inline(always)]
    pub(crate) fn nanos(&self, unit: f64, least: i64) -> i64 {
        let half_up = (unit * self.mean * NANOS_PER_SECOND as f64 + 0.5).max(least as f64);
        // At 2^52 a number has no bits left for a fraction: the sum holds the nearest integer in its
        // last bits, and taking off one that was rounded up cuts off the fraction.
        let nearest = half_up + TWO_TO_52;
        let is_above = nearest - TWO_TO_52 > half_up;
        (nearest.to_bits() & LAST_52_BITS) as i64 - i64::from(is_above)
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Law;
    use super::*;
    use crate::engine::Streams;

    proptest! {
        /// The quick way to nanoseconds is the one that every law goes.
        #[test]
        fn a_block_draws_what_single_draws_give(mean in 1e-9_f64..1e5, seed in 0_u64..1_000) {
            let law = Exponential::new(mean)?;
            prop_assert!(law.is_short());
            let mut rng = Streams::new(seed, 0).named("blips");
            let mut units = rng.clone();
            for _ in 0..200 {
                let expected = Law::Exponential(law).sample(&mut rng).as_nanos();
                prop_assert_eq!(law.nanos(Exp1.sample(&mut units), 0), expected);
            }
        }

        /// So it is next to the halves, where a fraction is rounded, and at the largest draws.
        #[test]
        fn halves_are_rounded_up(whole in 0_u64..4_503_000_000_000_000, step in -2_i64..=2) {
            let law = Exponential::new(1.0)?;
            let half = whole as f64 + 0.5;
            let unit = f64::from_bits(((half / 1e9).to_bits() as i64 + step) as u64);
            let expected = super::super::rounded(unit).as_nanos();
            prop_assert_eq!(law.nanos(unit, 0), expected);
        }
    }
}
