//! What a trigger does: quiet runs, outages, dark regions, restarts and prober deaths, counted.
//!
//! One history per (environment, replication) serves every trigger, and one set of outages is laid
//! over it, so differences between triggers are paired. [`run`] chooses between two ways that count
//! the same: the event queue with every trigger led over its history, and, where the world allows
//! it, one pass over the runs of failed probes that answers for every patience at once.

pub mod delays;
pub mod figures;
mod general;
pub mod lab;
mod patience;
pub mod rare;
mod runs;
pub mod tally;
#[cfg(test)]
mod tests;
pub mod trace;
mod walk;

use std::ops::Range;

use rayon::prelude::*;

use crate::budget::{Plan, Sampler};
use crate::engine::Streams;
use crate::scenario::Scenario;
use crate::scenario::validate::Broken;
use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec, Trigger};

pub use delays::Delays;
pub use figures::Figures;
pub use tally::{Share, Tally, TargetTally};

/// Tasks that a thread gets as a rule: enough that no thread waits long for the last of another.
const TASKS_PER_THREAD: u64 = 16;
/// The fewest replications of a task: merging what was counted costs about as much as one of them.
const SMALLEST_TASK: u64 = 4;
/// The most, so that a long run reports now and then. Figures do not depend on how it is cut.
const LARGEST_TASK: u64 = 256;

/// One trigger as a controller runs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The rule.
    pub spec: Spec,
    /// What an absent check counts as.
    pub silence: Silence,
    /// What it must hold after a restart.
    pub arming: Arming,
}

impl Setting {
    /// The trigger, just started.
    pub fn trigger(&self, interval: Span) -> Trigger {
        Trigger::new(&self.spec, interval, self.silence, self.arming)
    }
}

/// A scenario made ready for measuring: its targets' plans are worked out once.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The inputs.
    pub scenario: Scenario,
    /// What follows detection, for each standby target.
    pub plans: Vec<Plan>,
    /// The longest recovery that meets the RTO, for each target: the RTO less its reserve.
    pub recovery_limits: Vec<Span>,
}

impl Environment {
    /// Works out the plans.
    ///
    /// # Errors
    /// When a stage is placed beside or before one that does not exist.
    pub fn new(scenario: Scenario) -> Result<Self, Broken> {
        let plans = Plan::of_all(&scenario)?;
        let recovery_limits = plans.iter().map(Plan::limit).collect();
        Ok(Environment { scenario, plans, recovery_limits })
    }

    /// The scenario's triggers under its controller's rules.
    pub fn settings(&self) -> Vec<Setting> {
        let controller = &self.scenario.controller;
        let setting = |spec: &Spec| Setting {
            spec: *spec,
            silence: controller.silence,
            arming: controller.arming,
        };
        self.scenario.triggers.iter().map(setting).collect()
    }

    /// A tally for one setting with nothing counted yet.
    pub fn tally(&self) -> Tally {
        let is_distributed = |plan: &Plan| plan.constant_after_detection().is_none();
        let distributed: Vec<bool> = self.plans.iter().map(is_distributed).collect();
        Tally::new(self.scenario.probe.interval, &distributed)
    }

    fn samplers(&self, streams: Streams) -> Vec<Sampler> {
        self.plans.iter().map(|plan| plan.sampler(streams)).collect()
    }
}

/// Whether a setting is answered from runs of failed probes alone, without the event queue.
pub fn answers_by_patience(environment: &Environment, setting: &Setting) -> bool {
    patience::applies(&environment.scenario, setting)
}

/// Measures every setting over the scenario's replications, in parallel. `done` is told of every
/// finished batch of replications.
///
/// The tallies are in the order of `settings` and do not depend on the number of threads.
pub fn run(
    environment: &Environment,
    settings: &[Setting],
    done: impl Fn(u64) + Sync,
) -> Vec<Tally> {
    run_range(environment, settings, 0..environment.scenario.run.replications, done)
}

