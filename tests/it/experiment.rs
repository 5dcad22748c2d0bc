//! What must not change when something is added that changes nothing, and what must when it does.

use failover_budget::experiment::{Environment, Setting, answers_by_patience, run};
use failover_budget::law::Law;
use failover_budget::scenario::{Arrivals, BlipSource, Scenario};
use failover_budget::time::Span;
use failover_budget::trigger::{Arming, Silence, Spec};
use serde_json::Value;

use super::support::{SIGMAS, json, standard_errors};

/// The lab's JSON of a scenario.
fn lab(text: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scenario.toml");
    std::fs::write(&path, text).unwrap();
    json(&["lab", path.to_str().unwrap(), "--seeds", "20", "--days", "10"])
}

/// Without the exact values, which theory gives for a world that it covers only.
fn simulated(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.remove("exact");
                map.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut value);
    value
}

/// Faults that come after the end of a run, or do nothing.
const NEVER: [(&str, &str); 6] = [
    ("a source of blips", "[[blips]]\n[[blips]]\nname = 'late'\ngap = '30000d'\n"),
    ("blips of no length", "[[blips]]\n[[blips]]\nname = 'short'\nlength = '1ns'\n"),
    ("prober deaths", "[prober]\ngap = '40000h'\n"),
    ("restarts", "[restarts]\ngap = '40000h'\n"),
    ("restarts with deploys", "[restarts]\ngap = '40000h'\ndown = '60s'\ndeploy = {}\n"),
    ("the length of an outage beyond any patience", "[outage]\nlength = '2d'\n"),
];

#[test]
fn a_fault_process_that_never_acts_changes_no_other_figure() {
    let plain = simulated(lab(""));
    for (what, text) in NEVER {
        assert_eq!(simulated(lab(text)), plain, "{what}");
    }
    // The comparison can fail: a process that acts is seen.
    for text in [
        "[[blips]]\n[[blips]]\nname = 'late'\ngap = '1d'\n",
        "[prober]\ngap = '1d'\n",
        "[restarts]\ngap = '1h'\ndown = '1h'\n",
    ] {
        assert_ne!(simulated(lab(text)), plain, "{text}");
    }
}

#[test]
fn a_trigger_more_changes_no_figure_of_the_others() {
    for scenario in ["", "[probe]\njitter = '1s'\n"] {
        let with = |triggers: &str| lab(&format!("triggers = [{triggers}]\n{scenario}"));
        let few = with("'consecutive:3', 'window:55s', 'm-of-n:3/5'");
        let more = with(
            "'consecutive:1', 'consecutive:3', 'window:55s', 'm-of-n:2/4', 'm-of-n:3/5', \
             'success-rate:0.9/60s/30s', 'consecutive:9', 'window:300s'",
        );
        let figures = |lab: &Value, name: &str| {
            let all = lab["triggers"].as_array().unwrap();
            simulated(all.iter().find(|figures| figures["trigger"] == name).unwrap().clone())
        };
        for name in ["consecutive:3", "window:55s", "m-of-n:3/5"] {
            assert_eq!(figures(&few, name), figures(&more, name), "{name}");
        }
        assert_eq!(few["budget"], more["budget"]);
    }
}

#[test]
fn a_target_more_changes_no_figure_of_the_others() {
    let stages = "[stages]\npromotion = { law = 'exponential', mean = '60s' }\n";
    let one = lab(&format!("{stages}[[targets]]\ntier = 'warm'\n"));
    let two = lab(&format!("{stages}[[targets]]\ntier = 'hot'\n[[targets]]\ntier = 'warm'\n"));
    for (one, two) in
        one["triggers"].as_array().unwrap().iter().zip(two["triggers"].as_array().unwrap())
    {
        assert_eq!(one["recovery"][0], two["recovery"][1]);
        assert_eq!(one["false_failovers_per_day"], two["false_failovers_per_day"]);
    }
}

/// Two sources side by side are merged where they overlap: two independent Poisson sources at half
/// the rate each are one. 4,000 runs of 30 days each; eight comparisons at 4.7e-4: 0.4 % of seeds.
#[test]
fn two_sources_of_half_the_rate_are_one() {
    let source = |name: &str, gap: f64| BlipSource {
        name: name.to_owned(),
        gap: Law::exponential(gap).unwrap(),
        arrivals: Arrivals::Poisson,
        ..BlipSource::default()
    };
    let mut scenario = Scenario::default();
    scenario.run.replications = 4_000;
    scenario.outage.per_replication = 1;
    scenario.blips.0 = vec![source("one", 1_800.0), source("two", 1_800.0)];
    // False failovers a day at Poisson starts, one every 900 s, of mean 20 s (tests/data/oracles).
    let exact = [(1, 73.5637461), (3, 27.53587511), (6, 6.377913761), (12, 0.3449628425)];
    let settings: Vec<Setting> = exact
        .iter()
        .map(|(k, _)| Setting {
            spec: Spec::Consecutive { k: *k },
            silence: Silence::Failure,
            arming: Arming::FullWindow,
        })
        .collect();
    let environment = Environment::new(scenario).unwrap();
    assert!(!answers_by_patience(&environment, &settings[0]), "this is the event queue's");
    for ((k, per_day), tally) in exact.iter().zip(run(&environment, &settings, |_| {})) {
        let days = 30.0 - (*k as f64 - 1.0) * 10.0 / 86_400.0;
        let errors = standard_errors(&tally.firings, per_day * days);
        assert!(errors.abs() <= SIGMAS, "k = {k}: {errors:.2} standard errors");
    }
}

