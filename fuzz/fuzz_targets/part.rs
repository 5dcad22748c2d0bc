//! Parts of a shard whose header vouches for any content: refused as not there, or merged.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use failover_budget::sweep::{Job, Sweep, folder, parts};
use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

const SPEC: &str = "[run]\nreplications = 3\nlength = '1d'\n[outage]\nper_replication = 2\n[axes]\n\
                    triggers = ['consecutive:1..3', 'm-of-n:2/3']\n";

/// A folder, the job it is of, and the header of its only part.
struct Shard {
    place: TempDir,
    job: Job,
    folders: [(PathBuf, Option<u64>); 1],
    header: serde_json::Value,
}

static SHARD: LazyLock<Option<Shard>> = LazyLock::new(|| {
    let place = tempfile::tempdir().ok()?;
    std::fs::create_dir(place.path().join("parts")).ok()?;
    let job = Job::new(Sweep::from_toml("spec.toml", SPEC, "fuzz").ok()?).ok()?;
    parts::write(place.path(), &job.sweep.hash, 0, &[]).ok()?;
    let whole = std::fs::read(parts::path(place.path(), 0)).ok()?;
    let line = whole.split(|byte| *byte == b'\n').next()?;
    let header = serde_json::from_slice(line).ok()?;
    let folders = [(place.path().to_owned(), Some(0))];
    Some(Shard { place, job, folders, header })
});

fuzz_target!(|content: &[u8]| {
    let Some(shard) = SHARD.as_ref() else { return };
    let mut header = shard.header.clone();
    let sum: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    header["checksum"] = sum.into();
    let bytes = [format!("{header}\n").as_bytes(), content].concat();
    if std::fs::write(parts::path(shard.place.path(), 0), bytes).is_ok() {
        let _ = folder::collect(&shard.job, &shard.folders, 1);
    }
});
