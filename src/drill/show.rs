//! A drill's outcome as JSON. Prints nothing.

use serde_json::{Map, Value, json};

use super::outcome::{FeatureOutcome, Outcome};
use super::plan::{Plan, PlannedFeature};
use super::replicate::{Distributions, FeatureDistribution};
use crate::time::{Span, Time};

/// One run as a JSON object of schema `failover-budget/drill/1`.
pub fn outcome_json(plan: &Plan, outcome: &Outcome, seed: u64, replication: u64) -> Value {
    let clock = |at: Time| plan.service.start.show(at);
    let instant =
        |at: Option<Time>| at.map(|at| json!({ "at_s": at.as_secs_f64(), "clock": clock(at) }));
    let features = plan.features.iter().zip(&outcome.features);
    let gates = plan.regions.iter().skip(1).zip(&plan.gates).map(|(region, gate)| {
        json!({ "standby": region, "decision": gate.decision, "differences": gate.differences })
    });
    json!({
        "schema": "failover-budget/drill/1",
        "drill": plan.service.name,
        "about": plan.service.about,
        "seed": seed,
        "replication": replication,
        "start": clock(Time::START),
        "length_s": plan.service.length.as_secs_f64(),
        "time_to_first_token": "input",
        "timeline": outcome.timeline.iter().map(|entry| json!({
            "at_s": entry.at.as_secs_f64(),
            "clock": clock(entry.at),
            "kind": entry.kind,
            "subject": entry.subject,
            "text": entry.text,
        })).collect::<Vec<_>>(),
        "features": features.map(|(plan, outcome)| feature_json(plan, outcome)).collect::<Vec<_>>(),
        "in_flight": outcome.in_flight,
        "failovers": outcome.failovers,
        "holds": outcome.holds,
        "failback": {
            "began": instant(outcome.failback.began),
            "completed": instant(outcome.failback.completed),
            "step_backs": outcome.failback.step_backs,
            "abandoned": outcome.failback.abandoned,
        },
        "gate": gates.collect::<Vec<_>>(),
        "static_stability": plan.unstable_steps,
    })
}

fn feature_json(plan: &PlannedFeature, outcome: &FeatureOutcome) -> Value {
    let rto = outcome.rto();
    let stages = outcome.worst().map(|worst| {
        let stage = |(stage, span): &(_, Span)| json!({ "stage": stage, "s": span.as_secs_f64() });
        worst.stages.iter().map(stage).collect::<Vec<_>>()
    });
    let requests = &outcome.requests;
    json!({
        "feature": plan.name,
        "side_effects": plan.input.side_effects,
        "outcome": rto.word(),
        "rto_s": rto.secs(),
        "rto_objective_s": plan.input.rto.as_secs_f64(),
        "rto_met": rto.meets(plan.input.rto),
        "stages": stages.unwrap_or_default(),
        "interruptions": outcome.interruptions.len(),
        "ended_by": outcome.worst().and_then(|worst| worst.ended_by),
        "stuck": outcome.stuck,
        "rpo_s": outcome.rpo.map(Span::as_secs_f64),
        "rpo_objective_s": plan.input.rpo.as_secs_f64(),
        "rpo_met": outcome.rpo.map(|rpo| rpo <= plan.input.rpo),
        "requests": {
            "by_primary": requests.by_primary,
            "by_standby": requests.by_standby,
            "lost": requests.lost,
            "shed": requests.shed,
        },
        "degraded_s": requests.degraded_s,
    })
}

/// The distributions as a JSON object: the value of `"distributions"`.
pub fn distributions_json(all: &Distributions) -> Value {
    let in_flight: Map<String, Value> =
        all.in_flight.iter().map(|(name, mean)| ((*name).to_owned(), json!(mean))).collect();
    json!({
        "replications": all.replications,
        "features": all.features.iter().map(distribution_json).collect::<Vec<_>>(),
        "failed_over": all.failed_over,
        "held": all.held,
        "came_home": all.came_home,
        "step_backs": all.step_backs,
        "in_flight": in_flight,
    })
}

fn distribution_json(feature: &FeatureDistribution) -> Value {
    let [p50, p95, p99] = &feature.quantiles_s;
    json!({
        "feature": feature.feature,
        "interrupted": feature.interrupted,
        "missed": feature.missed,
        "rto_s": {
            "mean": feature.mean_s,
            "p50": p50,
            "p95": p95,
            "p99": p99,
            "max": feature.max_s,
        },
        "rto_met": feature.rto_met,
        "rpo_met": feature.rpo_met,
        "rpo_max_s": feature.rpo_max_s,
        "requests_lost": feature.lost,
        "requests_shed": feature.shed,
    })
}
