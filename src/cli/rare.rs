//! `rare`: the rate of false failovers too rare to be counted in ordinary runs.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use super::output::{self, csv_text, table, table_text};
use super::progress::Meter;
use super::{Failure, Format, Global, Outcome, scenario_file};
use crate::experiment::rare::{self, Aim, Rare};
use crate::experiment::{Environment, Setting, figures};
use crate::trigger::Spec;

/// The rate of false failovers too rare to be counted in ordinary runs, by splitting.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  failover-budget rare --trigger m-of-n:20/24
  failover-budget rare scenario.toml --trigger success-rate:0.9/60s/180s --within 5%")]
pub struct Args {
    /// A scenario in TOML; the lab's defaults when left out.
    scenario: Option<PathBuf>,
    /// A trigger to try instead of the scenario's; may be repeated.
    #[arg(long, value_name = "TRIGGER")]
    trigger: Vec<Spec>,
    /// Stop when half the interval is at most this share of the rate.
    #[arg(long, value_name = "SHARE", default_value = "10%", value_parser = share)]
    within: f64,
    /// Stop at this many replications in any case.
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    most_replications: u64,
    /// The master seed.
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
}

/// One trigger's answer.
#[derive(Debug, Serialize)]
struct Answer {
    trigger: String,
    patience_s: f64,
    #[serde(flatten)]
    rare: Rare,
}

fn share(text: &str) -> Result<f64, String> {
    let percent = text.trim().strip_suffix('%').map(|number| number.trim().parse::<f64>());
    match percent {
        Some(Ok(percent)) if percent > 0.0 && percent <= 100.0 => Ok(percent / 100.0),
        _ => Err(format!("`{text}` is not a share; write it like 10%, above 0% and up to 100%")),
    }
}

/// Runs the command.
///
/// # Errors
/// When an input is wrong, or stdout cannot be written.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let mut scenario = scenario_file::scenario(args.scenario.as_deref())?;
    if let Some(seed) = args.seed {
        scenario.run.seed = seed;
    }
    if !args.trigger.is_empty() {
        scenario.triggers = args.trigger.clone();
    }
    let aim = Aim { relative: args.within, most_replications: args.most_replications };
    let environment = Environment::new(scenario)
        .map_err(|why| Failure::BadInput(format!("{}: {}", why.key, why.message)))?;
    scenario_file::note_short_runs(&environment.scenario, global);
    let settings = environment.settings();
    let most = args.most_replications * settings.len() as u64;
    let meter = Meter::start(global, "replications at most", most);
    let answers: Vec<Answer> =
        settings.iter().map(|setting| answer(&environment, setting, aim, &meter)).collect();
    meter.finish();
    for answer in &answers {
        for warning in &answer.rare.reliability.warnings {
            global.note(&format!("{}: {warning}", answer.trigger));
        }
    }
    print(&environment, &answers, global)?;
    Ok(ExitCode::SUCCESS)
}

fn answer(environment: &Environment, setting: &Setting, aim: Aim, meter: &Meter) -> Answer {
    let interval = environment.scenario.probe.interval;
    let mut rare = rare::rate(environment, setting, aim, |done| meter.add(done));
    if matches!(setting.spec, Spec::Consecutive { .. } | Spec::Window { .. }) {
        let k = setting.spec.checks_to_fire(interval);
        if let Some(theory) = figures::theory(&environment.scenario, k) {
            rare.false_failovers_per_day =
                rare.false_failovers_per_day.with_exact(theory.run_rate_per_day(k));
        }
    }
    let patience_s = setting.spec.patience(interval).as_secs_f64();
    Answer { trigger: setting.spec.to_string(), patience_s, rare }
}

fn print(environment: &Environment, answers: &[Answer], global: &Global) -> Result<(), Failure> {
    match global.format {
        Format::Json => output::print_json(&serde_json::json!({
            "schema": "failover-budget/rare/1",
            "seed": environment.scenario.run.seed,
            "days": environment.scenario.run.length.as_days_f64(),
            "triggers": answers,
        })),
        Format::Csv => output::print(&csv(answers)?),
        Format::Table => output::print(&text(answers)),
    }
}

fn csv(answers: &[Answer]) -> Result<String, Failure> {
    let headings = [
        "trigger",
        "patience_s",
        "false_failovers_per_day",
        "false_failovers_per_day_lo",
        "false_failovers_per_day_hi",
        "false_failovers_per_day_exact",
        "replications",
        "levels",
        "effective_replications",
    ];
    let row = |answer: &Answer| -> Vec<String> {
        let rate = &answer.rare.false_failovers_per_day;
        vec![
            answer.trigger.clone(),
            answer.patience_s.to_string(),
            rate.value.to_string(),
            rate.lo.to_string(),
            rate.hi.to_string(),
            rate.exact.map_or(String::new(), |exact| exact.to_string()),
            answer.rare.replications.to_string(),
            answer.rare.levels.len().to_string(),
            answer.rare.reliability.effective_replications.to_string(),
        ]
    };
    csv_text(&headings, &answers.iter().map(row).collect::<Vec<_>>())
}

fn text(answers: &[Answer]) -> String {
    let headings =
        ["trigger", "patience", "false failovers a day", "exact", "once in", "levels", "runs"];
    let mut rows = table(headings);
    for answer in answers {
        let rate = &answer.rare.false_failovers_per_day;
        rows.add_row([
            answer.trigger.clone(),
            format!("{} s", answer.patience_s),
            rate.show(1),
            rate.exact.map_or("-".to_owned(), |exact| format!("{exact:.3e}")),
            once_in(rate.value),
            answer.rare.levels.len().to_string(),
            answer.rare.replications.to_string(),
        ]);
    }
    table_text(&rows)
}

/// The time from one to the next, in the unit that people would use.
fn once_in(per_day: f64) -> String {
    if per_day <= 0.0 {
        return "-".to_owned();
    }
    match 1.0 / per_day {
        days if days < 2.0 => format!("{:.1} h", days * 24.0),
        days if days < 730.0 => format!("{days:.0} days"),
        days if days < 3_652_500.0 => format!("{:.0} years", days / 365.25),
        days => format!("{:.1e} years", days / 365.25),
    }
}
