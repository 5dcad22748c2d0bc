//! Every figure against a plain simulation of blips and probes that shares no code with `exact`.

use failover_budget::engine::{Rng, Streams};
use failover_budget::law::Law;
use failover_budget::scenario::Arrivals;
use failover_budget::time::Span;
use failover_budget::trigger::{Arming, Silence, Spec};

use super::sampled;

const INTERVAL: f64 = 10.0;

/// Whether each of `n` probes is unhealthy.
fn probes(length: &Law, arrivals: Arrivals, n: usize, rng: &mut Rng) -> Vec<bool> {
    let gap = Law::exponential(900.0).unwrap();
    let mut unhealthy = vec![false; n];
    let mut start = gap.sample_secs(rng);
    while start < INTERVAL * n as f64 {
        let end = start + length.sample_secs(rng);
        let first = (start / INTERVAL).ceil() as usize;
        let after = (end / INTERVAL).ceil() as usize;
        unhealthy[first.min(n)..after.min(n)].fill(true);
        let from = if arrivals == Arrivals::Poisson { start } else { end };
        start = from + gap.sample_secs(rng);
    }
    unhealthy
}

/// Lengths of the maximal runs of unhealthy probes.
fn runs(unhealthy: &[bool]) -> Vec<usize> {
    unhealthy.split(|probe| !probe).map(<[bool]>::len).filter(|length| *length > 0).collect()
}

#[test]
fn every_figure_agrees_with_a_simulation() {
    // Shares of n = 20,000,000 probes in 40 batches; the standard error is the batches'. 64 figures
    // within 7.5 standard errors at 39 degrees of freedom: chance of bad luck 64 · 4e-9 = 3e-7.
    let (batches, n, k) = (40, 500_000, 4_u64);
    let window = Spec::Window { window: Span::from_secs(30) };
    let laws = [
        Law::uniform(5.0, 65.0),
        Law::weibull(0.7, 15.8),
        Law::constant(25.0),
        Law::empirical(vec![5.0, 30.0, 70.0], None),
    ];
    for (index, law) in laws.into_iter().enumerate() {
        let law = law.unwrap();
        for arrivals in [Arrivals::GapRenewal, Arrivals::Poisson] {
            let exact = sampled(&law, arrivals, INTERVAL, k);
            let delay = exact.detection_mean_s(k) / INTERVAL;
            let truth = [
                exact.unhealthy(),
                exact.run_rate_per_day(k) * INTERVAL / 86_400.0,
                exact.already_fired(k),
                exact.restart_fires(&window, Arming::Immediate).unwrap(),
                exact.restart_fires(&window, Arming::Checks(2)).unwrap(),
                exact.dark_caught(&window, Silence::Ignored).unwrap(),
                exact.prober_death_fires(&window, Silence::Ignored).unwrap(),
                0.0,
            ];
            let mut rng = Streams::new(7, index as u64).named("simulated");
            let found: Vec<[f64; 8]> = (0..batches)
                .map(|_| figures(&probes(&law, arrivals, n, &mut rng), k as usize, delay))
                .collect();
            for (i, truth) in truth.into_iter().enumerate() {
                let mean = found.iter().map(|batch| batch[i]).sum::<f64>() / f64::from(batches);
                let squares = found.iter().map(|batch| (batch[i] - mean).powi(2)).sum::<f64>();
                let error = (squares / f64::from(batches * (batches - 1))).sqrt();
                let off = (mean - truth) / error.max(1e-12);
                assert!(off.abs() < 7.5, "{law:?} {arrivals:?} {i}: {mean} {truth} off {off}");
                assert!(error < 0.02 * truth || i == 7 || truth < 1e-3, "no power: {i} {error}");
            }
        }
    }
}

/// The figures of one batch as shares of its probes, in the order of the test; the last is the sum of
/// delays (in intervals, over marks not already fired) less what `delay` would have them be.
fn figures(unhealthy: &[bool], k: usize, delay: f64) -> [f64; 8] {
    let runs = runs(unhealthy);
    let count =
        |figure: &dyn Fn(usize) -> usize| runs.iter().map(|run| figure(*run)).sum::<usize>();
    let probes = count(&|run| run);
    // Instants after the k-th probe of a run: its last is trailed by the whole run.
    let fired = count(&|run| (run + 1).saturating_sub(k));
    // A restart before probe i of a run that stays short.
    let first_bad = count(&|run| if run < k { run } else { 0 });
    let two_bad = count(&|run| if run < k { run - 1 } else { 0 });
    // Instants trailed by 1 to k − 1 probes: a window's held checks age out until it fires.
    let trailed = count(&|run| run.min(k - 1));
    let healthy = unhealthy.len() - probes;
    // Delays: k − j − 1/2 on average when j probes trail.
    let waits: f64 = runs
        .iter()
        .map(|run| (1..=(*run).min(k - 1)).map(|j| (k - j) as f64 - 0.5 - delay).sum::<f64>())
        .sum::<f64>()
        + healthy as f64 * (k as f64 - 0.5 - delay);
    [
        probes as f64,
        count(&|run| usize::from(run >= k)) as f64,
        fired as f64,
        first_bad as f64,
        two_bad as f64,
        probes as f64,
        trailed as f64,
        waits,
    ]
    .map(|figure| figure / unhealthy.len() as f64)
}
