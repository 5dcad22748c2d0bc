//! The command line: arguments → library → print. One file a subcommand.
//!
//! Nothing but this module prints, reads the clock or sets an exit code. It holds no arithmetic of
//! figures: what it prints, the library has made.

pub mod advise;
pub mod budget;
pub mod completions;
pub mod drill;
pub mod export;
pub mod files;
pub mod fit;
pub mod gate;
pub mod import_config;
pub mod lab;
pub mod man;
pub mod merge;
pub mod output;
pub mod plot;
pub mod progress;
pub mod rare;
pub mod recording;
pub mod replay;
pub mod report;
pub mod results_text;
pub mod review;
pub mod scenario_file;
pub mod shard;
pub mod sweep;
pub mod sweep_drill;
pub mod trace;

use std::fmt;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use crate::time::{LONGEST, Span, SpanError};

/// Exit code of bad usage or bad input.
const BAD_INPUT: u8 = 2;

/// How long should a failover controller wait, and what does that cost?
#[derive(Debug, Parser)]
#[command(name = "failover-budget", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Example:\n  failover-budget lab --rto 15min --blip-mean 20s")]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options that every command takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Global {
    /// How results are printed on stdout.
    #[arg(display_order = 901, long, global = true, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// How progress is shown on stderr.
    #[arg(display_order = 902, long, global = true, value_enum, default_value_t = Progress::Auto)]
    pub progress: Progress,
    /// Threads to use; all cores when left out. Results do not depend on it.
    #[arg(display_order = 903, long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print no progress and no notes on stderr, only errors.
    #[arg(display_order = 904, short, long, global = true)]
    pub quiet: bool,
}

impl Global {
    /// Says something on stderr, unless asked to be quiet.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            say(&format!("note: {text}"));
        }
    }
}

/// A line on stderr. That nobody reads it, or that it is full, is no reason to stop.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Reads a length of time from the command line; a bare number is seconds.
///
/// # Errors
/// In the words of [`Span`]'s parser.
pub fn seconds_or_span(text: &str) -> Result<Span, String> {
    match text.trim().parse::<f64>() {
        Ok(seconds) if seconds.abs() > LONGEST.as_secs_f64() => {
            Err(SpanError::TooLong(text.to_owned()).to_string())
        }
        Ok(seconds) if seconds.is_finite() => Ok(Span::from_secs_f64(seconds)),
        Ok(_) => Err(format!("`{text}` is not a length of time; write it like 10s or 15min")),
        Err(_) => text.parse().map_err(|why: SpanError| why.to_string()),
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, within 100 columns.
    Table,
    /// One JSON object.
    Json,
    /// Comma-separated values with a header line.
    Csv,
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// A bar on a terminal, plain lines elsewhere.
    Auto,
    /// A bar.
    Bar,
    /// A line now and then.
    Plain,
    /// Nothing.
    None,
}

/// The commands.
#[derive(Debug, Subcommand)]
enum Command {
    /// The lab: what each trigger costs, in false failovers and in detection delay.
    Lab(lab::Args),
    /// The stages per standby target, the room they leave, and which triggers fit; no simulation.
    Budget(budget::Args),
    /// Which trigger, on which standby target, at what cost; or why none meets RTO and limit.
    Advise(advise::Args),
    /// The production checklist as pass, fail or unknown, with the evidence.
    Review(review::Args),
    /// Refit blips, gaps and outages to recorded probe histories; writes a scenario and charts.
    Fit(fit::Args),
    /// What every trigger would have done over recorded probe histories, beside the fitted model.
    Replay(replay::Args),
    /// A trigger as the configuration of a product that people run, and what that product makes of it.
    Export(export::Args),
    /// Which trigger a configuration that exists amounts to, its patience, and what it does with silence.
    ImportConfig(import_config::Args),
    /// What a shell needs to complete this program's words.
    Completions(completions::Args),
    /// The manual pages of this program and its commands.
    Man(man::Args),
    /// One replication as a timeline: faults, checks, decisions, failovers.
    Trace(trace::Args),
    /// Run a grid of scenarios; writes Parquet, charts and a manifest.
    Sweep(sweep::Args),
    /// Put the shards of a sweep together; gives the bytes of a single run.
    Merge(merge::Args),
    /// Draw the charts of a folder of results again.
    Plot(plot::Args),
    /// One page of results: the answer, the charts and how sure they are, in one file.
    Report(report::Args),
    /// The rate of false failovers too rare to be counted in ordinary runs, by splitting.
    Rare(rare::Args),
    /// May this standby serve, and everything in which it differs from the primary.
    Gate(gate::Args),
    /// A failover exercised end to end: timeline, measured RTO and RPO, what was lost.
    Drill(drill::Args),
}

/// Why a command ended without doing its work.
#[derive(Debug)]
pub enum Failure {
    /// The arguments or an input are wrong: exit code 2.
    BadInput(String),
    /// It could not be done: exit code 1.
    Failed(String),
}

impl Failure {
    /// A failure of input, from any error.
    pub fn bad_input(error: impl fmt::Display) -> Self {
        Failure::BadInput(error.to_string())
    }

    /// A failure of the work, from any error.
    pub fn failed(error: impl fmt::Display) -> Self {
        Failure::Failed(error.to_string())
    }
}

/// What a command returns.
pub type Outcome = Result<ExitCode, Failure>;

/// The Parquet library gives up on some broken files by panicking. That is caught where files are read,
/// and told as an error; what it says itself would only look like a crash.
fn keep_parquet_quiet() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !panic.location().is_some_and(|place| place.file().contains("/polars")) {
            usual(panic);
        }
    }));
}

/// Reads the arguments, runs the command and reports how it ended.
pub fn main() -> ExitCode {
    keep_parquet_quiet();
    let cli = Cli::parse();
    if let Some(threads) = cli.global.threads {
        // Fails only if a pool exists already, and nothing has run before this.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    match run(&cli) {
        Ok(code) => code,
        Err(Failure::BadInput(message)) => {
            say(&format!("error: {message}"));
            ExitCode::from(BAD_INPUT)
        }
        Err(Failure::Failed(message)) => {
            say(&format!("error: {message}"));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: &Cli) -> Outcome {
    let global = &cli.global;
    match &cli.command {
        Command::Lab(args) => lab::run(args, global),
        Command::Budget(args) => budget::run(args, global),
        Command::Advise(args) => advise::run(args, global),
        Command::Review(args) => review::run(args, global),
        Command::Fit(args) => fit::run(args, global),
        Command::Replay(args) => replay::run(args, global),
        Command::Export(args) => export::run(args, global),
        Command::ImportConfig(args) => import_config::run(args, global),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
        Command::Trace(args) => trace::run(args, global),
        Command::Sweep(args) => sweep::run(args, global),
        Command::Merge(args) => merge::run(args, global),
        Command::Plot(args) => plot::run(args, global),
        Command::Report(args) => report::run(args, global),
        Command::Rare(args) => rare::run(args, global),
        Command::Gate(args) => gate::run(args, global),
        Command::Drill(args) => drill::run(args, global),
    }
}
