//! `replay`: every trigger over recorded probe histories, beside the fitted model.

use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::output::{
    counted, csv_text, interval, paragraph, print, print_json, table, table_text, watched,
};
use super::recording::{self, Input, Series};
use super::{Failure, Format, Global, Outcome};
use crate::estimate::Estimate;
use crate::fit::replay::Rules;
use crate::fit::side_by_side::{self, Compared};
use crate::fit::{self, HistoryFit, Options};
use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec};

/// What every trigger would have done over recorded probe histories, beside the fitted model.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  failover-budget replay probes.csv
  failover-budget replay probes.csv --trigger consecutive:1..40 --trigger m-of-n:9/12 --format json
  failover-budget replay kuma.db --series api --silence ignored --arming immediate")]
pub struct Args {
    #[command(flatten)]
    recordings: recording::Args,
    /// A trigger to replay, or a range like consecutive:1..40; may be repeated. The patience axis
    /// and the lab's windows when left out.
    #[arg(long, value_name = "TRIGGER")]
    trigger: Vec<String>,
    /// What an absent check counts as: ignored or failure.
    #[arg(long, value_name = "RULE", default_value = "failure")]
    silence: Silence,
    /// What a controller must hold before it may fire: immediate, full-window or a number of checks.
    #[arg(long, value_name = "RULE", default_value = "full-window")]
    arming: Arming,
    /// Runs of failed probes at least this long are outages; found from the data when left out.
    #[arg(long, value_name = "TIME", value_parser = super::seconds_or_span)]
    outage_after: Option<Span>,
}

/// The triggers that are replayed when none is named.
const AXIS: [&str; 14] = [
    "consecutive:1..6",
    "consecutive:8",
    "consecutive:10",
    "consecutive:12",
    "consecutive:15",
    "consecutive:18",
    "consecutive:24",
    "consecutive:30",
    "consecutive:40",
    "consecutive:60",
    "window:60s",
    "window:300s",
    "window:900s",
    "m-of-n:9/12",
];

/// What the model gives fewer of in a day is not told in figures: no recording bears them out.
const NEVER: f64 = 1e-6;

/// Runs the command.
///
/// # Errors
/// When a recording or a trigger cannot be read.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let specs = specs(&args.trigger)?;
    let outage_after = super::fit::stated(args.outage_after)?;
    let Input::Histories(all) = args.recordings.read(None, global)? else {
        return Err(Failure::BadInput(
            "a list of durations cannot be replayed: it has no checks; `fit` takes it".to_owned(),
        ));
    };
    let options = Options { outage_after, draws: 0, ..Options::default() };
    let rules = Rules { silence: args.silence, arming: args.arming };
    let replayed: Vec<(&Series, HistoryFit, Vec<Compared>)> = all
        .iter()
        .map(|series| {
            let parts = series.parts();
            let fit = fit::history(&parts, &options);
            let compared = side_by_side::compare(&parts, &fit, &specs, rules);
            (series, fit, compared)
        })
        .collect();
    match global.format {
        Format::Json => print_json(&json_of(&replayed))?,
        Format::Csv => print(&csv(&replayed)?)?,
        Format::Table => print(&replayed.iter().map(text).collect::<Vec<_>>().join("\n"))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn specs(named: &[String]) -> Result<Vec<Spec>, Failure> {
    let texts: Vec<&str> = match named {
        [] => AXIS.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    };
    let mut specs: Vec<Spec> = Vec::new();
    for text in texts {
        for spec in
            Spec::expand(text).map_err(|why| Failure::BadInput(format!("--trigger {why}")))?
        {
            if !specs.contains(&spec) {
                specs.push(spec);
            }
        }
    }
    Ok(specs)
}

type Replay<'a> = (&'a Series, HistoryFit, Vec<Compared>);

