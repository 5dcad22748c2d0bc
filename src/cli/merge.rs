//! `merge`: shards of a sweep into the results of one run.

use std::path::PathBuf;
use std::process::ExitCode;

use super::sweep::failure;
use super::{Failure, Global, Outcome, results_text};
use crate::sweep::{Existing, Folder, Job, Manifest, Shard, State, Sweep, SweepError, folder};

/// Put the shards of a sweep together; gives the bytes of a single run.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  failover-budget sweep sweeps/patience.toml --shard 0/2 -o shard-0
  failover-budget sweep sweeps/patience.toml --shard 1/2 -o shard-1
  failover-budget merge shard-0 shard-1 -o output/patience")]
pub struct Args {
    /// The folders of all shards.
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// Folder of the results.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Overwrite what the folder holds.
    #[arg(long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// When the shards do not belong together, one is missing, or the results cannot be written.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let first = agree(&args.shards).map_err(failure)?;
    let sweep =
        Sweep::from_toml("manifest.json", &first.spec, &first.name).map_err(Failure::bad_input)?;
    let job = Job::new(sweep).map_err(failure)?;
    let shards = first.shard.map_or(1, |(_, count)| count);
    let rows = folder::collect(&job, &args.shards, shards).map_err(failure)?;
    let existing = Existing { resume: false, force: args.force };
    let folder = Folder::open(&args.output, &job, Shard::WHOLE, existing).map_err(failure)?;
    folder.finish(&job, &rows).map_err(failure)?;
    super::plot::draw(&args.output, global)?;
    results_text::print(&args.output, global)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the shards' manifests and checks that they are shards of one sweep.
fn agree(shards: &[PathBuf]) -> Result<Manifest, SweepError> {
    let mut first: Option<Manifest> = None;
    for path in shards {
        let mismatch = |why: String| SweepError::Mismatch { path: path.clone(), why };
        let manifest = Manifest::read(path)?.ok_or_else(|| {
            mismatch("there is no manifest.json: not a folder of a sweep".to_owned())
        })?;
        if manifest.state == State::Whole {
            return Err(mismatch("these results are whole already".to_owned()));
        }
        let Some(first) = &first else {
            first = Some(manifest);
            continue;
        };
        if manifest.spec_hash != first.spec_hash {
            return Err(mismatch(format!("belongs to another spec than {}", shards[0].display())));
        }
        if manifest.version != first.version {
            let (found, other) = (&manifest.version, &first.version);
            return Err(mismatch(format!("was written by version {found}, the first by {other}")));
        }
        let count = |m: &Manifest| m.shard.map_or(1, |(_, count)| count);
        if count(&manifest) != count(first) {
            return Err(mismatch(format!(
                "is one of {} shards, the first one of {}",
                count(&manifest),
                count(first)
            )));
        }
    }
    first.ok_or_else(|| SweepError::Mismatch {
        path: PathBuf::from("merge"),
        why: "no folder was named".to_owned(),
    })
}
