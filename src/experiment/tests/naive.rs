//! One setting on one replication, counted from the definitions: every check is kept, laid over and
//! handed to the trigger one at a time, from the start of the run for every question asked.

use super::super::general::Marks;
use crate::engine::Streams;
use crate::engine::streams::unit_hash;
use crate::experiment::{Environment, Setting, Tally};
use crate::history::Check;
use crate::scenario::{OutageKind, Scenario};
use crate::time::{Span, Time};
use crate::world::simulate;

/// One due probe: when, and what the controller learns of it, if it is there to learn.
type Probe = (Time, Option<Check>);

/// What is laid over the run from one instant to another.
#[derive(Clone, Copy)]
enum Cover {
    Fails,
    Silences,
    Coins(u64, f64),
}

/// Counts what `setting` does in `replication` into `tally`; returns its false failovers.
pub fn count(
    environment: &Environment,
    setting: &Setting,
    replication: u64,
    tally: &mut Tally,
) -> i64 {
    let scenario = &environment.scenario;
    let streams = Streams::new(scenario.run.seed, replication);
    let marks = Marks::draw(environment, streams);
    let horizon = horizon(scenario, setting, &marks);
    let (probes, restarts) = quiet(scenario, streams, horizon);
    let run = Run { scenario, setting, restarts: &restarts };
    let end = Time::START + scenario.run.length;
    let outage_cover = match scenario.outage.kind {
        OutageKind::Reported => Cover::Fails,
        OutageKind::Dark => Cover::Silences,
        OutageKind::Gray => {
            Cover::Coins(streams.key("outage-coins"), scenario.outage.fail_probability)
        }
    };
    for (mark, start) in marks.starts.iter().copied().enumerate() {
        let outage_end = start + marks.outage_lengths[mark];
        let fired = run.has_fired_before(&probes, start);
        let first = |cover, to| {
            let firings = run.firings(&laid(&probes, cover, start, to), None);
            let learnt = firings.into_iter().map(|at| at + scenario.probe.timeout);
            // A firing before the mark may be learnt of after it; it is not the mark's.
            learnt.filter(|at| *at >= start + scenario.probe.timeout).find(|at| *at < to)
        };
        let detected = first(outage_cover, outage_end);
        let detection = if fired { Some(Span::ZERO) } else { detected.map(|at| at - start) };
        tally.outages += 1;
        match detection {
            _ if fired => tally.already_fired += 1,
            Some(delay) => tally.delays.add(delay),
            None => tally.missed += 1,
        }
        tally.dark.add(fired || first(Cover::Silences, outage_end).is_some());
        let repaired = start + marks.repairs[mark];
        tally.prober_deaths.add(!fired && first(Cover::Silences, repaired).is_some());
        tally.restarts.add(!fired && run.restart_fires(&probes, start));
        let Some(detection) = detection else { continue };
        for (index, target) in tally.targets.iter_mut().enumerate() {
            let recovery = detection + marks.stages_of(mark)[index];
            target.met += u64::from(recovery <= environment.recovery_limits[index]);
            if let Some(recoveries) = &mut target.recovery {
                recoveries.add(recovery);
            }
        }
    }
    let firings = run.firings(&probes, None);
    firings.iter().filter(|at| **at + scenario.probe.timeout < end).count() as i64
}

/// The last instant that any question reaches to. Beyond the run nothing happens but what is laid
/// over it: what fails every probe fires within the patience, and coins may take the whole outage.
fn horizon(scenario: &Scenario, setting: &Setting, marks: &Marks) -> Time {
    let interval = scenario.probe.interval;
    let slowest = setting.spec.patience(interval) + interval * 60 + Span::from_secs(3_600);
    let last = marks.starts.last().copied().unwrap_or(Time::START);
    let longest = marks.outage_lengths.iter().max().copied().unwrap_or_default();
    let beyond = if scenario.outage.kind == OutageKind::Gray { longest } else { slowest };
    (Time::START + scenario.run.length).max(last + beyond) + slowest
}

/// Every probe of the quiet run; past its end the region is well.
fn quiet(scenario: &Scenario, streams: Streams, horizon: Time) -> (Vec<Probe>, Vec<Time>) {
    let history = simulate(scenario, streams, None);
    let known = history.due.first_at_or_after(history.end);
    let all = history.due.first_at_or_after(horizon);
    let mut probes: Vec<Probe> = (0..all)
        .map(|probe| (history.due.at(probe), (probe >= known).then_some(Check::Healthy)))
        .collect();
    for (probe, _, check) in history.checks() {
        probes[probe as usize].1 = Some(check);
    }
    (probes, history.restarts)
}

fn laid(probes: &[Probe], cover: Cover, from: Time, to: Time) -> Vec<Probe> {
    let lay = |(index, (at, check)): (usize, &Probe)| {
        let covered = from <= *at && *at < to;
        let check = check.map(|check| match (cover, check) {
            _ if !covered => check,
            (_, Check::Absent) | (Cover::Silences, _) => Check::Absent,
            (Cover::Fails, _) => Check::Unhealthy,
            (Cover::Coins(key, chance), _) if unit_hash(key, index as u64) < chance => {
                Check::Unhealthy
            }
            _ => check,
        });
        (*at, check)
    };
    probes.iter().enumerate().map(lay).collect()
}

struct Run<'a> {
    scenario: &'a Scenario,
    setting: &'a Setting,
    restarts: &'a [Time],
}

impl Run<'_> {
    /// Leads a fresh trigger over `probes`: `each` is told of every probe's instant before it is
    /// judged, with whether the trigger has fired in the episode, and of its firing.
    fn lead(&self, probes: &[Probe], more: Option<Time>, mut each: impl FnMut(Time, bool, bool)) {
        let mut restarts: Vec<Time> = self.restarts.iter().copied().chain(more).collect();
        restarts.sort();
        let mut restarts = restarts.into_iter().peekable();
        let mut trigger = self.setting.trigger(self.scenario.probe.interval);
        for (at, check) in probes {
            while restarts.next_if(|restart| restart <= at).is_some() {
                trigger.restart();
            }
            let fired = trigger.has_fired();
            let fires = check.is_some_and(|check| trigger.observe(*at, check));
            each(*at, fired, fires);
        }
    }

    fn firings(&self, probes: &[Probe], more: Option<Time>) -> Vec<Time> {
        let mut firings = Vec::new();
        self.lead(probes, more, |at, _, fires| firings.extend(fires.then_some(at)));
        firings
    }

    fn has_fired_before(&self, probes: &[Probe], mark: Time) -> bool {
        let mut found = None;
        self.lead(probes, None, |at, fired, _| {
            if at >= mark {
                found.get_or_insert(fired);
            }
        });
        found.unwrap_or(false)
    }

    /// Whether a restart at `mark` makes it fire within its patience, where it would not have fired
    /// in that episode without.
    fn restart_fires(&self, probes: &[Probe], mark: Time) -> bool {
        let after = |at: &Time| *at >= mark;
        let first = probes.iter().map(|(at, _)| *at).find(after).unwrap();
        let until = first + self.setting.spec.patience(self.scenario.probe.interval);
        let with = self.firings(probes, Some(mark)).into_iter().find(after);
        let Some(fired) = with.filter(|at| *at <= until) else { return false };
        let is_well = |(at, check): &&Probe| *at >= fired && *check == Some(Check::Healthy);
        let (well, _) = probes.iter().find(is_well).unwrap();
        let without = self.firings(probes, None).into_iter().find(after);
        without.is_none_or(|at| at >= *well)
    }
}
