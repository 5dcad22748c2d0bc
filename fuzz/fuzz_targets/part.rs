//! Parts of a shard whose header vouches for any content: refused as not there, or merged.

#![no_main]

use std::sync::LazyLock;

use failover_budget::sweep::collect::collect;
use failover_budget::sweep::{Job, Store, Sweep, parts};
use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

const SPEC: &str = "[run]\nreplications = 3\nlength = '1d'\n[outage]\nper_replication = 2\n[axes]\n\
                    triggers = ['consecutive:1..3', 'm-of-n:2/3']\n";

/// A folder, the job it is of, and the header of its only part.
struct Shard {
    place: TempDir,
    job: Job,
    stores: [(Store, Option<u64>); 1],
    header: serde_json::Value,
}

static SHARD: LazyLock<Option<Shard>> = LazyLock::new(|| {
    let place = tempfile::tempdir().ok()?;
    std::fs::create_dir(place.path().join("parts")).ok()?;
    let job = Job::new(Sweep::from_toml("spec.toml", SPEC, "fuzz").ok()?).ok()?;
    let store = Store::Folder(place.path().to_owned());
    parts::write(&store, &job.sweep.hash, 0, &[]).ok()?;
    let whole = std::fs::read(place.path().join(parts::name(0))).ok()?;
    let line = whole.split(|byte| *byte == b'\n').next()?;
    let header = serde_json::from_slice(line).ok()?;
    Some(Shard { place, job, stores: [(store, Some(0))], header })
});

fuzz_target!(|content: &[u8]| {
    let Some(shard) = SHARD.as_ref() else { return };
    let mut header = shard.header.clone();
    let sum: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    header["checksum"] = sum.into();
    let bytes = [format!("{header}\n").as_bytes(), content].concat();
    if std::fs::write(shard.place.path().join(parts::name(0)), bytes).is_ok() {
        let _ = collect(&shard.job, &shard.stores, 1);
    }
});
