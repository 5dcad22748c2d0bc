//! Inputs that nobody means well: random changes to specs, manifests and parts. Nothing panics, and
//! what is read is still what it says it is. `fuzz/` holds the same for longer runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use failover_budget::gate;
use failover_budget::scenario::Scenario;
use failover_budget::sweep::collect::collect;
use failover_budget::sweep::{Job, Manifest, Store, Sweep};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

const SPEC: &str = "name = 'hostile'\n[run]\nreplications = 3\nlength = '1d'\n[outage]\n\
                    per_replication = 2\n[axes]\ntriggers = ['consecutive:1..3', 'm-of-n:2/3']\n\
                    blips.length.mean = { from = '5s', to = '20s', step = '5s' }\n";

/// Words that mean something somewhere in a spec.
const WORDS: [&str; 24] = [
    "[axes]",
    "triggers",
    "=",
    "'consecutive:1..40'",
    "from",
    "to",
    "step",
    "points",
    "'10s'",
    "-1",
    "0",
    "1e308",
    "nan",
    "9223372036854775807",
    "[[axes.zip]]",
    "[axes.variants.a.b]",
    "blips",
    "length",
    "mean",
    "{",
    "}",
    "[",
    "]",
    "\n",
];

/// What is done to a text: at a place (as a share of its length), so many bytes are cut out, and a
/// word is put in.
fn changes() -> impl Strategy<Value = Vec<(f64, usize, &'static str)>> {
    let word = prop_oneof![Just(""), prop::sample::select(WORDS.to_vec())];
    prop::collection::vec((0.0..1.0_f64, 0..12_usize, word), 1..6)
}

fn changed(text: &str, changes: &[(f64, usize, &str)]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for (at, cut, word) in changes {
        let from = (at * letters.len() as f64) as usize;
        let to = (from + cut).min(letters.len());
        letters.splice(from..to, word.chars());
    }
    letters.into_iter().collect()
}

/// A shard of one part, and the job it is of.
fn shard(place: &Path) -> (PathBuf, Job) {
    fs::write(place.join("spec.toml"), SPEC).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_failover-budget"))
        .args(["sweep", "spec.toml", "--shard", "0/1", "-o", "shard", "-q"])
        .current_dir(place)
        .status();
    assert!(status.unwrap().success());
    let job = Job::new(Sweep::from_toml("spec.toml", SPEC, "hostile").unwrap()).unwrap();
    assert_eq!(job.parts.len(), 1);
    (place.join("shard"), job)
}

/// A part as `content` would be kept: with a header that vouches for it.
fn vouched(whole: &[u8], content: &[u8]) -> Vec<u8> {
    let line = whole.iter().position(|byte| *byte == b'\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_slice(&whole[..line]).unwrap();
    let sum: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    header["checksum"] = sum.into();
    [&serde_json::to_vec(&header).unwrap(), b"\n".as_slice(), content].concat()
}

#[test]
fn a_part_that_lies_is_refused_or_merged_and_never_a_panic() {
    let place = tempfile::tempdir().unwrap();
    let (shard, job) = shard(place.path());
    let path = shard.join("parts/000000.part");
    let whole = fs::read(&path).unwrap();
    let content = whole[whole.iter().position(|byte| *byte == b'\n').unwrap() + 1..].to_vec();
    let stores = [(Store::Folder(shard.clone()), Some(0))];
    fs::write(&path, vouched(&whole, &content)).unwrap();
    assert!(collect(&job, &stores, 1).is_ok(), "the way to vouch is right");

    let config =
        ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    let change = (0.0..1.0_f64, prop::option::of(any::<u8>()), any::<u8>());
    let refused = std::cell::Cell::new(0);
    proptest!(config, |(changes in prop::collection::vec(change, 1..4))| {
        let mut bytes = content.clone();
        for (at, instead, other) in changes {
            let at = (at * bytes.len() as f64) as usize;
            match instead {
                Some(byte) => bytes[at] = byte,
                None if other % 2 == 0 => drop(bytes.remove(at)),
                None => bytes.insert(at, other),
            }
            if bytes.is_empty() {
                break;
            }
        }
        fs::write(&path, vouched(&whole, &bytes)).unwrap();
        let merged = collect(&job, &stores, 1);
        refused.set(refused.get() + u64::from(merged.is_err()));
    });
    assert!(refused.get() > 0, "no change was ever seen");
}

#[test]
fn a_manifest_that_lies_is_refused_or_read() {
    let place = tempfile::tempdir().unwrap();
    let (shard, _) = shard(place.path());
    let text = fs::read_to_string(shard.join("manifest.json")).unwrap();
    let config =
        ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(changes in changes())| {
        fs::write(shard.join("manifest.json"), changed(&text, &changes)).unwrap();
        if let Ok(Some(manifest)) = Manifest::read(&shard) {
            let _ = Sweep::from_toml("manifest.json", &manifest.spec, &manifest.name);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_spec_is_read_or_refused(changes in changes()) {
        let text = changed(SPEC, &changes);
        let _ = Scenario::from_toml("scenario.toml", &text);
        if let Ok(sweep) = Sweep::from_toml("spec.toml", &text, "spec") {
            prop_assert!(sweep.points.len() <= 200_000 && sweep.rows() <= 3_000_000);
        }
    }

    #[test]
    fn any_manifest_of_a_region_is_read_or_refused(changes in changes(), is_json in any::<bool>()) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sweeps/gate/primary.toml");
        let text = changed(&fs::read_to_string(path).unwrap(), &changes);
        let name = if is_json { "region.json" } else { "region.toml" };
        let _ = gate::manifest(name, &text);
    }
}

/// A footer whose only column says with a number whether its times are in UTC, and not with a truth.
const BROKEN: [u8; 27] = [
    b'P', b'A', b'R', b'1', 0x15, 2, 0x19, 0x1c, 0x48, 1, b's', 0x6c, 0x7c, 0x13, 0, 0, 0, 0, 0,
    15, 0, 0, 0, b'P', b'A', b'R', b'1',
];

#[test]
fn broken_parquet_at_which_its_reader_panics_is_refused() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("spec.toml"), SPEC).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_failover-budget"));
        command.args(args).current_dir(place.path()).output().unwrap()
    };
    assert!(run(&["sweep", "spec.toml", "-o", "results", "-q"]).status.success());
    fs::write(place.path().join("results/results.parquet"), BROKEN).unwrap();
    fs::write(place.path().join("recording.parquet"), BROKEN).unwrap();
    let seen = |args: &[&str], says: &str| {
        let output = run(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(says) && !said.contains("panicked"), "{said}");
    };
    let damaged = "results.parquet: cannot be read: not the table that was written there";
    seen(&["plot", "results"], damaged);
    seen(&["report", "results"], damaged);
    // Results of a version that kept no checksum.
    let manifest = place.path().join("results/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let lines = text.lines().filter(|line| !line.contains("results_sha256"));
    let without = lines.collect::<Vec<_>>().join("\n");
    assert!(without.len() < text.len());
    fs::write(&manifest, without).unwrap();
    for args in
        [&["plot", "results"][..], &["report", "results"], &["fit", "recording.parquet", "--force"]]
    {
        seen(args, "its reader gave up");
    }
}
