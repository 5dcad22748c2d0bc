//! How much may happen in one replication, so that it ends and fits into memory.
//!
//! Bounds on expectations: a replication costs what happens in it, and a scenario whose replication
//! would take a day is a slip of a unit more often than a wish.

use super::validate::Broken;
use super::{Arrivals, BlipSource, OutageKind, Scenario};
use crate::law::Law;
use crate::time::Span;
use crate::trigger::Spec;

/// The most changes (blips, restarts, deaths of the prober) that may be expected in one replication.
pub const MOST_CHANGES: f64 = 10e6;

/// The most probes with a coin of their own (in gray outages and blips) that may be expected in one
/// replication.
pub const MOST_COINS: f64 = 10e6;

/// The most checks that a success-rate trigger may hold.
pub const MOST_HELD: i64 = 1_000_000;

/// The first bound that the scenario passes.
pub(super) fn check(scenario: &Scenario) -> Result<(), Broken> {
    check_changes(scenario)?;
    check_coins(scenario)?;
    scenario
        .triggers
        .iter()
        .enumerate()
        .try_for_each(|(index, trigger)| check_held(index, trigger, scenario.probe.interval))
}

fn broken(key: &str, message: String) -> Result<(), Broken> {
    Err(Broken { key: key.to_owned(), message })
}

/// About how often something with such gaps happens in `run_s` seconds, from above. The mean of the
/// gap alone would not do: it may come from lengths that are rarer than one in a run.
fn times(gap: &Law, run_s: f64) -> f64 {
    run_s / gap.cumulative_survival(run_s).max(1e-9)
}

fn blips(source: &BlipSource, run_s: f64) -> f64 {
    let by_gap = times(&source.gap, run_s);
    match source.arrivals {
        Arrivals::GapRenewal => by_gap.min(times(&source.length, run_s)),
        Arrivals::Poisson => by_gap,
    }
}

fn check_changes(scenario: &Scenario) -> Result<(), Broken> {
    let run_s = scenario.run.length.as_secs_f64();
    let restarts = scenario.restarts.gap.as_ref().map_or(0.0, |gap| times(gap, run_s));
    let deaths = scenario.prober.gap.as_ref().map_or(0.0, |gap| times(gap, run_s));
    let faster = scenario.restarts.deploy.as_ref().map_or(1.0, |deploy| {
        let share = (restarts * deploy.length.mean() / run_s).min(1.0);
        1.0 + (deploy.blip_factor - 1.0) * share
    });
    let blips: f64 = scenario.blips.0.iter().map(|source| blips(source, run_s)).sum();
    for (key, what, found) in [
        ("blips", "blips", blips * faster),
        ("restarts.gap", "restarts", restarts),
        ("prober.gap", "deaths of the prober", deaths),
    ] {
        if found > MOST_CHANGES {
            return broken(
                key,
                format!(
                    "about {found:.1e} {what} in one replication of {}; allowed: up to {MOST_CHANGES:.0e}; use \
                     longer gaps or a shorter `run.length`",
                    scenario.run.length
                ),
            );
        }
    }
    Ok(())
}

fn check_coins(scenario: &Scenario) -> Result<(), Broken> {
    let interval_s = scenario.probe.interval.as_secs_f64();
    let run_s = scenario.run.length.as_secs_f64();
    let gray = |source: &&BlipSource| source.fail_probability < 1.0;
    let share = |source: &BlipSource| {
        let length = source.length.mean();
        length / (length + source.gap.mean())
    };
    let in_blips: f64 = scenario.blips.0.iter().filter(gray).map(share).sum::<f64>() * run_s;
    let outage = &scenario.outage;
    let in_outage = if outage.kind == OutageKind::Gray { outage.length.mean() } else { 0.0 };
    for (key, seconds) in [("blips", in_blips), ("outage.length", in_outage)] {
        let found = seconds / interval_s;
        if found > MOST_COINS {
            return broken(
                key,
                format!(
                    "about {found:.1e} probes that fail by chance; allowed: up to {MOST_COINS:.0e}; use a longer \
                     `probe.interval` or shorter faults"
                ),
            );
        }
    }
    Ok(())
}

fn check_held(index: usize, trigger: &Spec, interval: Span) -> Result<(), Broken> {
    let Spec::SuccessRate { window, .. } = trigger else { return Ok(()) };
    let held = window.div_floor(interval);
    if held < MOST_HELD {
        return Ok(());
    }
    broken(
        &format!("triggers.{index}"),
        format!(
            "the window of `{trigger}` holds {held} checks; allowed: fewer than {MOST_HELD}; use a shorter \
             window or a longer `probe.interval`"
        ),
    )
}
