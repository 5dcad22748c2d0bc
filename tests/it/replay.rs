//! What triggers would have done over recorded checks: firings, causes, delays, and the side by side.

use std::process::Output;

use failover_budget::fit::replay::{Cause, Replayed, Rules, replay};
use failover_budget::fit::side_by_side::compare;
use failover_budget::fit::{self, Observed, Options, Part, Threshold};
use failover_budget::history::{Builder, Check, Due, History};
use failover_budget::scenario::Scenario;
use failover_budget::time::{Span, Time};
use failover_budget::trigger::{Arming, Silence, Spec};
use failover_budget::{engine::Streams, world};

/// One character a probe, ten seconds apart: S healthy, F failed, – absent, ? unknown.
fn history(checks: &str) -> History {
    let mut builder = Builder::new();
    let mut count = 0;
    for check in checks.chars().filter(|c| !c.is_whitespace()) {
        let check = match check {
            'S' => Some(Check::Healthy),
            'F' => Some(Check::Unhealthy),
            '–' => Some(Check::Absent),
            _ => None,
        };
        if let Some(check) = check {
            builder.add(count, count + 1, check);
        }
        count += 1;
    }
    History {
        due: Due::grid(Time::START, Span::from_secs(10)),
        spells: builder.finish(),
        restarts: Vec::new(),
        faults: Vec::new(),
        end: Time::START + Span::from_secs(10) * count as i64,
    }
}

fn replayed(checks: &str, trigger: &str, silence: Silence) -> Replayed {
    let history = history(checks);
    let part = Part { history: &history, epoch: jiff::Timestamp::UNIX_EPOCH };
    let observed = Observed::of(&[part]);
    // Runs of 60 s or longer are outages here.
    let after = Some(Span::from_secs(60));
    let threshold = Threshold { after, one_law: false, reason: String::new() };
    let rules = Rules { silence, arming: Arming::Immediate };
    let spec: Spec = trigger.parse().unwrap();
    replay(&history, &observed.runs, &threshold, (&spec, Span::from_secs(10), rules))
}

fn firings(replayed: &Replayed) -> Vec<(i64, &'static str)> {
    let word = |cause| match cause {
        Cause::Blip(_) => "blip",
        Cause::Outage(_) => "outage",
        Cause::Silence => "silence",
    };
    let secs = |at: Time| at.as_nanos() / 1_000_000_000;
    replayed.firings.iter().map(|f| (secs(f.at), word(f.cause))).collect()
}

#[test]
fn firings_have_their_cause_and_outages_their_delay() {
    let found = replayed("SSFFFSS FFFFFFFSS FSS", "consecutive:3", Silence::Failure);
    assert_eq!(firings(&found), [(40, "blip"), (90, "outage")]);
    assert_eq!(found.false_firings(), 1);
    assert_eq!(found.delays_s(), [20.0]);
    assert_eq!(found.missed(), 0);
    // The run's length is behind the firing.
    let Cause::Outage(run) = found.firings[1].cause else { panic!() };
    assert_eq!(run.length(), Span::from_secs(70));
}

#[test]
fn an_outage_that_ends_first_is_missed_and_never_averaged_in() {
    let found = replayed("SSFFFFFFSS SSFFFFFFFFFFSS", "consecutive:8", Silence::Failure);
    assert_eq!((found.missed(), found.delays_s().len()), (1, 1));
}

#[test]
fn an_outage_still_running_is_not_missed() {
    let found = replayed("SSFFFFFFF", "consecutive:30", Silence::Failure);
    assert_eq!(found.missed(), 0);
    assert!(found.delays_s().is_empty());
}

#[test]
fn silence_is_told_apart() {
    let checks = "SSSS–––––SSS";
    assert_eq!(firings(&replayed(checks, "consecutive:3", Silence::Failure)), [(60, "silence")]);
    assert_eq!(firings(&replayed(checks, "consecutive:3", Silence::Ignored)), []);
    // Inside a run the run is the cause.
    assert_eq!(firings(&replayed("SSF––FSS", "consecutive:3", Silence::Failure)), [(40, "blip")]);
}

#[test]
fn after_a_hole_the_controller_begins_anew() {
    // Two failures on either side of a hole are not four in a row.
    assert_eq!(firings(&replayed("SSFF??????FFSS", "consecutive:3", Silence::Failure)), []);
    assert_eq!(firings(&replayed("SSFF??????FFFSS", "consecutive:3", Silence::Failure)).len(), 1);
}

