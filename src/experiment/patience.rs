//! The whole patience axis in one pass over the runs of failed probes.
//!
//! Where every fault fails every probe and probes lie on a grid without jitter, a window or
//! consecutive trigger is its count k: it fires at the k-th failed probe of a run. One histogram of
//! run lengths then answers for every k at once, and so does one look at each outage's start. The
//! counts equal those of the event queue (`general`) on the same draws, one for one.

mod marks;

use super::general::Marks;
use super::runs::{FailedRun, Runs};
use super::tally::Tally;
use super::{Environment, Setting};
use crate::engine::Streams;
use crate::scenario::{OutageKind, Scenario};
use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec};

use marks::{Mark, MarkCounts};

/// Whether this setting on this scenario can be answered from runs of failed probes alone.
pub(crate) fn applies(scenario: &Scenario, setting: &Setting) -> bool {
    let [source] = &scenario.blips.0[..] else { return false };
    let pure_patience = matches!(setting.spec, Spec::Consecutive { .. } | Spec::Window { .. });
    // A dark outage under an ignored silence is not a run of failed probes.
    let outage_is_plain = match scenario.outage.kind {
        OutageKind::Reported => true,
        OutageKind::Dark => setting.silence == Silence::Failure,
        OutageKind::Gray => false,
    };
    pure_patience
        && !matches!(setting.arming, Arming::Checks(_))
        && source.fail_probability == 1.0
        && scenario.probe.jitter == Span::ZERO
        && scenario.prober.gap.is_none()
        && scenario.restarts.gap.is_none()
        && outage_is_plain
}

/// One setting, reduced to counts.
#[derive(Clone, Copy, Debug)]
struct Rule {
    /// Failed probes in a row that make it fire.
    k: u64,
    /// The same for a run that no healthy check of this controller came before.
    fresh_k: u64,
    window: bool,
    silence: Silence,
    immediate: bool,
}

impl Rule {
    fn new(setting: &Setting, interval: Span) -> Self {
        let k = setting.spec.checks_to_fire(interval);
        let window = matches!(setting.spec, Spec::Window { .. });
        let immediate = setting.arming == Arming::Immediate;
        // A window that holds nothing but one failed check is all unhealthy.
        let fresh_k = if window && immediate { 1 } else { k };
        Rule { k, fresh_k, window, silence: setting.silence, immediate }
    }

    fn k_of(&self, run_start: u64) -> u64 {
        if run_start == 0 { self.fresh_k } else { self.k }
    }
}

/// The settings of a patience axis, and what was counted of them so far.
pub(crate) struct Axis<'a> {
    environment: &'a Environment,
    rules: Vec<Rule>,
    /// For the settings by ascending k: the index of each in `rules`.
    by_k: Vec<usize>,
    ranks: Ranks,
    runs: Runs,
    firings: Vec<i64>,
    marks: MarkCounts,
}

impl<'a> Axis<'a> {
    pub(crate) fn new(environment: &'a Environment, settings: &[&Setting]) -> Self {
        let interval = environment.scenario.probe.interval;
        let rules: Vec<Rule> = settings.iter().map(|s| Rule::new(s, interval)).collect();
        let mut by_k: Vec<usize> = (0..rules.len()).collect();
        by_k.sort_by_key(|index| rules[*index].k);
        let ranks = Ranks::new(by_k.iter().map(|index| rules[*index].k).collect());
        let count = rules.len();
        Axis {
            environment,
            marks: MarkCounts::new(environment, count),
            rules,
            by_k,
            ranks,
            runs: Runs::new(),
            firings: vec![0; count],
        }
    }

    /// Draws one replication and counts it. Returns each setting's false failovers.
    pub(crate) fn replicate(&mut self, replication: u64) -> &[i64] {
        let scenario = &self.environment.scenario;
        let streams = Streams::new(scenario.run.seed, replication);
        self.runs.draw(scenario, streams);
        self.count_runs();
        self.count_marks(&Marks::draw(self.environment, streams));
        &self.firings
    }

    fn count_runs(&mut self) {
        let (firings, by_k) = (&mut self.firings, &self.by_k);
        self.runs.lengths.at_least(&self.ranks.ascending, |rank, runs| {
            firings[by_k[rank]] = runs as i64;
        });
        // Only the first and the last runs of a replication can be special: count them anew.
        let scenario = &self.environment.scenario;
        let learnt_by = scenario.run.length.as_nanos() - scenario.probe.timeout.as_nanos();
        let grid = self.runs.grid;
        let is_late = |run: &FailedRun| grid.at(run.end - 1) >= learnt_by;
        let first = self.runs.beside().find(0).filter(|run| run.first == 0 && !is_late(run));
        for run in self.runs.backwards().take_while(is_late).chain(first) {
            for (rule, firings) in self.rules.iter().zip(&mut self.firings) {
                let k = rule.k_of(run.first);
                let fires = run.length() >= k && grid.at(run.first + k - 1) < learnt_by;
                *firings += i64::from(fires) - i64::from(run.length() >= rule.k);
            }
        }
    }

    fn count_marks(&mut self, marks: &Marks) {
        let grid = self.runs.grid;
        let mut runs = self.runs.beside();
        for (index, start) in marks.starts.iter().enumerate() {
            let next = grid.first_at_or_after(start.as_nanos());
            let mark = Mark {
                next,
                wait: Span::from_nanos(grid.at(next) - start.as_nanos()),
                run: runs.find(next),
                outage_length: marks.outage_lengths[index],
                repair: marks.repairs[index],
            };
            self.marks.count(
                self.environment,
                &self.rules,
                &self.ranks,
                &mark,
                marks.stages_of(index),
            );
        }
    }

    /// Adds what the marks told to the settings' tallies.
    pub(crate) fn finish(self, tallies: &mut [&mut Tally]) {
        self.marks.finish(self.environment, &self.rules, &self.by_k, tallies);
    }
}

/// Ranks a run length among the settings' counts: how many of them it reaches.
#[derive(Clone, Debug)]
struct Ranks {
    ascending: Vec<u64>,
    table: Vec<u32>,
}

/// Lengths up to here are looked up; longer ones are searched.
const TABLE: u64 = 4_096;

impl Ranks {
    fn new(ascending: Vec<u64>) -> Self {
        let longest = ascending.last().map_or(0, |k| *k.min(&TABLE));
        let rank = |length: u64| ascending.partition_point(|k| *k <= length) as u32;
        let table = (0..=longest).map(rank).collect();
        Ranks { ascending, table }
    }

    /// How many of the counts are at most `length`.
    #[inline]
    fn of(&self, length: u64) -> usize {
        match self.table.get(length as usize) {
            Some(rank) => *rank as usize,
            None => self.ascending.partition_point(|k| *k <= length),
        }
    }
}
