//! Why a sweep could not be run, resumed or merged.

use std::path::{Path, PathBuf};

use super::store::{StoreError, is_in_bucket};
use crate::scenario::validate::Broken;

/// Each message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// A file or folder cannot be written. Nothing that was written before is lost.
    #[error("{path}: cannot be written: {why}", path = path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        why: String,
    },
    /// A file or folder cannot be read.
    #[error("{path}: cannot be read: {why}", path = path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The folder holds another sweep.
    #[error(
        "{path}: belongs to another spec; choose another place with -o, or {}",
        clearing(path),
        path = path.display()
    )]
    OtherSpec {
        /// The file that tells.
        path: PathBuf,
    },
    /// The folder was written by another version.
    #[error(
        "{path}: was written by version {found} and this is version {}; choose another place with -o, or \
         {}",
        env!("CARGO_PKG_VERSION"),
        clearing(path),
        path = path.display()
    )]
    OtherVersion {
        /// The file that tells.
        path: PathBuf,
        /// The version found.
        found: String,
    },
    /// What is there is a shard of another number of shards.
    #[error(
        "{path}: holds one of {there} shards, and this is one of {count}; choose another place with -o, \
         or {}",
        clearing(path),
        path = path.display()
    )]
    OtherCount {
        /// The file that tells.
        path: PathBuf,
        /// Shards by what is there.
        there: u64,
        /// Shards that were asked for.
        count: u64,
    },
    /// The folder holds an unfinished run of this sweep.
    #[error(
        "{path}: holds an unfinished run of this sweep; go on with it by --resume, or start anew with \
         --force",
        path = path.display()
    )]
    Unfinished {
        /// The folder.
        path: PathBuf,
    },
    /// A file would be written over that belongs to no sweep.
    #[error(
        "{path}: is there already, and the folder has no manifest.json that tells what it is; choose \
         another folder with -o, or overwrite with --force",
        path = path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Another process is writing into the folder.
    #[error("{path}: another run is writing there; wait for it, or choose another folder with -o", path = path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// The user asked to stop.
    #[error("stopped before the end; {done} of {all} parts are kept in {path}; go on with --resume", path = path.display())]
    Stopped {
        /// Parts that are done.
        done: usize,
        /// Parts in all.
        all: usize,
        /// The folder.
        path: PathBuf,
    },
    /// Parts are missing at a merge.
    #[error(
        "{missing} of {all} parts are missing, the first is part {first}: {} not there or not finished",
        named(lacking, *shards)
    )]
    MissingParts {
        /// How many.
        missing: usize,
        /// Of how many.
        all: usize,
        /// The first missing.
        first: usize,
        /// The shards that should hold them.
        lacking: Vec<u64>,
        /// Of how many shards.
        shards: u64,
    },
    /// Parts cannot be read from or put into a bucket.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What is merged does not belong together.
    #[error("{path}: {why}", path = path.display())]
    Mismatch {
        /// The folder that does not fit.
        path: PathBuf,
        /// In what.
        why: String,
    },
    /// The work would not end in anybody's lifetime.
    #[error(
        "one thread would be busy for about {years:.3e} years; allowed: up to {most}; ask for fewer \
         replications, a shorter `run.length` or fewer triggers"
    )]
    TooLong {
        /// By the estimate.
        years: f64,
        /// The bound.
        most: f64,
    },
    /// A stage of a target is misplaced.
    #[error("{}: {}", .0.key, .0.message)]
    Plan(Broken),
    /// The table cannot be made.
    #[error("the results cannot be put into a table: {0}")]
    Table(#[from] polars::error::PolarsError),
}

impl SweepError {
    /// A path that cannot be written.
    pub fn write(path: &Path, why: &str) -> Self {
        SweepError::Write { path: path.to_owned(), why: why.to_owned() }
    }

    /// A path that cannot be read.
    pub fn read(path: &Path, why: &str) -> Self {
        SweepError::Read { path: path.to_owned(), why: why.to_owned() }
    }

    /// True where the input is at fault, and not the machine.
    pub fn is_bad_input(&self) -> bool {
        match self {
            SweepError::Write { .. } | SweepError::Stopped { .. } | SweepError::Table(_) => false,
            SweepError::Store(error) => error.is_bad_input(),
            _ => true,
        }
    }
}

/// How a place is made free of what it holds.
fn clearing(path: &Path) -> &'static str {
    if is_in_bucket(path) {
        "take the objects under that prefix away"
    } else {
        "let it be overwritten with --force"
    }
}

/// Shards in words: the first few of many.
fn named(lacking: &[u64], shards: u64) -> String {
    const SHOWN: usize = 10;
    let mut numbers: Vec<String> = lacking.iter().take(SHOWN).map(u64::to_string).collect();
    let last = if lacking.len() > SHOWN {
        format!("{} more", lacking.len() - SHOWN)
    } else {
        numbers.pop().unwrap_or_default()
    };
    match numbers.is_empty() {
        true => format!("shard {last} of {shards} is"),
        false => format!("shards {} and {last} of {shards} are", numbers.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_that_are_lacking_are_named() {
        assert_eq!(named(&[2], 3), "shard 2 of 3 is");
        assert_eq!(named(&[0, 2, 3], 5), "shards 0, 2 and 3 of 5 are");
        let many: Vec<u64> = (0..12).collect();
        assert_eq!(named(&many, 40), "shards 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more of 40 are");
    }
}
