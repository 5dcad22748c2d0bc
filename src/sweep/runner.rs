//! Runs a sweep's parts on all threads, keeps each as it is done, and hands over finished points.
//!
//! Threads take parts in order from a common counter. A point's tallies are merged as its parts come
//! in and given up as soon as its rows are made, so memory holds only the points in work, whatever the
//! number of replications.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::error::SweepError;
use super::limits;
use super::parts::{self, Counted, Unit};
use super::plan::{self, Shard};
use super::results::{self, Row};
use super::spec::{Stop, Sweep};
use super::store::Store;
use crate::budget::{Outlook, Plan};
use crate::estimate::LEVEL;
use crate::experiment::{self, Environment, Figures, Setting, Tally};

/// A sweep with its plans worked out and its work cut into parts.
pub struct Job {
    /// What is run.
    pub sweep: Sweep,
    /// One for each point.
    pub environments: Vec<Environment>,
    /// The triggers of each point.
    pub settings: Vec<Vec<Setting>>,
    /// What the RTO leaves for detection at each point, for each target, in seconds.
    pub rooms_s: Vec<Vec<f64>>,
    /// The work.
    pub parts: Vec<Vec<Unit>>,
    /// Estimated cost of all of it, in nanoseconds of one thread.
    pub cost_ns: f64,
}

/// What a run tells while it works.
pub trait Watch: Sync {
    /// These replications of one point are done; `kept` where an earlier run had done them.
    fn counted(&self, unit: &Unit, kept: bool);
    /// Whether the user has asked to stop.
    fn stop_asked(&self) -> bool;
}

impl Job {
    /// Works out plans and parts.
    ///
    /// # Errors
    /// When a stage is placed beside or before one that does not exist, or the work would never end.
    pub fn new(sweep: Sweep) -> Result<Self, SweepError> {
        let environments: Result<Vec<Environment>, _> =
            sweep.points.iter().map(|point| Environment::new(point.scenario.clone())).collect();
        let environments = environments.map_err(SweepError::Plan)?;
        let settings: Vec<Vec<Setting>> = environments.iter().map(Environment::settings).collect();
        let costs: Vec<f64> = environments
            .iter()
            .zip(&settings)
            .map(|(environment, settings)| plan::replication_cost_ns(environment, settings))
            .collect();
        let replications = |e: &Environment| e.scenario.run.replications as f64;
        let runs_ns: f64 = costs.iter().zip(&environments).map(|(c, e)| c * replications(e)).sum();
        let triggers: usize = settings.iter().map(Vec::len).sum();
        let cost_ns = runs_ns + triggers as f64 * plan::FIGURES_NS;
        limits::check_cost(cost_ns)?;
        let parts = plan::parts(&sweep, &costs);
        let room_s = |plan: &Plan| Outlook::of(plan.clone()).room().as_secs_f64();
        let rooms_s = environments.iter().map(|e| e.plans.iter().map(room_s).collect()).collect();
        Ok(Job { sweep, environments, settings, rooms_s, parts, cost_ns })
    }

