//! A sweep that is killed, stopped, resumed, sharded or spread over threads gives the same bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;

/// Several parts' worth of work: triggers that need the event queue.
const SPEC: &str = r#"
name = "resumed"
[run]
replications = 1000
[outage]
per_replication = 3
[axes]
triggers = ["consecutive:1..5", "m-of-n:3/5", "m-of-n:6/9", "success-rate:0.9/60s/60s"]
blips.length.mean = ["10s", "20s", "40s", "60s"]
"#;

fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_failover-budget"));
    command.args(["--progress", "none"]).stdin(Stdio::null());
    command
}

/// A folder with the spec in it.
fn place() -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let spec = place.path().join("spec.toml");
    fs::write(&spec, SPEC).unwrap();
    (place, spec)
}

fn sweep(spec: &Path, folder: &Path, more: &[&str]) -> Output {
    let mut command = command();
    command.arg("sweep").arg(spec).arg("-o").arg(folder).args(more).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}", said(output));
}

/// Every file that a sweep leaves, with its bytes.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read(&path).unwrap_or_default())
    };
    files.map(read).filter(|(name, _)| name != ".lock").collect()
}

fn same_results(a: &Path, b: &Path) {
    let (a, b) = (results(a), results(b));
    assert!(a.contains_key("results.parquet") && a.contains_key("manifest.json"));
    let names = |of: &BTreeMap<String, Vec<u8>>| of.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&a), names(&b));
    for (name, bytes) in &a {
        assert!(bytes == &b[name], "{name} differs");
    }
}

fn undisturbed(place: &TempDir, spec: &Path) -> PathBuf {
    let whole = place.path().join("whole");
    succeeded(&sweep(spec, &whole, &[]));
    whole
}

fn start(spec: &Path, folder: &Path) -> Child {
    let mut command = command();
    command.arg("sweep").arg(spec).arg("-o").arg(folder).arg("--resume");
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_sweep_killed_twenty_times_loses_nothing() {
    let (place, spec) = place();
    let whole = undisturbed(&place, &spec);
    let killed = place.path().join("killed");
    // Instants spread over the run by the golden ratio: early, late and in between. A run that ends
    // before its kill is begun anew, so that twenty are really killed.
    let mut kills = 0;
    for attempt in 0_u32..400 {
        if kills == 20 {
            break;
        }
        let part = (f64::from(attempt) * 0.618_033_988_75).fract();
        let mut child = start(&spec, &killed);
        sleep(Duration::from_millis(5 + (part * 400.0) as u64));
        if child.try_wait().unwrap().is_some() {
            fs::remove_dir_all(&killed).unwrap();
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert_eq!(kills, 20);
    succeeded(&sweep(&spec, &killed, &["--resume"]));
    same_results(&whole, &killed);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_and_says_how_to_go_on() {
    let (place, spec) = place();
    let whole = undisturbed(&place, &spec);
    let stopped = place.path().join("stopped");
    let mut command = command();
    command.arg("sweep").arg(&spec).arg("-o").arg(&stopped).args(["--threads", "1"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !stopped.join("parts").exists() {
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(50));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("--resume"), "{}", said(&output));
    assert!(output.stdout.is_empty());
    succeeded(&sweep(&spec, &stopped, &["--resume"]));
    same_results(&whole, &stopped);
}

#[test]
fn threads_and_shards_change_no_byte() {
    let (place, spec) = place();
    let whole = undisturbed(&place, &spec);
    let alone = place.path().join("alone");
    succeeded(&sweep(&spec, &alone, &["--threads", "1"]));
    same_results(&whole, &alone);

    let shards: Vec<PathBuf> = (0..3).map(|i| place.path().join(format!("shard-{i}"))).collect();
    for (index, shard) in shards.iter().enumerate() {
        succeeded(&sweep(&spec, shard, &["--shard", &format!("{index}/3")]));
    }
    let merged = place.path().join("merged");
    let merge = |shards: &[PathBuf]| {
        command().arg("merge").args(shards).arg("-o").arg(&merged).output().unwrap()
    };
    let without_one = merge(&shards[..2]);
    assert_eq!(without_one.status.code(), Some(2));
    assert!(said(&without_one).contains("shard 2 of 3"), "{}", said(&without_one));
    succeeded(&merge(&shards));
    same_results(&whole, &merged);
}

#[test]
fn an_existing_result_is_not_overwritten_unasked() {
    let (place, spec) = place();
    let folder = undisturbed(&place, &spec);
    let other = place.path().join("other.toml");
    fs::write(&other, SPEC.replace("1000", "20")).unwrap();
    let refused = sweep(&other, &folder, &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("--force"), "{}", said(&refused));
    let resumed = sweep(&other, &folder, &["--resume"]);
    assert_eq!(resumed.status.code(), Some(2));
    assert!(said(&resumed).contains("another spec"), "{}", said(&resumed));
    succeeded(&sweep(&other, &folder, &["--force"]));

    let fresh = place.path().join("fresh");
    succeeded(&sweep(&other, &fresh, &[]));
    same_results(&folder, &fresh);
}

#[test]
fn shards_of_different_specs_do_not_merge() {
    let (place, spec) = place();
    let other = place.path().join("other.toml");
    fs::write(&other, SPEC.replace("1000", "20")).unwrap();
    let (first, second) = (place.path().join("first"), place.path().join("second"));
    succeeded(&sweep(&spec, &first, &["--shard", "0/2"]));
    succeeded(&sweep(&other, &second, &["--shard", "1/2"]));
    let merged = place.path().join("merged");
    let output =
        command().arg("merge").args([&first, &second]).arg("-o").arg(&merged).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("another spec"), "{}", said(&output));
    assert!(!merged.exists(), "a refused merge leaves nothing");
}

#[test]
fn a_shard_that_does_not_exist_is_refused() {
    let (place, spec) = place();
    for shard in ["3/3", "0/0", "x", "-1/2"] {
        let output = sweep(&spec, &place.path().join("none"), &[&format!("--shard={shard}")]);
        assert_eq!(output.status.code(), Some(2), "{shard}");
    }
}
