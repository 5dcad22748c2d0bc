//! The `review` command as people and CI meet it. Each item is tried out beside the code.

use assert_cmd::Command;
use serde_json::Value;

const REVIEWED: &str = "sweeps/advise/reviewed.toml";

/// What the command prints, on stdout or stderr, and its exit code.
fn run(arguments: &[&str]) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_failover-budget"));
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["review", "--today", "2026-11-30"])
        .args(arguments)
        .output()
        .unwrap();
    let code = output.status.code().unwrap_or(-1);
    let text = if code == 2 { output.stderr } else { output.stdout };
    (String::from_utf8(text).unwrap(), code)
}

fn failed(arguments: &[&str]) -> Vec<String> {
    let (text, _) = run(&[arguments, &["--format", "json"]].concat());
    let review: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(review["schema"], "failover-budget/review/1");
    let items = review["items"].as_array().unwrap();
    let failed = items.iter().filter(|item| item["verdict"] == "fail");
    failed.map(|item| item["item"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_window_equal_to_the_rto_fails_that_item_and_no_other() {
    let (text, code) = run(&[REVIEWED]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(text);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert_eq!(failed(&[REVIEWED]), ["window-from-room"]);
    assert_eq!(run(&[REVIEWED, "--strict"]).1, 1);
}

#[test]
fn the_chosen_trigger_passes_in_ci() {
    let (text, code) =
        run(&[REVIEWED, "--trigger", "consecutive:33", "--strict", "--unknown-fails"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.ends_with("11 pass, 0 fail, 0 unknown\n"), "{text}");
}

#[test]
fn what_is_unknown_fails_only_where_that_is_asked() {
    assert!(run(&[]).0.ends_with("0 pass, 0 fail, 11 unknown\n"));
    assert_eq!(run(&["--strict"]).1, 0);
    assert_eq!(run(&["--strict", "--unknown-fails"]).1, 1);
}

#[test]
fn manifests_are_compared_where_the_scenario_stands() {
    let text =
        std::fs::read_to_string(format!("{}/{REVIEWED}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let gate = format!("{}/sweeps/gate/", env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    let path_text = path.to_str().unwrap();
    let as_sound = text.replace("window:900s", "consecutive:33").replace("../gate/", &gate);
    for (standby, fails) in [
        ("serve.toml", false),
        ("hold-config-drift.toml", true),
        ("serve-authorized-rollback.toml", false),
    ] {
        std::fs::write(&path, as_sound.replace("serve.toml", standby)).unwrap();
        let expected: &[&str] = if fails { &["standby-config"] } else { &[] };
        assert_eq!(failed(&[path_text]), expected, "{standby}");
    }
    std::fs::write(&path, as_sound.replace("serve.toml", "no-such.toml")).unwrap();
    let (text, code) = run(&[path_text, "--strict"]);
    assert_eq!(code, 0);
    assert!(text.contains("no-such.toml: cannot be read"), "{text}");
}

#[test]
fn the_csv_has_a_line_for_each_item() {
    let (text, _) = run(&[REVIEWED, "--format", "csv"]);
    assert_eq!(text.lines().next(), Some("item,verdict,asks,evidence"));
    assert_eq!(text.lines().count(), 12);
}

#[test]
fn bad_input_is_refused() {
    for (arguments, words) in [
        (&["--today", "tomorrow"][..], "tomorrow"),
        (&["no-such-file.toml"], "cannot be read"),
        (&["--trigger", "window:0s"], "window"),
        (&["--unknown-fails"], "--strict"),
    ] {
        let arguments: Vec<&str> = arguments.to_vec();
        let mut command = Command::new(env!("CARGO_BIN_EXE_failover-budget"));
        let output = command.arg("review").args(&arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    }
}
