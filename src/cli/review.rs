//! `review`: the production checklist as pass, fail or unknown, with the evidence.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::gate::{now_if_needed, read};
use super::output::{csv_text, paragraph};
use super::{Failure, Format, Global, Outcome, output, scenario_file};
use crate::advise::review::{Review, StandbyConfig, Subject, Verdict, Written, review};
use crate::gate::{self, Answer, Difference, Policy};
use crate::scenario::{Document, Scenario};
use crate::trigger::Spec;

/// Arguments of `review`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  failover-budget review sweeps/advise/reviewed.toml
  failover-budget review scenario.toml --trigger window:900s --strict
  failover-budget review scenario.toml --today 2026-11-30 --format json")]
pub struct Args {
    /// The scenario, a TOML file; what it does not write is unknown.
    scenario: Option<PathBuf>,
    /// The trigger that runs in production, in place of the scenario's list; may be repeated.
    #[arg(long = "trigger", value_name = "TRIGGER")]
    triggers: Vec<Spec>,
    /// Exit with 1 when an item fails, for CI.
    #[arg(long)]
    strict: bool,
    /// With --strict, exit with 1 also when an item is unknown.
    #[arg(long, requires = "strict")]
    unknown_fails: bool,
    /// The day as of which the last exercise is judged, like 2026-11-30; today when left out.
    #[arg(long, value_name = "DAY")]
    today: Option<jiff::civil::Date>,
}

/// Reviews the scenario and prints the checklist.
///
/// # Errors
/// When the scenario cannot be read or is not valid.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let (scenario, written) = scenario(args)?;
    let subject = Subject {
        scenario: &scenario,
        written: &written,
        today: args.today.unwrap_or_else(|| jiff::Zoned::now().date()),
        standby: standby(args, &scenario),
    };
    let bad = |wrong: crate::scenario::validate::Broken| {
        Failure::BadInput(format!("{}: {}", wrong.key, wrong.message))
    };
    let review = review(&subject).map_err(bad)?;
    match global.format {
        Format::Table => output::print(&text(&review))?,
        Format::Json => {
            output::print_json(&serde_json::to_value(&review).map_err(Failure::failed)?)?;
        }
        Format::Csv => output::print(&csv(&review)?)?,
    }
    let failed = review.failed > 0 || args.unknown_fails && review.unknown > 0;
    Ok(if args.strict && failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn scenario(args: &Args) -> Result<(Scenario, Written), Failure> {
    let document = match &args.scenario {
        Some(path) => scenario_file::document(path)?,
        None => Document::new("the lab's defaults", "").map_err(Failure::bad_input)?,
    };
    let mut scenario = Scenario::from_document(&document).map_err(Failure::bad_input)?;
    let mut written = Written::new(document.table);
    if !args.triggers.is_empty() {
        scenario.triggers = args.triggers.clone();
        written.add("triggers");
    }
    Ok((scenario, written))
}

/// Compares the manifests that the scenario names; they stand beside it unless their paths say
/// otherwise.
fn standby(args: &Args, scenario: &Scenario) -> StandbyConfig {
    let ownership = &scenario.ownership;
    let (Some(primary), Some(standby)) = (&ownership.primary_manifest, &ownership.standby_manifest)
    else {
        return StandbyConfig::NotNamed;
    };
    let folder = args.scenario.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let answer = || -> Result<Answer, Failure> {
        let primary = read(&folder.join(primary), gate::manifest)?;
        let standby = read(&folder.join(standby), gate::manifest)?;
        let policy = match &ownership.gate_policy {
            Some(policy) => read(&folder.join(policy), gate::policy)?,
            None => Policy::default(),
        };
        Ok(gate::decide(&primary, &standby, &policy, now_if_needed(&policy)))
    };
    match answer() {
        Ok(answer) => {
            let said = |found: &Difference| format!("{}: {}", found.subject, found.why);
            let differences = answer.differences.iter().map(said).collect();
            match answer.decision.serves() {
                true => StandbyConfig::Fit(differences),
                false => StandbyConfig::Differs(differences),
            }
        }
        Err(Failure::BadInput(why) | Failure::Failed(why)) => StandbyConfig::Unreadable(why),
    }
}

fn text(review: &Review) -> String {
    let mut text = format!("{}, as of {}\n\n", review.scenario, review.today);
    for item in &review.items {
        let verdict = match item.verdict {
            Verdict::Fail => "FAIL".to_owned(),
            other => other.name().to_owned(),
        };
        text += &paragraph(&format!("{verdict:<9}"), &format!("{}: {}", item.item, item.asks));
        text += &paragraph("           ", &item.evidence);
    }
    text + &format!(
        "\n{} pass, {} fail, {} unknown\n",
        review.passed, review.failed, review.unknown
    )
}

fn csv(review: &Review) -> Result<String, Failure> {
    let rows: Vec<Vec<String>> = review
        .items
        .iter()
        .map(|item| {
            vec![
                item.item.to_owned(),
                item.verdict.name().to_owned(),
                item.asks.to_owned(),
                item.evidence.clone(),
            ]
        })
        .collect();
    csv_text(&["item", "verdict", "asks", "evidence"], &rows)
}
