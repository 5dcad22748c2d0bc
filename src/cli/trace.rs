//! `trace`: one replication as a timeline.

mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;

use super::output::{self, csv_text};
use super::{Failure, Format, Global, Outcome, scenario_file};
use crate::experiment::Environment;
use crate::experiment::trace::{Ask, Frame, Trace};
use crate::figure::timeline;
use crate::scenario::{OutageKind, Scenario};
use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec};

/// One replication as a timeline.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  failover-budget trace --trigger consecutive:12 --outage dark
  failover-budget trace scenario.toml --replication 3 --outage none --arming immediate
  failover-budget trace --trigger window:300s --as svg -o timeline.svg
  failover-budget trace --all --as chrome -o trace.json")]
pub struct Args {
    /// A scenario in TOML; the lab's defaults when left out.
    scenario: Option<PathBuf>,
    /// The replication, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    replication: u64,
    /// A trigger to lead over it, instead of the scenario's; may be repeated.
    #[arg(long = "trigger", value_name = "TRIGGER")]
    triggers: Vec<Spec>,
    /// The outage that the replication has; the scenario's kind when left out. It begins at `outage.at`
    /// or, without one, at the first instant at which the lab measures an outage in this replication.
    #[arg(long, value_enum, value_name = "KIND")]
    outage: Option<Outage>,
    /// What an absent check counts as, instead of the scenario's rule: `ignored` or `failure`.
    #[arg(long, value_name = "RULE")]
    silence: Option<Silence>,
    /// What a restarted controller must hold before it may fire, instead of the scenario's rule:
    /// `immediate`, `full-window` or a number of checks.
    #[arg(long, value_name = "RULE")]
    arming: Option<Arming>,
    /// Show the stretch around this instant of the run, like "3d 4h"; a bare number is seconds. When
    /// left out: around the outage or, without one, the first firing.
    #[arg(long, value_name = "INSTANT", value_parser = super::seconds_or_span)]
    #[arg(allow_hyphen_values = true, conflicts_with_all = ["from", "to", "all"])]
    around: Option<Span>,
    /// Show from this instant on.
    #[arg(long, value_name = "INSTANT", value_parser = super::seconds_or_span, conflicts_with = "all", allow_hyphen_values = true)]
    from: Option<Span>,
    /// Show up to this instant.
    #[arg(long, value_name = "INSTANT", value_parser = super::seconds_or_span, conflicts_with = "all", allow_hyphen_values = true)]
    to: Option<Span>,
    /// Show the whole run, with nothing left out.
    #[arg(long)]
    all: bool,
    /// What to make; a table when left out, or what --format says.
    #[arg(long = "as", value_enum, value_name = "WHAT")]
    made: Option<Made>,
    /// Write to this file instead of stdout.
    #[arg(short, long = "output", value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The outage of a traced replication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Outage {
    /// Probes arrive and fail.
    Reported,
    /// The prober goes with the region: nothing arrives.
    Dark,
    /// Each probe fails with some probability.
    Gray,
    /// There is none.
    None,
}

/// What a trace is made into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Made {
    /// A timeline in text.
    Table,
    /// A line of JSON for the head, then one for each event.
    Jsonl,
    /// The Chrome trace-event format, which Perfetto opens.
    Chrome,
    /// A picture.
    Svg,
}

/// Runs the command.
///
/// # Errors
/// When an input is wrong, or the output cannot be written.
pub fn run(args: &Args, global: &Global) -> Outcome {
    if args.made.is_some() && global.format != Format::Table {
        return Err(Failure::BadInput(
            "--as and --format both say what to print: give one of them".to_owned(),
        ));
    }
    let scenario = scenario(args)?;
    let kind = match args.outage {
        None => Some(scenario.outage.kind),
        Some(Outage::Reported) => Some(OutageKind::Reported),
        Some(Outage::Dark) => Some(OutageKind::Dark),
        Some(Outage::Gray) => Some(OutageKind::Gray),
        Some(Outage::None) => None,
    };
    let broken = |wrong: crate::scenario::validate::Broken| {
        Failure::BadInput(format!("{}: {}", wrong.key, wrong.message))
    };
    let environment = Environment::new(scenario).map_err(broken)?;
    let ask = Ask { replication: args.replication, outage: kind, frame: frame(args) };
    let trace = Trace::run(&environment, ask)
        .map_err(|why| Failure::BadInput(option_named(&why.to_string())))?;
    let made = made(args, global, &trace)?;
    match &args.output {
        Some(path) => write(path, &made)?,
        None => output::print(&made)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The library says `replication 30: …`; here it was an option.
fn option_named(message: &str) -> String {
    if message.starts_with("replication") { format!("--{message}") } else { message.to_owned() }
}

fn scenario(args: &Args) -> Result<Scenario, Failure> {
    let mut scenario = scenario_file::scenario(args.scenario.as_deref())?;
    if !args.triggers.is_empty() {
        scenario.triggers = args.triggers.clone();
    }
    scenario.controller.silence = args.silence.unwrap_or(scenario.controller.silence);
    scenario.controller.arming = args.arming.unwrap_or(scenario.controller.arming);
    scenario
        .validate()
        .map_err(|wrong| Failure::BadInput(format!("--{}: {}", wrong.key, wrong.message)))?;
    Ok(scenario)
}

fn frame(args: &Args) -> Frame {
    match (args.around, args.from, args.to) {
        (Some(at), _, _) => Frame::Around(at),
        (None, None, None) if args.all => Frame::All,
        (None, None, None) => Frame::Matter,
        (None, from, to) => Frame::Between(from, to),
    }
}

fn made(args: &Args, global: &Global, trace: &Trace) -> Result<String, Failure> {
    Ok(match (args.made, global.format) {
        (Some(Made::Jsonl), _) => trace.json_lines(),
        (Some(Made::Chrome), _) => pretty(&trace.chrome())?,
        (Some(Made::Svg), _) => timeline::draw(trace),
        (None, Format::Json) => pretty(&trace.json())?,
        (None, Format::Csv) => csv(trace)?,
        (Some(Made::Table), _) | (None, Format::Table) => text::text(trace, args.all),
    })
}

fn pretty(value: &serde_json::Value) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(value).map_err(Failure::failed)? + "\n")
}

fn csv(trace: &Trace) -> Result<String, Failure> {
    let headings = ["at_s", "until_s", "track", "kind", "trigger", "target", "what"];
    let row = |event: &crate::experiment::trace::Event| {
        vec![
            event.at.as_secs_f64().to_string(),
            event.until.map(|until| until.as_secs_f64().to_string()).unwrap_or_default(),
            event.what.track().to_owned(),
            event.what.kind().to_owned(),
            event.what.trigger().unwrap_or_default().to_owned(),
            event.what.target().unwrap_or_default().to_owned(),
            event.told(),
        ]
    };
    csv_text(&headings, &trace.events().iter().map(row).collect::<Vec<_>>())
}

/// Writes a file whole: beside its place, then renamed.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    crate::sweep::parts::write_whole(path, text.as_bytes()).map_err(Failure::failed)
}
