//! What outages, dark regions, restarts and prober deaths come to on the patience axis.
//!
//! An outage that begins with j failed probes behind it and a wait of u for the next one is detected
//! by count k after (k − j − 1) intervals and u. So one record of (j, u) serves every k, and the
//! recovery within an RTO is a threshold on k.

use std::collections::BTreeMap;

use super::super::delays::{Delays, bin_of};
use super::super::runs::FailedRun;
use super::super::tally::Tally;
use super::{Environment, Ranks, Rule};
use crate::estimate::Sums;
use crate::time::Span;
use crate::trigger::Silence;

/// One instant at which something is laid over the quiet run.
pub(super) struct Mark {
    /// First probe due at or after it.
    pub(super) next: u64,
    /// Time until that probe.
    pub(super) wait: Span,
    /// The run that holds that probe or the one before it.
    pub(super) run: Option<FailedRun>,
    pub(super) outage_length: Span,
    pub(super) repair: Span,
}

impl Mark {
    /// Failed probes in a row just before the mark.
    fn trailing(&self) -> u64 {
        self.run.map_or(0, |run| self.next - run.first)
    }

    /// First probe of the run in progress, if one is.
    fn run_start(&self) -> u64 {
        // Before any probe the controller is as fresh as in a run since its start.
        self.run.filter(|run| run.first < self.next).map_or(self.next.min(1), |run| run.first)
    }
}

/// Marks with the same number of failed probes behind them.
#[derive(Clone, Debug, Default)]
struct Waits {
    sums: Sums,
    max: Span,
    bins: Vec<u64>,
}

/// What was counted of marks so far.
pub(super) struct MarkCounts {
    /// By the number of failed probes behind the mark; `wait` plus what a time-out has beyond
    /// whole intervals.
    waits: BTreeMap<u64, Waits>,
    /// For each target, how many marks let this many of the settings, by ascending k, meet the RTO.
    met: Vec<Vec<u64>>,
    /// Runs hit by a mark, by rank of the length: what a restart there costs an immediate window.
    restarts: Vec<u64>,
    /// Marks that could not be counted for all k at once, and recoveries with distributed stages.
    singly: Vec<Tally>,
    plain: u64,
    distributed: bool,
}

impl MarkCounts {
    pub(super) fn new(environment: &Environment, settings: usize) -> Self {
        let met = environment.plans.iter().map(|_| vec![0; settings + 1]).collect();
        MarkCounts {
            waits: BTreeMap::new(),
            met,
            restarts: vec![0; settings + 1],
            singly: (0..settings).map(|_| environment.tally()).collect(),
            plain: 0,
            distributed: environment.plans.iter().any(|p| p.constant_after_detection().is_none()),
        }
    }

    pub(super) fn count(
        &mut self,
        environment: &Environment,
        rules: &[Rule],
        ranks: &Ranks,
        mark: &Mark,
        stages: &[Span],
    ) {
        let interval = environment.scenario.probe.interval;
        let timeout = environment.scenario.probe.timeout;
        let deepest = ranks.ascending.last().map_or(0, |k| (*k).min(i64::MAX as u64)) as i64;
        let slowest = interval * deepest + timeout;
        let plain = mark.run_start() > 0 && slowest < mark.outage_length && slowest < mark.repair;
        if plain {
            self.count_plain(environment, ranks, mark, stages);
            if !self.distributed {
                return;
            }
        }
        for (rule, tally) in rules.iter().zip(&mut self.singly) {
            let detection = detection(rule, mark, interval, timeout);
            if plain {
                record_recovery(detection, stages, tally);
            } else {
                count_singly(environment, rule, mark, detection, stages, tally);
            }
        }
    }

    /// Counts a mark for every k at once.
    fn count_plain(
        &mut self,
        environment: &Environment,
        ranks: &Ranks,
        mark: &Mark,
        stages: &[Span],
    ) {
        let interval = environment.scenario.probe.interval;
        let wait = mark.wait + environment.scenario.probe.timeout;
        let trailing = mark.trailing();
        self.plain += 1;
        let waits = self.waits.entry(trailing).or_default();
        // Whole intervals of a time-out are added at the end, so that bins are few.
        let short = wait - interval * whole_timeout(environment) as i64;
        waits.sums.add(short.as_nanos());
        waits.max = waits.max.max(short);
        let bin = bin_of(short, interval) as usize;
        if waits.bins.len() <= bin {
            waits.bins.resize(bin + 1, 0);
        }
        waits.bins[bin] += 1;
        let limits = environment.recovery_limits.iter().zip(stages);
        for (met, (limit, after)) in self.met.iter_mut().zip(limits) {
            let room = *limit - *after;
            if room < Span::ZERO {
                met[0] += 1;
                continue;
            }
            let left = room - wait;
            let more = if left < Span::ZERO { 0 } else { 1 + left.div_floor(interval) as u64 };
            met[ranks.of(trailing + more)] += 1;
        }
        if let Some(run) = mark.run.filter(|run| run.end > mark.next) {
            self.restarts[ranks.of(run.length())] += 1;
        }
    }

