//! The command `rare`: its contract, its determinism, and an answer without an exact form.

use std::process::{Command, Output};

use super::support::printed;

fn rare(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_failover-budget"))
        .args(["rare", "--progress", "none"])
        .args(args)
        .output()
        .unwrap()
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = rare(&[args, &["--format", "json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn m_of_m_is_the_exact_rate_of_m_in_a_row() {
    // 20 of 20 is 20 in a row, which the exact form knows and splitting does not.
    let found = json(&["--trigger", "m-of-n:20/20"]);
    let exact = json(&["--trigger", "consecutive:20"]);
    let truth = exact["triggers"][0]["false_failovers_per_day"]["exact"].as_f64().unwrap();
    let rate = &found["triggers"][0]["false_failovers_per_day"];
    assert!(rate.get("exact").is_none());
    let number = |key: &str| rate[key].as_f64().unwrap();
    // Five standard errors: a chance of failing by bad luck below one in a million.
    let standard_error = (number("hi") - number("lo")) / 2.0 / 1.96;
    assert!((number("value") - truth).abs() < 5.0 * standard_error, "{rate} against {truth}");
    assert_eq!(found["schema"], "failover-budget/rare/1");
    assert_eq!(found["triggers"][0]["reliability"]["reached"], true);
}

/// With failures to spare no exact form is known, but one that is not so rare can be counted.
#[test]
fn m_of_n_is_the_rate_that_is_counted() {
    let found = json(&["--trigger", "m-of-n:12/16", "--within", "3%"]);
    let lab = printed(&["lab", "--trigger", "m-of-n:12/16", "--seeds", "500", "--format", "json"]);
    let lab: serde_json::Value = serde_json::from_str(&lab).unwrap();
    let figure = |value: &serde_json::Value, key: &str| {
        value["triggers"][0]["false_failovers_per_day"][key].as_f64().unwrap()
    };
    let variance = |value| ((figure(value, "hi") - figure(value, "lo")) / 2.0 / 1.96).powi(2);
    let apart = figure(&found, "value") - figure(&lab, "value");
    // Five standard errors: a chance of failing by bad luck below one in a million.
    assert!(apart.abs() < 5.0 * (variance(&found) + variance(&lab)).sqrt(), "{found} {lab}");
}

/// What no branch will come to is given up, not run for hours.
#[test]
fn a_rate_out_of_reach_is_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("short.toml");
    std::fs::write(&path, "[run]\nlength = '1h'\n[probe]\ninterval = '1s'\n").unwrap();
    let found = json(&[path.to_str().unwrap(), "--trigger", "consecutive:3000"]);
    let trigger = &found["triggers"][0];
    assert_eq!(trigger["false_failovers_per_day"]["value"], 0.0);
    let warning = trigger["reliability"]["warnings"][0].as_str().unwrap();
    assert!(warning.contains("far below 1e-18 a day"), "{warning}");
    assert_eq!(trigger["replications"], 64);
}

#[test]
fn threads_change_no_digit() {
    let args = ["--trigger", "m-of-n:8/10"];
    let one = json(&[&args[..], &["--threads", "1"]].concat());
    assert_eq!(one, json(&[&args[..], &["--threads", "2"]].concat()));
}

#[test]
fn bad_shares_are_refused() {
    for within in ["0%", "5", "-1%", "x%"] {
        assert_eq!(rare(&[&format!("--within={within}")]).status.code(), Some(2), "{within}");
    }
}
