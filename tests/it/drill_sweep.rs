//! Sweeps over a drill: the drill's fields as axes, recovery per feature as the result.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn spec() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sweeps/drilled/capacity.toml")
}

fn sweep(spec: &Path, folder: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_failover-budget"))
        .args(["--progress", "none", "sweep"])
        .arg(spec)
        .arg("-o")
        .arg(folder)
        .args(more)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_more_patient_controller_recovers_later_at_every_capacity() {
    let place = tempfile::tempdir().unwrap();
    let output = sweep(&spec(), &place.path().join("one"), &["--format", "json"]);
    assert!(output.status.success(), "{}", said(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(json["axes"][1], "controller.fail_after_s");
    let mean = |capacity: f64, fail_after_s: f64| {
        let row = rows.iter().find(|row| {
            row["standbys.0.capacity"] == capacity
                && row["controller.fail_after_s"] == fail_after_s
                && row["feature"] == rows[0]["feature"]
        });
        row.unwrap()["rto_mean_s"].as_f64().unwrap()
    };
    for capacity in [0.1, 0.3, 0.6] {
        assert!(mean(capacity, 60.0) < mean(capacity, 180.0));
        assert!(mean(capacity, 180.0) < mean(capacity, 300.0));
    }
}

#[test]
fn threads_change_no_byte_and_other_results_are_not_overwritten() {
    let place = tempfile::tempdir().unwrap();
    let (one, two) = (place.path().join("one"), place.path().join("two"));
    assert!(sweep(&spec(), &one, &["--threads", "1"]).status.success());
    assert!(sweep(&spec(), &two, &["--threads", "2"]).status.success());
    let bytes = |folder: &Path| fs::read(folder.join("results.parquet")).unwrap();
    assert!(bytes(&one) == bytes(&two));

    let other = spec().with_file_name("../../sweeps/patience.toml");
    let refused = sweep(&other, &one, &[]);
    assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
}

#[test]
fn a_field_that_no_drill_has_is_told_at_its_axis() {
    let place = tempfile::tempdir().unwrap();
    let drill = Path::new(env!("CARGO_MANIFEST_DIR")).join("sweeps/drills/assistant.toml");
    let spec = place.path().join("typo.toml");
    let text = format!(
        "drill = {:?}\n[axes]\n\"controller.fail_aftr\" = [\"60s\"]\n",
        drill.display().to_string()
    );
    fs::write(&spec, text).unwrap();
    let output = sweep(&spec, &place.path().join("out"), &[]);
    assert_eq!(output.status.code(), Some(2));
    let said = said(&output);
    assert!(said.contains("typo.toml:3") && said.contains("fail_after"), "{said}");
}
