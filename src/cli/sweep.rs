//! `sweep`: runs a grid, on all threads, into a folder of results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::output::{self, table, table_text};
use super::progress::Meter;
use super::shard::{self, Choice};
use super::{Failure, Format, Global, Outcome, results_text, scenario_file};
use crate::sweep::parts::Unit;
use crate::sweep::store::is_in_bucket;
use crate::sweep::{Claim, Existing, Folder, Job, Shard, Store, Sweep, SweepError, Watch};

/// Run a grid of scenarios; writes Parquet, charts and a manifest.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  failover-budget sweep sweeps/patience.toml
  failover-budget sweep sweeps/patience.toml --dry-run
  failover-budget sweep sweeps/patience.toml --resume
  failover-budget sweep sweeps/patience.toml --shard 0/4 -o shard-0
  failover-budget sweep sweeps/patience.toml --shard auto -o shard-$SLURM_ARRAY_TASK_ID
  failover-budget sweep sweeps/patience.toml --shard 0/4 -o s3://results/patience")]
pub struct Args {
    /// The spec: a scenario in TOML plus `[axes]`.
    spec: PathBuf,
    /// Folder of the results; output/NAME when left out. For the parts of shards also a bucket:
    /// s3://BUCKET/PREFIX, the same for all of them.
    #[arg(short, long, value_name = "DIR")]
    pub(super) output: Option<PathBuf>,
    /// Say the cells and the estimated cost, and run nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Go on with a run that was stopped.
    #[arg(long)]
    resume: bool,
    /// Overwrite what the folder holds.
    #[arg(long, conflicts_with = "resume")]
    pub(super) force: bool,
    /// Run one of N shares of the work, like 0/4 to 3/4; `merge` puts them together. A shard goes on
    /// with its own parts without --resume. `auto` takes I and N from the array job it runs in: Slurm,
    /// a Kubernetes Indexed Job, AWS Batch.
    #[arg(long, value_name = "I/N|auto")]
    pub(super) shard: Option<Choice>,
}

/// Runs the command.
///
/// # Errors
/// When the spec is wrong, the folder cannot be used, or the run was stopped.
pub fn run(args: &Args, global: &Global) -> Outcome {
    if let Some(sweep) = super::sweep_drill::read(&args.spec)? {
        return super::sweep_drill::run(&sweep, args, global);
    }
    let shard = args.shard.map(|choice| chosen(choice, global)).transpose()?;
    let sweep = read_spec(&args.spec)?;
    let name = sweep.name.clone();
    let job = Job::new(sweep).map_err(failure)?;
    global.note(&outline(&job));
    let scenarios = || job.sweep.points.iter().map(|point| &point.scenario);
    if let Some(shortest) = scenarios().max_by_key(|scenario| scenario.cycle_too_long()) {
        scenario_file::note_short_runs(shortest, global);
    }
    if let Some(crowded) = scenarios().find(|scenario| scenario.blips_too_few().is_some()) {
        scenario_file::note_crowded_outages(crowded, global);
    }
    if args.dry_run {
        output::print(&cells_text(&job, global.format)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let path = args.output.clone().unwrap_or_else(|| Path::new("output").join(&name));
    let existing = Existing { resume: args.resume, force: args.force };
    if is_in_bucket(&path) {
        return into_bucket(&path, &job, shard, existing, global);
    }
    Store::at(&path).map_err(|error| failure(error.into()))?;
    let folder = Folder::open(&path, &job, shard, existing).map_err(failure)?;
    if folder.is_whole() {
        global
            .note(&format!("{}: holds the whole sweep already; nothing is to do", path.display()));
        return Ok(ExitCode::SUCCESS);
    }
    let rows = count(&job, folder.store(), shard.unwrap_or(Shard::WHOLE), global)?;
    if let Some(shard) = shard {
        folder.finish_shard(&job, shard).map_err(failure)?;
        global.note(&format!(
            "shard {} of {} is done in {}; put all of them together with: failover-budget merge DIR… -o DIR",
            shard.index,
            shard.count,
            path.display()
        ));
        return Ok(ExitCode::SUCCESS);
    }
    folder.finish(&job, &rows).map_err(failure)?;
    super::plot::draw(&path, global)?;
    results_text::print(&path, global)?;
    Ok(ExitCode::SUCCESS)
}

/// Counts a shard's parts into a bucket.
fn into_bucket(
    place: &Path,
    job: &Job,
    shard: Option<Shard>,
    existing: Existing,
    global: &Global,
) -> Outcome {
    let claim = Claim::open(place, job, shard, existing).map_err(failure)?;
    let shard = claim.shard();
    count(job, claim.store(), shard, global)?;
    claim.finish(job).map_err(failure)?;
    let (place, Shard { index, count }) = (place.display(), shard);
    global.note(&format!(
        "shard {index} of {count} is done in {place}; put all of them together with: failover-budget \
         merge {place} -o DIR"
    ));
    Ok(ExitCode::SUCCESS)
}

/// The shard that was asked for; says which where the cluster chose it.
fn chosen(choice: Choice, global: &Global) -> Result<Shard, Failure> {
    match choice {
        Choice::Given(shard) => Ok(shard),
        Choice::Auto => {
            let variable = |name: &str| std::env::var(name).ok();
            let (shard, words) = shard::from_cluster(variable)
                .map_err(|why| Failure::BadInput(format!("--shard auto: {why}")))?;
            global.note(&words);
            Ok(shard)
        }
    }
}

/// Reads the spec in a file.
///
/// # Errors
/// As for a scenario.
pub fn read_spec(path: &Path) -> Result<Sweep, Failure> {
    let text = scenario_file::text(path)?;
    let stem = path.file_stem().map_or("sweep".into(), |stem| stem.to_string_lossy());
    Sweep::from_toml(&path.display().to_string(), &text, &stem).map_err(Failure::bad_input)
}

/// A sweep's error as a command's.
pub fn failure(error: SweepError) -> Failure {
    if error.is_bad_input() { Failure::bad_input(error) } else { Failure::failed(error) }
}

fn count(
    job: &Job,
    store: &Store,
    shard: Shard,
    global: &Global,
) -> Result<Vec<Vec<crate::sweep::Row>>, Failure> {
    let parts = job.parts.iter().enumerate().filter(|(part, _)| shard.holds(*part));
    let replications = parts.flat_map(|(_, units)| units).map(|unit| unit.to - unit.from).sum();
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let quiet = global.clone();
    // Also at SIGTERM and SIGHUP. A second one ends the process as usual: parts are whole or not there.
    let handler = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        quiet.note("stopping after the parts in hand; once more ends at once");
    });
    handler.map_err(|why| Failure::Failed(format!("cannot listen for Ctrl-C: {why}")))?;
    let watching = Watching { meter: Meter::start(global, "replications", replications), stop };
    let rows = job.run(store, shard, &watching);
    watching.meter.finish();
    rows.map_err(failure)
}

