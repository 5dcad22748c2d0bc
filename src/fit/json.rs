//! The JSON of a refit, key by key as the contract has it. What is not finite is `null`.

use serde_json::{Map, Value, json};

use super::{Faults, Fitted, HistoryFit, Laws};

/// Schema of `fit`.
pub const SCHEMA: &str = "failover-budget/fit/1";

/// A refitted history; `history` is the report of what was read.
pub fn history(history: Value, fit: &HistoryFit) -> Map<String, Value> {
    let mut blips = faults(&fit.blips);
    blips.insert("gap".to_owned(), laws(&fit.gap));
    let mut outages = faults(&fit.outages);
    let after = fit.threshold.after.map(|after| after.as_secs_f64());
    outages.insert("after_s".to_owned(), json!(after));
    outages.insert("after_because".to_owned(), json!(fit.threshold.reason));
    let mut object = Map::new();
    object.insert("history".to_owned(), history);
    object.insert("blips".to_owned(), Value::Object(blips));
    object.insert("outages".to_owned(), Value::Object(outages));
    object.insert("warnings".to_owned(), json!(fit.warnings));
    object
}

fn faults(faults: &Faults) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("n".to_owned(), json!(faults.n));
    object.insert("rate_per_day".to_owned(), json!(faults.rate_per_day));
    object.insert("seen_share".to_owned(), number(faults.seen));
    object.insert("length".to_owned(), laws(&faults.length));
    object
}

/// All families fitted to the same data.
pub fn laws(laws: &Laws) -> Value {
    json!({
        "n": laws.n,
        "selected": laws.selected.map(|family| family.name()),
        "ties": laws.ties.iter().map(|family| family.name()).collect::<Vec<_>>(),
        "families": laws.families.iter().map(family).collect::<Vec<_>>(),
        "warnings": laws.warnings,
    })
}

fn family(fitted: &Fitted) -> Value {
    let parameters: Map<String, Value> = fitted
        .parameters
        .iter()
        .filter(|(_, estimate)| estimate.value.is_finite())
        .map(|(name, estimate)| ((*name).to_owned(), json!(estimate)))
        .collect();
    json!({
        "family": fitted.family.name(),
        "parameters": parameters,
        "mean_s": fitted.mean_s,
        "log_likelihood": number(fitted.log_likelihood),
        "aicc": number(fitted.aicc),
        "bic": number(fitted.bic),
        "weight": number(fitted.weight),
        "gof_p": fitted.gof_p,
        "converged": fitted.converged,
        "bounded": fitted.bounded,
        "tail": fitted.tail,
        "warnings": fitted.warnings,
    })
}

fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { Value::Null }
}
