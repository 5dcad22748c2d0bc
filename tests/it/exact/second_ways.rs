//! Laws with jumps and kinks, by closed forms and by a second numerical method.

use failover_budget::law::Law;
use failover_budget::scenario::Arrivals;

use super::{close, sampled};

/// Chance that `n` exponential waits at `rate` take less than `time`, by its series of positive
/// terms.
fn waits_within(n: u64, rate: f64, time: f64) -> f64 {
    let load = rate * time;
    let mut term = (1..=n).fold((-load).exp(), |term, i| term * load / i as f64);
    let mut sum = 0.0;
    for i in n + 1..n + 60 {
        sum += term;
        term *= load / i as f64;
    }
    sum
}

/// Blips of exactly `m` intervals show `m` probes each and end in the phase in which they began, so
/// `J` of them cover `m J` probes iff the gaps before them fit into one interval: a gamma
/// distribution function. Its powers of the phase are what the numerical way cannot keep for ever;
/// this is how far it comes.
#[test]
fn constant_blips_lose_digits_only_when_many_are_joined() {
    for m in [1, 2, 7] {
        let law = Law::constant(10.0 * m as f64).unwrap();
        let found = sampled(&law, Arrivals::GapRenewal, 10.0, m * 40);
        for blips in 1..=40 {
            let truth = waits_within(blips, 1.0 / 900.0, 10.0);
            let most = match blips {
                1..=12 => 1e-11,
                13..=20 => 2e-8,
                21..=30 => 2e-5,
                _ => 2e-3,
            };
            close(&format!("{blips} of {m}"), found.all_unhealthy(m * blips), truth, most);
        }
    }
}

/// `q` from the renewal equation `v = 1 − a ∫ S v` for the chance to be healthy, on an even grid, with
/// exact moments of the survival and linear `v`: an error of the square of the step.
fn by_even_grid(law: &Law, interval: f64, k: usize, parts: usize) -> Vec<f64> {
    let (rate, step) = (1.0 / 900.0, interval / parts as f64);
    let n = k * parts;
    // Integrals of S and of S times the share of the step, Simpson's rule on a step without breaks.
    let moments: Vec<(f64, f64)> = (0..n)
        .map(|i| {
            let (from, to) = (i as f64 * step, (i + 1) as f64 * step);
            let whole = law.cumulative_survival(to) - law.cumulative_survival(from);
            let pieces = 8;
            let width = step / f64::from(pieces);
            let at = |share: f64| share * law.survival(from + share * step);
            let inner = 1e-9 / step;
            let simpson = (0..pieces).map(|p| {
                let (a, b) = (f64::from(p), f64::from(p + 1));
                let [a, b] = [a, b].map(|x| x / f64::from(pieces));
                let middle = at(0.5 * (a + b));
                width / 6.0 * (at(a + inner) + 4.0 * middle + at(b - inner))
            });
            (whole, simpson.sum())
        })
        .collect();
    let mut v = vec![1.0];
    for i in 1..=n {
        let known: f64 = (0..i)
            .map(|m| {
                let (whole, first) = moments[m];
                let near = if m == 0 { 0.0 } else { v[i - m] * (whole - first) };
                near + v[i - m - 1] * first
            })
            .sum();
        let (whole, first) = moments[0];
        v.push((1.0 - rate * known) / (1.0 + rate * (whole - first)));
    }
    let mut q = vec![1.0];
    for i in 1..=k {
        let drop = |m: usize| v[(m - 1) * parts] - v[m * parts];
        q.push((1..=i).map(|m| drop(m) * q[i - m]).sum());
    }
    q
}

#[test]
fn jumps_and_kinks_agree_with_an_even_grid() {
    let laws = [
        Law::constant(25.0),
        Law::uniform(5.0, 35.0),
        Law::empirical(vec![2.5, 15.0, 42.5], Some(vec![5.0, 2.0, 1.0])),
        Law::pareto(1.5, 7.5),
        Law::log_logistic(3.0, 15.0),
        Law::constant(12.5)
            .and_then(|short| Law::mixture(vec![(3.0, short), (1.0, Law::lognormal(3.0, 0.8)?)])),
        Law::empirical((1..=30).map(|i| 2.5 * f64::from(i)).collect(), None),
    ];
    for law in laws {
        let law = law.unwrap();
        let found = sampled(&law, Arrivals::GapRenewal, 10.0, 8);
        let (coarse, fine) = (by_even_grid(&law, 10.0, 8, 40), by_even_grid(&law, 10.0, 8, 80));
        let mut compared = 0;
        for k in 1..=8 {
            // Richardson's extrapolation; what it moved by bounds what is left.
            let truth = fine[k] + (fine[k] - coarse[k]) / 3.0;
            let left = (fine[k] - coarse[k]).abs() / truth * 0.02 + 1e-9;
            if left < 1e-6 {
                compared += 1;
                close(&format!("{law:?} k={k}"), found.all_unhealthy(k as u64), truth, left);
            }
        }
        // Deeper the grid loses its digits to cancellation.
        assert!(compared >= 4, "{law:?}: the grid is too coarse beyond k={compared}");
    }
}
