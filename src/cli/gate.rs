//! `gate`: may this standby serve, and everything in which it differs from the primary.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{Failure, Format, Global, Outcome, output, scenario_file};
use crate::gate::{self, Answer, Difference, FeatureAnswer, Policy, Watermark};

/// Arguments of `gate`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  failover-budget gate sweeps/gate/primary.toml sweeps/gate/serve.toml --policy sweeps/gate/policy.toml --strict"
)]
pub struct Args {
    /// Manifest of the primary, TOML or JSON.
    primary: PathBuf,
    /// Manifest of the standby, TOML or JSON.
    standby: PathBuf,
    /// What the gate lets pass, TOML or JSON; nothing beyond equality when left out.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Instant of the request that would be served, for policies with a `max_age`; now when left out.
    #[arg(long, value_name = "INSTANT")]
    at: Option<Watermark>,
    /// End with exit code 1 unless the standby may serve.
    #[arg(long)]
    strict: bool,
}

/// Asks the gate and prints its answer.
///
/// # Errors
/// When a file cannot be read or is not valid.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let primary = read(&args.primary, gate::manifest)?;
    let standby = read(&args.standby, gate::manifest)?;
    let policy = match &args.policy {
        Some(path) => read(path, gate::policy)?,
        None => Policy::default(),
    };
    let at = args.at.or_else(|| now_if_needed(&policy));
    let answer = gate::decide(&primary, &standby, &policy, at);
    match global.format {
        Format::Table => output::print(&text(&answer))?,
        Format::Json => output::print_json(&answer.to_json())?,
        Format::Csv => {
            let rows: Vec<Vec<String>> = answer.differences.iter().map(difference_row).collect();
            output::print(&output::csv_text(&DIFFERENCES, &rows)?)?;
        }
    }
    let held = args.strict && !answer.decision.serves();
    Ok(if held { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Reads a file with one of the gate's parsers.
pub(super) fn read<T>(
    path: &Path,
    parse: impl Fn(&str, &str) -> Result<T, crate::scenario::InputError>,
) -> Result<T, Failure> {
    let text = scenario_file::text(path)?;
    parse(&path.display().to_string(), &text).map_err(Failure::bad_input)
}

/// The clock is read only where the policy asks for the age of a feature.
pub(super) fn now_if_needed(policy: &Policy) -> Option<Watermark> {
    let needed = policy.features.values().any(|feature| feature.max_age.is_some());
    let nanos = needed.then(|| jiff::Timestamp::now().as_nanosecond())?;
    i64::try_from(nanos).ok().map(Watermark::from_unix_nanos)
}

const DIFFERENCES: [&str; 5] = ["decision", "what", "primary", "standby", "why"];

fn text(answer: &Answer) -> String {
    let identity = &answer.identity;
    let verb = if answer.decision.serves() { "serves" } else { "would serve" };
    let digest = identity.artifact_digest.as_deref().unwrap_or("not resolved");
    let mark =
        identity.feature_watermark.map_or_else(|| "none".to_owned(), |mark| mark.to_string());
    let mut text = format!(
        "{}\n\n{} {verb}: model {digest}\npolicy {}, oldest feature watermark {mark}, decision {}\n",
        answer.decision, identity.region, identity.policy_revision, identity.decision_id
    );
    if answer.differences.is_empty() {
        text += "\nThe regions do not differ.\n";
    } else {
        answer.differences.iter().for_each(|difference| text += &told(difference));
    }
    if !answer.features.is_empty() {
        let mut table =
            output::table(["feature", "behind", "budget", "freshness", "decisions are"]);
        for feature in &answer.features {
            table.add_row(feature_columns(feature));
        }
        text += &format!("\n{}\n", output::table_text(&table).trim_end());
    }
    text
}

/// A difference in two lines: what it decides, and what each region has.
fn told(difference: &Difference) -> String {
    let [decision, what, primary, standby, why] = difference_columns(difference);
    let regions = match (&difference.primary, &difference.standby) {
        (None, None) => String::new(),
        _ => format!("primary {}, standby {}: ", short(&primary), short(&standby)),
    };
    format!("\n{decision}  {what}\n{}", output::paragraph("    ", &(regions + &why)))
}

/// Digests are cut in the table; JSON and CSV have them whole.
fn short(value: &str) -> String {
    match value.split_once(':') {
        Some((algorithm, digits)) if digits.len() > 24 && !digits.contains(['-', ' ']) => {
            let start: String = digits.chars().take(12).collect();
            format!("{algorithm}:{start}…")
        }
        _ => value.to_owned(),
    }
}

fn difference_columns(difference: &Difference) -> [String; 5] {
    let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_owned());
    [
        difference.decision.to_string(),
        difference.subject.clone(),
        shown(&difference.primary),
        shown(&difference.standby),
        difference.why.clone(),
    ]
}

fn difference_row(difference: &Difference) -> Vec<String> {
    difference_columns(difference).to_vec()
}

fn feature_columns(feature: &FeatureAnswer) -> [String; 5] {
    let word = |value: serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let route = match feature.route {
        gate::Route::Serve => "served",
        gate::Route::Review => "reviewed",
        gate::Route::Reject => "refused",
    };
    [
        feature.feature.clone(),
        feature.lag.map_or_else(|| "–".to_owned(), |lag| lag.to_string()),
        feature.policy.max_lag.to_string(),
        word(serde_json::json!(feature.freshness)),
        route.to_owned(),
    ]
}
