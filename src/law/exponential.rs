//! The exponential law: how long one waits for what has no memory.

use rand::Rng as _;

use super::error::{self, LawError};
use super::{TWO_TO_52, rounded};
use crate::engine::Rng;
use crate::time::{NANOS_PER_SECOND, Span};

/// No draw of mean 1 is above this.
pub(crate) const LONGEST_STANDARD: f64 = 37.0;

/// Exponential with a mean in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    mean: f64,
}

/// The draw of mean 1 that a stream's number gives: −ln u, for u in the middle of one of 2^52 equal
/// parts of (0, 1). The error is below 4·10⁻¹⁴ of it: half a nanosecond in three hours.
///
/// It is written out in plain operations, without a branch or a call, so that loops over many can be
/// compiled for vector units and give the same bits on any of them.
#[inline(always)]
pub fn standard_exponential(bits: u64) -> f64 {
    const ONE: u64 = 1.0_f64.to_bits();
    const ROOT_OF_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    const FRACTION: u64 = (1 << 52) - 1;
    let u = f64::from_bits(bits >> 12 | ONE) - (1.0 - f64::EPSILON / 2.0);
    // u = 2^power · m, with m between √½ and √2.
    let raised = u.to_bits() + (ONE - ROOT_OF_HALF);
    let power = f64::from_bits(raised >> 52 | TWO_TO_52.to_bits()) - (TWO_TO_52 + 1_023.0);
    let m = f64::from_bits((raised & FRACTION) + ROOT_OF_HALF);
    // ln m = 2 artanh s = 2s + s·z·(2/3 + 2/5 z + 2/7 z² + …) with z = s² ≤ 0.0295: five coefficients
    // that interpolate the rest of the series where its error is then the same at every peak.
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let low = 0.666_666_666_757_188_6 + z * 0.399_999_956_492_768_4;
    let high = 0.285_721_063_094_519_5 + z * 0.221_763_051_885_581_96;
    let (rest, w) = (0.195_825_102_759_718_62, z * z);
    let rest = low + w * (high + w * rest);
    -(power * std::f64::consts::LN_2) - s * (2.0 + z * rest)
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
        standard_exponential(rng.next_u64()) * self.mean
    }

    /// A draw of mean 1 as one of this law, on the clock.
    #[inline]
    pub(super) fn span(&self, standard: f64) -> Span {
        rounded(self.nanos(standard))
    }

    /// A draw of mean 1 as one of this law in nanoseconds.
    #[inline(always)]
    pub(crate) fn nanos(&self, standard: f64) -> f64 {
        standard * (self.mean * NANOS_PER_SECOND as f64)
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
    use super::*;
    use crate::engine::Streams;

    /// Against another logarithm, over the whole range and at both its ends.
    #[test]
    fn a_standard_exponential_is_a_logarithm() {
        let mut rng = Streams::new(1, 0).named("blips");
        let ends = (0..1_000).flat_map(|n| [n << 12, !(n << 12)]);
        for bits in (0..200_000).map(|_| rng.next_u64()).chain(ends) {
            let u = ((bits >> 12) as f64 + 0.5) / TWO_TO_52;
            let (found, expected) = (standard_exponential(bits), -libm::log(u));
            assert!((found - expected).abs() <= 4e-14 * expected, "{found} for {expected} of {u}");
            assert!(found > 0.0 && found < LONGEST_STANDARD);
        }
    }
}
