//! Quantiles with intervals from order statistics: which ranks bound a quantile, whatever the law.

use super::{Estimate, inverse, sane_level};

/// Ranks, counted from 1, of the order statistics that estimate and bound a quantile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ranks {
    pub(super) value: u64,
    pub(super) lo: u64,
    pub(super) hi: u64,
    /// The level that the bounds attain: as asked or more, or less where the sample is too small.
    pub(super) level: f64,
}

/// The ranks for the `p`-quantile of `n` (1 or more) observations.
///
/// How many of them lie below the quantile is binomial, so `X(lo) ≤ quantile ≤ X(hi)` with probability
/// `P(lo ≤ B < hi)`, at least. Where no order statistic is far enough out, the extreme one is taken
/// and the level says what that is worth.
pub(super) fn ranks(n: u64, p: f64, level: f64) -> Ranks {
    let level = sane_level(level);
    let p = if p.is_nan() { 0.5 } else { p.clamp(0.0, 1.0) };
    // The hair takes off what a product like 0.07 × 100 has too much.
    let value = ((n as f64 * p) * (1.0 - 1e-12)).ceil().clamp(1.0, n as f64) as u64;
    if p <= 0.0 || p >= 1.0 {
        // The ends of the law are bounded on one side only, and by nothing.
        return Ranks { value, lo: value, hi: value, level: 0.0 };
    }
    let tail = (1.0 - level) / 2.0;
    let (below, above) = match spread(n, p) {
        spread if spread < 30.0 => exact_tails(n, p, tail),
        spread => expanded_tails(n, p, spread, tail),
    };
    // X(lo) lies above the quantile with probability P(B < lo), X(hi) below it with P(B ≥ hi).
    let (lo, miss_lo) = match below {
        Some((rank, chance)) => (rank, chance),
        None => (1, zero_below(n, p)),
    };
    let (hi, miss_hi) = match above {
        Some((rank, chance)) => (rank, chance),
        None => (n, zero_below(n, 1.0 - p)),
    };
    let attained = (1.0 - miss_lo - miss_hi).max(0.0);
    Ranks { value, lo: lo.min(value), hi: hi.max(value), level: attained.min(level) }
}

fn spread(n: u64, p: f64) -> f64 {
    (n as f64 * p * (1.0 - p)).sqrt()
}

/// The chance that none of `n` observations lies on a side that has share `p`.
fn zero_below(n: u64, p: f64) -> f64 {
    (n as f64 * (-p).ln_1p()).exp()
}

type Tail = Option<(u64, f64)>;

/// The largest rank `lo` with `P(B < lo) ≤ tail`, the smallest `hi` with `P(B ≥ hi) ≤ tail`, and those
/// chances; from the binomial probabilities about their mode, each found from its neighbour.
fn exact_tails(n: u64, p: f64, tail: f64) -> (Tail, Tail) {
    let odds = p / (1.0 - p);
    let mode = (((n as f64 + 1.0) * p).floor() as u64).min(n);
    // Weights relative to the mode's, out to where they no longer matter.
    let mut down = Vec::new();
    let (mut weight, mut k) = (1.0, mode);
    while k > 0 && weight > 1e-30 {
        weight *= k as f64 / ((n - k + 1) as f64 * odds);
        k -= 1;
        down.push(weight);
    }
    let first = k;
    let mut weights: Vec<f64> = down.into_iter().rev().collect();
    weights.push(1.0);
    (weight, k) = (1.0, mode);
    while k < n && weight > 1e-30 {
        weight *= (n - k) as f64 / (k + 1) as f64 * odds;
        k += 1;
        weights.push(weight);
    }
    let last = k;
    let total: f64 = weights.iter().sum();

    let mut below = None;
    let mut chance = 0.0;
    for (rank, weight) in (first + 1..).zip(&weights) {
        chance += weight / total;
        if chance > tail {
            break;
        }
        below = Some((rank, chance));
    }
    let mut above = None;
    let mut chance = 0.0;
    for (place, weight) in weights.iter().rev().enumerate() {
        let rank = last - place as u64;
        chance += weight / total;
        if chance > tail || rank == 0 {
            break;
        }
        above = Some((rank, chance));
    }
    // A rank of n or less is an observation; P(B < 1) is the least that a lower bound can miss by.
    (below, above)
}

/// The same for a wide binomial, by its expansion, a rank further out to be safe.
fn expanded_tails(n: u64, p: f64, spread: f64, tail: f64) -> (Tail, Tail) {
    let z = -inverse::normal(tail);
    let mean = n as f64 * p;
    let skew = (1.0 - 2.0 * p) * (z * z - 1.0) / 6.0;
    let lo = (mean - z * spread + skew - 1.0).floor();
    let hi = (mean + z * spread + skew + 2.0).ceil();
    let below = (lo >= 1.0).then_some((lo as u64, tail));
    let above = (hi <= n as f64).then_some((hi as u64, tail));
    (below, above)
}

impl Estimate {
    /// The `p`-quantile of a sample sorted upwards, with bounds from order statistics. The value is
    /// the smallest observation with at least a share `p` of the sample at or below it.
    pub fn quantile(sorted: &[f64], p: f64, level: f64) -> Option<Estimate> {
        let n = sorted.len() as u64;
        if n == 0 {
            return None;
        }
        let ranks = ranks(n, p, level);
        let at = |rank: u64| sorted.get(rank.saturating_sub(1) as usize).copied();
        Estimate::new(at(ranks.value)?, (at(ranks.lo)?, at(ranks.hi)?), ranks.level, n)
    }
}
