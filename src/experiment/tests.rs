//! Three ways to count, held equal: check by check from the definitions, on the event queue, and in
//! one pass over runs of failed probes.

mod naive;
mod random;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::{Environment, Setting, Tally, count_firings, general, measure, patience, run_range};
use random::{any_scenario, patience_scenario, settings};

/// Every setting led over the event queue's history, also where a shorter way is known.
fn by_events(environment: &Environment, settings: &[Setting]) -> Vec<Tally> {
    let mut general = general::General::new(environment, settings.iter().collect());
    let mut tallies: Vec<Tally> = settings.iter().map(|_| environment.tally()).collect();
    for replication in 0..environment.scenario.run.replications {
        let mut each: Vec<&mut Tally> = tallies.iter_mut().collect();
        let firings = general.replicate(replication, &mut each).to_vec();
        count_firings(&mut tallies, &firings);
    }
    tallies
}

fn by_definition(environment: &Environment, settings: &[Setting]) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = settings.iter().map(|_| environment.tally()).collect();
    for replication in 0..environment.scenario.run.replications {
        let firings: Vec<i64> = settings
            .iter()
            .zip(&mut tallies)
            .map(|(setting, tally)| naive::count(environment, setting, replication, tally))
            .collect();
        count_firings(&mut tallies, &firings);
    }
    tallies
}

fn agree(settings: &[Setting], left: &[Tally], right: &[Tally]) -> Result<(), TestCaseError> {
    for ((setting, left), right) in settings.iter().zip(left).zip(right) {
        prop_assert_eq!(left, right, "{:?}", setting);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn the_patience_pass_counts_as_the_event_queue_does(
        scenario in patience_scenario(),
        settings in settings(true),
    ) {
        prop_assert!(scenario.validate().is_ok(), "{:?}", scenario.validate());
        let environment = Environment::new(scenario).unwrap();
        let answered = |s: &Setting| patience::applies(&environment.scenario, s);
        let settings: Vec<Setting> = settings.into_iter().filter(answered).collect();
        let range = 0..environment.scenario.run.replications;
        let passed = measure(&environment, &settings, range, |_, _| {});
        agree(&settings, &passed, &by_events(&environment, &settings))?;
    }

    #[test]
    fn the_event_queue_counts_what_the_definitions_say(
        scenario in any_scenario(),
        settings in settings(false),
    ) {
        prop_assert!(scenario.validate().is_ok(), "{:?}", scenario.validate());
        let environment = Environment::new(scenario).unwrap();
        let settings = &settings[..settings.len().min(4)];
        agree(settings, &by_events(&environment, settings), &by_definition(&environment, settings))?;
    }
}

/// How often the things that the property tests compare happened at all.
#[test]
fn the_random_scenarios_are_worth_comparing() {
    let mut runner = TestRunner::deterministic();
    let mut total = None::<Tally>;
    let (mut answered, mut all) = (0, 0);
    for _ in 0..200 {
        let mut scenario = patience_scenario().new_tree(&mut runner).unwrap().current();
        // Tallies of different intervals and targets do not add up.
        scenario.targets.truncate(1);
        let interval = scenario.probe.interval;
        let settings = settings(true).new_tree(&mut runner).unwrap().current();
        let environment = Environment::new(scenario).unwrap();
        all += settings.len();
        let applies = |s: &&Setting| patience::applies(&environment.scenario, s);
        answered += settings.iter().filter(applies).count();
        for tally in by_events(&environment, &settings) {
            let same = total.get_or_insert_with(|| Tally::new(interval, &[false]));
            same.outages += tally.outages;
            same.already_fired += tally.already_fired;
            same.missed += tally.missed;
            same.firings.merge(&tally.firings);
            same.dark.merge(&tally.dark);
            same.restarts.merge(&tally.restarts);
            same.prober_deaths.merge(&tally.prober_deaths);
            same.targets[0].met += tally.targets[0].met;
        }
    }
    let total = total.unwrap();
    assert!(answered * 3 > all * 2, "{answered} of {all} settings are answered in one pass");
    let detected = total.outages - total.missed - total.already_fired;
    let counts = [
        total.firings.sum as u64,
        total.already_fired,
        total.missed,
        detected,
        total.dark.hits,
        total.dark.n - total.dark.hits,
        total.restarts.hits,
        total.prober_deaths.hits,
        total.targets[0].met,
        total.outages - total.targets[0].met,
    ];
    assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
}

#[test]
fn ranges_of_replications_add_up_to_the_whole() {
    let environment = Environment::new(crate::scenario::Scenario::default()).unwrap();
    let settings = environment.settings();
    let whole = run_range(&environment, &settings, 0..100, |_| {});
    let mut parts = run_range(&environment, &settings, 0..37, |_| {});
    super::merge_all(&mut parts, &run_range(&environment, &settings, 37..100, |_| {}));
    assert_eq!(parts, whole);
    let mut one_by_one = measure(&environment, &settings, 0..1, |_, _| {});
    for replication in 1..100 {
        let range = replication..replication + 1;
        super::merge_all(&mut one_by_one, &measure(&environment, &settings, range, |_, _| {}));
    }
    assert_eq!(one_by_one, whole);
}
