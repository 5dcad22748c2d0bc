//! Results open in polars, pyarrow, pandas and DuckDB, and every column is documented.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use polars::io::SerReader;
use polars::prelude::{DataFrame, DataType, ParquetReader};

use crate::support;

const SPEC: &str = r#"
name = "opened"
[run]
replications = 4
length = "5d"
[axes]
triggers = ["consecutive:1..3", "m-of-n:3/5"]
blips.length.mean = ["10s", "20s"]
stages.replicas = [1, 2]
controller.silence = ["ignored", "failure"]
stages.weights_gb = [70, 140.5]
[output]
replications = true
"#;

/// A folder of results of [`SPEC`].
fn results() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let spec = place.path().join("spec.toml");
    fs::write(&spec, SPEC).unwrap();
    let folder = place.path().join("results");
    support::printed(&["sweep", spec.to_str().unwrap(), "-o", folder.to_str().unwrap()]);
    place
}

fn read(path: &Path) -> DataFrame {
    ParquetReader::new(File::open(path).unwrap()).finish().unwrap()
}

#[test]
fn polars_reads_typed_columns() {
    let place = results();
    let frame = read(&place.path().join("results/results.parquet"));
    // 2 × 2 × 2 × 2 points, 4 triggers, 3 targets.
    assert_eq!(frame.height(), 16 * 4 * 3);
    let kind = |name: &str| frame.column(name).unwrap().dtype().clone();
    assert_eq!(kind("blips.length.mean_s"), DataType::Float64);
    assert_eq!(kind("stages.replicas"), DataType::Int64);
    assert_eq!(kind("stages.weights_gb"), DataType::Float64);
    assert_eq!(kind("controller.silence"), DataType::String);
    assert_eq!(kind("trigger"), DataType::String);
    assert_eq!(kind("false_failovers"), DataType::UInt64);
    assert_eq!(kind("rto_met_lo"), DataType::Float64);
    assert_eq!(kind("on_frontier"), DataType::Boolean);
    let runs = read(&place.path().join("results/replications.parquet"));
    assert_eq!(runs.height(), 16 * 4 * 4);
    // What the replications counted adds up to the cells; a cell stands once for each target.
    let of_runs: i64 =
        runs.column("false_failovers").unwrap().i64().unwrap().iter().flatten().sum();
    let of_cells: u64 =
        frame.column("false_failovers").unwrap().u64().unwrap().iter().flatten().sum();
    assert!(of_runs > 0);
    assert_eq!(of_runs as u64 * 3, of_cells);
}

#[test]
fn every_column_is_documented() {
    let place = results();
    let frame = read(&place.path().join("results/results.parquet"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/sweeps.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let documented = |name: &str, suffix: &str| {
        let mut rows = rows.iter().filter(|row| row.starts_with(&format!("| `{name}` |")));
        rows.any(|row| suffix.is_empty() || row.rsplit('|').nth(1).unwrap().contains(suffix))
    };
    for name in frame.get_column_names().into_iter().map(|name| name.as_str()) {
        let is_axis = name.contains('.');
        let parted =
            ["_lo", "_hi", "_exact"].iter().find_map(|s| Some((name.strip_suffix(s)?, *s)));
        let (base, suffix) = parted.unwrap_or((name, ""));
        assert!(is_axis || documented(base, suffix), "docs/sweeps.md lacks `{name}`");
    }
    // And nothing that is not there.
    for row in rows.iter().filter(|row| row.contains(" _lo _hi")) {
        let name = row.split('`').nth(1).unwrap();
        assert!(frame.column(name).is_ok(), "docs/sweeps.md tells of `{name}`");
    }
}

/// Runs where `target/venv` has the readers, as continuous integration makes sure of.
#[test]
fn python_reads_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("target/venv/bin/python");
    let has_readers = Command::new(&python)
        .args(["-c", "import pyarrow, pandas, duckdb"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_readers {
        assert!(
            std::env::var_os("CI").is_none(),
            "target/venv lacks pyarrow, pandas or duckdb; .ci/run installs them"
        );
        eprintln!("skipped: target/venv lacks pyarrow, pandas or duckdb; .ci/run installs them");
        return;
    }
    let place = results();
    let folder = place.path().join("results");
    let output = Command::new(&python)
        .arg(root.join("tests/parquet_readers.py"))
        .arg(&folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let seen: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let frame = read(&folder.join("results.parquet"));
    let names: Vec<&str> = frame.get_column_names().into_iter().map(|name| name.as_str()).collect();
    let sum: u64 = frame.column("false_failovers").unwrap().u64().unwrap().iter().flatten().sum();
    for reader in ["pyarrow", "pandas", "duckdb"] {
        assert_eq!(seen[reader]["rows"], frame.height(), "{reader}");
    }
    assert_eq!(seen["pyarrow"]["columns"], serde_json::json!(names));
    assert_eq!(seen["pandas"]["columns"], serde_json::json!(names));
    assert_eq!(seen["pandas"]["false_failovers"], sum);
    assert_eq!(seen["duckdb"]["false_failovers"], sum);
    assert_eq!(seen["pandas"]["mean_blip_s"], serde_json::json!([10.0, 20.0]));
    // The last trigger of each point has no next one.
    assert_eq!(seen["pandas"]["nulls"], 16 * 3);
    let frontier = frame.column("on_frontier").unwrap().bool().unwrap();
    assert_eq!(seen["pandas"]["frontier"], frontier.iter().flatten().filter(|on| *on).count());
    let triggers = seen["duckdb"]["triggers"].as_array().unwrap();
    assert_eq!(triggers.len(), 8 * 4);
    assert_eq!(triggers[0], "consecutive:1");
    let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(seen["pyarrow"]["spec_hash"], manifest["spec_hash"]);
}
