//! How much may happen in one replication, so that it ends and fits into memory.
//!
//! Bounds on expectations: a replication costs what happens in it, and a scenario whose replication
//! would take a day is a slip of a unit more often than a wish.

use super::validate::Broken;
use super::{Arrivals, BlipSource, OutageKind, Scenario};
use crate::law::Law;

/// The most changes (blips, restarts, deaths of the prober) that may be expected in one replication.
pub const MOST_CHANGES: f64 = 10e6;

/// The most probes with a coin of their own (in gray outages and blips) that may be expected in one
/// replication.
pub const MOST_COINS: f64 = 10e6;

/// The first bound that the scenario passes.
pub(super) fn check(scenario: &Scenario) -> Result<(), Broken> {
    check_changes(scenario)?;
    check_coins(scenario)
}

fn broken(key: &str, message: String) -> Result<(), Broken> {
    Err(Broken { key: key.to_owned(), message })
}

/// About how often something with such gaps happens in `run_s` seconds, from above. The mean of the
/// gap alone would not do: it may come from lengths that are rarer than one in a run.
fn times(gap: &Law, run_s: f64) -> f64 {
    run_s / gap.cumulative_survival(run_s).max(1e-9)
}

/// As [`times`], of something that lasts and then leaves a gap.
fn cycles(gap: &Law, length: &Law, run_s: f64) -> f64 {
    times(gap, run_s).min(times(length, run_s))
}

fn blips(source: &BlipSource, run_s: f64) -> f64 {
    match source.arrivals {
        Arrivals::GapRenewal => cycles(&source.gap, &source.length, run_s),
        Arrivals::Poisson => times(&source.gap, run_s),
    }
}

fn check_changes(scenario: &Scenario) -> Result<(), Broken> {
    let run_s = scenario.run.length.as_secs_f64();
    let often = |gap: Option<&Law>, length| gap.map_or(0.0, |gap| cycles(gap, length, run_s));
    let restarts = often(scenario.restarts.gap.as_ref(), &scenario.restarts.down);
    let deaths = often(scenario.prober.gap.as_ref(), &scenario.prober.repair);
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
