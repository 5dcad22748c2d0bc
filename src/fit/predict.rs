//! What the fitted model says a trigger costs, for the side-by-side with the replay.
//!
//! Exact where the rate is known in closed or numerical form; otherwise by simulating the fitted
//! scenario. The interval is that of the fit: how far the rate moves over the likelihood region of the
//! length law, and how well the rate of blips is known.

use super::{DAY_S, HistoryFit, quotient};
use crate::engine::Streams;
use crate::estimate::{Estimate, LEVEL, Sums};
use crate::exact::Sampled;
use crate::law::Law;
use crate::scenario::{Arrivals, Scenario};
use crate::time::Span;
use crate::trigger::{Spec, Trigger, walk};
use crate::world;

/// Replications of the simulation where nothing is exact.
const REPLICATIONS: u64 = 20;

/// False failovers a day of a trigger under the fitted model; `scenario` holds its laws and rules.
/// `None` where there is no fitted law.
pub fn false_per_day(fit: &HistoryFit, scenario: &Scenario, spec: &Spec) -> Option<Estimate> {
    let interval = scenario.probe.interval;
    match spec {
        Spec::Consecutive { .. } | Spec::Window { .. } => {
            of_runs(fit, scenario, spec.checks_to_fire(interval))
        }
        _ => simulated(scenario, spec),
    }
}

fn of_runs(fit: &HistoryFit, scenario: &Scenario, k: u64) -> Option<Estimate> {
    let best = fit.blips.length.best()?;
    let law = best.law.as_ref()?;
    let counted = Estimate::rate(fit.recurrence.begun, fit.observed.exposure_s / DAY_S, LEVEL)?;
    let joins = best.joins();
    let step = fit.observed.interval_s;
    // Runs of k or more among those that are seen.
    let share = |law: &Law| {
        let reach = |n: u64| {
            let far = n as f64 * step;
            law.cumulative_survival(far) - law.cumulative_survival(far - step)
        };
        let seen = reach(1);
        (reach(k) / seen + joins.share(k as f64)) / (1.0 + joins.share(1.0))
    };
    let chance = share(law);
    if !(chance > 0.0) || counted.value <= 0.0 {
        return None;
    }
    let (least, most) = best.range(share);
    let rate = quotient(counted, chance.recip(), (most.recip(), least.max(0.0).recip()));
    let mean_gap = scenario.blips.0.first().map_or(f64::NAN, |source| source.gap.mean());
    let gap = Span::from_secs_f64(mean_gap);
    let exact = Sampled::new(gap, law, Arrivals::GapRenewal, scenario.probe.interval, k)
        .ok()
        .map(|sampled| sampled.run_rate_per_day(k))
        .filter(|exact| exact.is_finite() && *exact > 0.0);
    Some(match exact {
        Some(exact) => rate.scaled(exact / rate.value).with_exact(exact),
        None => rate,
    })
}

fn simulated(scenario: &Scenario, spec: &Spec) -> Option<Estimate> {
    let mut counts = Sums::new();
    for replication in 0..REPLICATIONS {
        let streams = Streams::new(scenario.run.seed, replication);
        let history = world::simulate(scenario, streams, None);
        let rules = &scenario.controller;
        let interval = scenario.probe.interval;
        let mut trigger = Trigger::new(spec, interval, rules.silence, rules.arming);
        let mut fired = 0;
        walk(&mut trigger, &history, |_| fired += 1);
        counts.add(fired);
    }
    Estimate::rate_of_replications(&counts, scenario.run.length.as_days_f64(), LEVEL)
}
