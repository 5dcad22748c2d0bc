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
        // A rank is from 1 to the length.
        let at = |rank: u64| sorted.get(rank as usize - 1).copied().unwrap_or(f64::NAN);
        Estimate::quantile_by_rank(sorted.len() as u64, p, level, at)
    }

    /// The same for `n` observations that are kept elsewhere: `at` gives the one of a rank, which is
    /// from 1 (the least) to `n`.
    pub fn quantile_by_rank(
        n: u64,
        p: f64,
        level: f64,
        at: impl Fn(u64) -> f64,
    ) -> Option<Estimate> {
        if n == 0 {
            return None;
        }
        let ranks = ranks(n, p, level);
        Estimate::new(at(ranks.value), (at(ranks.lo), at(ranks.hi)), ranks.level, n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Binomial probabilities by products of exact coefficients.
    fn chances(n: u64, p: f64) -> Vec<f64> {
        let mut coefficient = 1.0;
        let chance = |k: u64| {
            let chance = coefficient * p.powi(k as i32) * (1.0 - p).powi((n - k) as i32);
            coefficient *= (n - k) as f64 / (k + 1) as f64;
            chance
        };
        (0..=n).map(chance).collect()
    }

    /// Conover, Practical Nonparametric Statistics: intervals of the median.
    #[test]
    fn the_median_has_the_ranks_that_are_tabled() {
        for (n, lo, hi) in
            [(6, 1, 6), (10, 2, 9), (15, 4, 12), (20, 6, 15), (25, 8, 18), (100, 40, 61)]
        {
            let found = ranks(n, 0.5, 0.95);
            assert_eq!((found.lo, found.hi, found.level), (lo, hi, 0.95), "n = {n}");
        }
        assert_eq!(ranks(5, 0.5, 0.95), Ranks { value: 3, lo: 1, hi: 5, level: 0.9375 });
    }

    #[test]
    fn ranks_attain_their_level_and_are_the_nearest_that_do() {
        for n in 1..80 {
            for p in [0.01, 0.1, 0.25, 0.5, 0.9, 0.99] {
                let (found, chances) = (ranks(n, p, 0.95), chances(n, p));
                let below = |rank: u64| chances[..rank as usize].iter().sum::<f64>();
                let above = |rank: u64| chances[rank as usize..].iter().sum::<f64>();
                let (lo, hi) = (found.lo, found.hi);
                let attained = 1.0 - below(lo) - above(hi);
                assert!(attained > found.level - 1e-9, "n = {n}, p = {p}: {found:?}, {attained}");
                assert!(found.level > 0.95 - 1e-9 || lo == 1 || hi == n);
                assert!(lo == found.value || below(lo + 1) > 0.025, "n = {n}, p = {p}: {found:?}");
                assert!(hi == found.value || above(hi - 1) > 0.025, "n = {n}, p = {p}: {found:?}");
            }
        }
    }

    #[test]
    fn the_expansion_agrees_with_the_exact_tails() {
        for (n, p) in [(5_000, 0.5), (100_000, 0.01), (100_000, 0.99), (1_000_000, 0.3)] {
            for tail in [0.05, 0.025, 0.0005] {
                let exact = exact_tails(n, p, tail);
                let near = expanded_tails(n, p, spread(n, p), tail);
                let ((lo, _), (hi, _)) = (exact.0.unwrap(), exact.1.unwrap());
                let ((near_lo, _), (near_hi, _)) = (near.0.unwrap(), near.1.unwrap());
                assert!((0..=2).contains(&(lo - near_lo)), "{n} {p} {tail}: {lo} {near_lo}");
                assert!((0..=2).contains(&(near_hi - hi)), "{n} {p} {tail}: {hi} {near_hi}");
            }
        }
    }

    #[test]
    fn a_small_sample_says_what_it_is_worth() {
        let sample: Vec<f64> = (1..=30).map(f64::from).collect();
        let found = Estimate::quantile(&sample, 0.99, 0.95).unwrap();
        assert_eq!((found.value, found.hi, found.n), (30.0, 30.0, 30));
        // The greatest of 30 lies above the quantile with probability 1 − 0.99^30 only.
        assert!(found.level < 1.0 - 0.99_f64.powi(30) && found.level > 0.2, "{found:?}");
        assert_eq!(Estimate::quantile(&[], 0.5, 0.95), None);
        for p in [f64::NAN, -1.0, 0.0, 1e-300, 1.0, 2.0] {
            for n in [1, 2, 1_000_000_000_000, u64::MAX] {
                let found = ranks(n, p, 0.95);
                assert!(1 <= found.lo && found.lo <= found.value && found.value <= found.hi);
                assert!(found.hi <= n && (0.0..1.0).contains(&found.level), "{n} {p}: {found:?}");
            }
        }
    }
}
