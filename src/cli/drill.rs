//! `drill`: a failover exercised end to end, as a timeline and, over many replications, as
//! distributions.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{Failure, Format, Global, Outcome, files, output, scenario_file};
use crate::drill::outcome::InFlight;
use crate::drill::{self, Distributions, EXTENDS, Plan, rows};
use crate::scenario::Document;

/// Arguments of `drill`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  failover-budget drill sweeps/drills/assistant.toml\n  failover-budget drill sweeps/drills/distributions.toml --replications 1000 --format json"
)]
pub struct Args {
    /// The service and what happens to it, a TOML file.
    service: PathBuf,
    /// Run so many replications and give the distributions of their figures.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=drill::MOST_REPLICATIONS))]
    replications: Option<u64>,
    /// The replication whose timeline is told.
    #[arg(long, value_name = "N", default_value_t = 0)]
    replication: u64,
    /// The master seed, in place of the drill's.
    #[arg(long)]
    seed: Option<u64>,
    /// Write the timeline as a picture (SVG).
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// End with exit code 1 unless every objective was met.
    #[arg(long)]
    strict: bool,
}

/// Runs the drill and prints what it came to.
///
/// # Errors
/// When the drill cannot be read or is not valid, or the picture cannot be written.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let plan = Plan::new(&document(&args.service)?).map_err(Failure::bad_input)?;
    let seed = args.seed.unwrap_or(plan.service.seed);
    let outcome = drill::run(&plan, seed, args.replication, true);
    if let Some(path) = &args.svg {
        let picture = drill::svg(&plan, &outcome).map_err(Failure::Failed)?;
        files::write(path, &picture)?;
        global.note(&format!("wrote {}", path.display()));
    }
    let all = args.replications.map(|count| drill::replicate(&plan, seed, count));
    match global.format {
        Format::Table => output::print(&text(&plan, &outcome, all.as_ref()))?,
        Format::Json => {
            let mut json = drill::outcome_json(&plan, &outcome, seed, args.replication);
            if let (Some(all), Some(object)) = (&all, json.as_object_mut()) {
                object.insert("distributions".to_owned(), drill::distributions_json(all));
            }
            output::print_json(&json)?;
        }
        Format::Csv => {
            let (headings, rows): (&[&str], _) = match &all {
                None => (&rows::FEATURES_CSV, rows::features_csv(&plan, &outcome)),
                Some(all) => (&rows::DISTRIBUTIONS_CSV, rows::distributions_csv(all)),
            };
            output::print(&output::csv_text(headings, &rows)?)?;
        }
    }
    let failed = args.strict && !rows::all_met(&plan, &outcome);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The drill in a file, laid over the one that it extends.
pub(super) fn document(path: &Path) -> Result<Document, Failure> {
    let over = scenario_file::document(path)?;
    let base = match over.table.get(EXTENDS) {
        None => return Ok(over),
        Some(toml::Value::String(base)) => path.with_file_name(base),
        Some(_) => {
            let message = "allowed: the name of a file beside this one, in quotes";
            return Err(Failure::bad_input(over.error(EXTENDS, message)));
        }
    };
    let base = scenario_file::document(&base).map_err(|_| {
        Failure::bad_input(
            over.error(EXTENDS, &format!("{} cannot be read as a drill", base.display())),
        )
    })?;
    drill::layered(&base, over).map_err(Failure::bad_input)
}

fn text(plan: &Plan, outcome: &drill::Outcome, all: Option<&Distributions>) -> String {
    let mut text = output::paragraph("", &format!("{}. {}", plan.service.name, plan.service.about));
    text += &format!("\n{}", table(&rows::TIMELINE, rows::timeline(plan, outcome)));
    text += &format!("\n{}", table(&rows::FEATURES, rows::features(plan, outcome)));
    text += &notes(plan, outcome);
    if let Some(all) = all {
        text += &format!(
            "\nOver {} replications; RTO figures are of the interruptions that ended, intervals at 95 %:\n\n{}",
            all.replications,
            table(&rows::DISTRIBUTIONS, rows::distributions(all))
        );
    }
    text
}

fn table(headings: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = output::table(headings.iter().copied());
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_cell_alignment(comfy_table::CellAlignment::Left);
    }
    output::table_text(&table).trim_end().to_owned() + "\n"
}

/// What was in flight, what held, and what is wrong with the plan.
fn notes(plan: &Plan, outcome: &drill::Outcome) -> String {
    let mut text = String::new();
    let mut note =
        |lead: &str, words: String| text += &format!("\n{}", output::paragraph(lead, &words));
    let flight = &outcome.in_flight;
    if *flight != InFlight::default() {
        note("In flight: ", in_flight(flight));
    }
    if !outcome.holds.is_empty() {
        note("Held: ", outcome.holds.join(", "));
    }
    for step in &plan.unstable_steps {
        note(
            "Not statically stable: ",
            format!("\"{}\" needs {}: {}", step.step, step.needs, step.why),
        );
    }
    let stuck = plan.features.iter().zip(&outcome.features);
    for (feature, why) in stuck.filter_map(|(plan, one)| Some((&plan.name, one.stuck.as_ref()?))) {
        note("Cannot move: ", format!("{feature}: {why}"));
    }
    note("", "Time to first token and replication lag are inputs, not results.".to_owned());
    text
}

fn in_flight(flight: &InFlight) -> String {
    format!(
        "{} streams lost ({} retried, {} given up); {} turns lost ({} replayed, {} notified); \
         {} runs with side effects broken off ({} reconciled, {} retried, {} done twice); \
         {} duplicate decision ids; {} turns copied back",
        flight.streams_lost,
        flight.streams_retried,
        flight.streams_given_up,
        flight.turns_lost,
        flight.turns_replayed,
        flight.turns_notified,
        flight.runs_interrupted,
        flight.runs_reconciled,
        flight.runs_retried,
        flight.runs_duplicated,
        flight.duplicate_decisions,
        flight.turns_copied_back,
    )
}
