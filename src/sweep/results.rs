//! Rows of results, and the frontier among them.
//!
//! One row is a cell: one point of the grid, one trigger, one standby target. Rows hold estimates;
//! `table` turns them into typed columns.

use std::sync::Arc;

use rayon::prelude::*;

use super::runner::Job;
use crate::estimate::{Estimate, LEVEL};
use crate::experiment::{Environment, Figures, Tally, figures};
use crate::scenario::Tier;

/// The deepest count that exact values are worked out for in a sweep.
const DEEPEST_EXACT: u64 = 2_000;

/// What one trigger at one point gave, on every target.
#[derive(Clone, Debug)]
pub struct Row {
    /// Index of the point.
    pub point: usize,
    /// The trigger as written.
    pub trigger: String,
    /// Its family.
    pub family: &'static str,
    /// Seconds from the first failed probe to the firing.
    pub patience_s: f64,
    /// Replications run.
    pub replications: u64,
    /// Simulated days in all.
    pub days: f64,
    /// False failovers counted in all.
    pub false_failovers: u64,
    /// Every figure with its interval.
    pub figures: Arc<Figures>,
    /// False failovers a day less the next trigger's, paired; none for the last.
    pub less_next: Option<Estimate>,
    /// For each target, in the scenario's order.
    pub targets: Vec<TargetCell>,
    /// False failovers of each replication, when asked for.
    pub replication_counts: Vec<i64>,
}

/// What is particular to one target.
#[derive(Clone, Debug)]
pub struct TargetCell {
    /// The target's name.
    pub target: String,
    /// Its tier.
    pub tier: Tier,
    /// What the RTO leaves for detection, in seconds.
    pub room_s: f64,
    /// True where no other trigger at this point is both quieter and faster.
    pub on_frontier: bool,
}

/// The rows of one finished point. `replications` holds, for each replication, every trigger's false
/// failovers; it may be empty.
pub(super) fn rows(
    job: &Job,
    point: usize,
    tallies: &[Tally],
    replications: Vec<Vec<i64>>,
) -> Vec<Row> {
    let (environment, settings) = (&job.environments[point], &job.settings[point]);
    let scenario = &environment.scenario;
    let interval = scenario.probe.interval;
    let count = |index: usize| settings[index].spec.checks_to_fire(interval);
    let counts = (0..settings.len()).map(count).filter(|k| *k <= DEEPEST_EXACT);
    let theory = counts.max().and_then(|deepest| figures::theory(scenario, deepest));
    let mut rows: Vec<Row> = (0..settings.len())
        .into_par_iter()
        .map(|index| {
            let (setting, tally) = (&settings[index], &tallies[index]);
            let theory = theory.as_ref().filter(|_| count(index) <= DEEPEST_EXACT);
            let days = scenario.run.length.as_days_f64() * tally.replications as f64;
            let is_last = index + 1 == settings.len();
            Row {
                point,
                trigger: setting.spec.to_string(),
                family: setting.spec.family(),
                patience_s: setting.spec.patience(interval).as_secs_f64(),
                replications: tally.replications,
                days,
                false_failovers: u64::try_from(tally.firings.sum).unwrap_or(0),
                figures: Arc::new(Figures::of(environment, setting, tally, theory, LEVEL)),
                less_next: (!is_last)
                    .then(|| Figures::less_next_per_day(environment, tally, LEVEL)),
                targets: target_cells(job, point, environment),
                replication_counts: replications.iter().map(|counts| counts[index]).collect(),
            }
        })
        .collect();
    mark_frontier(&mut rows);
    rows
}

fn target_cells(job: &Job, point: usize, environment: &Environment) -> Vec<TargetCell> {
    let rooms = &job.rooms_s[point];
    let cell = |(plan, room_s): (&crate::budget::Plan, &f64)| TargetCell {
        target: plan.target.clone(),
        tier: plan.tier,
        room_s: *room_s,
        on_frontier: false,
    };
    environment.plans.iter().zip(rooms).map(cell).collect()
}

/// Marks the rows that no other row of the point beats in both detection and false failovers.
fn mark_frontier(rows: &mut [Row]) {
    let costs: Vec<(f64, f64)> = rows.iter().map(|row| (delay_s(row), rate(row))).collect();
    for (row, mine) in rows.iter_mut().zip(&costs) {
        let beats = |other: &(f64, f64)| {
            other.0 <= mine.0 && other.1 <= mine.1 && (other.0 < mine.0 || other.1 < mine.1)
        };
        let on_frontier = mine.0.is_finite() && !costs.iter().any(beats);
        row.targets.iter_mut().for_each(|target| target.on_frontier = on_frontier);
    }
}

/// What a row is judged by on the delay axis; infinite where it detected nothing.
fn delay_s(row: &Row) -> f64 {
    let mean = row.figures.detection_mean_s;
    mean.map_or(f64::INFINITY, |mean| mean.exact.unwrap_or(mean.value))
}

/// What a row is judged by on the other axis: the exact rate where there is one.
fn rate(row: &Row) -> f64 {
    let rate = row.figures.false_failovers_per_day;
    rate.exact.unwrap_or(rate.value)
}
