//! `sweep` over a drill: recovery times per feature, with the drill's fields as axes.

use std::path::Path;
use std::process::ExitCode;

use super::output::{self, table, table_text};
use super::progress::Meter;
use super::sweep::{Args, failure};
use super::{Failure, Format, Global, Outcome, drill, results_text, scenario_file};
use crate::sweep::drills::{DrillSweepError, drill_file};
use crate::sweep::manifest::FILE;
use crate::sweep::parts::write_whole;
use crate::sweep::{DrillSweep, Manifest, SweepError, folder, table as results};

/// Reads the spec, if it is one over a drill.
///
/// # Errors
/// When it is and cannot be read, or the drill cannot.
pub fn read(path: &Path) -> Result<Option<DrillSweep>, Failure> {
    let spec = scenario_file::document(path)?;
    let Some(file) = drill_file(&spec) else { return Ok(None) };
    let base = drill::document(&path.with_file_name(file))?;
    let stem = path.file_stem().map_or("sweep".into(), |stem| stem.to_string_lossy());
    DrillSweep::new(&spec, &base, &stem).map(Some).map_err(Failure::bad_input)
}

/// Runs it and writes table and manifest.
///
/// # Errors
/// When the folder holds another sweep or cannot be written.
pub fn run(sweep: &DrillSweep, args: &Args, global: &Global) -> Outcome {
    if args.shard.is_some() {
        let why =
            "a sweep over a drill takes seconds and is not cut into shards; leave --shard out";
        return Err(Failure::BadInput(format!("--shard: {why}")));
    }
    global.note(&format!("{}: {} points of a drill", sweep.name, sweep.points()));
    if args.dry_run {
        return Ok(ExitCode::SUCCESS);
    }
    let default = Path::new("output").join(&sweep.name);
    let path = args.output.clone().unwrap_or(default);
    super::merge::into_folder(&path)?;
    let failed = |why: std::io::Error| failure(SweepError::write(&path, &why.to_string()));
    std::fs::create_dir_all(&path).map_err(failed)?;
    let meter = Meter::start(global, "points", sweep.points() as u64);
    let done = sweep.run(|| meter.add(1));
    meter.finish();
    let (mut frame, manifest) = done.map_err(|error| match error {
        DrillSweepError::Input(error) => Failure::bad_input(error),
        DrillSweepError::Sweep(error) => failure(error),
    })?;
    if let Some(found) = Manifest::read(&path).map_err(failure)?
        && found.spec_hash != manifest.spec_hash
        && !args.force
    {
        return Err(failure(SweepError::OtherSpec { path: path.join(FILE) }));
    }
    let bytes = results::parquet_bytes(&mut frame, manifest.metadata()).map_err(failure)?;
    write_whole(&path.join(folder::RESULTS), &bytes).map_err(failure)?;
    manifest.clone().sealing(&bytes).write(&path).map_err(failure)?;
    match global.format {
        Format::Csv => results_text::print_csv(&frame)?,
        Format::Json => results_text::print_json(&frame, &manifest)?,
        Format::Table => output::print(&text(&frame, &manifest)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The recovery time of each feature at each point.
fn text(frame: &polars::prelude::DataFrame, manifest: &Manifest) -> Result<String, Failure> {
    let headings = results_text::headings(frame);
    let place = |name: &str| headings.iter().position(|heading| *heading == name);
    let shown = ["feature", "rto_objective_s", "rto_mean_s", "rto_p99_s", "rto_met"];
    let columns: Vec<(String, Option<usize>)> = manifest
        .axes
        .iter()
        .map(String::as_str)
        .chain(shown)
        .map(|name| (name.to_owned(), place(name)))
        .collect();
    let mut rows = table(columns.iter().map(|(name, _)| name.clone()));
    for record in results_text::records(frame, 0..frame.height())? {
        let cell =
            |place: Option<usize>| place.and_then(|at| record.get(at)).map_or("", String::as_str);
        let number = |name: &str| cell(place(name)).parse::<f64>().ok();
        let line = columns.iter().map(|(name, at)| match number(&format!("{name}_lo")) {
            Some(lo) => {
                let (value, hi) = (number(name).unwrap_or(lo), number(&format!("{name}_hi")));
                let hi = hi.unwrap_or(f64::INFINITY);
                let level = crate::estimate::LEVEL;
                let estimate =
                    crate::estimate::Estimate { value, lo, hi, level, n: 0, exact: None };
                estimate.show(1)
            }
            None => cell(*at).to_owned(),
        });
        rows.add_row(line.collect::<Vec<String>>());
    }
    Ok(table_text(&rows))
}
