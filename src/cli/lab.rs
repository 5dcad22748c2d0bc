//! `lab`: what each trigger costs, in false failovers and in detection delay.

use std::path::PathBuf;
use std::process::ExitCode;

use super::output::{self, csv_text, table, table_text};
use super::progress::Meter;
use super::{Failure, Format, Global, Outcome, scenario_file};
use crate::estimate::Estimate;
use crate::experiment::lab::{Lab, TriggerFigures};
use crate::law::Law;
use crate::scenario::{Scenario, lab_triggers};
use crate::time::Span;
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
    #[arg(long, value_name = "N")]
    seeds: Option<u64>,
    /// Simulated days in each replication.
    #[arg(long, value_name = "DAYS")]
    days: Option<f64>,
    /// The committed recovery time, like 15min or 900s; a bare number is seconds.
    #[arg(long, value_name = "TIME", value_parser = super::seconds_or_span)]
    rto: Option<Span>,
    /// Mean length of a blip, like 20s.
    #[arg(long, value_name = "TIME", value_parser = super::seconds_or_span)]
    blip_mean: Option<Span>,
    /// Mean healthy gap between blips, like 15min.
    #[arg(long, value_name = "TIME", value_parser = super::seconds_or_span)]
    blip_gap: Option<Span>,
    /// Time between probes, like 10s.
    #[arg(long, value_name = "TIME", value_parser = super::seconds_or_span)]
    interval: Option<Span>,
    /// The master seed.
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// A trigger to try instead of the default ones; may be repeated.
    #[arg(long, value_name = "TRIGGER")]
    trigger: Vec<Spec>,
}

