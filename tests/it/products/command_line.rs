//! `export`, `import-config`, `completions` and `man` as they are run.

use assert_cmd::Command;
use serde_json::Value;

fn run(arguments: &[&str]) -> (String, String, i32) {
    let output = Command::cargo_bin("failover-budget").unwrap().args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn json(arguments: &[&str]) -> Value {
    let (out, err, code) = run(&[arguments, &["--format", "json"]].concat());
    assert_eq!(code, 0, "{err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn export_as_json_states_what_was_asked_what_it_is_and_the_difference() {
    let export = json(&["export", "--trigger", "consecutive:12", "--to", "route53"]);
    assert_eq!(export["schema"], "failover-budget/export/1");
    assert_eq!(export["asked"]["trigger"], "consecutive:12");
    assert_eq!(export["asked"]["patience_s"], 110.0);
    assert_eq!(export["amounts_to"]["trigger"], "consecutive:5");
    assert_eq!(export["amounts_to"]["interval_s"], 30.0);
    assert_eq!(export["amounts_to"]["silence"], "failure");
    assert_eq!(export["patience_difference_s"], 10.0);
    assert_eq!(export["as_asked"], false);
    let text = export["files"][0]["text"].as_str().unwrap();
    let request: Value = serde_json::from_str(text).unwrap();
    assert_eq!(request["HealthCheckConfig"]["FailureThreshold"], 5);
}

#[test]
fn a_scenario_gives_interval_silence_and_time_out_and_options_go_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = folder.path().join("scenario.toml");
    let text =
        "[probe]\ninterval = \"30s\"\ntimeout = \"5s\"\n[controller]\nsilence = \"ignored\"\n";
    std::fs::write(&scenario, text).unwrap();
    let scenario = scenario.to_str().unwrap();
    let base = ["export", scenario, "--trigger", "consecutive:3", "--to", "cloudwatch"];
    let export = json(&base);
    assert_eq!(export["asked"]["interval_s"], 30.0);
    assert_eq!(export["amounts_to"]["silence"], "ignored");
    let export = json(&[&base[..], &["--interval", "10s", "--silence", "failure"]].concat());
    assert_eq!(export["asked"]["interval_s"], 10.0);
    assert_eq!(export["amounts_to"]["silence"], "failure");
}

#[test]
fn files_are_written_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("new/rules");
    let rules = rules.to_str().unwrap();
    let trigger = ["export", "--trigger", "m-of-n:3/5", "--to", "prometheus", "--out", rules];
    let (out, err, code) = run(&trigger);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("m-of-n:3/5") && !out.contains("groups:"), "{out}");
    let file = format!("{rules}/failover-rules.yaml");
    let read = json(&["import-config", &file]);
    assert_eq!(read["schema"], "failover-budget/import-config/1");
    assert_eq!(read["triggers"][0]["name"], "RegionUnhealthy");
    assert_eq!(read["triggers"][0]["amounts_to"]["trigger"], "m-of-n:3/5");
    assert_eq!(read["triggers"][0]["amounts_to"]["patience_s"], 20.0);
    let (out, _, code) = run(&["import-config", &file, "--format", "csv"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("name,line,kind,trigger,"), "{out}");
}

#[test]
fn tables_fit_into_a_hundred_columns() {
    let data = format!("{}/tests/data/products/rules.yml", env!("CARGO_MANIFEST_DIR"));
    for arguments in [
        &[
            "export",
            "--trigger",
            "success-rate:0.9/60s/180s",
            "--to",
            "cloudwatch",
            "--out",
            "/dev/null/x",
        ][..],
        &["import-config", &data],
    ] {
        let (out, _, _) = run(arguments);
        for line in out.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}

#[test]
fn bad_input_ends_with_2_and_says_what_is_allowed() {
    for (arguments, expected) in [
        (&["export", "--trigger", "consecutive:0", "--to", "envoy"][..], "whole number from 1"),
        (&["export", "--trigger", "consecutive:3", "--to", "nagios"], "prometheus"),
        (
            &["export", "--trigger", "consecutive:3", "--to", "envoy", "--interval", "0"],
            "--interval must be",
        ),
        (
            &["export", "--trigger", "consecutive:3", "--to", "envoy", "--path", "x y"],
            "starts with `/`",
        ),
        (&["import-config", "/nowhere.yaml"], "/nowhere.yaml: cannot be read"),
        (&["man", "exprot"], "there is no command `exprot`"),
        (&["completions", "cmd.exe"], "powershell"),
    ] {
        let (out, err, code) = run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(expected), "{arguments:?}: {err}");
    }
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (out, _, code) = run(&["completions", shell]);
        assert_eq!(code, 0);
        assert!(out.contains("import-config"), "{shell}");
    }
    let (out, _, code) = run(&["man"]);
    assert_eq!(code, 0);
    assert!(out.contains("failover\\-budget\\-export(1)"), "{out}");
    let (out, _, code) = run(&["man", "import-config"]);
    assert_eq!(code, 0);
    assert!(out.contains("deployment.yaml"), "the examples are in the page: {out}");
    let folder = tempfile::tempdir().unwrap();
    let (out, err, code) = run(&["man", "--out", folder.path().to_str().unwrap()]);
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    for page in ["failover-budget.1", "failover-budget-export.1", "failover-budget-man.1"] {
        assert!(folder.path().join(page).is_file(), "{page}");
    }
}
