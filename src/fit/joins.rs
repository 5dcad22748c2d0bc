//! Joined runs: two blips whose healthy gap no probe sees look like one long blip.
//!
//! With short blips most runs of two or more are such, so they cannot be left out. Gaps are taken as
//! exponential here. A run with one unseen gap is exact to first order in their rate; what follows the
//! second blip is taken as if it had begun like any other, so runs with more are near enough.

use super::quadrature::{POINTS, rule};
use crate::law::Law;

/// For a run of at least `n` failed probes, the weight that joins add, as a share of the weight of
/// blips that are seen at all.
///
/// The shares are held while a law is fitted and found anew from the fitted law: the rate of seen
/// blips is known well, and given that rate they hardly move with the law.
#[derive(Clone, Debug, Default)]
pub struct Joins {
    /// Numbers of probes, ascending from 1.
    probes: Vec<f64>,
    shares: Vec<f64>,
}

/// Every number of probes up to this one is computed; beyond, one in ten per cent.
const EVERY: usize = 48;

/// No run of more probes than this is corrected for joins of its own.
const MOST: usize = 2_000;

impl Joins {
    /// No joins at all.
    pub fn none() -> Self {
        Joins::default()
    }

    /// The shares for blips of this law that begin at `rate` a second of health, and probes every
    /// `step_s` seconds, for runs of up to `longest` probes.
    pub fn of(law: &Law, rate: f64, step_s: f64, longest: u64) -> Self {
        let seen = law.cumulative_survival(step_s);
        let usable = seen > 0.0 && rate > 0.0 && (rate * step_s).is_finite() && step_s > 0.0;
        if !usable {
            return Joins::none();
        }
        let longest = usize::try_from(longest).unwrap_or(MOST).clamp(2, MOST);
        let nodes = rule(0.0, step_s);
        let ended = |m: usize, y: f64| {
            let from_start = m as f64 * step_s + y;
            law.survival(from_start - step_s) - law.survival(from_start)
        };
        let ends: Vec<[f64; POINTS]> =
            (0..longest).map(|m| nodes.map(|(y, _)| ended(m, y))).collect();
        let next = |k: usize| {
            let span = k as f64 * step_s;
            let before = law.cumulative_survival(span - step_s);
            nodes.map(|(y, _)| law.cumulative_survival(span - y) - before)
        };
        let nexts: Vec<[f64; POINTS]> = (1..=longest).map(next).collect();
        let weights = nodes.map(|(_, weight)| weight);
        let mut joins = Joins::none();
        let seen_from = nodes.map(|(y, _)| law.cumulative_survival(step_s - y));
        for n in numbers(longest) {
            let mut joined = 0.0;
            for m in 0..n {
                let (end, next) = (&ends[m], &nexts[n - m - 1]);
                // The second blip may itself be joined to a third.
                let again = if m == 0 { 0.0 } else { joins.share((n - m) as f64) };
                let from = |j: usize| next[j] + again * seen_from[j];
                joined += (0..POINTS).map(|j| weights[j] * end[j] * from(j)).sum::<f64>();
            }
            // Some blips of the gap do not begin, since another came first.
            let reach = |s: f64| s * law.survival(n as f64 * step_s - s);
            let crowded: f64 = nodes.iter().map(|(s, weight)| weight * reach(*s)).sum();
            joins.probes.push(n as f64);
            joins.shares.push(rate * (joined - crowded) / seen);
        }
        joins
    }

    /// The share for runs of at least `probes` failed probes.
    pub fn share(&self, probes: f64) -> f64 {
        let after = self.probes.partition_point(|n| *n < probes);
        match (after.checked_sub(1), self.shares.get(after)) {
            (_, None) => self.shares.last().copied().unwrap_or(0.0),
            (None, Some(first)) => *first,
            (Some(before), Some(high)) => {
                let (n0, n1) = (self.probes[before], self.probes[after]);
                let low = self.shares[before];
                low + (high - low) * (probes - n0) / (n1 - n0)
            }
        }
    }
}

fn numbers(longest: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (1..=longest.min(EVERY)).collect();
    let mut n = EVERY;
    while n < longest {
        n = (n + n / 10).min(longest);
        numbers.push(n);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exponential blips and gaps are a two-state Markov chain: a run goes on with a chance that does
    /// not depend on its length.
    #[test]
    fn joins_agree_with_the_markov_chain() {
        let cases =
            [(5.0_f64, 30.0_f64, 0.02), (5.0, 10.0, 0.01), (20.0, 10.0, 0.01), (60.0, 10.0, 0.02)];
        for (mean, step, tolerance) in cases {
            let law = Law::exponential(mean).unwrap();
            let (down, up) = (1.0 / mean, 1.0 / 900.0);
            let decay = (-(down + up) * step).exp();
            let goes_on = (up + down * decay) / (up + down);
            let begins = up / (up + down) * (1.0 - decay);
            let joins = Joins::of(&law, up, step, 20);
            let reach = |n: f64| {
                law.cumulative_survival(n * step) - law.cumulative_survival((n - 1.0) * step)
            };
            let seen = reach(1.0);
            for n in 1..=6 {
                let found = up * (reach(f64::from(n)) + seen * joins.share(f64::from(n)));
                let exact = begins * goes_on.powi(n - 1);
                assert!((found / exact - 1.0).abs() < tolerance, "{mean} {n} {found:e} {exact:e}");
            }
            // Without joins, runs of three short blips are far from right.
            let alone = up * reach(3.0) / (begins * goes_on.powi(2));
            assert!(step < 30.0 || alone < 0.3, "{alone}");
        }
    }
}
