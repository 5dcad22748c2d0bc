//! Turns tallies into figures with intervals, and sets exact values beside them where theory has one.

use super::{Environment, Setting, Share, Tally};
use crate::estimate::Estimate;
use crate::exact::Sampled;
use crate::scenario::{OutageKind, Scenario};
use crate::time::Span;
use crate::trigger::{Silence, Spec};

/// What one trigger costs and gives, each figure with its interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Firings a day while no outage is in progress.
    pub false_failovers_per_day: Estimate,
    /// Mean detection delay in seconds over outages not already fired on nor missed.
    pub detection_mean_s: Option<Estimate>,
    /// Its median.
    pub detection_p50_s: Option<Estimate>,
    /// Its 99 % quantile.
    pub detection_p99_s: Option<Estimate>,
    /// The longest seen.
    pub detection_max_s: Option<f64>,
    /// Share of outages that began in an episode already failed over.
    pub already_fired: Estimate,
    /// Share of outages in which the trigger never fired.
    pub missed: Estimate,
    /// Share of dark outages caught.
    pub dark_caught: Estimate,
    /// Chance that a restart leads to a firing that would not have happened without it.
    pub restart_fires: Estimate,
    /// Chance that the prober's death leads to a firing.
    pub prober_death_fires: Estimate,
    /// For each target.
    pub targets: Vec<TargetFigures>,
}

/// What recovery on one target comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetFigures {
    /// Share of outages recovered from within the RTO.
    pub rto_met: Estimate,
    /// Median recovery in seconds over detected outages.
    pub recovery_p50_s: Option<Estimate>,
    /// Its 99 % quantile.
    pub recovery_p99_s: Option<Estimate>,
}

impl Figures {
    /// The figures of one setting's tally, with exact values where `theory` has them.
    pub fn of(
        environment: &Environment,
        setting: &Setting,
        tally: &Tally,
        theory: Option<&Sampled>,
        level: f64,
    ) -> Self {
        let exact = theory.map(|theory| Exact::of(theory, environment, setting));
        let exact = exact.unwrap_or_default();
        let delays = &tally.delays;
        let outages = |hits| share(Share { hits, n: tally.outages }, level);
        Figures {
            false_failovers_per_day: with(
                Self::rate_per_day(environment, tally, level),
                exact.per_day,
            ),
            detection_mean_s: delays.mean_s(level).map(|mean| with(mean, exact.mean_s)),
            detection_p50_s: delays.quantile_s(0.5, level).map(|p50| with(p50, exact.p50_s)),
            detection_p99_s: delays.quantile_s(0.99, level).map(|p99| with(p99, exact.p99_s)),
            detection_max_s: (delays.sums.n > 0).then(|| delays.max.as_secs_f64()),
            already_fired: with(outages(tally.already_fired), exact.already_fired),
            missed: with(outages(tally.missed), exact.missed),
            dark_caught: with(share(tally.dark, level), exact.dark_caught),
            restart_fires: with(share(tally.restarts, level), exact.restart_fires),
            prober_death_fires: with(share(tally.prober_deaths, level), exact.prober_death_fires),
            targets: targets(environment, tally, level),
        }
    }

    /// False failovers a day.
    pub fn rate_per_day(environment: &Environment, tally: &Tally, level: f64) -> Estimate {
        let days = environment.scenario.run.length.as_days_f64();
        // A run has a positive length, and a tally at least one replication, or it says nothing.
        Estimate::rate_of_replications(&tally.firings, days, level).unwrap_or(nothing(level))
    }

    /// This trigger's false failovers a day less the next one's, from the same replications.
    pub fn less_next_per_day(environment: &Environment, tally: &Tally, level: f64) -> Estimate {
        let days = environment.scenario.run.length.as_days_f64();
        Estimate::rate_difference(&tally.firings_less_next, days, level).unwrap_or(nothing(level))
    }
}

/// What is known when nothing was observed: anything.
fn nothing(level: f64) -> Estimate {
    let (lo, hi) = (f64::NEG_INFINITY, f64::INFINITY);
    Estimate { value: 0.0, lo, hi, level, n: 0, exact: None }
}

fn share(share: Share, level: f64) -> Estimate {
    Estimate::proportion(share.hits, share.n, level).unwrap_or(Estimate {
        lo: 0.0,
        hi: 1.0,
        ..nothing(level)
    })
}

fn with(estimate: Estimate, exact: Option<f64>) -> Estimate {
    exact.map_or(estimate, |exact| estimate.with_exact(exact))
}