/// As [`run`], over the replications in `range` alone.
pub fn run_range(
    environment: &Environment,
    settings: &[Setting],
    range: Range<u64>,
    done: impl Fn(u64) + Sync,
) -> Vec<Tally> {
    let empty = || -> Vec<Tally> { settings.iter().map(|_| environment.tally()).collect() };
    let replications = range.end.saturating_sub(range.start);
    let threads = rayon::current_num_threads() as u64;
    let task = (replications / (TASKS_PER_THREAD * threads)).clamp(SMALLEST_TASK, LARGEST_TASK);
    let measurer = Measurer::new(environment, settings);
    (0..replications.div_ceil(task))
        .into_par_iter()
        .fold(empty, |mut tallies, index| {
            let from = range.start + index * task;
            let to = (from + task).min(range.end);
            measurer.measure(from..to, |_, _| {}, &mut tallies);
            done(to - from);
            tallies
        })
        .reduce(empty, |mut left, right| {
            merge_all(&mut left, &right);
            left
        })
}

/// Merges the tallies of the same settings over other replications.
pub fn merge_all(into: &mut [Tally], from: &[Tally]) {
    into.iter_mut().zip(from).for_each(|(into, from)| into.merge(from));
}

/// Measures every setting over the replications in `range`, one after the other on this thread, and
/// tells `each` every replication's number and its false failovers by setting.
pub fn measure(
    environment: &Environment,
    settings: &[Setting],
    range: Range<u64>,
    each: impl FnMut(u64, &[i64]),
) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = settings.iter().map(|_| environment.tally()).collect();
    Measurer::new(environment, settings).measure(range, each, &mut tallies);
    tallies
}

/// Knows which settings can be answered from runs of failed probes alone, and which cannot.
struct Measurer<'a> {
    environment: &'a Environment,
    settings: &'a [Setting],
    by_patience: Vec<usize>,
    by_event: Vec<usize>,
}

impl<'a> Measurer<'a> {
    fn new(environment: &'a Environment, settings: &'a [Setting]) -> Self {
        let (by_patience, by_event) = (0..settings.len())
            .partition(|index| patience::applies(&environment.scenario, &settings[*index]));
        Measurer { environment, settings, by_patience, by_event }
    }

    /// Adds what it measures to `tallies`.
    fn measure(
        &self,
        replications: Range<u64>,
        mut each: impl FnMut(u64, &[i64]),
        tallies: &mut [Tally],
    ) {
        let pick = |which: &[usize]| -> Vec<&Setting> {
            which.iter().map(|index| &self.settings[*index]).collect()
        };
        let (patient, other) = (pick(&self.by_patience), pick(&self.by_event));
        let mut axis = patience::Axis::new(self.environment, &patient);
        let mut general = general::General::new(self.environment, other);
        let mut firings = vec![0; self.settings.len()];
        for replication in replications {
            if !patient.is_empty() {
                let counts = axis.replicate(replication);
                self.by_patience.iter().zip(counts).for_each(|(index, n)| firings[*index] = *n);
            }
            if !self.by_event.is_empty() {
                let mut mine = pick_mut(tallies, &self.by_event);
                let counts = general.replicate(replication, &mut mine);
                self.by_event.iter().zip(counts).for_each(|(index, n)| firings[*index] = *n);
            }
            count_firings(tallies, &firings);
            each(replication, &firings);
        }
        axis.finish(&mut pick_mut(tallies, &self.by_patience));
    }
}

/// The elements of `all` at the ascending indices `which`.
fn pick_mut<'t>(all: &'t mut [Tally], which: &[usize]) -> Vec<&'t mut Tally> {
    let wanted = all.iter_mut().enumerate().filter(|(index, _)| which.binary_search(index).is_ok());
    wanted.map(|(_, tally)| tally).collect()
}

fn count_firings(tallies: &mut [Tally], firings: &[i64]) {
    for (index, tally) in tallies.iter_mut().enumerate() {
        tally.replications += 1;
        tally.firings.add(firings[index]);
        if let Some(next) = firings.get(index + 1) {
            tally.firings_less_next.add(firings[index] - next);
        }
    }
}
