//! Every change that is said to open a band does, alone; and a hair less does not.

use failover_budget::advise::{Preference, Question, advise};
use failover_budget::law::Law;
use failover_budget::scenario::{Scenario, Tier};
use failover_budget::time::Span;

fn question(per_day: f64) -> Question {
    let limit = format!("{}/1d", per_day).parse().unwrap();
    Question { limit, preference: Preference::Robust, tiers: Vec::new(), plausible: None }
}

fn has_band(scenario: &Scenario, per_day: f64) -> bool {
    advise(scenario, &question(per_day)).unwrap().targets[0].band.is_some()
}

/// The scenario and limit with one input changed.
fn changed(scenario: &Scenario, per_day: f64, change: &str, value: f64) -> Option<(Scenario, f64)> {
    let mut other = scenario.clone();
    let secs = Span::from_secs_f64(value);
    let law = || Law::constant_span(secs);
    let mut limit = per_day;
    match change {
        "rto_s" => other.rto = secs,
        "promotion_s" => other.stages.promotion = law(),
        "traffic_shift_s" => other.stages.traffic_shift = law(),
        "capacity_s" => other.stages.capacity = law(),
        "weights_gb" => other.stages.weights_gb = value,
        "load_rate_gb_per_s" => other.stages.load_rate_gb_per_s = value,
        "storage_gb_per_s" => other.stages.storage_gb_per_s = Some(value),
        "replicas" => other.stages.replicas = value as u64,
        "probe_interval_s" => other.probe.interval = secs,
        "max_false_failovers_per_day" => limit = value,
        _ => return None,
    }
    Some((other, limit))
}

#[test]
fn every_change_opens_a_band_alone_and_no_sooner() {
    let per_day = 1.0 / 30.0;
    let mut seen = std::collections::BTreeSet::new();
    for text in [
        "[[targets]]\ntier = \"cold\"",
        "rto = \"345s\"\n[[targets]]\ntier = \"hot\"",
        "rto = \"500s\"\nstages.weights_gb = 220.0\n[[targets]]\ntier = \"warm\"",
        "stages = { replicas = 8, storage_gb_per_s = 1.5 }\n[[targets]]\ntier = \"warm\"",
    ] {
        let scenario = Scenario::from_toml("test", text).unwrap();
        let advice = advise(&scenario, &question(per_day)).unwrap();
        assert!(advice.targets[0].band.is_none(), "{text}");
        for change in &advice.targets[0].would_fit_if {
            seen.insert(change.change.clone());
            let Some(value) = change.value.as_f64() else {
                let mut other = scenario.clone();
                let same = |tier: &&Tier| change.value == tier.name();
                other.targets[0].tier = *Tier::ALL.iter().find(same).unwrap();
                assert!(has_band(&other, per_day), "{text}: {change:?}");
                continue;
            };
            let try_out = |value: f64| {
                let (other, limit) = changed(&scenario, per_day, &change.change, value).unwrap();
                has_band(&other, limit)
            };
            assert!(try_out(value), "{text}: {change:?}");
            let step = if change.change == "replicas" { 1.0 } else { value * 1e-6 };
            let tighter = [value - step, value + step];
            let opened = tighter.iter().filter(|value| try_out(**value)).count();
            assert_eq!(opened, 1, "{text}: {change:?} is not the last that fits");
        }
    }
    for change in [
        "rto_s",
        "capacity_s",
        "promotion_s",
        "weights_gb",
        "load_rate_gb_per_s",
        "storage_gb_per_s",
        "replicas",
        "probe_interval_s",
        "max_false_failovers_per_day",
        "tier",
    ] {
        assert!(seen.contains(change), "nothing tries `{change}`: {seen:?}");
    }
}

/// A simulated world is offered a shorter interval too, by the upper end of an interval.
#[test]
fn a_world_without_exact_forms_is_offered_changes() {
    let text = "probe.jitter = \"1ns\"\nrto = \"345s\"\nrun.replications = 20\n[[targets]]\ntier = \"hot\"";
    let scenario = Scenario::from_toml("test", text).unwrap();
    let advice = advise(&scenario, &question(1.0 / 30.0)).unwrap();
    assert!(!advice.exact && advice.targets[0].band.is_none());
    let names: Vec<&str> =
        advice.targets[0].would_fit_if.iter().map(|change| change.change.as_str()).collect();
    assert!(
        names.contains(&"rto_s") && names.contains(&"max_false_failovers_per_day"),
        "{names:?}"
    );
}
