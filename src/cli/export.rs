//! `export`: a trigger as the configuration of a product that people run.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use serde_json::json;

use super::{Failure, Format, Global, Outcome, files, output, scenario_file};
use crate::advise::products::{self, Amounts, Asked, Export, Names, Product};
use crate::scenario::Scenario;
use crate::time::Span;
use crate::trigger::{Silence, Spec};

/// The time-out of a check where the scenario has none.
const TIMEOUT: Span = Span::from_secs(2);

/// Options of `export`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:
  failover-budget export --trigger consecutive:12 --to kubernetes
  failover-budget export scenario.toml --trigger m-of-n:3/5 --to prometheus --job api --out rules
  failover-budget export --trigger window:300s --to route53 --format json")]
pub struct Args {
    /// The scenario that says how often checks are made and how silence is read; the lab's defaults
    /// when left out.
    #[arg(value_name = "SCENARIO")]
    pub scenario: Option<PathBuf>,
    /// The trigger, like `consecutive:12`, `window:300s`, `m-of-n:3/5` or `success-rate:0.9/60s/180s`.
    #[arg(long, value_name = "TRIGGER")]
    pub trigger: Spec,
    /// Whose configuration is written.
    #[arg(long = "to", value_enum, value_name = "PRODUCT")]
    pub product: To,
    /// Time from one check to the next, in place of the scenario's.
    #[arg(long, value_name = "SPAN")]
    pub interval: Option<Span>,
    /// What an absent check counts as, in place of the scenario's: `failure` or `ignored`.
    #[arg(long, value_name = "RULE")]
    pub silence: Option<Silence>,
    /// Time from one evaluation of the rules to the next (Prometheus); the interval when left out.
    #[arg(long, value_name = "SPAN")]
    pub evaluation_interval: Option<Span>,
    /// What the watched region is called.
    #[arg(long, value_name = "NAME", default_value = "primary")]
    pub name: String,
    /// The metric that is 1 for a healthy check and 0 for a failed one (Prometheus, CloudWatch).
    #[arg(long, value_name = "METRIC", default_value = "probe_success")]
    pub metric: String,
    /// The job label of the metric (Prometheus), or its `job` dimension (CloudWatch).
    #[arg(long, value_name = "JOB")]
    pub job: Option<String>,
    /// The namespace of the metric (CloudWatch).
    #[arg(long, value_name = "NAMESPACE", default_value = "FailoverBudget")]
    pub namespace: String,
    /// The host that is checked.
    #[arg(long, value_name = "HOST", default_value = "primary.example.com")]
    pub host: String,
    /// The port that is checked; 443 means TLS.
    #[arg(long, value_name = "PORT", default_value_t = 443, value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,
    /// The path that is asked for.
    #[arg(long, value_name = "PATH", default_value = "/healthz")]
    pub path: String,
    /// Write the files into this folder, which is made if need be, in place of printing them.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// The products, as words of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum To {
    /// Alerting rules with an alert on silence and unit tests for promtool.
    Prometheus,
    /// A readiness probe.
    Kubernetes,
    /// A health check of Amazon Route 53.
    Route53,
    /// An alarm of Amazon CloudWatch.
    Cloudwatch,
    /// A backend with a checked server.
    Haproxy,
    /// A cluster with an active health check.
    Envoy,
}

impl From<To> for Product {
    fn from(to: To) -> Self {
        match to {
            To::Prometheus => Product::Prometheus,
            To::Kubernetes => Product::Kubernetes,
            To::Route53 => Product::Route53,
            To::Cloudwatch => Product::CloudWatch,
            To::Haproxy => Product::HaProxy,
            To::Envoy => Product::Envoy,
        }
    }
}

impl Args {
    fn asked(&self, scenario: &Scenario) -> Result<Asked, Failure> {
        let interval = self.interval.unwrap_or(scenario.probe.interval);
        for (flag, span) in
            [("--interval", self.interval), ("--evaluation-interval", self.evaluation_interval)]
        {
            if span.is_some_and(|span| !span.is_positive()) {
                return Err(Failure::BadInput(format!("{flag} must be longer than 0s")));
            }
        }
        let stated = scenario.probe.timeout;
        let timeout = if stated.is_positive() { stated } else { TIMEOUT.min(interval) };
        Ok(Asked {
            trigger: self.trigger,
            interval,
            timeout,
            silence: self.silence.unwrap_or(scenario.controller.silence),
            arming: scenario.controller.arming,
            evaluation: self.evaluation_interval,
        })
    }

    fn names(&self) -> Names {
        Names {
            name: self.name.clone(),
            metric: self.metric.clone(),
            job: self.job.clone(),
            namespace: self.namespace.clone(),
            host: self.host.clone(),
            port: self.port,
            path: self.path.clone(),
        }
    }
}

