//! Many replications: the distributions of a drill's figures.
//!
//! Replications run in parallel and are gathered in their order, so that the figures are the same for
//! any number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::outcome::{InFlight, Outcome, Rto};
use super::{Plan, run};
use crate::estimate::{Estimate, LEVEL, Sums};
use crate::scenario::{Document, InputError};
use crate::time::Span;

/// The most replications of a drill.
pub const MOST_REPLICATIONS: u64 = 1_000_000;

/// What is kept of one replication.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    rto: Vec<Rto>,
    rpo: Vec<Option<Span>>,
    lost: Vec<f64>,
    shed: Vec<f64>,
    in_flight: InFlight,
    failovers: u64,
    held: bool,
    step_backs: u64,
    home: Option<Span>,
}

impl Kept {
    fn of(outcome: Outcome) -> Self {
        let features = &outcome.features;
        let failback = &outcome.failback;
        Kept {
            rto: features.iter().map(|feature| feature.rto()).collect(),
            rpo: features.iter().map(|feature| feature.rpo).collect(),
            lost: features.iter().map(|feature| feature.requests.lost).collect(),
            shed: features.iter().map(|feature| feature.requests.shed).collect(),
            in_flight: outcome.in_flight,
            failovers: outcome.failovers,
            held: !outcome.holds.is_empty(),
            step_backs: failback.step_backs,
            home: failback.completed.map(|at| at.since_start()),
        }
    }
}

/// A drill's recovery times as results: one row a replication, one column a feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Names of the features.
    pub features: Vec<String>,
    /// Objectives of the features.
    pub objectives: Vec<Span>,
    /// `[replication][feature]`.
    pub rto: Vec<Vec<Rto>>,
    /// `[replication][feature]`: data lost at the failover; none if the feature was not moved.
    pub rpo: Vec<Vec<Option<Span>>>,
}

/// The recovery times of the drill in `document`, one row a replication.
///
/// A sweep changes fields of `document.table` and calls this for each cell.
///
/// # Errors
/// When the document is not a drill, or too many replications are asked for.
pub fn figures(
    document: &Document,
    seed: u64,
    replications: Range<u64>,
) -> Result<Figures, InputError> {
    let plan = Plan::new(document)?;
    let asked = replications.end.saturating_sub(replications.start);
    if asked > MOST_REPLICATIONS {
        let message = format!("{asked} replications found; allowed: up to {MOST_REPLICATIONS}");
        return Err(document.error("", &message));
    }
    let kept = keep(&plan, seed, replications);
    Ok(Figures {
        features: plan.features.iter().map(|feature| feature.name.clone()).collect(),
        objectives: plan.features.iter().map(|feature| feature.input.rto).collect(),
        rto: kept.iter().map(|one| one.rto.clone()).collect(),
        rpo: kept.into_iter().map(|one| one.rpo).collect(),
    })
}

fn keep(plan: &Plan, seed: u64, replications: Range<u64>) -> Vec<Kept> {
    replications.into_par_iter().map(|one| Kept::of(run(plan, seed, one, false))).collect()
}

/// The distributions of a drill's figures over many replications.
#[derive(Clone, Debug, PartialEq)]
pub struct Distributions {
    /// How many replications.
    pub replications: u64,
    /// Each feature, by name.
    pub features: Vec<FeatureDistribution>,
    /// Share of replications in which the service moved to a standby.
    pub failed_over: Option<Estimate>,
    /// Share of replications in which a move that was due was held.
    pub held: Option<Estimate>,
    /// Share of replications in which the primary had all traffic again at the end.
    pub came_home: Option<Estimate>,
    /// Mean of the steps of the ramp that were taken back.
    pub step_backs: Option<Estimate>,
    /// Means of what was in flight: name and estimate.
    pub in_flight: Vec<(&'static str, Option<Estimate>)>,
}

/// The distribution of one feature's figures.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureDistribution {
    /// Name of the feature.
    pub feature: String,
    /// How many replications interrupted it.
    pub interrupted: u64,
    /// How many of these ended without its being served again; they are in no mean and no quantile.
    pub missed: u64,
    /// Mean seconds of the interruptions that ended.
    pub mean_s: Option<Estimate>,
    /// Quantiles of the same: p50, p95, p99.
    pub quantiles_s: [Option<Estimate>; 3],
    /// The longest, in seconds.
    pub max_s: Option<f64>,
    /// Share of replications that met the RTO; a feature that was not interrupted met it.
    pub rto_met: Option<Estimate>,
    /// Share of the moves that met the RPO.
    pub rpo_met: Option<Estimate>,
    /// The most data lost, in seconds.
    pub rpo_max_s: Option<f64>,
    /// Mean of the requests that failed.
    pub lost: Option<Estimate>,
    /// Mean of the requests that were shed.
    pub shed: Option<Estimate>,
}