    pub(super) fn finish(
        mut self,
        environment: &Environment,
        rules: &[Rule],
        by_k: &[usize],
        tallies: &mut [&mut Tally],
    ) {
        let mut met: Vec<u64> = vec![0; self.met.len()];
        let reached: u64 = self.restarts.iter().sum();
        let mut restarts = reached;
        for (rank, index) in by_k.iter().enumerate().rev() {
            let (rule, tally) = (&rules[*index], &mut self.singly[*index]);
            for ((met, counts), target) in met.iter_mut().zip(&self.met).zip(&mut tally.targets) {
                *met += counts[rank + 1];
                target.met += *met;
            }
            // Runs shorter than k: the firing would not have happened without the restart.
            restarts -= self.restarts[rank + 1];
            tally.restarts.n += self.plain;
            if rule.window && rule.immediate {
                tally.restarts.hits += restarts;
            }
        }
        for ((rule, mut counted), tally) in rules.iter().zip(self.singly).zip(tallies) {
            spread(&self.waits, environment, rule, &mut counted);
            tally.merge(&counted);
        }
    }
}

/// How many whole intervals a failing result is late.
fn whole_timeout(environment: &Environment) -> u64 {
    let probe = &environment.scenario.probe;
    u64::try_from(probe.timeout.div_floor(probe.interval)).unwrap_or(0)
}

/// Turns waits by trailing count into the delays of one k, and the shares that follow from them.
fn spread(waits: &BTreeMap<u64, Waits>, environment: &Environment, rule: &Rule, tally: &mut Tally) {
    let interval = environment.scenario.probe.interval;
    for (trailing, waits) in waits {
        let n = waits.sums.n;
        let fired = *trailing >= rule.k;
        let silence_fires = !fired && silence_fires(rule, *trailing);
        tally.outages += n;
        if fired {
            tally.already_fired += n;
        } else {
            let whole = rule.k - trailing - 1 + whole_timeout(environment);
            add_waits(&mut tally.delays, waits, whole, interval);
        }
        tally.dark.n += n;
        tally.prober_deaths.n += n;
        if fired || silence_fires {
            tally.dark.hits += n;
        }
        if silence_fires {
            tally.prober_deaths.hits += n;
        }
    }
}

/// Whether silence alone makes the rule fire, with this many failed probes just before it.
fn silence_fires(rule: &Rule, trailing: u64) -> bool {
    // An ignored silence lets healthy checks leave a window before failed ones: if the last check
    // held was a failed one, the window is all unhealthy for a while.
    rule.silence == Silence::Failure || (rule.window && trailing > 0)
}

fn add_waits(delays: &mut Delays, waits: &Waits, whole: u64, interval: Span) {
    let shift = interval * whole as i64;
    let first = whole.saturating_mul(super::super::delays::BINS_PER_INTERVAL as u64);
    let bins = waits.bins.iter().enumerate();
    let bins = bins.map(|(bin, count)| (first.saturating_add(bin as u64), *count));
    delays.add_many(&waits.sums.shifted(shift.as_nanos()), waits.max + shift, bins);
}

/// Detection delay of one rule at one mark; zero when its episode had already been failed over.
fn detection(rule: &Rule, mark: &Mark, interval: Span, timeout: Span) -> Span {
    let (trailing, k) = (mark.trailing(), rule.k_of(mark.run_start()));
    if trailing >= k {
        return Span::ZERO;
    }
    interval * (k - trailing - 1).min(i64::MAX as u64) as i64 + mark.wait + timeout
}

/// Counts one mark for one rule.
fn count_singly(
    environment: &Environment,
    rule: &Rule,
    mark: &Mark,
    detection: Span,
    stages: &[Span],
    tally: &mut Tally,
) {
    let fired = mark.trailing() >= rule.k_of(mark.run_start());
    let in_time = detection < mark.outage_length;
    let silence_fires = !fired && silence_fires(rule, mark.trailing());
    tally.outages += 1;
    if fired {
        tally.already_fired += 1;
    } else if in_time {
        tally.delays.add(detection);
    } else {
        tally.missed += 1;
    }
    tally.dark.add(fired || (silence_fires && in_time));
    tally.prober_deaths.add(silence_fires && detection < mark.repair);
    let hit = mark.run.filter(|run| run.end > mark.next);
    let too_short = hit.is_some_and(|run| run.length() < rule.k_of(run.first));
    tally.restarts.add(rule.window && rule.immediate && !fired && too_short);
    if fired || in_time {
        let limits = environment.recovery_limits.iter().zip(stages);
        for (target, (limit, after)) in tally.targets.iter_mut().zip(limits) {
            target.met += u64::from(detection + *after <= *limit);
        }
        record_recovery(detection, stages, tally);
    }
}

/// Records the recovery of a detected outage on the targets whose stages are distributed.
fn record_recovery(detection: Span, stages: &[Span], tally: &mut Tally) {
    for (target, after) in tally.targets.iter_mut().zip(stages) {
        if let Some(recoveries) = &mut target.recovery {
            recoveries.add(detection + *after);
        }
    }
}
