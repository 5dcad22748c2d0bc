//! `import-config`: which trigger a configuration that exists amounts to.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use serde_json::json;

use super::{Failure, Format, Global, Outcome, export, output, scenario_file};
use crate::advise::products::{self, Imported, Kind};
use crate::time::Span;

/// Options of `import-config`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:
  failover-budget import-config deployment.yaml
  failover-budget import-config rules.yml --kind prometheus --interval 15s
  failover-budget import-config alarms.json --format json")]
pub struct Args {
    /// The file: YAML or JSON, as `kubectl get -o yaml` or `describe-alarms` writes it.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What the file is; found out by its contents when left out.
    #[arg(long, value_enum, value_name = "KIND")]
    pub kind: Option<Of>,
    /// Time from one evaluation to the next, for groups of Prometheus rules that do not state one.
    #[arg(long, value_name = "SPAN", default_value = "1min")]
    pub interval: Span,
}

/// The kinds of configuration, as words of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Of {
    /// Probes, alone or in a pod, a deployment or anything else that holds pods.
    Kubernetes,
    /// Alerting rules.
    Prometheus,
    /// Metric alarms, also inside a CloudFormation template.
    Cloudwatch,
}

impl From<Of> for Kind {
    fn from(of: Of) -> Self {
        match of {
            Of::Kubernetes => Kind::Kubernetes,
            Of::Prometheus => Kind::Prometheus,
            Of::Cloudwatch => Kind::CloudWatch,
        }
    }
}

/// Reads the configuration and prints what it amounts to.
pub fn run(args: &Args, global: &Global) -> Outcome {
    if !args.interval.is_positive() {
        return Err(Failure::BadInput("--interval must be longer than 0s".to_owned()));
    }
    let text = scenario_file::text(&args.file)?;
    let file = args.file.display().to_string();
    let found = products::import(&file, &text, args.kind.map(Kind::from), args.interval)
        .map_err(Failure::bad_input)?;
    match global.format {
        Format::Json => output::print_json(&as_json(&file, &found))?,
        Format::Csv => output::print(&as_csv(&found)?)?,
        Format::Table => output::print(&as_text(&found))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn as_json(file: &str, found: &[Imported]) -> serde_json::Value {
    let triggers: Vec<_> = found
        .iter()
        .map(|one| {
            json!({
                "name": one.name,
                "line": one.line,
                "kind": one.kind.name(),
                "amounts_to": export::amounts_json(&one.amounts),
                "notes": one.notes,
            })
        })
        .collect();
    json!({ "schema": "failover-budget/import-config/1", "file": file, "triggers": triggers })
}

fn as_csv(found: &[Imported]) -> Result<String, Failure> {
    let headings = [&["name", "line", "kind"], &export::AMOUNTS_COLUMNS[..]].concat();
    let row = |one: &Imported| {
        let mut cells = vec![one.name.clone(), one.line.to_string(), one.kind.to_string()];
        cells.extend(export::amounts_cells(&one.amounts));
        cells
    };
    output::csv_text(&headings, &found.iter().map(row).collect::<Vec<_>>())
}

fn as_text(found: &[Imported]) -> String {
    let mut table = output::table(["name", "trigger", "every", "patience", "and up to", "silence"]);
    for one in found {
        table.add_row(export::amounts_row(one.name.clone(), &one.amounts));
    }
    let mut text = output::table_text(&table);
    for one in found {
        text.push_str(&format!("\n{} (line {})\n", one.name, one.line));
        text.push_str(&output::paragraph("silence  ", one.amounts.absence.meaning()));
        for note in &one.notes {
            text.push_str(&output::paragraph("note     ", note));
        }
    }
    text
}
