//! `advise`: the patience that meets an RTO and a false-failover limit, or why none does.

mod costs;
mod csv;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;

use super::{Failure, Format, Global, Outcome, output, scenario_file};
use crate::advise::{Limit, Plausible, Preference, Question, advise};
use crate::scenario::validate::Broken;
use crate::scenario::{Scenario, Tier};
use crate::time::Span;

/// Arguments of `advise`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  failover-budget advise --max-false-failovers 1/30d
  failover-budget advise scenario.toml --max-false-failovers 1/90d --rto 15min --tier warm
  failover-budget advise sweeps/advise/example.toml --choose cheap --format json
  failover-budget advise scenario.toml --max-false-failovers 1/30d --fit fit.json")]
pub struct Args {
    /// The scenario, a TOML file; the lab's defaults when left out.
    scenario: Option<PathBuf>,
    /// The most false failovers that are accepted, so many in a length of time, like 1/30d; the
    /// scenario's ownership.max_false_failovers when left out.
    #[arg(long, value_name = "N/TIME")]
    max_false_failovers: Option<Limit>,
    /// The committed recovery time, like 15min or 900s, in place of the scenario's; a bare number is
    /// seconds.
    #[arg(long, value_name = "TIME", value_parser = super::seconds_or_span, allow_hyphen_values = true)]
    rto: Option<Span>,
    /// Look at targets of this tier only; may be repeated.
    #[arg(long = "tier", value_enum, value_name = "TIER")]
    tiers: Vec<OfTier>,
    /// What `fit --format json` printed: its laws take the place of the scenario's blips, and those of
    /// an Akaike weight of 0.05 or more are tried.
    #[arg(long, value_name = "FILE")]
    fit: Option<PathBuf>,
    /// Which trigger of a feasible band is chosen.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Choose::Robust)]
    choose: Choose,
}

/// The tiers, as words of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OfTier {
    /// Serving the model.
    Hot,
    /// Has capacity, no weights.
    Warm,
    /// Has neither.
    Cold,
}

/// The preferences, as words of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Choose {
    /// The shortest that also keeps to the limit if blips last twice as long, and under every law of
    /// the refit; the longest where none does.
    Robust,
    /// The shortest: the fastest that keeps to the limit.
    Fast,
    /// The longest: the quietest that meets the RTO.
    Quiet,
    /// The cheapest by the scenario's prices.
    Cheap,
}

impl From<OfTier> for Tier {
    fn from(tier: OfTier) -> Self {
        match tier {
            OfTier::Hot => Tier::Hot,
            OfTier::Warm => Tier::Warm,
            OfTier::Cold => Tier::Cold,
        }
    }
}

impl From<Choose> for Preference {
    fn from(choose: Choose) -> Self {
        match choose {
            Choose::Robust => Preference::Robust,
            Choose::Fast => Preference::Fast,
            Choose::Quiet => Preference::Quiet,
            Choose::Cheap => Preference::Cheap,
        }
    }
}

/// Works out the advice and prints it.
///
/// # Errors
/// When an input cannot be read or is not valid.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let scenario = scenario(args)?;
    let question = question(args, &scenario)?;
    if question.preference == Preference::Cheap && scenario.cost.is_empty() {
        return Err(Failure::BadInput(
            "--choose cheap: the scenario has no prices; write them under [cost]".to_owned(),
        ));
    }
    scenario_file::note_short_runs(&scenario, global);
    let advice = advise(&scenario, &question).map_err(refused)?;
    match global.format {
        Format::Table => output::print(&tables::text(&advice))?,
        Format::Json => {
            output::print_json(&serde_json::to_value(&advice).map_err(Failure::failed)?)?;
        }
        Format::Csv => output::print(&csv::text(&advice)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with a valid file was put there by a flag.
fn refused(wrong: Broken) -> Failure {
    Failure::BadInput(format!("--{}: {}", wrong.key, wrong.message))
}

fn scenario(args: &Args) -> Result<Scenario, Failure> {
    let mut scenario = scenario_file::scenario(args.scenario.as_deref())?;
    if let Some(rto) = args.rto {
        scenario.rto = rto;
    }
    scenario.validate().map_err(refused)?;
    Ok(scenario)
}

fn question(args: &Args, scenario: &Scenario) -> Result<Question, Failure> {
    let stated = scenario.ownership.max_false_failovers.as_deref();
    let limit = match (args.max_false_failovers, stated) {
        (Some(limit), _) => limit,
        (None, Some(stated)) => stated
            .parse()
            .map_err(|why| Failure::BadInput(format!("ownership.max_false_failovers: {why}")))?,
        (None, None) => {
            return Err(Failure::BadInput(
                "--max-false-failovers is not given, nor has the scenario ownership.max_false_failovers; \
                 say how many false failovers you accept, like 1/30d"
                    .to_owned(),
            ));
        }
    };
    let plausible = args.fit.as_deref().map(|path| {
        let text = scenario_file::text(path)?;
        Plausible::from_json(&path.display().to_string(), &text).map_err(Failure::bad_input)
    });
    Ok(Question {
        limit,
        preference: args.choose.into(),
        tiers: args.tiers.iter().map(|tier| Tier::from(*tier)).collect(),
        plausible: plausible.transpose()?,
    })
}