/// The contract's object; with several series one such object each, under `"series"`.
fn json_of(replayed: &[Replay<'_>]) -> Value {
    let mut root = Map::new();
    root.insert("schema".to_owned(), json!(side_by_side::SCHEMA));
    let one = |(series, fit, compared): &Replay<'_>| -> Map<String, Value> {
        let parts = series.parts();
        let outages = &fit.outages;
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(series.name));
        object.insert("exposure_days".to_owned(), json!(fit.observed.exposure_s / 86_400.0));
        object.insert("interval_s".to_owned(), json!(fit.observed.interval_s));
        object.insert(
            "outages".to_owned(),
            json!({
                "n": outages.n,
                "after_s": fit.threshold.after.map(Span::as_secs_f64),
                "after_because": fit.threshold.reason,
            }),
        );
        let triggers = compared.iter().map(|c| side_by_side::json(c, &parts)).collect::<Vec<_>>();
        object.insert("triggers".to_owned(), Value::Array(triggers));
        object
    };
    match replayed {
        [only] => root.extend(one(only)),
        all => {
            let each = all.iter().map(|replay| Value::Object(one(replay))).collect();
            root.insert("series".to_owned(), Value::Array(each));
        }
    }
    Value::Object(root)
}

fn text((series, fit, compared): &Replay<'_>) -> String {
    let after = fit.threshold.after.map_or_else(
        || "no run is an outage".to_owned(),
        |after| format!("runs of {after} or longer are outages"),
    );
    let head = format!(
        "{}: {} at one probe every {}; {}, {}",
        series.name,
        watched(fit.observed.exposure_s),
        interval(fit.observed.interval_s),
        counted(fit.blips.n, "blip"),
        counted(fit.outages.n, "outage")
    );
    let mut text = paragraph("", &head);
    text.push_str(&paragraph(
        "",
        &format!("Blips and outages: {after}; {}.", fit.threshold.reason),
    ));
    text.push('\n');
    let headings = [
        "trigger",
        "patience",
        "fired",
        "false",
        "false a day, seen",
        "by the model",
        "delay, s",
        "missed",
    ];
    let mut rows = table(headings);
    for one in compared {
        let shown = |e: &Option<Estimate>| e.map_or("–".to_owned(), |e| e.show(1));
        let predicted = |e: &Option<Estimate>| match e {
            Some(e) if e.hi < NEVER => format!("< {NEVER:e}"),
            e => shown(e),
        };
        let mean = side_by_side::mean(&one.delays_s());
        rows.add_row([
            one.spec.to_string(),
            patience(one.patience),
            one.firings().to_string(),
            one.false_firings().to_string(),
            shown(&one.false_failovers_per_day),
            predicted(&one.predicted_per_day),
            mean.map_or("–".to_owned(), |secs| format!("{secs:.0}")),
            one.missed().to_string(),
        ]);
    }
    text.push_str(&table_text(&rows));
    text.push_str(
        "A firing is false if no outage was in progress. The delay is the mean over the recorded outages,\n\
         from the first failed probe; an outage may have begun up to one interval before.\n",
    );
    text
}

/// To the second, or to the millisecond where it is short.
fn patience(patience: Span) -> String {
    let unit = if patience < Span::from_secs(10) { 1_000_000 } else { 1_000_000_000 };
    let nanos = patience.as_nanos();
    Span::from_nanos((nanos + unit / 2).div_euclid(unit) * unit).to_string()
}

fn csv(replayed: &[Replay<'_>]) -> Result<String, Failure> {
    let headings = [
        "series",
        "trigger",
        "patience_s",
        "firings",
        "false_firings",
        "false_failovers_per_day",
        "false_failovers_per_day_lo",
        "false_failovers_per_day_hi",
        "predicted_per_day",
        "predicted_per_day_lo",
        "predicted_per_day_hi",
        "detection_mean_s",
        "detection_max_s",
        "missed",
    ];
    let mut rows = Vec::new();
    for (series, _, compared) in replayed {
        for one in compared {
            let number = |x: Option<f64>| {
                x.filter(|x| x.is_finite()).map_or(String::new(), |x| x.to_string())
            };
            let three = |e: &Option<Estimate>| {
                [e.map(|e| e.value), e.map(|e| e.lo), e.map(|e| e.hi)].map(number)
            };
            let delays = one.delays_s();
            let mut row = vec![
                series.name.clone(),
                one.spec.to_string(),
                one.patience.as_secs_f64().to_string(),
                one.firings().to_string(),
                one.false_firings().to_string(),
            ];
            row.extend(three(&one.false_failovers_per_day));
            row.extend(three(&one.predicted_per_day));
            row.push(number(side_by_side::mean(&delays)));
            row.push(number(delays.last().copied()));
            row.push(one.missed().to_string());
            rows.push(row);
        }
    }
    csv_text(&headings, &rows)
}
