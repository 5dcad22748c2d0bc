//! A drill's outcome as rows of tables, for people and for CSV. Prints nothing.

use super::outcome::{FeatureOutcome, Outcome, Rto};
use super::plan::{Plan, PlannedFeature};
use super::replicate::{Distributions, FeatureDistribution, QUANTILES};
use crate::estimate::Estimate;
use crate::time::Span;

/// Headings of [`timeline`].
pub const TIMELINE: [&str; 3] = ["time", "what", "happens"];

/// One row an entry: clock, subject, text.
pub fn timeline(plan: &Plan, outcome: &Outcome) -> Vec<Vec<String>> {
    let row = |entry: &super::outcome::Entry| {
        vec![plan.service.start.show(entry.at), entry.subject.clone(), entry.text.clone()]
    };
    outcome.timeline.iter().map(row).collect()
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

/// Headings of [`features_csv`].
pub const FEATURES_CSV: [&str; 10] = [
    "feature",
    "outcome",
    "rto_s",
    "rto_objective_s",
    "rto_met",
    "rpo_s",
    "rpo_objective_s",
    "rpo_met",
    "requests_lost",
    "requests_shed",
];

/// One row a feature in numbers; a figure that there is not is left empty.
pub fn features_csv(plan: &Plan, outcome: &Outcome) -> Vec<Vec<String>> {
    let row = |(plan, one): (&PlannedFeature, &FeatureOutcome)| {
        let rto = one.rto();
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        vec![
            plan.name.clone(),
            rto.word().to_owned(),
            number(rto.secs()),
            plan.input.rto.as_secs_f64().to_string(),
            rto.meets(plan.input.rto).to_string(),
            number(one.rpo.map(Span::as_secs_f64)),
            plan.input.rpo.as_secs_f64().to_string(),
            one.rpo.map_or_else(String::new, |rpo| (rpo <= plan.input.rpo).to_string()),
            one.requests.lost.to_string(),
            one.requests.shed.to_string(),
        ]
    };
    plan.features.iter().zip(&outcome.features).map(row).collect()
}

/// Whether every feature met both of its objectives.
pub fn all_met(plan: &Plan, outcome: &Outcome) -> bool {
    plan.features.iter().zip(&outcome.features).all(|(plan, one)| {
        one.rto().meets(plan.input.rto) && one.rpo.is_none_or(|rpo| rpo <= plan.input.rpo)
    })
}

/// Headings of [`distributions`].
pub const DISTRIBUTIONS: [&str; 3] = ["feature", "figure", "value (interval)"];

/// A row for each figure of each feature.
pub fn distributions(all: &Distributions) -> Vec<Vec<String>> {
    let rows = |feature: &FeatureDistribution| {
        let figures = figures(feature).into_iter().enumerate();
        let rows = figures.map(|(index, (name, estimate))| {
            let feature = if index == 0 { feature.feature.clone() } else { String::new() };
            vec![feature, name.replace('_', " "), estimate.map_or_else(none, |one| one.show(2))]
        });
        let counts = [
            ("longest, s", feature.max_s.map_or_else(none, |longest| format!("{longest:.0}"))),
            ("interrupted", format!("{} of {}", feature.interrupted, all.replications)),
            ("never served again", feature.missed.to_string()),
        ];
        let counts = counts.map(|(name, count)| vec![String::new(), name.to_owned(), count]);
        rows.chain(counts).collect::<Vec<_>>()
    };
    all.features.iter().flat_map(rows).collect()
}

/// Headings of [`distributions_csv`].
pub const DISTRIBUTIONS_CSV: [&str; 7] = ["feature", "figure", "value", "lo", "hi", "level", "n"];

/// A row for each figure of each feature, in numbers; figures that there are not are left out.
pub fn distributions_csv(all: &Distributions) -> Vec<Vec<String>> {
    let rows = |feature: &FeatureDistribution| {
        let name = feature.feature.clone();
        let row = move |(figure, estimate): (String, Option<Estimate>)| {
            let one = estimate?;
            let bound =
                |bound: f64| if bound.is_finite() { bound.to_string() } else { String::new() };
            Some(vec![
                name.clone(),
                figure,
                one.value.to_string(),
                bound(one.lo),
                bound(one.hi),
                one.level.to_string(),
                one.n.to_string(),
            ])
        };
        figures(feature).into_iter().filter_map(row).collect::<Vec<_>>()
    };
    all.features.iter().flat_map(rows).collect()
}

fn figures(feature: &FeatureDistribution) -> Vec<(String, Option<Estimate>)> {
    let quantiles = QUANTILES.iter().zip(&feature.quantiles_s);
    let quantiles = quantiles.map(|(p, one)| (format!("rto_p{:.0}_s", p * 100.0), *one));
    let named = |name: &str, one: Option<Estimate>| (name.to_owned(), one);
    [named("rto_mean_s", feature.mean_s)]
        .into_iter()
        .chain(quantiles)
        .chain([
            named("rto_met", feature.rto_met),
            named("rpo_met", feature.rpo_met),
            named("requests_lost", feature.lost),
            named("requests_shed", feature.shed),
        ])
        .collect()
}

/// To the second, or as it is when it is shorter.
fn told(span: Span) -> String {
    let whole = Span::from_secs(span.as_secs_f64().round() as i64);
    if whole.is_positive() { whole } else { span }.to_string()
}

fn none() -> String {
    "–".to_owned()
}

fn yes_no(met: bool) -> String {
    if met { "yes" } else { "NO" }.to_owned()
}
