//! The command `rare`: its contract, its determinism, and an answer without an exact form.

use std::process::{Command, Output};

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
