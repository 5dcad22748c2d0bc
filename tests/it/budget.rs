//! The `budget` command as people and scripts meet it.

use assert_cmd::Command;

/// What the command prints, on stdout or stderr, and its exit code.
fn run(arguments: &[&str]) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_failover-budget"));
    let output = command.arg("budget").args(arguments).output().unwrap();
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (String::from_utf8(text).unwrap(), output.status.code().unwrap_or(-1))
}

/// As [`run`], with a scenario in a file.
fn run_scenario(text: &str, arguments: &[&str]) -> (String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scenario.toml");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let (said, code) = run(&[&[path], arguments].concat());
    (said.replace(path, "scenario.toml"), code)
}

const DISTRIBUTED: &str = r#"
rto = "20min"
probe.timeout = "2s"
[stages]
replicas = 8
storage_gb_per_s = 4.0
reserve = "5%"
extra = [
    { name = "approval", length = { law = "lognormal", median = "60s", sigma = 0.8 }, before = "promotion" },
    { name = "client cache tail", length = "150s", beside = "traffic_shift" },
]
[[targets]]
tier = "hot"
[[targets]]
tier = "warm"
name = "eu-west"
traffic_shift = { law = "exponential", mean = "120s" }
[[targets]]
tier = "cold"
name = "us-east"
storage_gb_per_s = 20.0
"#;

#[test]
fn the_lab_as_a_table() {
    let (text, code) = run(&[]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(text);
}

#[test]
fn stages_with_laws_as_a_table() {
    let triggers = ["--trigger", "consecutive:12", "--trigger", "m-of-n:3/5"];
    let (text, code) = run_scenario(DISTRIBUTED, &triggers);
    assert_eq!(code, 0);
    insta::assert_snapshot!(text);
}

#[test]
fn every_line_is_within_100_columns() {
    let many: String = (0..12)
        .map(|i| {
            format!("[[targets]]\ntier = \"cold\"\nname = \"a region with a long name {i}\"\n")
        })
        .collect();
    for scenario in ["", DISTRIBUTED, &many] {
        let (text, _) = run_scenario(scenario, &[]);
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}

#[test]
fn the_json_has_the_keys_that_scripts_rely_on() {
    let (text, _) = run(&["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["schema"], "failover-budget/budget/1");
    assert_eq!(json["rto_s"], 900.0);
    let tiers = json["tiers"].as_array().unwrap();
    let row = |tier: &serde_json::Value| {
        let keys = ["promotion_s", "traffic_shift_s", "capacity_s", "weight_load_s"];
        let further = ["after_detection_s", "room_s"];
        keys.iter().chain(&further).map(|key| tier[key].as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(row(&tiers[0]), [60.0, 120.0, 0.0, 0.0, 180.0, 720.0]);
    assert_eq!(row(&tiers[1]), [60.0, 120.0, 0.0, 140.0, 320.0, 580.0]);
    assert_eq!(row(&tiers[2]), [60.0, 120.0, 600.0, 140.0, 920.0, -20.0]);
    let largest: Vec<_> = tiers.iter().map(|tier| tier["largest_consecutive"].as_u64()).collect();
    assert_eq!(largest, [Some(72), Some(58), None]);
    assert_eq!(json["targets"][2]["target"], "cold");
    assert_eq!(json["targets"][2]["stages"][2]["stage"], "capacity");
    assert_eq!(json["targets"][2]["would_fit_if"]["rto_s"], 930.0);
    let window = json["triggers"].as_array().unwrap().last().unwrap();
    assert_eq!((&window["trigger"], &window["patience_s"]), (&"window:900s".into(), &900.0.into()));
    assert_eq!(window["recovery"][0]["recovery_s"], 1080.0);
    assert_eq!(window["recovery"][0]["meets_rto"], false);
    assert!(!window["warnings"].as_array().unwrap().is_empty());
}

#[test]
fn a_chance_stands_as_an_estimate() {
    let (text, _) = run_scenario(DISTRIBUTED, &["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let exact = &json["triggers"][0]["recovery"][0];
    assert!(exact["meets_rto"].is_null());
    assert_eq!(exact["rto_met"]["value"], exact["rto_met"]["exact"]);
    let drawn = &json["triggers"][0]["recovery"][1]["rto_met"];
    assert_eq!((&drawn["n"], &drawn["level"]), (&100_000.into(), &0.95.into()));
    assert!(drawn["lo"].as_f64() < drawn["value"].as_f64());
    assert_eq!(run_scenario(DISTRIBUTED, &["--format", "json", "--threads", "1"]).0, text);
}

#[test]
fn the_csv_has_a_line_for_each_trigger_and_target() {
    let (text, _) = run(&["--format", "csv", "--trigger", "window:300s"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("trigger,patience_s,target,tier,after_detection_s,room_s"));
    assert_eq!(lines[1], "window:300s,300,hot,hot,180,720,72,480,490,true,true,,,,,,");
    assert_eq!(lines[3], "window:300s,300,cold,cold,920,-20,,1220,1230,false,false,,,,,,");
    assert_eq!(lines.len(), 4);
}

#[test]
fn bad_input_is_refused_with_the_place_and_the_way_out() {
    let refused = |(said, code): (String, i32), words: &str| {
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(words), "{said}");
    };
    refused(run(&["--rto", "0s"]), "--rto: 0s found; allowed: longer than 0s");
    refused(run(&["--rto", "-5min"]), "--rto: -5min found");
    refused(run(&["--rto", "900"]), "write it as \"900s\"");
    refused(run(&["--trigger", "consecutive:0"]), "from 1 to");
    refused(run(&["no-such-file.toml"]), "no-such-file.toml: cannot be read");
    let extra = "[[stages.extra]]\nname = \"a\"\nlength = \"1s\"\nbeside = \"capasity\"\n";
    refused(
        run_scenario(extra, &[]),
        "scenario.toml:4: stages.extra.0.beside: there is no stage `capasity`; did you mean `capacity`?",
    );
    refused(run_scenario("rto = \"0s\"", &[]), "scenario.toml:1: rto: 0s found");
}

#[test]
fn figures_say_what_they_do_not_hold_for() {
    let (text, _) = run_scenario("outage.kind = \"dark\"\ncontroller.silence = \"ignored\"", &[]);
    assert!(text.contains("a dark outage is never detected"), "{text}");
    let (text, _) = run_scenario("outage.kind = \"gray\"", &[]);
    assert!(text.contains("fails each with probability 0.5"), "{text}");
}