fn targets(environment: &Environment, tally: &Tally, level: f64) -> Vec<TargetFigures> {
    let figures = |(index, target): (usize, &super::TargetTally)| {
        let (p50, p99) = match &target.recovery {
            Some(recovery) => (recovery.quantile_s(0.5, level), recovery.quantile_s(0.99, level)),
            None => {
                let after = environment.plans[index].constant_after_detection();
                let after = after.unwrap_or(Span::ZERO).as_secs_f64();
                // Detected outages: those fired on before are recovered from after the stages alone.
                let quantile = |p| detected_quantile(tally, p, level).map(|q| shifted(q, after));
                (quantile(0.5), quantile(0.99))
            }
        };
        TargetFigures {
            rto_met: share(Share { hits: target.met, n: tally.outages }, level),
            recovery_p50_s: p50,
            recovery_p99_s: p99,
        }
    };
    tally.targets.iter().enumerate().map(figures).collect()
}

/// Quantile of the detection delay with those already fired at zero.
fn detected_quantile(tally: &Tally, p: f64, level: f64) -> Option<Estimate> {
    let zeros = tally.already_fired;
    Estimate::quantile_by_rank(zeros + tally.delays.sums.n, p, level, |rank| {
        if rank <= zeros { 0.0 } else { tally.delays.ranked_s(rank - zeros) }
    })
}

fn shifted(estimate: Estimate, by: f64) -> Estimate {
    let (value, lo, hi) = (estimate.value + by, estimate.lo + by, estimate.hi + by);
    Estimate { value, lo, hi, ..estimate }
}

/// The theory of a scenario's blips, where there is one.
///
/// It covers one source of blips with exponential gaps (or Poisson starts) in which every probe fails, on
/// a grid without jitter, with a prober and a controller that do not stop. `deepest` is the largest
/// count that will be asked for.
pub fn theory(scenario: &Scenario, deepest: u64) -> Option<Sampled> {
    let [source] = &scenario.blips.0[..] else { return None };
    let covered = source.fail_probability == 1.0
        && source.gap.family() == "exponential"
        && scenario.probe.jitter == Span::ZERO
        && scenario.prober.gap.is_none()
        && scenario.restarts.gap.is_none();
    if !covered {
        return None;
    }
    let gap = Span::from_secs_f64(source.gap.mean());
    Sampled::new(gap, &source.length, source.arrivals, scenario.probe.interval, deepest).ok()
}

/// Exact values of one setting; `None` where there is none.
#[derive(Clone, Copy, Debug, Default)]
struct Exact {
    per_day: Option<f64>,
    mean_s: Option<f64>,
    p50_s: Option<f64>,
    p99_s: Option<f64>,
    already_fired: Option<f64>,
    missed: Option<f64>,
    dark_caught: Option<f64>,
    restart_fires: Option<f64>,
    prober_death_fires: Option<f64>,
}

impl Exact {
    fn of(theory: &Sampled, environment: &Environment, setting: &Setting) -> Self {
        let scenario = &environment.scenario;
        let (spec, silence) = (&setting.spec, setting.silence);
        if !matches!(spec, Spec::Consecutive { .. } | Spec::Window { .. }) {
            return Exact::default();
        }
        let k = spec.checks_to_fire(scenario.probe.interval);
        let timeout_s = scenario.probe.timeout.as_secs_f64();
        let longest = (spec.patience(scenario.probe.interval)
            + scenario.probe.interval
            + scenario.probe.timeout)
            .as_secs_f64();
        // Theory knows outages and deaths that last; short ones are only simulated.
        let outages_last = scenario.outage.length.survival(longest) == 1.0;
        let deaths_last = scenario.prober.repair.survival(longest) == 1.0;
        let plain = match scenario.outage.kind {
            OutageKind::Reported => outages_last,
            OutageKind::Dark => outages_last && silence == Silence::Failure,
            OutageKind::Gray => false,
        };
        let if_plain = |value: f64| plain.then_some(value);
        Exact {
            per_day: Some(theory.run_rate_per_day(k)),
            mean_s: if_plain(theory.detection_mean_s(k) + timeout_s),
            p50_s: if_plain(theory.detection_quantile_s(k, 0.5) + timeout_s),
            p99_s: if_plain(theory.detection_quantile_s(k, 0.99) + timeout_s),
            already_fired: Some(theory.already_fired(k)),
            missed: if_plain(0.0),
            dark_caught: theory.dark_caught(spec, silence).filter(|_| outages_last),
            restart_fires: theory.restart_fires(spec, setting.arming),
            prober_death_fires: theory.prober_death_fires(spec, silence).filter(|_| deaths_last),
        }
    }
}
