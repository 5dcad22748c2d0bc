//! `merge`: shards of a sweep into the results of one run.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::sweep::failure;
use super::{Failure, Global, Outcome, results_text};
use crate::sweep::collect::collect;
use crate::sweep::store::is_in_bucket;
use crate::sweep::{Existing, Folder, Job, Manifest, State, Store, Sweep, SweepError};

/// Put the shards of a sweep together; gives the bytes of a single run.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  failover-budget sweep sweeps/patience.toml --shard 0/2 -o shard-0
  failover-budget sweep sweeps/patience.toml --shard 1/2 -o shard-1
  failover-budget merge shard-0 shard-1 -o output/patience
  failover-budget merge s3://results/patience -o output/patience")]
pub struct Args {
    /// The folders of all shards, or where in a bucket they lie: s3://BUCKET/PREFIX.
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
    into_folder(&args.output)?;
    let found = agree(&args.shards).map_err(failure)?;
    let first = found[0].1.clone();
    let sweep =
        Sweep::from_toml("manifest.json", &first.spec, &first.name).map_err(Failure::bad_input)?;
    let job = Job::new(sweep).map_err(failure)?;
    let shards = first.shard.map_or(1, |(_, count)| count);
    let shard = |manifest: &Manifest| manifest.shard.map(|(index, _)| index);
    let stores: Vec<(Store, Option<u64>)> =
        found.into_iter().map(|(store, manifest)| (store, shard(&manifest))).collect();
    let rows = collect(&job, &stores, shards).map_err(failure)?;
    let existing = Existing { resume: false, force: args.force };
    let folder = Folder::open(&args.output, &job, None, existing).map_err(failure)?;
    folder.finish(&job, &rows).map_err(failure)?;
    super::plot::draw(&args.output, global)?;
    results_text::print(&args.output, global)?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a bucket where results are to be written.
///
/// # Errors
/// Where `path` is no folder by how it is written.
pub(super) fn into_folder(path: &Path) -> Result<(), Failure> {
    if is_in_bucket(path) {
        let place = path.display();
        return Err(Failure::BadInput(format!(
            "{place}: results are written into a folder; name one with -o, and copy it: aws s3 cp \
             --recursive DIR {place}"
        )));
    }
    Store::at(path).map(|_| ()).map_err(|error| failure(error.into()))
}

/// Reads the shards' manifests and checks that they are shards of one sweep. The command line takes no
/// empty list of them.
fn agree(shards: &[PathBuf]) -> Result<Vec<(Store, Manifest)>, SweepError> {
    let mut found: Vec<(Store, Manifest)> = Vec::with_capacity(shards.len());
    for path in shards {
        let mismatch = |why: String| SweepError::Mismatch { path: path.clone(), why };
        let store = Store::at(path)?;
        let manifest = Manifest::find(&store)?.ok_or_else(|| {
            mismatch("there is no manifest.json: no sweep was run into it".to_owned())
        })?;
        if manifest.state == State::Whole {
            return Err(mismatch("these results are whole already".to_owned()));
        }
        if let Some((_, first)) = found.first() {
            fits(&manifest, first, &shards[0]).map_err(mismatch)?;
        }
        found.push((store, manifest));
    }
    Ok(found)
}

/// Why a shard is not of the same sweep as the first one, which lies at `path`.
fn fits(manifest: &Manifest, first: &Manifest, path: &Path) -> Result<(), String> {
    if manifest.spec_hash != first.spec_hash {
        return Err(format!("belongs to another spec than {}", path.display()));
    }
    if manifest.version != first.version {
        let (found, other) = (&manifest.version, &first.version);
        return Err(format!("was written by version {found}, the first by {other}"));
    }
    let count = |m: &Manifest| m.shard.map_or(1, |(_, count)| count);
    if count(manifest) != count(first) {
        let (found, other) = (count(manifest), count(first));
        return Err(format!("is one of {found} shards, the first one of {other}"));
    }
    Ok(())
}