/// Writes the configuration.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let scenario = scenario_file::scenario(args.scenario.as_deref())?;
    let asked = args.asked(&scenario)?;
    let export =
        products::export(args.product.into(), &asked, &args.names()).map_err(Failure::bad_input)?;
    if let Some(folder) = &args.out {
        for file in &export.files {
            files::write(&folder.join(&file.name), &file.text)?;
        }
    }
    match global.format {
        Format::Json => output::print_json(&as_json(&asked, &export))?,
        Format::Csv => output::print(&as_csv(&asked, &export)?)?,
        Format::Table => output::print(&as_text(&asked, &export, args.out.as_deref()))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What a trigger amounts to, as JSON.
pub(super) fn amounts_json(amounts: &Amounts) -> serde_json::Value {
    json!({
        "trigger": amounts.trigger,
        "interval_s": amounts.interval.as_secs_f64(),
        "patience_s": amounts.patience.as_secs_f64(),
        "up_to_later_s": amounts.up_to_later.as_secs_f64(),
        "silence": amounts.absence.name(),
        "arming": amounts.arming,
    })
}

/// Columns of what a trigger amounts to, in a table for programs.
pub(super) const AMOUNTS_COLUMNS: [&str; 5] =
    ["trigger", "interval_s", "patience_s", "up_to_later_s", "silence"];

/// The cells under them.
pub(super) fn amounts_cells(amounts: &Amounts) -> [String; 5] {
    [
        amounts.trigger.to_string(),
        amounts.interval.as_secs_f64().to_string(),
        amounts.patience.as_secs_f64().to_string(),
        amounts.up_to_later.as_secs_f64().to_string(),
        amounts.absence.name().to_owned(),
    ]
}

/// What a trigger amounts to, as a row of a table for people.
pub(super) fn amounts_row(name: String, amounts: &Amounts) -> [String; 6] {
    [
        name,
        amounts.trigger.to_string(),
        amounts.interval.to_string(),
        amounts.patience.to_string(),
        format!("{} more", amounts.up_to_later),
        amounts.absence.name().to_owned(),
    ]
}

fn as_json(asked: &Asked, export: &Export) -> serde_json::Value {
    let files: Vec<_> =
        export.files.iter().map(|file| json!({ "name": file.name, "text": file.text })).collect();
    json!({
        "schema": "failover-budget/export/1",
        "to": export.product.name(),
        "asked": {
            "trigger": asked.trigger,
            "interval_s": asked.interval.as_secs_f64(),
            "patience_s": asked.patience().as_secs_f64(),
            "silence": asked.silence,
            "arming": asked.arming,
        },
        "amounts_to": amounts_json(&export.amounts),
        "patience_difference_s": (export.amounts.patience - asked.patience()).as_secs_f64(),
        "as_asked": export.differences.is_empty(),
        "differences": export.differences,
        "notes": export.notes,
        "files": files,
    })
}

fn as_csv(asked: &Asked, export: &Export) -> Result<String, Failure> {
    let amounts = &export.amounts;
    let before = ["to", "asked", "asked_interval_s", "asked_patience_s", "asked_silence"];
    let after = ["patience_difference_s", "as_asked"];
    let headings = [&before[..], &AMOUNTS_COLUMNS[..], &after[..]].concat();
    let mut row = vec![
        export.product.to_string(),
        asked.trigger.to_string(),
        asked.interval.as_secs_f64().to_string(),
        asked.patience().as_secs_f64().to_string(),
        asked.silence.to_string(),
    ];
    row.extend(amounts_cells(amounts));
    row.extend([
        (amounts.patience - asked.patience()).as_secs_f64().to_string(),
        export.differences.is_empty().to_string(),
    ]);
    output::csv_text(&headings, &[row])
}

/// The figures, what differs, and the files: where they went, or themselves.
fn as_text(asked: &Asked, export: &Export, written_to: Option<&Path>) -> String {
    let mut table = output::table(["", "trigger", "every", "patience", "and up to", "silence"]);
    table.add_row([
        "asked".to_owned(),
        asked.trigger.to_string(),
        asked.interval.to_string(),
        asked.patience().to_string(),
        String::new(),
        asked.silence.to_string(),
    ]);
    table.add_row(amounts_row(export.product.to_string(), &export.amounts));
    let mut text = output::table_text(&table);
    if export.differences.is_empty() {
        text.push_str("It is what was asked.\n");
    }
    for (word, sentences) in [("differs", &export.differences), ("note", &export.notes)] {
        for sentence in sentences {
            text.push_str(&output::paragraph(&format!("{word:9}"), sentence));
        }
    }
    for file in &export.files {
        text.push_str(&match written_to {
            Some(folder) => format!("wrote    {}\n", folder.join(&file.name).display()),
            None => format!("\n--- {} ---\n{}", file.name, file.text),
        });
    }
    text
}
