//! A drill's outcome as JSON and as rows of a table. Prints nothing.

use serde_json::{Map, Value, json};

use super::outcome::{FeatureOutcome, Outcome, Rto};
use super::plan::{Plan, PlannedFeature};
use super::replicate::{Distributions, FeatureDistribution};
use crate::time::{Span, Time};

/// One run as a JSON object of schema `failover-budget/drill/1`.
pub fn outcome_json(plan: &Plan, outcome: &Outcome, seed: u64, replication: u64) -> Value {
    let clock = |at: Time| plan.service.start.show(at);
    let instant = |at: Option<Time>| {
        at.map(|at| json!({ "at_s": at.as_secs_f64(), "clock": clock(at) }))
    };
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
    let word = match rto {
        Rto::NotInterrupted => "not-interrupted",
        Rto::Recovered(_) => "recovered",
        Rto::Missed => "missed",
    };
    let stages = outcome.worst().map(|worst| {
        let stage = |(stage, span): &(_, Span)| json!({ "stage": stage, "s": span.as_secs_f64() });
        worst.stages.iter().map(stage).collect::<Vec<_>>()
    });
    let requests = &outcome.requests;
    json!({
        "feature": plan.name,
        "side_effects": plan.input.side_effects,
        "outcome": word,
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

/// Rows of the tables: of the timeline, and of the features.
pub mod rows {
    use super::{Distributions, FeatureOutcome, Outcome, Plan, PlannedFeature, Rto, Span};

    /// Headings of [`timeline`].
    pub const TIMELINE: [&str; 3] = ["time", "what", "happens"];

    /// One row an entry: clock, subject, text.
    pub fn timeline(plan: &Plan, outcome: &Outcome) -> Vec<Vec<String>> {
        let entries = outcome.timeline.iter();
        entries
            .map(|entry| {
                let clock = plan.service.start.show(entry.at);
                vec![clock, entry.subject.clone(), entry.text.clone()]
            })
            .collect()
    }

    /// Headings of [`features`].
    pub const FEATURES: [&str; 10] =
        ["feature", "RTO", "objective", "met", "stages", "RPO", "objective", "met", "lost", "shed"];

    /// One row a feature: what was measured against what was promised.
    pub fn features(plan: &Plan, outcome: &Outcome) -> Vec<Vec<String>> {
        plan.features.iter().zip(&outcome.features).map(|(plan, one)| feature(plan, one)).collect()
    }

    fn feature(plan: &PlannedFeature, outcome: &FeatureOutcome) -> Vec<String> {
        let rto = outcome.rto();
        let measured = match rto {
            Rto::NotInterrupted => "not interrupted".to_owned(),
            Rto::Recovered(length) => told(length),
            Rto::Missed => "not recovered".to_owned(),
        };
        let stages = outcome.worst().map(|worst| {
            let stages = worst.stages.iter();
            let stages: Vec<String> =
                stages.map(|(stage, span)| format!("{} {}", stage.words(), told(*span))).collect();
            stages.join(" + ")
        });
        let none = || "–".to_owned();
        let rpo_met = outcome.rpo.map(|rpo| yes_no(rpo <= plan.input.rpo));
        vec![
            plan.name.clone(),
            measured,
            plan.input.rto.to_string(),
            yes_no(rto.meets(plan.input.rto)),
            stages.filter(|stages| !stages.is_empty()).unwrap_or_else(none),
            outcome.rpo.map_or_else(none, told),
            plan.input.rpo.to_string(),
            rpo_met.unwrap_or_else(none),
            format!("{:.0}", outcome.requests.lost),
            format!("{:.0}", outcome.requests.shed),
        ]
    }

    /// Whether every feature met both of its objectives.
    pub fn all_met(plan: &Plan, outcome: &Outcome) -> bool {
        plan.features.iter().zip(&outcome.features).all(|(plan, one)| {
            one.rto().meets(plan.input.rto) && one.rpo.is_none_or(|rpo| rpo <= plan.input.rpo)
        })
    }

    /// Headings of [`distributions`].
    pub const DISTRIBUTIONS: [&str; 8] =
        ["feature", "mean s", "p50 s", "p95 s", "p99 s", "max s", "RTO met", "missed"];

    /// One row a feature: its recovery time over the replications.
    pub fn distributions(all: &Distributions) -> Vec<Vec<String>> {
        let shown = |estimate: &Option<crate::estimate::Estimate>| {
            estimate.map_or_else(|| "–".to_owned(), |estimate| estimate.show(2))
        };
        let row = |feature: &super::FeatureDistribution| {
            let mut row = vec![feature.feature.clone(), shown(&feature.mean_s)];
            row.extend(feature.quantiles_s.iter().map(shown));
            row.push(feature.max_s.map_or_else(|| "–".to_owned(), |max| format!("{max:.1}")));
            row.push(shown(&feature.rto_met));
            row.push(feature.missed.to_string());
            row
        };
        all.features.iter().map(row).collect()
    }

    /// To the second, or as it is when it is shorter.
    fn told(span: Span) -> String {
        let whole = Span::from_secs(span.as_secs_f64().round() as i64);
        if whole.is_positive() { whole } else { span }.to_string()
    }

    fn yes_no(met: bool) -> String {
        if met { "yes" } else { "NO" }.to_owned()
    }
}
