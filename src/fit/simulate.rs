//! Draws data from a law as the recorded data came about: seen by probes, censored, cut.

use std::collections::BTreeMap;

use rand::RngExt;

use super::evidence::Evidence;
use super::windows::{Seen, Windows};
use crate::engine::Rng;
use crate::law::Law;

/// Every number of probes up to this one is drawn; beyond, one in twenty. Fits do not notice, and are
/// many times faster.
const EVERY: u64 = 100;

/// Runs of more probes than this are drawn as this long.
const LONGEST: u64 = 1_000_000_000;

/// Chances below this end a table.
const NEGLIGIBLE: f64 = 1e-7;

/// Draws samples that could have been recorded.
pub struct Simulator<'a> {
    evidence: &'a Evidence,
    law: &'a Law,
    /// For lengths: instants at which watching ended, with the chance that it lasted so long.
    watched: Vec<(f64, f64)>,
    /// For runs: each kind of run once, and the chances that it lasts 1, 2, … probes.
    kinds: Vec<Kind>,
    /// Runs that are kept as they are: their start or end was not seen.
    kept: Vec<Seen>,
}

struct Kind {
    run: Seen,
    /// Numbers of probes, ascending from 1, with the chance to have at least so many.
    lasts: Vec<(u64, f64)>,
}

impl<'a> Simulator<'a> {
    /// A simulator of samples like `evidence` from `law`.
    pub fn new(evidence: &'a Evidence, law: &'a Law) -> Self {
        let mut simulator =
            Simulator { evidence, law, watched: Vec::new(), kinds: Vec::new(), kept: Vec::new() };
        match evidence {
            Evidence::Durations { exact, censored } => simulator.watched = watched(exact, censored),
            Evidence::Windows(windows) => simulator.add_kinds(windows),
        }
        simulator
    }

    fn add_kinds(&mut self, windows: &Windows) {
        let mut kinds: BTreeMap<[i64; 3], Seen> = BTreeMap::new();
        for run in windows.seen() {
            let at_cap = run.cap_s.is_some_and(|cap| run.to_last_failed_s >= cap);
            let ended = run.to_healthy_s.is_some() || at_cap;
            if !run.gap_s.is_finite() || !ended || run.step_s <= 0.0 {
                self.kept.push(*run);
                continue;
            }
            // Spacings within a quarter of each other are alike enough.
            let about = |x: f64| (4.0 * x.max(1e-9).ln()).round() as i64;
            let limit = run.cut_s.or(run.cap_s).unwrap_or(1e12);
            let key = [about(run.gap_s), about(run.step_s), about(limit)];
            kinds.entry(key).and_modify(|kind| kind.count += run.count).or_insert(*run);
        }
        self.kinds = kinds
            .into_values()
            .map(|run| {
                let mut lasts = Vec::new();
                let mut probes = 1;
                while probes < LONGEST {
                    let secs = (probes - 1) as f64 * run.step_s;
                    let chance = windows.chance_to_last(self.law, &run, secs);
                    if chance < NEGLIGIBLE {
                        break;
                    }
                    lasts.push((probes, chance));
                    if run.cap_s.is_some_and(|cap| secs >= cap) {
                        break;
                    }
                    probes += if probes < EVERY { 1 } else { probes / 20 };
                }
                Kind { run, lasts }
            })
            .collect();
    }

    /// One sample.
    pub fn draw(&self, rng: &mut Rng) -> Evidence {
        match self.evidence {
            Evidence::Durations { exact, censored } => {
                self.draw_durations(exact.len() + censored.len(), rng)
            }
            Evidence::Windows(windows) => {
                let joins = windows.joins().clone();
                Evidence::Windows(Windows::new(self.draw_runs(rng)).with_joins(joins))
            }
        }
    }

    fn draw_durations(&self, count: usize, rng: &mut Rng) -> Evidence {
        let (mut exact, mut censored) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let length = self.law.sample_secs(rng);
            let until = self.draw_watched(rng);
            if length <= until { exact.push(length) } else { censored.push(until) }
        }
        exact.sort_by(f64::total_cmp);
        censored.sort_by(f64::total_cmp);
        Evidence::Durations { exact, censored }
    }

    fn draw_watched(&self, rng: &mut Rng) -> f64 {
        if self.watched.is_empty() {
            return f64::INFINITY;
        }
        let u: f64 = rng.random();
        self.watched.iter().find(|(_, lasts)| *lasts <= u).map_or(f64::INFINITY, |(at, _)| *at)
    }

    fn draw_runs(&self, rng: &mut Rng) -> Vec<Seen> {
        let mut runs = self.kept.clone();
        for kind in &self.kinds {
            let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
            for _ in 0..kind.run.count {
                let u: f64 = rng.random();
                let longer = kind.lasts.partition_point(|(_, lasts)| *lasts > u);
                let probes = longer.checked_sub(1).map_or(1, |i| kind.lasts[i].0);
                *counts.entry(probes).or_default() += 1;
            }
            for (probes, count) in counts {
                let lasted = (probes - 1) as f64 * kind.run.step_s;
                let followed = kind.run.cap_s.is_none_or(|cap| lasted < cap);
                let to_last_failed_s = kind.run.cap_s.map_or(lasted, |cap| lasted.min(cap));
                let to_healthy_s = followed.then_some(probes as f64 * kind.run.step_s);
                runs.push(Seen { to_last_failed_s, to_healthy_s, count, ..kind.run });
            }
        }
        runs
    }
}

/// How long watching lasts, by Kaplan and Meier with the parts of length and censoring exchanged.
fn watched(exact: &[f64], censored: &[f64]) -> Vec<(f64, f64)> {
    let total = exact.len() + censored.len();
    let mut lasts = 1.0;
    let mut steps = Vec::new();
    for (ended, at) in censored.iter().enumerate() {
        let before = ended + exact.partition_point(|x| x <= at);
        let under_watch = total.saturating_sub(before).max(1);
        lasts *= 1.0 - 1.0 / under_watch as f64;
        steps.push((*at, lasts));
    }
    steps
}