#[test]
fn a_trigger_that_looks_back_still_has_its_run() {
    let found = replayed("SSSSFFSFSSSSSS", "m-of-n:3/4", Silence::Failure);
    assert_eq!(firings(&found), [(70, "blip")]);
}

/// Over simulated months, the replay, the fitted model and the exact rate of the truth agree.
///
/// 90 days at 27.2 firings a day: Poisson standard error 2 %; six of them, and the truth must lie in both
/// intervals widened to 99.9999 % (times 2.5).
#[test]
fn replay_model_and_truth_agree() {
    let mut scenario = Scenario::default();
    scenario.run.length = Span::from_days(90);
    let history = world::simulate(&scenario, Streams::new(9, 0), None);
    let parts = [Part { history: &history, epoch: jiff::Timestamp::UNIX_EPOCH }];
    let fit = fit::history(&parts, &Options { draws: 0, ..Options::default() });
    let rules = Rules { silence: Silence::Failure, arming: Arming::FullWindow };
    let specs: Vec<Spec> =
        ["consecutive:1", "consecutive:3", "consecutive:6", "window:60s", "m-of-n:3/3"]
            .map(|spec| spec.parse().unwrap())
            .to_vec();
    let compared = compare(&parts, &fit, &specs, rules);
    for (one, truth) in compared.iter().zip([73.53, 27.23, 6.136, 3.734, 27.23]) {
        for (name, estimate) in
            [("replayed", one.false_failovers_per_day), ("predicted", one.predicted_per_day)]
        {
            let estimate = estimate.unwrap();
            let half = 2.5 * (estimate.hi - estimate.lo) / 2.0;
            assert!(
                (estimate.value - truth).abs() < half,
                "{} {name}: {}",
                one.spec,
                estimate.show(2)
            );
        }
    }
    let exact = compared[2].predicted_per_day.unwrap().exact.unwrap();
    assert!((exact / compared[2].predicted_per_day.unwrap().value - 1.0).abs() < 1e-9);
}

fn run(arguments: &[&str], folder: &std::path::Path) -> Output {
    let program = env!("CARGO_BIN_EXE_failover-budget");
    std::process::Command::new(program).args(arguments).current_dir(folder).output().unwrap()
}

/// A recording as CSV: the lab's blips for two weeks, and two outages of an hour and more.
fn csv() -> String {
    let mut scenario = Scenario::default();
    scenario.run.length = Span::from_days(14);
    let history = world::simulate(&scenario, Streams::new(4, 0), None);
    let mut text = String::from("time,status\n");
    let epoch: jiff::Timestamp = "2026-03-01T00:00:00Z".parse().unwrap();
    for (_, at, check) in history.checks() {
        let secs = at.as_nanos() / 1_000_000_000;
        let outage = (400_000..404_000).contains(&secs) || (900_000..907_000).contains(&secs);
        let up = check == Check::Healthy && !outage;
        let at = epoch + jiff::SignedDuration::from_secs(secs);
        text.push_str(&format!("{at},{}\n", if up { "up" } else { "down" }));
    }
    text
}