struct Watching {
    meter: Meter,
    stop: Arc<AtomicBool>,
}

impl Watch for Watching {
    fn counted(&self, unit: &Unit, _kept: bool) {
        self.meter.add(unit.to - unit.from);
    }

    fn stop_asked(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// How large the sweep is and how long it may take, in a line.
fn outline(job: &Job) -> String {
    let sweep = &job.sweep;
    let replications: u64 = sweep.points.iter().map(|point| point.scenario.run.replications).sum();
    let threads = rayon::current_num_threads();
    let seconds = job.cost_ns / 1e9 / threads as f64;
    let about = if seconds < 1.0 {
        "under a second".to_owned()
    } else {
        format!("about {}", duration(seconds))
    };
    format!(
        "{}: {} points, {} rows, {replications} replications in {} parts; {about} on {threads} threads",
        sweep.name,
        sweep.points.len(),
        sweep.rows(),
        job.parts.len()
    )
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} h", s / 3_600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// The points of the grid, without running them.
fn cells_text(job: &Job, format: Format) -> Result<String, Failure> {
    let sweep = &job.sweep;
    let plain = |value: &toml::Value| value.as_str().map_or(value.to_string(), str::to_owned);
    let triggers = |point: &crate::sweep::spec::Point| point.scenario.triggers.len().to_string();
    let mut headings: Vec<String> = vec!["point".to_owned()];
    headings.extend(sweep.axis_columns().map(str::to_owned));
    headings.extend(["replications", "triggers", "targets"].map(str::to_owned));
    let rows: Vec<Vec<String>> = sweep
        .points
        .iter()
        .enumerate()
        .map(|(index, point)| {
            let mut row = vec![index.to_string()];
            row.extend(point.labels.iter().map(plain));
            row.push(point.scenario.run.replications.to_string());
            row.push(triggers(point));
            row.push(point.scenario.targets.len().to_string());
            row
        })
        .collect();
    match format {
        Format::Table => {
            let mut shown = table(headings);
            rows.into_iter().for_each(|row| {
                shown.add_row(row);
            });
            Ok(table_text(&shown))
        }
        Format::Csv => {
            let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
            output::csv_text(&headings, &rows)
        }
        Format::Json => {
            let point = |row: &Vec<String>| -> serde_json::Value {
                headings
                    .iter()
                    .cloned()
                    .zip(row.iter().cloned().map(Into::into))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            };
            let json = serde_json::json!({
                "schema": "failover-budget/sweep-cells/1",
                "name": sweep.name,
                "rows": sweep.rows(),
                "cost_s": job.cost_ns / 1e9,
                "points": rows.iter().map(point).collect::<Vec<_>>(),
            });
            Ok(serde_json::to_string_pretty(&json).map_err(Failure::failed)? + "\n")
        }
    }
}
