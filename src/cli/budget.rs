//! `budget`: the stages of every standby target, the room, and which triggers fit; no simulation.

mod chances;
mod csv;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use super::{Failure, Format, Global, Outcome, output, scenario_file};
use crate::budget::{Report, outlooks};
use crate::scenario::Scenario;
use crate::time::Span;
use crate::trigger::Spec;

/// Arguments of `budget`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  failover-budget budget --rto 15min --trigger consecutive:12 --trigger window:300s"
)]
pub struct Args {
    /// The scenario, a TOML file; the lab's defaults when left out.
    scenario: Option<PathBuf>,
    /// The committed recovery time, in place of the scenario's.
    #[arg(long, value_name = "SPAN", allow_hyphen_values = true)]
    rto: Option<Span>,
    /// A trigger, in place of the scenario's list; may be repeated.
    #[arg(long = "trigger", value_name = "TRIGGER")]
    triggers: Vec<Spec>,
}

/// Works out the budget and prints it.
///
/// # Errors
/// When the scenario cannot be read or is not valid.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let scenario = scenario(args)?;
    let bad = |wrong: crate::budget::PlanError| {
        Failure::BadInput(format!("{}: {}", wrong.key, wrong.message))
    };
    let outlooks = outlooks(&scenario).map_err(bad)?;
    let report = Report::of(&scenario, &outlooks);
    match global.format {
        Format::Table => output::print(&tables::text(&report, &outlooks))?,
        Format::Json => {
            output::print_json(&serde_json::to_value(&report).map_err(Failure::failed)?)?;
        }
        Format::Csv => output::print(&csv::text(&report)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The scenario of the file, with what the command line puts in its place.
fn scenario(args: &Args) -> Result<Scenario, Failure> {
    let mut scenario = scenario_file::scenario(args.scenario.as_deref())?;
    if let Some(rto) = args.rto {
        scenario.rto = rto;
    }
    if !args.triggers.is_empty() {
        scenario.triggers = args.triggers.clone();
    }
    // The file was valid, so what is wrong now was given here.
    let bad = |wrong: crate::scenario::validate::Broken| {
        Failure::BadInput(format!("--{}: {}", wrong.key, wrong.message))
    };
    scenario.validate().map_err(bad)?;
    Ok(scenario)
}