#[test]
fn the_command_line_from_recording_to_scenario_and_replay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("probes.csv"), csv()).unwrap();
    let json = |arguments: &[&str]| -> serde_json::Value {
        let out = run(arguments, path);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        serde_json::from_slice(&out.stdout).unwrap()
    };
    let fitted = json(&["fit", "probes.csv", "--draws", "20", "--format", "json", "-q"]);
    assert_eq!(fitted["schema"], "failover-budget/fit/1");
    for key in [
        "checks",
        "healthy",
        "unhealthy",
        "absent",
        "interval_s",
        "from",
        "to",
        "down_runs",
        "right_censored",
        "unavailability",
        "warnings",
    ] {
        assert!(!fitted["history"][key].is_null(), "{key}");
    }
    assert_eq!(fitted["outages"]["n"], 2);
    let length = &fitted["blips"]["length"];
    let families = length["families"].as_array().unwrap();
    let exponential = families.iter().find(|f| f["family"] == "exponential").unwrap();
    for key in [
        "parameters",
        "mean_s",
        "log_likelihood",
        "aicc",
        "bic",
        "weight",
        "gof_p",
        "converged",
        "warnings",
    ] {
        assert!(!exponential[key].is_null(), "{key}");
    }
    assert!(exponential["mean_s"]["lo"].as_f64().unwrap() < 20.5);
    assert!(!fitted["blips"]["gap"]["selected"].is_null());
    // The scenario is one that the other commands take.
    let scenario = path.join("output/probes/scenario.toml");
    let text = std::fs::read_to_string(&scenario).unwrap();
    let read = Scenario::from_toml("scenario.toml", &text).unwrap();
    assert_eq!(read.probe.interval, Span::from_secs(10));
    assert!(read.ownership.measured_from.unwrap().starts_with("probes.csv"));
    assert!(path.join("output/probes/survival.svg").exists());
    // What a user has filled in is not overwritten.
    std::fs::write(&scenario, text + "\n# mine\n").unwrap();
    let again = run(&["fit", "probes.csv", "--draws", "0", "-q"], path);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("--force"));

    let replayed =
        json(&["replay", "probes.csv", "--trigger", "consecutive:1..12", "--format", "json", "-q"]);
    assert_eq!(replayed["schema"], "failover-budget/replay/1");
    let triggers = replayed["triggers"].as_array().unwrap();
    assert_eq!(triggers.len(), 12);
    let six = &triggers[5];
    assert_eq!(
        (six["trigger"].as_str(), six["patience_s"].as_f64()),
        (Some("consecutive:6"), Some(50.0))
    );
    let firings = six["firings"].as_array().unwrap();
    let outages: Vec<_> = firings.iter().filter(|f| f["cause"] == "outage").collect();
    assert_eq!(outages.len(), 2);
    assert!(
        outages
            .iter()
            .all(|f| f["false"] == false && f["at"].as_str().unwrap().starts_with("2026-03-"))
    );
    assert_eq!(six["detection_s"]["max"], 50.0);
    assert!(six["false_failovers_per_day"]["lo"].as_f64().unwrap() < 6.136);
    assert!(six["predicted_per_day"]["value"].as_f64().unwrap() > 3.0);
    for format in ["table", "csv"] {
        let out = run(&["replay", "probes.csv", "--format", format, "-q"], path);
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(text.contains("consecutive:6") && text.contains("window:300s"));
        if format == "table" {
            assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
            // Sixty failures in a row of 20 s blips: no figure, since nothing bears it out.
            let sixty = text.lines().find(|line| line.contains("consecutive:60")).unwrap();
            assert!(sixty.contains("< 1e-6"), "{sixty}");
        }
    }
}

#[test]
fn bad_input_is_told_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("lengths.csv"), "hours\n1.5\n2\n0.5\n3\n4.5\n2.5\n").unwrap();
    std::fs::write(
        path.join("flat.csv"),
        "time,status\n2026-01-01T00:00:00Z,up\n2026-01-01T00:00:10Z,up\n",
    )
    .unwrap();
    let said = |arguments: &[&str]| {
        let out = run(arguments, path);
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    let (code, text) = said(&["replay", "lengths.csv"]);
    assert!(code == Some(2) && text.contains("`fit` takes it"), "{text}");
    let (code, text) = said(&["replay", "flat.csv", "--trigger", "consecutve:3"]);
    assert!(code == Some(2) && text.contains("did you mean"), "{text}");
    let (code, text) = said(&["fit", "flat.csv", "--outage-after", "0s"]);
    assert!(code == Some(2) && text.contains("longer than 0s"), "{text}");
    let (code, text) = said(&["fit", "nowhere.csv"]);
    assert!(code == Some(2) && text.contains("nowhere.csv"), "{text}");
    let (code, text) = said(&["fit"]);
    assert!(code == Some(2) && text.contains("HISTORY"), "{text}");
    // A recording without a failure is no failure: it bounds the rate.
    let out = run(&["fit", "flat.csv", "--format", "json", "-q"], path);
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(json["blips"]["n"], 0);
    assert!(json["blips"]["rate_per_day"]["hi"].as_f64().unwrap() > 0.0);
    let out = run(&["fit", "lengths.csv", "--format", "json", "-q", "--draws", "10"], path);
    let json: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(json["durations"]["families"].as_array().unwrap().len(), 6);
}
