//! `fit`: refits blips, gaps and outages to recorded probe histories.

mod text;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::recording::{self, Input, Series, slug};
use super::{Failure, Format, Global, Outcome, files, output};
use crate::figure::survival;
use crate::fit::{self, HistoryFit, Laws, Options, curves, scenario};
use crate::recorded::Durations;
use crate::scenario::Scenario;
use crate::time::Span;

/// Refit blips, gaps and outages to recorded probe histories, or laws to lists of durations.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  failover-budget fit probes.csv
  failover-budget fit kuma.db --series api --outage-after 10min -o output/api
  failover-budget fit --prometheus http://localhost:9090 --query 'probe_success{job=\"api\"}' --from 30d
  failover-budget fit repairs.csv --value-column hours --format json")]
pub struct Args {
    #[command(flatten)]
    recordings: recording::Args,
    #[command(flatten)]
    durations: recording::DurationArgs,
    /// Runs of failed probes at least this long are outages; found from the data when left out.
    #[arg(long, value_name = "TIME", value_parser = super::seconds_or_span)]
    outage_after: Option<Span>,
    /// Draws of each goodness-of-fit bootstrap; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    draws: u32,
    /// Seed of the bootstrap.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Folder of scenario and charts; output/NAME, after the recording, when left out.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Overwrite files that the folder holds.
    #[arg(long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// When a recording cannot be read, or the folder cannot be written.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let outage_after = stated(args.outage_after)?;
    let options =
        Options { outage_after, draws: args.draws, seed: args.seed, ..Options::default() };
    let folder = Folder::of(args)?;
    match args.recordings.read(Some(&args.durations), global)? {
        Input::Histories(series) => histories(args, global, &options, &series, &folder)?,
        Input::Durations(lists) => durations(global, &options, &lists, &folder)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A threshold that the user states; it must be longer than nothing.
///
/// # Errors
/// When it is not.
pub fn stated(after: Option<Span>) -> Result<Option<Span>, Failure> {
    match after {
        Some(after) if !after.is_positive() => {
            Err(Failure::BadInput(format!("--outage-after {after} found; allowed: longer than 0s")))
        }
        after => Ok(after),
    }
}

fn histories(
    args: &Args,
    global: &Global,
    options: &Options,
    all: &[Series],
    folder: &Folder,
) -> Result<(), Failure> {
    let mut fitted = Vec::new();
    for series in all {
        let fit = fit::history(&series.parts(), options);
        let own = if all.len() > 1 { folder.within(&series.name) } else { folder.clone() };
        write(args, global, series, &fit, &own)?;
        fitted.push((series, fit));
    }
    match global.format {
        Format::Json => output::print_json(&json_of(&fitted)?),
        Format::Csv => output::print(&text::csv(&fitted)?),
        Format::Table => output::print(&text::histories(&fitted)),
    }
}

/// The contract's object; with several series one such object each, under `"series"`.
fn json_of(fitted: &[(&Series, HistoryFit)]) -> Result<Value, Failure> {
    let mut root = Map::new();
    root.insert("schema".to_owned(), json!(fit::json::SCHEMA));
    match fitted {
        [(series, fit)] => root.extend(fit::json::history(series.report()?, fit)),
        all => {
            let mut each = Vec::new();
            for (series, fit) in all {
                let mut object = Map::new();
                object.insert("series".to_owned(), json!(series.name));
                object.extend(fit::json::history(series.report()?, fit));
                each.push(Value::Object(object));
            }
            root.insert("series".to_owned(), Value::Array(each));
        }
    }
    Ok(Value::Object(root))
}

fn write(
    args: &Args,
    global: &Global,
    series: &Series,
    fit: &HistoryFit,
    folder: &Folder,
) -> Result<(), Failure> {
    let from = format!("{} ({})", args.recordings.source(), series.name);
    match scenario::scenario(&slug(&series.name), &from, fit) {
        Ok(scenario) => folder.write("scenario.toml", &toml(&scenario, &from, fit, folder))?,
        Err(why) => global.note(&format!("{}: no scenario is written: {why}", series.name)),
    }
    chart(folder, "survival.svg", &format!("blips of {}", series.name), &fit.blips.length)?;
    chart(
        folder,
        "survival-outages.svg",
        &format!("outages of {}", series.name),
        &fit.outages.length,
    )
}

fn chart(folder: &Folder, file: &str, what: &str, laws: &Laws) -> Result<(), Failure> {
    match curves::curves(what, laws) {
        None => Ok(()),
        Some(curves) => folder.write(file, &survival::draw(&curves).map_err(Failure::Failed)?),
    }
}

/// The scenario's TOML with a word on where it comes from.
fn toml(scenario: &Scenario, from: &str, fit: &HistoryFit, folder: &Folder) -> String {
    let best = |laws: &Laws| laws.selected.map_or("none", |family| family.name());
    format!(
        "# Refitted to {}.\n# Blips: {} runs; lengths {}, gaps {}. {}\n\
         # What a recording does not tell (RTO, stages, targets) is the default: fill it in.\n\
         # Use it: failover-budget lab {}, or add [axes] and run failover-budget sweep.\n\n{}",
        from.replace(['\n', '\r'], " "),
        fit.blips.n,
        best(&fit.blips.length),
        best(&fit.gap),
        fit.threshold.reason,
        folder.path.join("scenario.toml").display(),
        scenario.to_toml()
    )
}

fn durations(
    global: &Global,
    options: &Options,
    lists: &[Durations],
    folder: &Folder,
) -> Result<(), Failure> {
    let mut fitted: Vec<(&Durations, Laws)> = Vec::new();
    for list in lists {
        let of = |censored: bool| -> Vec<f64> {
            let pairs = list.values_s.iter().zip(&list.censored);
            pairs.filter(|(_, c)| **c == censored).map(|(value, _)| *value).collect()
        };
        let laws = fit::durations(&of(false), &of(true), options);
        let own = if lists.len() > 1 { folder.within(&list.name) } else { folder.clone() };
        chart(&own, "survival.svg", &format!("durations ({})", list.name), &laws)?;
        fitted.push((list, laws));
    }
    match global.format {
        Format::Json => output::print_json(&durations_json(&fitted)?),
        Format::Csv => output::print(&text::durations_csv(&fitted)?),
        Format::Table => output::print(&text::durations(&fitted)),
    }
}

fn durations_json(fitted: &[(&Durations, Laws)]) -> Result<Value, Failure> {
    let one = |(list, laws): &(&Durations, Laws)| -> Result<Value, Failure> {
        let mut object = fit::json::laws(laws);
        object["name"] = json!(list.name);
        object["right_censored"] = json!(list.censored.iter().filter(|c| **c).count());
        object["reading"] = serde_json::to_value(&list.warnings).map_err(Failure::failed)?;
        Ok(object)
    };
    let schema = fit::json::SCHEMA;
    match fitted {
        [only] => Ok(json!({ "schema": schema, "durations": one(only)? })),
        all => {
            let each = all.iter().map(one).collect::<Result<Vec<_>, _>>()?;
            Ok(json!({ "schema": schema, "durations": each }))
        }
    }
}

/// Where files are written.
#[derive(Clone, Debug)]
struct Folder {
    path: PathBuf,
    force: bool,
}

impl Folder {
    fn of(args: &Args) -> Result<Folder, Failure> {
        let path =
            args.output.clone().unwrap_or_else(|| Path::new("output").join(args.recordings.name()));
        if path.exists() && !path.is_dir() {
            let message = format!("{}: a folder is wanted here, and this is none", path.display());
            return Err(Failure::BadInput(message));
        }
        Ok(Folder { path, force: args.force })
    }

    fn within(&self, name: &str) -> Folder {
        Folder { path: self.path.join(slug(name)), force: self.force }
    }

    /// Writes a file. One that is there and differs is kept, unless forced: users fill scenarios in.
    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let place = self.path.join(name);
        match std::fs::read(&place) {
            Ok(held) if held == text.as_bytes() => Ok(()),
            Ok(_) if !self.force => Err(Failure::BadInput(format!(
                "{}: exists and differs; give --force to overwrite it, or -o another folder",
                place.display()
            ))),
            _ => files::write(&place, text),
        }
    }
}
