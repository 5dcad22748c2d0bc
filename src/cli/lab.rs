//! `lab`: what each trigger costs, in false failovers and in detection delay.

mod csv;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use super::progress::Meter;
use super::{Failure, Format, Global, Outcome, output, scenario_file};
use crate::experiment::lab::Lab;
use crate::law::Law;
use crate::scenario::{Scenario, lab_triggers};
use crate::time::{LONGEST, Span};
use crate::trigger::Spec;

/// The lab: what each trigger costs, in false failovers and in detection delay.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  failover-budget lab
  failover-budget lab --blip-mean 60s --trigger consecutive:12 --trigger m-of-n:9/12
  failover-budget lab scenario.toml --seeds 1000 --format json")]
pub struct Args {
    /// A scenario in TOML; the lab's defaults when left out.
    scenario: Option<PathBuf>,
    /// Replications to run, each with a seed of its own.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = whole)]
    seeds: Option<u64>,
    /// Simulated days in each replication.
    #[arg(long, value_name = "DAYS", allow_hyphen_values = true, value_parser = days)]
    days: Option<Span>,
    /// The committed recovery time, like 15min or 900s; a bare number is seconds.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = super::seconds_or_span)]
    rto: Option<Span>,
    /// Mean length of a blip, like 20s.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = super::seconds_or_span)]
    blip_mean: Option<Span>,
    /// Mean healthy gap between blips, like 15min.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = super::seconds_or_span)]
    blip_gap: Option<Span>,
    /// Time between probes, like 10s.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = super::seconds_or_span)]
    interval: Option<Span>,
    /// The master seed.
    #[arg(long, value_name = "SEED", allow_hyphen_values = true, value_parser = whole)]
    seed: Option<u64>,
    /// A trigger to try instead of the default ones; may be repeated.
    #[arg(long, value_name = "TRIGGER")]
    trigger: Vec<Spec>,
}

impl Args {
    /// The flag that gave the value at this key of the scenario, if one did.
    fn flag_of(&self, key: &str) -> Option<&'static str> {
        let flags = [
            ("run.replications", "--seeds", self.seeds.is_some()),
            ("run.length", "--days", self.days.is_some()),
            ("rto", "--rto", self.rto.is_some()),
            ("blips.length", "--blip-mean", self.blip_mean.is_some()),
            ("blips.gap", "--blip-gap", self.blip_gap.is_some()),
            ("probe.interval", "--interval", self.interval.is_some()),
        ];
        let given = flags.into_iter().find(|(of, _, given)| *of == key && *given);
        given.map(|(_, flag, _)| flag)
    }
}

/// Reads a number of days, or a length of time with a unit.
fn days(text: &str) -> Result<Span, String> {
    match text.trim().parse::<f64>() {
        Ok(days) if days.abs() <= LONGEST.as_days_f64() => Ok(Span::from_secs_f64(days * 86_400.0)),
        Ok(_) => Err(format!("`{text}` is no number of days; allowed: up to 36525")),
        Err(_) => super::seconds_or_span(text),
    }
}

fn whole(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("`{text}` is no whole number; write it like 1000"))
}

/// Runs the command.
///
/// # Errors
/// When an input is wrong, or stdout cannot be written.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let scenario = scenario(args)?;
    scenario_file::note_short_runs(&scenario, global);
    scenario_file::note_crowded_outages(&scenario, global);
    let mut noted = Vec::new();
    for spec in &scenario.triggers {
        for warning in spec.warnings(scenario.probe.interval, scenario.probe.jitter) {
            // A trigger may stand twice in the list.
            if !noted.contains(&warning) {
                global.note(&warning.to_string());
                noted.push(warning);
            }
        }
    }
    let meter = Meter::start(global, "replications", scenario.run.replications);
    let lab = Lab::run(scenario.clone(), |done| meter.add(done));
    meter.finish();
    let lab = lab.map_err(|why| Failure::BadInput(format!("{}: {}", why.key, why.message)))?;
    match global.format {
        Format::Json => {
            let json = serde_json::to_value(&lab).map_err(Failure::failed)?;
            output::print_json(&json)?;
        }
        Format::Csv => output::print(&csv::text(&lab)?)?,
        Format::Table => output::print(&tables::text(&lab))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn scenario(args: &Args) -> Result<Scenario, Failure> {
    let mut scenario = scenario_file::scenario(args.scenario.as_deref())?;
    let own_triggers = args.scenario.is_some() && scenario.triggers != lab_triggers();
    if let Some(seeds) = args.seeds {
        scenario.run.replications = seeds;
    }
    if let Some(days) = args.days {
        scenario.run.length = days;
    }
    if let Some(seed) = args.seed {
        scenario.run.seed = seed;
    }
    if let Some(interval) = args.interval {
        scenario.probe.interval = interval;
    }
    if let Some(rto) = args.rto {
        scenario.rto = rto;
    }
    set_blips(args, &mut scenario)?;
    if !args.trigger.is_empty() {
        scenario.triggers = args.trigger.clone();
    } else if !own_triggers {
        scenario.triggers = with_window_of_rto(scenario.rto);
    }
    scenario.validate().map_err(|wrong| {
        let source = match (args.flag_of(&wrong.key), &args.scenario) {
            (Some(flag), _) => flag.to_owned(),
            (None, Some(path)) => format!("{}: {}", path.display(), wrong.key),
            (None, None) => wrong.key,
        };
        Failure::BadInput(format!("{source}: {}", wrong.message))
    })?;
    Ok(scenario)
}

fn set_blips(args: &Args, scenario: &mut Scenario) -> Result<(), Failure> {
    for (flag, mean, is_length) in
        [("--blip-mean", args.blip_mean, true), ("--blip-gap", args.blip_gap, false)]
    {
        let Some(mean) = mean else { continue };
        let [source] = &mut scenario.blips.0[..] else {
            let count = scenario.blips.0.len();
            return Err(Failure::BadInput(format!(
                "{flag}: the scenario has {count} blip sources and the flag does not say which; set the \
                 mean in the file"
            )));
        };
        let law: &mut Law = if is_length { &mut source.length } else { &mut source.gap };
        *law = law
            .with_mean(mean.as_secs_f64())
            .map_err(|why| Failure::BadInput(format!("{flag}: {why}")))?;
    }
    Ok(())
}

/// The lab's triggers, the last of them a window as long as the RTO.
fn with_window_of_rto(rto: Span) -> Vec<Spec> {
    let window = Spec::Window { window: rto };
    let mut triggers = lab_triggers();
    triggers.pop();
    if rto.is_positive() && !triggers.contains(&window) {
        triggers.push(window);
    }
    triggers
}
