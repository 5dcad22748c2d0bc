//! One replication, split at levels of the trigger's progress.

use super::super::{Environment, Setting};
use super::BRANCHES;
use crate::engine::{Rng, Streams};
use crate::history::{Check, Spell};
use crate::time::Time;
use crate::trigger::Trigger;
use crate::world::branch::{Branch, Next};

/// The most branches that may be open at once: beyond it, levels lie so close that splitting has run away,
/// and a run is not split further (which costs precision and no bias, since weights follow the splits made).
const MOST_OPEN: usize = 100_000;

/// What one replication gave.
pub(super) struct Replication {
    /// Weight of all firings.
    pub(super) weight: f64,
    /// For every branch that began at the highest level, or the run itself where there is no level: how far
    /// it came in each of its episodes.
    pub(super) peaks: Vec<f64>,
}

/// A run or a branch of it.
#[derive(Clone)]
struct Trial<'a> {
    world: Branch<'a>,
    trigger: Trigger,
    /// The levels that it lies beyond.
    beyond: usize,
    /// It ends when it lies beyond fewer than these.
    born: usize,
    /// Weight of a firing: one over the splits above it.
    weight: f64,
    /// Weights below each level that it lies beyond, to return to when it falls.
    below: Vec<f64>,
    peak: f64,
}

/// Splits replication `replication` at `levels`, which ascend; `purpose` names its streams.
pub(super) fn replicate(
    environment: &Environment,
    setting: &Setting,
    levels: &[f64],
    replication: u64,
    purpose: &str,
) -> Replication {
    let streams = Streams::new(environment.scenario.run.seed, replication);
    let mut splits = streams.named(purpose);
    // The world of a pilot and that of the estimate must differ, or the levels would know its future.
    let world_streams = Streams::new(streams.key(purpose), replication);
    let root = Trial {
        world: Branch::new(&environment.scenario, world_streams),
        trigger: setting.trigger(environment.scenario.probe.interval),
        beyond: 0,
        born: 0,
        weight: 1.0,
        below: Vec::new(),
        peak: 0.0,
    };
    let mut search =
        Search { levels, splits: &mut splits, open: vec![root], weight: 0.0, peaks: vec![] };
    while let Some(trial) = search.open.pop() {
        search.follow(trial);
    }
    Replication { weight: search.weight, peaks: search.peaks }
}

struct Search<'s, 'a> {
    levels: &'s [f64],
    splits: &'s mut Rng,
    open: Vec<Trial<'a>>,
    weight: f64,
    peaks: Vec<f64>,
}

impl<'a> Search<'_, 'a> {
    /// Follows one run or branch to its end.
    fn follow(&mut self, mut trial: Trial<'a>) {
        loop {
            match trial.world.next() {
                Next::Over => break,
                Next::Restarted => {
                    trial.trigger.restart();
                    if !self.place(&mut trial, 0.0, Time::START) {
                        return;
                    }
                }
                Next::Probes(end) => {
                    if !self.probes(&mut trial, end) {
                        return;
                    }
                }
            }
        }
        self.peak_ends(&mut trial);
    }

    /// Leads the trial over the probes due before the world's next change. False where it has ended.
    fn probes(&mut self, trial: &mut Trial<'a>, end: u64) -> bool {
        for (first, past, check) in trial.world.look(end) {
            let mut probe = first;
            while probe < past {
                // While nothing fails a stretch is taken whole; on the way up and down check by check,
                // since a branch begins at the very check that rises over a level.
                if trial.peak == 0.0 && check == Check::Healthy {
                    let spell = Spell { first: probe, count: past - probe, check };
                    trial.trigger.observe_spell(trial.world.due(), &spell);
                    break;
                }
                trial.world.take(probe + 1);
                let at = trial.world.due().at(probe);
                if trial.trigger.observe(at, check) {
                    self.weight += trial.weight;
                }
                let progress = trial.trigger.progress(at);
                if !self.place(trial, progress, at) {
                    return false;
                }
                probe += 1;
            }
        }
        trial.world.take(end);
        true
    }

    /// Splits a trial that has risen, and tells whether it lives on after falling.
    fn place(&mut self, trial: &mut Trial<'a>, progress: f64, at: Time) -> bool {
        let beyond = self.levels.partition_point(|level| *level <= progress);
        while trial.beyond < beyond {
            trial.beyond += 1;
            self.split(trial, at);
        }
        while trial.beyond > beyond {
            trial.beyond -= 1;
            if trial.beyond < trial.born {
                self.peak_ends(trial);
                return false;
            }
            trial.weight = trial.below.pop().unwrap_or(1.0);
            if trial.beyond + 1 == self.levels.len() {
                self.peak_ends(trial);
            }
        }
        if progress == 0.0 && self.levels.is_empty() {
            self.peak_ends(trial);
        }
        trial.peak = if progress == 0.0 { 0.0 } else { trial.peak.max(progress) };
        true
    }

    fn split(&mut self, trial: &mut Trial<'a>, at: Time) {
        trial.below.push(trial.weight);
        if self.open.len() >= MOST_OPEN {
            return;
        }
        trial.weight /= f64::from(BRANCHES);
        for _ in 1..BRANCHES {
            let world = trial.world.branch(at, self.splits);
            let branch = Trial { world, born: trial.beyond, ..trial.clone() };
            self.open.push(branch);
        }
    }

    /// Notes how far a trial beyond the highest level came.
    fn peak_ends(&mut self, trial: &mut Trial<'a>) {
        if trial.peak > 0.0 && self.levels.last().is_none_or(|last| trial.peak >= *last) {
            self.peaks.push(trial.peak);
        }
        trial.peak = 0.0;
    }
}
