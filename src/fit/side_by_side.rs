//! Every trigger over the recorded days, beside what the fitted model says of it.

use rayon::prelude::*;
use serde_json::{Value, json};

use super::replay::{Cause, Replayed, Rules, replay};
use super::runs::{Observed, Part, Run};
use super::{DAY_S, HistoryFit, predict, scenario};
use crate::estimate::{Estimate, LEVEL};
use crate::scenario::Scenario;
use crate::time::Span;
use crate::trigger::Spec;

/// Schema of `replay`.
pub const SCHEMA: &str = "failover-budget/replay/1";

/// What one trigger did over all parts of a recording, and what the model says.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The trigger.
    pub spec: Spec,
    /// Its patience at the recording's interval.
    pub patience: Span,
    /// What it did over each part.
    pub parts: Vec<Replayed>,
    /// False failovers in a day of the time that is known and holds no outage.
    pub false_failovers_per_day: Option<Estimate>,
    /// The same by the fitted model; `None` where no law could be fitted.
    pub predicted_per_day: Option<Estimate>,
}

impl Compared {
    /// How many firings there are.
    pub fn firings(&self) -> u64 {
        self.parts.iter().map(|part| part.firings.len() as u64).sum()
    }

    /// How many of them are false.
    pub fn false_firings(&self) -> u64 {
        self.parts.iter().map(Replayed::false_firings).sum()
    }

    /// Delays of detection on the recorded outages, seconds, ascending.
    pub fn delays_s(&self) -> Vec<f64> {
        let mut delays: Vec<f64> = self.parts.iter().flat_map(Replayed::delays_s).collect();
        delays.sort_by(f64::total_cmp);
        delays
    }

    /// Outages that ended without a firing.
    pub fn missed(&self) -> u64 {
        self.parts.iter().map(Replayed::missed).sum()
    }
}

/// Replays every trigger over the parts of one series and predicts it from their fit.
pub fn compare(
    parts: &[Part<'_>],
    fit: &HistoryFit,
    specs: &[Spec],
    rules: Rules,
) -> Vec<Compared> {
    let interval = scenario::interval(fit);
    let model =
        scenario::scenario("replay", "the recording", fit).ok().map(|mut model: Scenario| {
            model.controller.silence = rules.silence;
            model.controller.arming = rules.arming;
            model
        });
    let runs: Vec<Vec<Run>> = parts.iter().map(|part| Observed::of(&[*part]).runs).collect();
    let outages_s: f64 = fit
        .observed
        .runs
        .iter()
        .filter(|run| fit.threshold.is_outage(run))
        .map(|run| run.length().as_secs_f64())
        .sum();
    let exposure_days = (fit.observed.exposure_s - outages_s) / DAY_S;
    specs
        .par_iter()
        .map(|spec| {
            let over = |(part, runs): (&Part<'_>, &Vec<Run>)| {
                replay(part.history, runs, &fit.threshold, (spec, interval, rules))
            };
            let parts: Vec<Replayed> = parts.iter().zip(&runs).map(over).collect();
            let false_firings = parts.iter().map(Replayed::false_firings).sum();
            Compared {
                spec: *spec,
                patience: spec.patience(interval),
                parts,
                false_failovers_per_day: Estimate::rate(false_firings, exposure_days, LEVEL),
                predicted_per_day: model
                    .as_ref()
                    .and_then(|model| predict::false_per_day(fit, model, spec)),
            }
        })
        .collect()
}

/// One trigger as JSON; `parts` give the instants.
pub fn json(compared: &Compared, parts: &[Part<'_>]) -> Value {
    let mut fired = Vec::new();
    for (replayed, part) in compared.parts.iter().zip(parts) {
        fired.extend(replayed.firings.iter().map(|firing| {
            let (cause, run) = match firing.cause {
                Cause::Blip(run) => ("blip", Some(run)),
                Cause::Outage(run) => ("outage", Some(run)),
                Cause::Silence => ("silence", None),
            };
            json!({
                "at": instant(part, firing.at),
                "cause": cause,
                "false": firing.is_false(),
                "run_from": run.map(|run| instant(part, run.first_failed)),
                "run_s": run.map(|run| run.length().as_secs_f64()),
                "run_ended": run.map(|run| !run.is_censored()),
            })
        }));
    }
    let delays = compared.delays_s();
    let detections: usize = compared.parts.iter().map(|part| part.detections.len()).sum();
    let already: usize = compared
        .parts
        .iter()
        .flat_map(|part| &part.detections)
        .filter(|detection| detection.already_fired)
        .count();
    json!({
        "trigger": compared.spec.to_string(),
        "patience_s": compared.patience.as_secs_f64(),
        "firings": fired,
        "false_failovers_per_day": compared.false_failovers_per_day,
        "predicted_per_day": compared.predicted_per_day,
        "detection_s": {
            "outages": detections,
            "mean": mean(&delays),
            "p50": Estimate::quantile(&delays, 0.5, LEVEL),
            "max": delays.last(),
            "already_fired": already,
            "missed": compared.missed(),
        },
    })
}

/// Mean of the delays; without an interval, for recorded outages are no sample of like ones.
pub fn mean(delays: &[f64]) -> Option<f64> {
    (!delays.is_empty()).then(|| delays.iter().sum::<f64>() / delays.len() as f64)
}

/// An instant of a recording, as RFC 3339.
pub fn instant(part: &Part<'_>, at: crate::time::Time) -> String {
    let since = jiff::SignedDuration::from_nanos(at.as_nanos());
    part.epoch.checked_add(since).map_or_else(|_| at.to_string(), |at| at.to_string())
}
