//! The stages and the room of every target as an object that others embed.
//!
//! Every key carries its unit. A length that has a law stands as its mean, and its quantiles and the
//! probabilities that follow from it stand beside it; those keys are left out where all is constant.

use serde::Serialize;

use super::outlook::CONFIDENCE;
use super::{Outlook, Plan, PlanError, Stage};
use crate::estimate::Estimate;
use crate::scenario::sequence::BuiltIn;
use crate::scenario::{Scenario, Tier};
use crate::time::Span;

/// The RTO and what each standby leaves of it; the `budget` object that other commands embed.
#[derive(Clone, Debug, Serialize)]
pub struct BudgetTable {
    /// The RTO.
    pub rto_s: f64,
    /// One entry a standby target, in the scenario's order.
    pub tiers: Vec<TierRow>,
}

/// The stages of one standby target and the room that they leave.
#[derive(Clone, Debug, Serialize)]
pub struct TierRow {
    /// How ready it is.
    pub tier: Tier,
    /// What it is called.
    pub target: String,
    /// Making it the one that serves.
    pub promotion_s: f64,
    /// Moving the traffic.
    pub traffic_shift_s: f64,
    /// Finding GPU capacity; 0 unless cold.
    pub capacity_s: f64,
    /// Loading the weights; 0 if hot.
    pub weight_load_s: f64,
    /// Further stages, added up, those beside another included.
    pub extra_s: f64,
    /// From detection to the first request served.
    pub after_detection_s: f64,
    /// Kept back from the RTO.
    pub reserve_s: f64,
    /// The RTO less the reserve and what follows detection.
    pub room_s: f64,
    /// The most consecutive failures that fit, detection counted from the outage's start at the worst
    /// instant. None where no trigger fits.
    pub largest_consecutive: Option<u64>,
    /// The window that is as patient, half an interval from either neighbour.
    pub largest_window_s: Option<f64>,
    /// The share of recoveries in which that patience fits: 1 where every stage is constant.
    pub fits_with_probability: f64,
    /// The time after detection in more detail, where stages have laws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_detection: Option<Spread>,
    /// The room in more detail, where stages have laws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<RoomRow>,
}

/// A distribution in brief, in seconds.
#[derive(Clone, Debug, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: Estimate,
    /// The median.
    pub p50: Estimate,
    /// Nine of ten are shorter.
    pub p90: Estimate,
    /// Ninety-nine of a hundred are shorter.
    pub p99: Estimate,
}

/// What is left after a median recovery and after one longer than 99 of 100.
#[derive(Clone, Debug, Serialize)]
pub struct RoomRow {
    /// After the median.
    pub p50_s: f64,
    /// After one longer than 99 of 100.
    pub p99_s: f64,
    /// The probability that there is any room.
    pub positive: Estimate,
}

/// The outlook of every target, in the scenario's order.
///
/// # Errors
/// As [`Plan::of`].
pub fn outlooks(scenario: &Scenario) -> Result<Vec<Outlook>, PlanError> {
    Ok(Plan::of_all(scenario)?.into_iter().map(Outlook::of).collect())
}

/// The `budget` object of a scenario: `{"rto_s", "tiers": […]}`.
///
/// # Errors
/// As [`Plan::of`].
pub fn json(scenario: &Scenario) -> Result<serde_json::Value, PlanError> {
    let table = BudgetTable::of(scenario.rto, &outlooks(scenario)?);
    Ok(serde_json::to_value(table).unwrap_or_default())
}

impl BudgetTable {
    /// The table of these targets.
    pub fn of(rto: Span, outlooks: &[Outlook]) -> Self {
        BudgetTable { rto_s: rto.as_secs_f64(), tiers: outlooks.iter().map(TierRow::of).collect() }
    }
}

impl TierRow {
    /// The row of one target.
    pub fn of(outlook: &Outlook) -> Self {
        let plan = &outlook.plan;
        let mean = |stage: BuiltIn| plan.stage(stage.name()).map_or(0.0, Stage::mean_s);
        let is_built_in = |name: &str| BuiltIn::ALL.iter().any(|stage| stage.name() == name);
        let extra = plan.stages().filter(|stage| !is_built_in(&stage.name));
        let room = outlook.distributed_room();
        let is_constant = room.is_none();
        TierRow {
            tier: plan.tier,
            target: plan.target.clone(),
            promotion_s: mean(BuiltIn::Promotion),
            traffic_shift_s: mean(BuiltIn::TrafficShift),
            capacity_s: mean(BuiltIn::Capacity),
            weight_load_s: mean(BuiltIn::WeightLoad),
            // A sum of nothing is -0.
            extra_s: extra.map(Stage::mean_s).sum::<f64>() + 0.0,
            after_detection_s: outlook.after.mean().value,
            reserve_s: plan.reserve().as_secs_f64(),
            room_s: room.map_or_else(|| outlook.room().as_secs_f64(), |room| room.mean_s),
            largest_consecutive: outlook.largest_consecutive(),
            largest_window_s: outlook.largest_window().map(Span::as_secs_f64),
            fits_with_probability: if is_constant { 1.0 } else { CONFIDENCE },
            after_detection: (!is_constant).then(|| Spread::of(outlook)),
            room: room.map(|room| RoomRow {
                p50_s: room.p50_s,
                p99_s: room.p99_s,
                positive: room.positive,
            }),
        }
    }
}

impl Spread {
    fn of(outlook: &Outlook) -> Self {
        let after = &outlook.after;
        Spread {
            mean: after.mean(),
            p50: after.quantile(0.5),
            p90: after.quantile(0.9),
            p99: after.quantile(0.99),
        }
    }
}
