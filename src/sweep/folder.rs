//! A sweep's folder: opened and locked before any work, finished by one rename a file.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::error::SweepError;
use super::manifest::{Manifest, State};
use super::parts::{self, write_whole};
use super::plan::Shard;
use super::results::Row;
use super::runner::{Collector, Job};
use super::table;

/// Name of the table.
pub const RESULTS: &str = "results.parquet";
/// Name of the table by replication.
pub const REPLICATIONS: &str = "replications.parquet";
/// Name of the file that a running sweep holds locked.
const LOCK: &str = ".lock";

/// What to do with what a folder holds already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Existing {
    /// Go on with an unfinished run of the same sweep.
    pub resume: bool,
    /// Overwrite whatever is there.
    pub force: bool,
}

/// A folder that this process alone writes into.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    // Held for as long as the folder is; the system lets go of it at a kill.
    _lock: File,
}

impl Folder {
    /// Makes the folder ready for `job`: it is there, can be written, is nobody else's, and holds
    /// nothing but this sweep.
    ///
    /// # Errors
    /// Before any work is done, with what to do.
    pub fn open(
        path: &Path,
        job: &Job,
        shard: Shard,
        existing: Existing,
    ) -> Result<Self, SweepError> {
        let failed = |why: std::io::Error| SweepError::write(path, &why.to_string());
        fs::create_dir_all(path.join("parts")).map_err(failed)?;
        let lock = File::create(path.join(LOCK)).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(SweepError::Locked { path: path.to_owned() });
            }
            Err(TryLockError::Error(why)) => return Err(failed(why)),
        }
        let folder = Folder { path: path.to_owned(), _lock: lock };
        folder.settle(job, existing)?;
        Manifest::of(job, State::Running, shard).write(path)?;
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Compares what is there with `job` and clears what is to be overwritten.
    fn settle(&self, job: &Job, existing: Existing) -> Result<(), SweepError> {
        if existing.force {
            return self.clear();
        }
        let Some(found) = Manifest::read(&self.path)? else { return Ok(()) };
        let manifest = self.path.join(super::manifest::FILE);
        if found.spec_hash != job.sweep.hash {
            return Err(SweepError::OtherSpec { path: manifest });
        }
        if found.version != env!("CARGO_PKG_VERSION") {
            return Err(SweepError::OtherVersion { path: manifest, found: found.version });
        }
        if found.state == State::Running && !existing.resume {
            return Err(SweepError::Unfinished { path: self.path.clone() });
        }
        Ok(())
    }

    /// Takes away what sweeps write: parts, tables, charts, manifest. Other files stay.
    fn clear(&self) -> Result<(), SweepError> {
        let gone = |path: PathBuf| match fs::remove_file(&path) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => {
                Err(SweepError::write(&path, &why.to_string()))
            }
            _ => Ok(()),
        };
        gone(self.path.join(super::manifest::FILE))?;
        gone(self.path.join(RESULTS))?;
        gone(self.path.join(REPLICATIONS))?;
        self.clear_parts()
    }

    fn clear_parts(&self) -> Result<(), SweepError> {
        let parts = self.path.join("parts");
        let failed = |why: std::io::Error| SweepError::write(&parts, &why.to_string());
        fs::remove_dir_all(&parts).map_err(failed)?;
        fs::create_dir(&parts).map_err(failed)
    }

    /// Writes the tables of a complete sweep, and takes its parts away.
    ///
    /// # Errors
    /// When a file cannot be written; the parts are then still there.
    pub fn finish(&self, job: &Job, rows: &[Vec<Row>]) -> Result<(), SweepError> {
        let manifest = Manifest::of(job, State::Whole, Shard::WHOLE);
        let mut frame = table::frame(&job.sweep, rows)?;
        let bytes = table::parquet_bytes(&mut frame, manifest.metadata())?;
        write_whole(&self.path.join(RESULTS), &bytes)?;
        if job.sweep.output.replications {
            let mut frame = table::replications_frame(&job.sweep, rows)?;
            let bytes = table::parquet_bytes(&mut frame, manifest.metadata())?;
            write_whole(&self.path.join(REPLICATIONS), &bytes)?;
        }
        manifest.write(&self.path)?;
        let parts = self.path.join("parts");
        fs::remove_dir_all(&parts).map_err(|why| SweepError::write(&parts, &why.to_string()))
    }

    /// Marks a shard as finished; its parts stay for the merge.
    ///
    /// # Errors
    /// When the manifest cannot be written.
    pub fn finish_shard(&self, job: &Job, shard: Shard) -> Result<(), SweepError> {
        Manifest::of(job, State::Shard, shard).write(&self.path)
    }
}

/// Reads every part of `job` from the shards' folders and makes the rows that one run would have made.
///
/// # Errors
/// When a folder holds another sweep, or parts are missing.
pub fn collect(job: &Job, folders: &[PathBuf], shards: u64) -> Result<Vec<Vec<Row>>, SweepError> {
    let mut collector = Collector::new(job);
    let mut missing = Vec::new();
    for part in 0..job.parts.len() {
        let mut found = None;
        for folder in folders {
            found = parts::read(folder, &job.sweep.hash, part)?;
            if found.is_some() {
                break;
            }
        }
        match found.filter(|counted| job.fits(part, counted)) {
            Some(counted) => collector.take(counted),
            None => missing.push(part),
        }
    }
    match missing.first() {
        None => Ok(collector.rows),
        Some(first) => Err(SweepError::MissingParts {
            missing: missing.len(),
            all: job.parts.len(),
            first: *first,
            shard: *first as u64 % shards,
            shards,
        }),
    }
}