    /// Counts this shard's parts that `store` does not hold yet, on all threads.
    ///
    /// Returns the rows of every point where the shard is the whole sweep, and none where it is not.
    ///
    /// # Errors
    /// When a part cannot be kept, or the user asked to stop.
    pub fn run(
        &self,
        store: &Store,
        shard: Shard,
        watch: &dyn Watch,
    ) -> Result<Vec<Vec<Row>>, SweepError> {
        let collector = Mutex::new(Collector::new(self));
        let rows = Mutex::new(vec![Vec::new(); self.environments.len()]);
        let next = AtomicUsize::new(0);
        let done = AtomicUsize::new(0);
        let failed: Mutex<Option<SweepError>> = Mutex::new(None);
        let quit = AtomicBool::new(false);
        let makes_rows = shard.count == 1;
        let mine: Vec<usize> = (0..self.parts.len()).filter(|part| shard.holds(*part)).collect();
        let work = || {
            while !quit.load(Ordering::Relaxed) && !watch.stop_asked() {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                let Some(part) = mine.get(turn) else { break };
                match self.part(store, *part, watch) {
                    Ok(counted) => {
                        done.fetch_add(1, Ordering::Relaxed);
                        // A shard's rows would be made for nothing: the merge makes them of all parts.
                        let finished =
                            if makes_rows { lock(&collector).take(counted) } else { Vec::new() };
                        for finished in finished {
                            let (point, made) = (finished.point, finished.rows(self));
                            lock(&rows)[point] = made;
                        }
                    }
                    Err(error) => {
                        quit.store(true, Ordering::Relaxed);
                        lock(&failed).get_or_insert(error);
                    }
                }
            }
        };
        rayon::scope(|scope| {
            for _ in 0..rayon::current_num_threads() {
                scope.spawn(|_| work());
            }
        });
        if let Some(error) = lock(&failed).take() {
            return Err(error);
        }
        let done = done.into_inner();
        if done < mine.len() {
            return Err(SweepError::Stopped {
                done,
                all: mine.len(),
                path: store.place().to_owned(),
            });
        }
        Ok(rows.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    /// Reads a part that is there, or counts and keeps it.
    fn part(
        &self,
        store: &Store,
        part: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<Counted>, SweepError> {
        let kept = parts::read(store, &self.sweep.hash, part)?;
        if let Some(counted) = kept.filter(|counted| self.fits(part, counted)) {
            counted.iter().for_each(|counted| watch.counted(&counted.unit, true));
            return Ok(counted);
        }
        let count = |unit: &Unit| {
            let counted = self.count(unit, watch);
            watch.counted(&counted.unit, false);
            counted
        };
        let counted: Vec<Counted> = self.parts[part].iter().map(count).collect();
        if watch.stop_asked() && counted.iter().zip(&self.parts[part]).any(|(c, u)| c.unit != *u) {
            // Early stopping was itself cut short: what was counted is not what the spec asks for.
            return Err(SweepError::Stopped {
                done: part,
                all: self.parts.len(),
                path: store.place().to_owned(),
            });
        }
        parts::write(store, &self.sweep.hash, part, &counted)?;
        Ok(counted)
    }

    /// Whether a part that was read has the shape that this sweep's part must have.
    pub(super) fn fits(&self, part: usize, counted: &[Counted]) -> bool {
        let planned = &self.parts[part];
        planned.len() == counted.len()
            && planned.iter().zip(counted).all(|(unit, counted)| self.is_of(unit, counted))
    }

    /// Whether `counted` can be what was counted of `unit`.
    fn is_of(&self, unit: &Unit, counted: &Counted) -> bool {
        let Unit { point, from, to } = counted.unit;
        let early = self.sweep.stop.is_some() && (unit.from + 1..unit.to).contains(&to);
        if point != unit.point || from != unit.from || !(early || to == unit.to) {
            return false;
        }
        let triggers = self.settings[point].len();
        let like = self.environments[point].tally();
        let kept = if self.sweep.output.replications { to - from } else { 0 };
        counted.tallies.len() == triggers
            && counted.tallies.iter().all(|t| t.replications == to - from && t.is_like(&like))
            && counted.replications.len() as u64 == kept
            && counted.replications.iter().all(|counts| counts.len() == triggers)
    }

    fn count(&self, unit: &Unit, watch: &dyn Watch) -> Counted {
        let (environment, settings) = (&self.environments[unit.point], &self.settings[unit.point]);
        let mut replications = Vec::new();
        let keep = self.sweep.output.replications;
        let mut each = |_: u64, firings: &[i64]| {
            if keep {
                replications.push(firings.to_vec());
            }
        };
        let Some(stop) = &self.sweep.stop else {
            let tallies = experiment::measure(environment, settings, unit.from..unit.to, &mut each);
            return Counted { unit: unit.clone(), tallies, replications };
        };
        let mut tallies: Vec<Tally> = settings.iter().map(|_| environment.tally()).collect();
        let mut from = unit.from;
        let mut size = stop.at_least.max(1);
        while from < unit.to && !watch.stop_asked() {
            let to = (from + size).min(unit.to);
            let more = experiment::measure(environment, settings, from..to, &mut each);
            experiment::merge_all(&mut tallies, &more);
            from = to;
            // Each round is as long as all before it: few looks at the interval, so that looking
            // hardly biases it.
            size = from - unit.from;
            if narrow_enough(environment, &tallies, stop) {
                break;
            }
        }
        Counted { unit: Unit { to: from, ..unit.clone() }, tallies, replications }
    }
}

fn narrow_enough(environment: &Environment, tallies: &[Tally], stop: &Stop) -> bool {
    tallies.iter().all(|tally| {
        let rate = Figures::rate_per_day(environment, tally, LEVEL);
        rate.hi <= stop.below_per_day || rate.hi - rate.lo <= stop.relative_width * rate.value
    })
}

/// Everything that was counted of one point.
pub(super) struct Finished {
    /// The point's index.
    pub(super) point: usize,
    tallies: Vec<Tally>,
    replications: Vec<Vec<i64>>,
}

impl Finished {
    /// The point's rows. They cost far more than the counts' merging: exact values, intervals.
    pub(super) fn rows(self, job: &Job) -> Vec<Row> {
        results::rows(job, self.point, &self.tallies, self.replications)
    }
}

/// Merges what comes in, and hands over a point when its last part is there.
pub(super) struct Collector<'a> {
    job: &'a Job,
    missing: Vec<usize>,
    open: BTreeMap<usize, BTreeMap<u64, Counted>>,
    merged: BTreeMap<usize, Vec<Tally>>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(job: &'a Job) -> Self {
        let points = job.environments.len();
        let mut missing = vec![0; points];
        job.parts.iter().flatten().for_each(|unit| missing[unit.point] += 1);
        Collector { job, missing, open: BTreeMap::new(), merged: BTreeMap::new() }
    }

    /// Takes a part and returns the points that are complete with it.
    pub(super) fn take(&mut self, part: Vec<Counted>) -> Vec<Finished> {
        let mut finished = Vec::new();
        for mut counted in part {
            let point = counted.unit.point;
            match self.merged.get_mut(&point) {
                Some(merged) => experiment::merge_all(merged, &counted.tallies),
                None => {
                    self.merged.insert(point, std::mem::take(&mut counted.tallies));
                }
            }
            if self.job.sweep.output.replications {
                counted.tallies.clear();
                self.open.entry(point).or_default().insert(counted.unit.from, counted);
            }
            self.missing[point] -= 1;
            if self.missing[point] == 0 {
                finished.extend(self.finish(point));
            }
        }
        finished
    }

    fn finish(&mut self, point: usize) -> Option<Finished> {
        let tallies = self.merged.remove(&point)?;
        let counted = self.open.remove(&point).unwrap_or_default();
        let replications = counted.into_values().flat_map(|counted| counted.replications).collect();
        Some(Finished { point, tallies, replications })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A panic in another thread has already ended the run; what it left is still whole.
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