/// The quantiles that are given.
pub const QUANTILES: [f64; 3] = [0.5, 0.95, 0.99];

/// Requests are flows, not whole numbers: they are summed in thousandths, exactly.
const THOUSANDTH: f64 = 1e-3;

/// A name and the count of that name.
type Counted = (&'static str, fn(&InFlight) -> u64);

/// Runs replications `0..replications` and gathers their figures.
pub fn replicate(plan: &Plan, seed: u64, replications: u64) -> Distributions {
    let kept = keep(plan, seed, 0..replications.min(MOST_REPLICATIONS));
    let all = kept.len() as u64;
    let share = |found: &dyn Fn(&Kept) -> bool| {
        Estimate::proportion(kept.iter().filter(|one| found(one)).count() as u64, all, LEVEL)
    };
    let mean = |found: &dyn Fn(&Kept) -> u64| {
        Sums::of(kept.iter().map(|one| found(one) as i64)).mean(1.0, LEVEL)
    };
    let names: [Counted; 12] = [
        ("streams_lost", |one| one.streams_lost),
        ("streams_retried", |one| one.streams_retried),
        ("streams_given_up", |one| one.streams_given_up),
        ("turns_lost", |one| one.turns_lost),
        ("turns_replayed", |one| one.turns_replayed),
        ("turns_notified", |one| one.turns_notified),
        ("runs_interrupted", |one| one.runs_interrupted),
        ("runs_reconciled", |one| one.runs_reconciled),
        ("runs_retried", |one| one.runs_retried),
        ("runs_duplicated", |one| one.runs_duplicated),
        ("duplicate_decisions", |one| one.duplicate_decisions),
        ("turns_copied_back", |one| one.turns_copied_back),
    ];
    Distributions {
        replications: all,
        features: (0..plan.features.len())
            .map(|feature| distribution(plan, feature, &kept))
            .collect(),
        failed_over: share(&|one| one.failovers > 0),
        held: share(&|one| one.held),
        came_home: share(&|one| one.home.is_some()),
        step_backs: mean(&|one| one.step_backs),
        in_flight: names
            .into_iter()
            .map(|(name, found)| (name, mean(&|one| found(&one.in_flight))))
            .collect(),
    }
}

fn distribution(plan: &Plan, feature: usize, kept: &[Kept]) -> FeatureDistribution {
    let planned = &plan.features[feature];
    let rto = || kept.iter().map(|one| one.rto[feature]);
    let mut ended: Vec<Span> = rto()
        .filter_map(|rto| match rto {
            Rto::Recovered(length) => Some(length),
            _ => None,
        })
        .collect();
    ended.sort_unstable();
    let secs: Vec<f64> = ended.iter().map(|length| length.as_secs_f64()).collect();
    let missed = rto().filter(|rto| *rto == Rto::Missed).count() as u64;
    let met = rto().filter(|rto| rto.meets(planned.input.rto)).count() as u64;
    let rpo: Vec<Span> = kept.iter().filter_map(|one| one.rpo[feature]).collect();
    let rpo_met = rpo.iter().filter(|lost| **lost <= planned.input.rpo).count() as u64;
    let flow = |found: &dyn Fn(&Kept) -> f64| {
        let thousandths = kept.iter().map(|one| (found(one) / THOUSANDTH).round() as i64);
        Sums::of(thousandths).mean(THOUSANDTH, LEVEL)
    };
    FeatureDistribution {
        feature: planned.name.clone(),
        interrupted: ended.len() as u64 + missed,
        missed,
        mean_s: Sums::of(ended.iter().map(|length| length.as_nanos())).mean(1e-9, LEVEL),
        quantiles_s: QUANTILES.map(|p| Estimate::quantile(&secs, p, LEVEL)),
        max_s: secs.last().copied(),
        rto_met: Estimate::proportion(met, kept.len() as u64, LEVEL),
        rpo_met: Estimate::proportion(rpo_met, rpo.len() as u64, LEVEL),
        rpo_max_s: rpo.iter().max().map(|lost| lost.as_secs_f64()),
        lost: flow(&|one| one.lost[feature]),
        shed: flow(&|one| one.shed[feature]),
    }
}