/// Runs the command.
///
/// # Errors
/// When an input is wrong, or stdout cannot be written.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let scenario = scenario(args)?;
    for spec in &scenario.triggers {
        for warning in spec.warnings(scenario.probe.interval, scenario.probe.jitter) {
            global.note(&format!("{spec}: {warning}"));
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
        Format::Csv => output::print(&csv(&lab)?)?,
        Format::Table => output::print(&text(&scenario, &lab))?,
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
        scenario.run.length = Span::from_secs_f64(days * 86_400.0);
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
        let source =
            args.scenario.as_ref().map_or("arguments".into(), |path| path.display().to_string());
        Failure::BadInput(format!("{source}: {}: {}", wrong.key, wrong.message))
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

/// Digits that an interval's width is shown with.
const DIGITS: usize = 2;

fn text(scenario: &Scenario, lab: &Lab) -> String {
    let runs = format!(
        "{} replications of {} days, seed {}; intervals at {} %\n\n",
        lab.replications,
        lab.days,
        lab.seed,
        crate::estimate::LEVEL * 100.0
    );
    [
        runs,
        budget_text(scenario, lab),
        rates_text(lab),
        delays_text(lab),
        silence_text(lab),
        restarts_text(lab),
        deaths_text(lab),
    ]
    .concat()
}

fn budget_text(scenario: &Scenario, lab: &Lab) -> String {
    let targets = lab.budget.tiers.iter().map(|tier| tier.target.clone());
    let headings = ["trigger".to_owned(), "patience".to_owned()].into_iter().chain(targets);
    let mut rows = table(headings);
    for trigger in &lab.triggers {
        let recovery = trigger.recovery.iter().map(|recovery| match &recovery.rto_met {
            Some(met) => format!("{:.0} s, met {}", recovery.recovery_s, met.show(1)),
            None if recovery.meets_rto => format!("{:.0} s", recovery.recovery_s),
            None => format!("{:.0} s over", recovery.recovery_s),
        });
        let head = [trigger.trigger.clone(), format!("{} s", trigger.patience_s)];
        rows.add_row(head.into_iter().chain(recovery));
    }
    let tier_row = |name: &str, show: &dyn Fn(&crate::budget::TierRow) -> String| {
        let cells = lab.budget.tiers.iter().map(show);
        [name.to_owned(), String::new()].into_iter().chain(cells).collect::<Vec<String>>()
    };
    rows.add_row(tier_row("room for detection", &|tier| format!("{:.0} s", tier.room_s)));
    rows.add_row(tier_row("largest k that fits", &|tier| {
        tier.largest_consecutive.map_or("none".to_owned(), |k| k.to_string())
    }));
    let title = format!(
        "Recovery from the first failed probe, against an RTO of {} s\n",
        scenario.rto.as_secs_f64()
    );
    title + &table_text(&rows)
}

fn exact(estimate: &Estimate) -> String {
    match estimate.exact {
        None => "-".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(exact) if exact.abs() < 1e-3 => format!("{exact:.3e}"),
        Some(exact) => format!("{exact:.4}"),
    }
}

fn rates_text(lab: &Lab) -> String {
    let mut rows = table(["trigger", "patience", "false failovers a day", "exact"]);
    for trigger in &lab.triggers {
        rows.add_row([
            trigger.trigger.clone(),
            format!("{} s", trigger.patience_s),
            trigger.false_failovers_per_day.show(DIGITS),
            exact(&trigger.false_failovers_per_day),
        ]);
    }
    "False failovers a day: firings while no outage is in progress\n".to_owned()
        + &table_text(&rows)
}

fn delays_text(lab: &Lab) -> String {
    let mut rows =
        table(["trigger", "mean, s", "p50, s", "p99, s", "max, s", "already fired", "missed"]);
    let seconds = |estimate: &Option<Estimate>| {
        estimate.as_ref().map_or("-".to_owned(), |estimate| estimate.show(1))
    };
    for trigger in &lab.triggers {
        let detection = &trigger.detection_s;
        rows.add_row([
            trigger.trigger.clone(),
            seconds(&detection.mean),
            seconds(&detection.p50),
            seconds(&detection.p99),
            detection.max.map_or("-".to_owned(), |max| format!("{max:.0}")),
            percent(&detection.already_fired),
            percent(&detection.missed),
        ]);
    }
    "Detection delay of an outage at a random instant\n".to_owned() + &table_text(&rows)
}

fn percent(share: &Estimate) -> String {
    format!("{} %", share.scaled(100.0).show(1))
}

fn share_rows(
    lab: &Lab,
    headings: [&str; 5],
    pick: impl Fn(&TriggerFigures) -> (Estimate, Estimate),
) -> String {
    let mut rows = table(headings);
    for trigger in &lab.triggers {
        let (first, second) = pick(trigger);
        rows.add_row([
            trigger.trigger.clone(),
            percent(&first),
            exact(&first.scaled(100.0)),
            percent(&second),
            exact(&second.scaled(100.0)),
        ]);
    }
    table_text(&rows)
}

fn silence_text(lab: &Lab) -> String {
    let headings = ["trigger", "silence ignored", "exact, %", "silence a failure", "exact, %"];
    "Dark outages caught: the region takes its prober along\n".to_owned()
        + &share_rows(lab, headings, |t| (t.dark_caught.ignored, t.dark_caught.failure))
}

fn restarts_text(lab: &Lab) -> String {
    let headings = ["trigger", "armed at once", "exact, %", "after a full window", "exact, %"];
    "Restarts at a random instant that lead to a false failover\n".to_owned()
        + &share_rows(lab, headings, |t| (t.restart_fires.immediate, t.restart_fires.full_window))
}

fn deaths_text(lab: &Lab) -> String {
    let headings = ["trigger", "silence ignored", "exact, %", "silence a failure", "exact, %"];
    "Prober deaths that lead to a false failover: the price of hearing silence\n".to_owned()
        + &share_rows(lab, headings, |t| {
            (t.prober_death_fires.ignored, t.prober_death_fires.failure)
        })
}

fn csv(lab: &Lab) -> Result<String, Failure> {
    let mut headings = vec!["trigger", "patience_s"];
    let names = [
        [
            "false_failovers_per_day",
            "false_failovers_per_day_lo",
            "false_failovers_per_day_hi",
            "false_failovers_per_day_exact",
        ],
        [
            "detection_mean_s",
            "detection_mean_s_lo",
            "detection_mean_s_hi",
            "detection_mean_s_exact",
        ],
        ["detection_p50_s", "detection_p50_s_lo", "detection_p50_s_hi", "detection_p50_s_exact"],
        ["detection_p99_s", "detection_p99_s_lo", "detection_p99_s_hi", "detection_p99_s_exact"],
        ["already_fired", "already_fired_lo", "already_fired_hi", "already_fired_exact"],
        ["missed", "missed_lo", "missed_hi", "missed_exact"],
        [
            "dark_caught_ignored",
            "dark_caught_ignored_lo",
            "dark_caught_ignored_hi",
            "dark_caught_ignored_exact",
        ],
        [
            "dark_caught_failure",
            "dark_caught_failure_lo",
            "dark_caught_failure_hi",
            "dark_caught_failure_exact",
        ],
        [
            "restart_fires_immediate",
            "restart_fires_immediate_lo",
            "restart_fires_immediate_hi",
            "restart_fires_immediate_exact",
        ],
        [
            "restart_fires_full_window",
            "restart_fires_full_window_lo",
            "restart_fires_full_window_hi",
            "restart_fires_full_window_exact",
        ],
        [
            "prober_death_fires_ignored",
            "prober_death_fires_ignored_lo",
            "prober_death_fires_ignored_hi",
            "prober_death_fires_ignored_exact",
        ],
        [
            "prober_death_fires_failure",
            "prober_death_fires_failure_lo",
            "prober_death_fires_failure_hi",
            "prober_death_fires_failure_exact",
        ],
    ];
    headings.extend(names.iter().flatten());
    let row = |trigger: &TriggerFigures| {
        let detection = &trigger.detection_s;
        let estimates = [
            Some(trigger.false_failovers_per_day),
            detection.mean,
            detection.p50,
            detection.p99,
            Some(detection.already_fired),
            Some(detection.missed),
            Some(trigger.dark_caught.ignored),
            Some(trigger.dark_caught.failure),
            Some(trigger.restart_fires.immediate),
            Some(trigger.restart_fires.full_window),
            Some(trigger.prober_death_fires.ignored),
            Some(trigger.prober_death_fires.failure),
        ];
        let number =
            |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        let cells = estimates.into_iter().flat_map(|estimate| {
            let exact = estimate.and_then(|e| e.exact);
            [estimate.map(|e| e.value), estimate.map(|e| e.lo), estimate.map(|e| e.hi), exact]
                .map(number)
        });
        let head = [trigger.trigger.clone(), trigger.patience_s.to_string()];
        head.into_iter().chain(cells).collect()
    };
    let rows: Vec<Vec<String>> = lab.triggers.iter().map(row).collect();
    csv_text(&headings, &rows)
}
