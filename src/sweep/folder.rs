//! A sweep's folder: opened and locked before any work, finished by one rename a file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::SweepError;
use super::manifest::{Manifest, State};
use super::parts::{self, write_whole};
use super::plan::Shard;
use super::results::Row;
use super::runner::Job;
use super::store::Store;
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

/// A folder that this process writes into: alone, or beside others that run shards of the same sweep.
///
/// Shards share it because whoever counts a part writes the same bytes, and a part is whole or not
/// there. So a task that a cluster starts again need not wait for an orphan of itself that goes on
/// writing on a node out of reach.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    store: Store,
    whole: bool,
    // Held for as long as the folder is; the system lets go of it at a kill.
    _lock: File,
}

impl Folder {
    /// Makes the folder ready for `job`: it is there, can be written, is nobody else's, and holds
    /// nothing but this sweep. A shard goes on with its own parts without being asked to.
    ///
    /// # Errors
    /// Before any work is done, with what to do.
    pub fn open(
        path: &Path,
        job: &Job,
        shard: Option<Shard>,
        existing: Existing,
    ) -> Result<Self, SweepError> {
        let failed = |why: std::io::Error| SweepError::write(path, &why.to_string());
        fs::create_dir_all(path.join("parts")).map_err(failed)?;
        let shares = shard.is_some() && !existing.force;
        let store = Store::Folder(path.to_owned());
        let lock = lock(path, shares)?;
        let mut folder = Folder { path: path.to_owned(), store, whole: false, _lock: lock };
        folder.check_places()?;
        let found = folder.settle(job, shard, existing)?;
        match (shard, found) {
            (Some(_), Some(State::Whole)) => folder.whole = true,
            // Another process may have finished this very shard, or be at it.
            (Some(_), Some(_)) => {}
            _ => {
                Manifest::of(job, State::Running, shard).write(path)?;
                // Shards of two sweeps that begin at one moment see each other here.
                folder.settle(job, shard, Existing { resume: true, force: false })?;
            }
        }
        if !shares {
            folder.sweep_up();
        }
        Ok(folder)
    }

    /// True iff a shard was to be run and the folder holds the results of the whole sweep already.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Where its parts lie.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Makes sure before the work that its end will find no folder where a file is to be.
    fn check_places(&self) -> Result<(), SweepError> {
        for name in [super::manifest::FILE, RESULTS, REPLICATIONS] {
            let path = self.path.join(name);
            if path.is_dir() {
                return Err(SweepError::write(&path, "there is a folder of that name"));
            }
        }
        Ok(())
    }

    /// Makes sure that a folder without a manifest holds nothing that would be written over.
    fn check_nothing_is_lost(&self) -> Result<(), SweepError> {
        let entries = |folder: &Path| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let mut names: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            names.sort();
            names
        };
        let is_ours = |path: &Path| {
            let table = [RESULTS, REPLICATIONS].iter().any(|name| path.ends_with(name));
            table || path.extension().is_some_and(|extension| extension == "svg")
        };
        let is_written = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(parts::WRITING)
        };
        let lost = entries(&self.path).into_iter().find(|path| is_ours(path));
        let lost = lost.or_else(|| {
            entries(&self.path.join("parts")).into_iter().find(|path| !is_written(path))
        });
        match lost {
            Some(path) => Err(SweepError::Foreign { path }),
            None => Ok(()),
        }
    }

    /// Takes away what a killed run was writing. Not where shards share the folder: another may be
    /// writing it now.
    fn sweep_up(&self) {
        for folder in [self.path.clone(), self.path.join("parts")] {
            let Ok(entries) = fs::read_dir(folder) else { continue };
            for entry in entries.flatten() {
                if entry.file_name().to_string_lossy().starts_with(parts::WRITING) {
                    // One that cannot be taken away harms nothing.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    /// Compares what is there with `job` and clears what is to be overwritten. Returns how far the
    /// work was that is kept.
    fn settle(
        &self,
        job: &Job,
        shard: Option<Shard>,
        existing: Existing,
    ) -> Result<Option<State>, SweepError> {
        if existing.force {
            return self.clear().map(|()| None);
        }
        let Some(found) = Manifest::read(&self.path)? else {
            return self.check_nothing_is_lost().map(|()| None);
        };
        let manifest = self.path.join(super::manifest::FILE);
        found.check(&manifest, job, shard)?;
        if found.state == State::Running && !existing.resume && shard.is_none() {
            return Err(SweepError::Unfinished { path: self.path.clone() });
        }
        Ok(Some(found.state))
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
        let manifest = Manifest::of(job, State::Whole, None);
        let mut frame = table::frame(&job.sweep, rows)?;
        let results = table::parquet_bytes(&mut frame, manifest.metadata())?;
        write_whole(&self.path.join(RESULTS), &results)?;
        if job.sweep.output.replications {
            let mut frame = table::replications_frame(&job.sweep, rows)?;
            let bytes = table::parquet_bytes(&mut frame, manifest.metadata())?;
            write_whole(&self.path.join(REPLICATIONS), &bytes)?;
        }
        manifest.sealing(&results).write(&self.path)?;
        let parts = self.path.join("parts");
        fs::remove_dir_all(&parts).map_err(|why| SweepError::write(&parts, &why.to_string()))
    }

    /// Marks a shard as finished; its parts stay for the merge.
    ///
    /// # Errors
    /// When the manifest cannot be written.
    pub fn finish_shard(&self, job: &Job, shard: Shard) -> Result<(), SweepError> {
        Manifest::of(job, State::Shard, Some(shard)).write(&self.path)
    }
}

/// Locks the folder for this process, or for all that share it.
fn lock(path: &Path, shares: bool) -> Result<File, SweepError> {
    let failed = |why: std::io::Error| SweepError::write(path, &why.to_string());
    // Network file systems lock only what is open for reading (shared) and for writing (alone).
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.open(path.join(LOCK)).map_err(failed)?;
    match if shares { file.try_lock_shared() } else { file.try_lock() } {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(SweepError::Locked { path: path.to_owned() }),
        // Some file systems of clusters know no locks. The lock is a courtesy: parts carry their spec's
        // hash, and those of another sweep are refused when they are read.
        Err(TryLockError::Error(why)) if why.kind() == ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(why)) => Err(failed(why)),
    }
}
