//! Lengths made of exponential stages: the sampled process is a Markov chain of a few states, whose
//! powers are exact to the last digits at any depth.

use failover_budget::exact::Sampled;
use failover_budget::law::Law;
use failover_budget::scenario::Arrivals;
use failover_budget::time::Span;

use super::{close, in_disguise};

type Matrix = Vec<Vec<f64>>;

/// `e^(generator · time)` by uniformisation: all terms are positive, so small entries keep digits.
fn transition(generator: &Matrix, time: f64) -> Matrix {
    let n = generator.len();
    let fastest = (0..n).map(|i| -generator[i][i]).fold(0.0, f64::max) * 1.01;
    // Halve the time until few jumps happen, then square.
    let halvings = ((fastest * time).log2().ceil() as i32 + 1).max(0);
    let jumps = fastest * time / 2_f64.powi(halvings);
    let step: Matrix = (0..n)
        .map(|i| {
            let stay = |j| if i == j { 1.0 } else { 0.0 };
            (0..n).map(|j| stay(j) + generator[i][j] / fastest).collect()
        })
        .collect();
    let mut power: Matrix = (0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect();
    let mut sum = vec![vec![0.0; n]; n];
    let mut weight = (-jumps).exp();
    for term in 1..40 {
        for i in 0..n {
            for j in 0..n {
                sum[i][j] += weight * power[i][j];
            }
        }
        power = product(&power, &step);
        weight *= jumps / f64::from(term);
    }
    for _ in 0..halvings {
        sum = product(&sum, &sum);
    }
    sum
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let n = b.len();
    let entry = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    a.iter().map(|row| (0..n).map(|j| entry(row, j)).collect()).collect()
}

/// `q(n)` of a chain whose state 0 is healthy, up to `n = 300`.
fn chances(generator: &Matrix, interval: f64) -> Vec<f64> {
    let step = transition(generator, interval);
    let mut state: Vec<f64> = step[0].clone();
    let mut chances = vec![1.0];
    for _ in 0..300 {
        state[0] = 0.0;
        chances.push(state.iter().sum());
        state = product(&vec![state], &step).remove(0);
    }
    chances
}

/// Stages in sequence, each of mean `scale`: gamma of whole shape.
fn in_sequence(gap: f64, stages: usize, scale: f64) -> Matrix {
    let mut generator = vec![vec![0.0; stages + 1]; stages + 1];
    for (state, row) in generator.iter_mut().enumerate() {
        let rate = if state == 0 { 1.0 / gap } else { 1.0 / scale };
        row[state] = -rate;
        row[(state + 1) % (stages + 1)] = rate;
    }
    generator
}

/// One of several exponentials, by weight.
fn side_by_side(gap: f64, parts: &[(f64, f64)]) -> Matrix {
    let mut generator = vec![vec![0.0; parts.len() + 1]; parts.len() + 1];
    generator[0][0] = -1.0 / gap;
    for (i, (weight, mean)) in parts.iter().enumerate() {
        generator[0][i + 1] = weight / gap;
        generator[i + 1][0] = 1.0 / mean;
        generator[i + 1][i + 1] = -1.0 / mean;
    }
    generator
}

fn check(what: &str, law: &Law, gap: f64, interval: f64, truth: &[f64]) {
    let spans = (Span::from_secs_f64(gap), Span::from_secs_f64(interval));
    let found = Sampled::new(spans.0, law, Arrivals::GapRenewal, spans.1, 100).unwrap();
    let what = |k: u64| format!("{what}, gap {gap}, interval {interval}, k={k}");
    for k in 1..=100 {
        let right = truth[k as usize];
        // Below this a rate is one in 1e180 years, and the law's own tail is not tabled.
        if right < 1e-180 {
            break;
        }
        // Errors of each probe add up.
        let most = 2e-11 * (k + 10) as f64;
        close(&what(k), found.all_unhealthy(k), right, most);
        let per_day = 86_400.0 / interval * found.healthy() * right;
        close(&what(k), found.run_rate_per_day(k), per_day, most);
        // The chain's own tail ends where its table does.
        let tail: f64 = truth[k as usize..].iter().rev().sum();
        if truth[300] < 1e-12 * tail {
            close(&what(k), found.already_fired(k), found.healthy() * tail, 1e-7);
        }
    }
}

#[test]
fn blips_of_several_stages_agree_at_every_depth() {
    for (gap, interval) in [(900.0, 10.0), (900.0, 60.0), (30.0, 10.0), (3.0, 10.0), (3600.0, 1.0)]
    {
        for (stages, scale) in [(1, 20.0), (2, 10.0), (3, 0.4), (5, 6.0)] {
            let law = in_disguise(Law::gamma(stages as f64, scale).unwrap());
            let truth = chances(&in_sequence(gap, stages, scale), interval);
            check(&format!("{stages} stages of {scale} s"), &law, gap, interval, &truth);
        }
    }
}

#[test]
fn blips_of_several_kinds_agree_at_every_depth() {
    let parts = [(0.9, 2.0), (0.08, 20.0), (0.02, 200.0)];
    let exponential = |(weight, mean): &(f64, f64)| (*weight, Law::exponential(*mean).unwrap());
    let law = Law::mixture(parts.iter().map(exponential).collect()).unwrap();
    for (gap, interval) in [(900.0, 10.0), (900.0, 60.0), (30.0, 10.0), (3600.0, 1.0)] {
        let truth = chances(&side_by_side(gap, &parts), interval);
        check("three kinds", &law, gap, interval, &truth);
    }
}

/// Blips of nearly the same length, whose ends make narrow bumps in the interval.
#[test]
fn blips_of_many_stages_agree_at_every_depth() {
    for stages in [16, 64] {
        let scale = 23.0 / stages as f64;
        let law = Law::gamma(stages as f64, scale).unwrap();
        let truth = chances(&in_sequence(900.0, stages, scale), 10.0);
        check(&format!("{stages} stages"), &law, 900.0, 10.0, &truth);
    }
}

/// Blips far shorter than the interval: nearly all runs are joined from blips whose gap no probe saw.
#[test]
fn joined_runs_of_short_blips_are_the_rule() {
    for mean in [1.0, 0.1] {
        let law = in_disguise(Law::exponential(mean).unwrap());
        let truth = chances(&in_sequence(900.0, 1, mean), 10.0);
        check(&format!("mean {mean}"), &law, 900.0, 10.0, &truth);
        let found = super::sampled(&law, Arrivals::GapRenewal, 10.0, 3);
        assert!(found.run_rate_per_day(3) > 9.0 * found.isolated_per_day(3));
    }
}