/// A blip that fails each probe with chance q: k in a row all fail with chance q^k times that of a blip
/// that lasts so long, if no healthy probe parts a run of a blip in two; for k = 1 and blips so short
/// that none meets two probes the rate is q times that of full blips. 2,000 runs of 30 days.
#[test]
fn a_blip_that_fails_by_chance_fails_that_share_of_probes() {
    let mut scenario = Scenario::default();
    scenario.run.replications = 2_000;
    scenario.outage.per_replication = 1;
    scenario.blips.0[0].length = Law::constant(9.0).unwrap();
    scenario.blips.0[0].fail_probability = 0.3;
    let environment = Environment::new(scenario).unwrap();
    let setting = Setting {
        spec: Spec::Consecutive { k: 1 },
        silence: Silence::Failure,
        arming: Arming::Immediate,
    };
    let tally = &run(&environment, &[setting], |_| {})[0];
    // Of a cycle of 909 s, 9 s are a blip; a probe falls in it once in 10 s of it. Blips that follow
    // each other within one interval join two failed probes to one firing: less than 1 in 200 of them.
    let failed = 30.0 * 86_400.0 / 909.0 * 0.9 * 0.3;
    let found = tally.firings.mean_value().unwrap();
    assert!(found < failed + 0.1 && found > failed * 0.995, "{found}, {failed}");
    let joined = failed * (1.0 - 0.3 * joined_share());
    let errors = standard_errors(&tally.firings, joined);
    assert!(errors.abs() <= SIGMAS, "{errors:.2} standard errors of {joined}");
}

/// Given a failed probe inside a blip of 9 s, the chance that the probe 10 s later is inside the next
/// blip: that one began in the 10 s between and not more than 9 s before their end.
fn joined_share() -> f64 {
    // The first blip ends at e, uniform on (0, 9) after the first probe; the next starts at
    // e + gap with 1 s < e + gap < 10 s. (It cannot also have ended: it lasts 9 s.)
    let steps = 10_000;
    let chance = |e: f64| {
        let from = (1.0 - e).max(0.0);
        let to = 10.0 - e;
        f64::exp(-from / 900.0) - f64::exp(-to / 900.0)
    };
    (0..steps).map(|i| chance((f64::from(i) + 0.5) / f64::from(steps) * 9.0)).sum::<f64>()
        / f64::from(steps)
}

/// Deploys raise the blip rate by their factor while they last. 400 runs of 30 days.
#[test]
fn a_deploy_makes_blips_as_much_more_frequent_as_it_says() {
    let mut scenario = Scenario::default();
    scenario.run.replications = 400;
    scenario.outage.per_replication = 1;
    scenario.blips.0[0].arrivals = Arrivals::Poisson;
    scenario.blips.0[0].length = Law::constant(0.001).unwrap();
    let text = "[restarts]\ngap = '1h'\ndeploy = { length = '1h', blip_factor = 5 }\n";
    let restarts = Scenario::from_toml("deploys", text).unwrap().restarts;
    let count = |scenario: &Scenario| -> Vec<f64> {
        (0..400)
            .map(|replication| {
                let streams = failover_budget::engine::Streams::new(3, replication);
                let history = failover_budget::world::simulate(scenario, streams, None);
                let blips = failover_budget::history::FaultKind::Blip;
                history.faults.iter().filter(|fault| fault.kind == blips).count() as f64
            })
            .collect()
    };
    scenario.restarts = restarts;
    scenario.restarts.down = Law::constant_span(Span::ZERO);
    // A deploy begins with each restart, an hour after the last: from the first hour on always.
    let expected: f64 = 4.0 + (30.0 * 24.0 - 1.0) * 4.0 * 5.0;
    let counts = count(&scenario);
    let mean = counts.iter().sum::<f64>() / 400.0;
    // A Poisson count: its variance is its mean.
    let error = (expected / 400.0).sqrt();
    assert!((mean - expected).abs() <= SIGMAS * error, "{mean}, expected {expected}");
}
