//! The `advise` command as people and scripts meet it, and its answers against brute force.

mod brute_force;
mod changes;

use assert_cmd::Command;
use serde_json::Value;

/// What the command prints, on stdout or stderr, and its exit code.
fn run(arguments: &[&str]) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_failover-budget"));
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .arg("advise")
        .args(arguments)
        .output()
        .unwrap();
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (String::from_utf8(text).unwrap(), output.status.code().unwrap_or(-1))
}

/// As [`run`], with a scenario in a file and a limit of one in 30 days.
fn run_scenario(text: &str, arguments: &[&str]) -> (String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scenario.toml");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let (said, code) = run(&[&[path, "--max-false-failovers", "1/30d"], arguments].concat());
    (said.replace(path, "scenario.toml"), code)
}

fn json(scenario: &str, arguments: &[&str]) -> Value {
    let (text, code) = run_scenario(scenario, &[arguments, &["--format", "json"]].concat());
    assert_eq!(code, 0, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_lab_as_a_table() {
    let (text, code) = run(&["--max-false-failovers", "1/30d"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(text);
}

#[test]
fn the_example_with_prices_as_a_table() {
    let (text, code) = run(&["sweeps/advise/example.toml"]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(text);
}

/// A world without exact forms: two sources, jitter, restarts, stages with laws, a refit's limit.
const WORLD: &str = r#"
probe.jitter = "1s"
run = { length = "10d", replications = 10 }
[[blips]]
name = "network"
[[blips]]
name = "pauses of the garbage collector"
length = { law = "lognormal", mean = "8s", sigma = 1.0 }
gap = "5min"
[restarts]
gap = { law = "exponential", mean = "1d" }
[[targets]]
tier = "hot"
name = "a region with a long name"
traffic_shift = { law = "lognormal", median = "90s", sigma = 0.5 }
[[targets]]
tier = "cold"
[cost]
price_per_gpu_hour = 3.0
gpus = 8
standby_share.hot = 1.0
price_per_outage_minute = 100.0
outages_per_year = 3.0
"#;

#[test]
fn every_line_is_within_100_columns() {
    let gray = "outage.kind = \"gray\"\nrto = \"400s\"";
    for (scenario, arguments) in [("", &["--rto", "345s"][..]), (gray, &[]), (WORLD, &[])] {
        let (text, code) = run_scenario(scenario, arguments);
        assert_eq!(code, 0, "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}

#[test]
fn the_json_has_the_keys_that_scripts_rely_on() {
    let advice = json("", &[]);
    assert_eq!(advice["schema"], "failover-budget/advise/1");
    let [hot, warm, cold] = &advice["targets"].as_array().unwrap()[..] else { panic!("three") };
    for (target, tier, room, longest) in [(hot, "hot", 720.0, 710.0), (warm, "warm", 580.0, 570.0)]
    {
        assert_eq!((&target["target"], &target["tier"]), (&tier.into(), &tier.into()));
        assert_eq!(target["room_s"], room);
        let band = &target["band"];
        assert_eq!(band["shortest"]["trigger"], "consecutive:17");
        assert_eq!(
            (&band["shortest"]["patience_s"], &band["longest"]["patience_s"]),
            (&160.0.into(), &longest.into())
        );
        let choice = &target["choice"];
        assert_eq!(
            (&choice["trigger"], &choice["window"]),
            (&"consecutive:33".into(), &"window:325s".into())
        );
        let rate = &choice["false_failovers_per_day"];
        assert_eq!(
            (&rate["value"], &rate["lo"], &rate["n"]),
            (&rate["exact"], &rate["hi"], &0.into())
        );
        // A lasting outage that is reported is always recovered from within the worst case.
        assert_eq!(choice["rto_met"]["value"], 1.0);
        assert!(target["would_fit_if"].as_array().unwrap().is_empty());
    }
    assert_eq!(
        (&hot["choice"]["recovery_s"], &warm["choice"]["recovery_s"]),
        (&500.0.into(), &640.0.into())
    );
    assert!(cold["band"].is_null() && cold["choice"].is_null());
    let because = cold["because"].as_str().unwrap();
    let why = "capacity 600 s + weights 140 s + 180 s exceeds 900 s: no trigger can";
    assert!(because.starts_with(why), "{because}");
    let fits = &cold["would_fit_if"];
    assert_eq!((&fits[0]["change"], &fits[0]["value"]), (&"rto_s".into(), &1090.0.into()));
    assert!(advice["sensitivity"].as_array().unwrap().len() >= 5);
    assert!(advice["cost"].as_array().unwrap().is_empty());
    assert_eq!(advice["ranking"][2]["over_by_s"], 190.0);
    assert_eq!(advice["one_trigger"]["band"]["longest"]["trigger"], "consecutive:58");
}

#[test]
fn preferences_choose_within_the_band() {
    for (choose, k) in [("fast", 17), ("robust", 33), ("quiet", 58)] {
        let advice = json("", &["--tier", "warm", "--choose", choose]);
        let targets = advice["targets"].as_array().unwrap();
        assert_eq!(targets.len(), 1);
        assert_eq!(targets[0]["choice"]["trigger"], format!("consecutive:{k}"), "{choose}");
    }
    let (text, _) = run(&["sweeps/advise/example.toml", "--choose", "cheap", "--format", "json"]);
    let advice: Value = serde_json::from_str(&text).unwrap();
    let rows = advice["cost"].as_array().unwrap();
    let least = rows
        .iter()
        .filter(|row| row["target"] == "hot" && row["in_band"] == true)
        .min_by(|a, b| {
            let cost = |row: &Value| row["cost_per_year"]["value"].as_f64().unwrap();
            cost(a).total_cmp(&cost(b))
        })
        .unwrap();
    assert_eq!(advice["targets"][0]["choice"]["trigger"], least["trigger"]);
    assert_eq!((&least["chosen"], &least["cheapest"]), (&true.into(), &true.into()));
}

#[test]
fn the_csv_has_a_line_for_each_target() {
    let (text, _) = run_scenario("", &["--format", "csv"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("target,tier,room_s,shortest,longest,trigger,patience_s"));
    assert!(lines[1].starts_with("hot,hot,720,consecutive:17,consecutive:72,consecutive:33,320,"));
    assert!(lines[3].starts_with("cold,cold,-20,,,,,"));
    assert_eq!(lines.len(), 4);
}

/// The laws of the refit are tried with their weights, and the choice keeps to the limit under each.
#[test]
fn a_refit_stands_in_for_the_blips() {
    let advice = json("", &["--fit", "tests/data/advise/fit.json"]);
    let cases = advice["sensitivity"].as_array().unwrap();
    let weighty: Vec<&Value> = cases.iter().filter(|case| case["weight"].is_number()).collect();
    assert!(weighty.len() > 1 && weighty.iter().all(|case| case["required"] == true));
    let weights: Vec<f64> = weighty.iter().map(|case| case["weight"].as_f64().unwrap()).collect();
    assert!(weights.is_sorted_by(|a, b| a >= b) && weights.iter().all(|weight| *weight >= 0.05));
    let hot = |case: &Value| case["targets"][0].clone();
    assert!(weighty.iter().all(|case| hot(case)["keeps_to_limit"] == true), "{weighty:#?}");
    // Not the shortest of the first law alone.
    assert_ne!(advice["targets"][0]["choice"]["trigger"], cases[0]["shortest"]["trigger"]);
}

#[test]
fn an_outage_that_counts_do_not_bound_is_simulated() {
    let advice = json("outage.kind = \"gray\"\nrto = \"400s\"", &["--tier", "hot"]);
    let hot = &advice["targets"][0];
    assert!(hot["choice"]["rto_met"]["hi"].as_f64().unwrap() < 0.5);
    assert!(hot["because"].as_str().unwrap().contains("a share of only"));
    assert!(advice["notes"].to_string().contains("this outage is gray"));
}

#[test]
fn a_simulated_advice_says_so_and_does_not_depend_on_threads() {
    let arguments = ["--format", "json"];
    let limit = WORLD.replace("replications = 10", "replications = 4");
    let (text, code) = run_scenario(&limit, &arguments);
    assert_eq!(code, 0, "{text}");
    assert_eq!(run_scenario(&limit, &[&arguments[..], &["--threads", "1"]].concat()).0, text);
    let advice: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(advice["exact"], false);
    assert!(advice["notes"].to_string().contains("upper end of an interval"));
    let hot = &advice["targets"][0];
    let limit = advice["max_false_failovers_per_day"].as_f64().unwrap();
    if let Some(choice) = hot["choice"].as_object() {
        assert!(choice["false_failovers_per_day"]["value"].as_f64().unwrap() <= limit);
    }
    let costs = advice["cost"].as_array().unwrap();
    assert!(costs.iter().any(|row| {
        let cost = &row["outage_cost_per_year"];
        cost["lo"].as_f64() < cost["hi"].as_f64()
    }));
    assert!(advice["cost_notes"].to_string().contains("the standby cold"));
}

#[test]
fn bad_input_is_refused_with_the_place_and_the_way_out() {
    let refused = |(said, code): (String, i32), words: &str| {
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(words), "{said}");
    };
    refused(run(&[]), "--max-false-failovers is not given");
    refused(run(&["--max-false-failovers", "1"]), "\"1/30d\"");
    refused(run(&["--max-false-failovers", "0/30d"]), "silent for ever");
    refused(run(&["--max-false-failovers", "1/30d", "--rto", "0s"]), "--rto: 0s found");
    refused(run(&["--max-false-failovers", "1/30d", "--choose", "cheap"]), "no prices");
    refused(
        run(&["--max-false-failovers", "1/30d", "--fit", "Cargo.toml"]),
        "Cargo.toml: this is not",
    );
    refused(run_scenario("[[targets]]\ntier = \"hot\"", &["--tier", "cold"]), "no target");
    refused(run_scenario("[cost]\ngpu = 8", &[]), "scenario.toml:2: cost.gpu");
    let stated = "[ownership]\nmax_false_failovers = \"often\"";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.toml");
    std::fs::write(&path, stated).unwrap();
    refused(run(&[path.to_str().unwrap()]), "ownership.max_false_failovers: `often` is no limit");
}
