//! The world on its event queue against one that looks at every probe, on the same draws; and an
//! outage laid over a quiet run against a run that has it.

mod naive;
mod random;

use failover_budget::engine::Streams;
use failover_budget::history::{Check, Due, Fault, FaultKind, History, Spell};
use failover_budget::scenario::{OutageKind, Scenario};
use failover_budget::time::{Span, Time};
use failover_budget::trigger::{Arming, Firing, Silence, Spec, Trigger, firings};
use failover_budget::world::overlay::{Cover, covered};
use failover_budget::world::{OutagePlan, simulate};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

pub use random::{outage_plan, scenario};

/// What the history says of every probe due before its end.
fn probe_by_probe(history: &History) -> Vec<(Time, Option<Check>)> {
    let count = history.due.first_at_or_after(history.end);
    let mut probes: Vec<(Time, Option<Check>)> =
        (0..count).map(|probe| (history.due.at(probe), None)).collect();
    for (probe, _, check) in history.checks() {
        probes[probe as usize].1 = Some(check);
    }
    probes
}

/// Spells are in order, do not overlap, are not empty and could not be longer.
fn is_well_formed(spells: &[Spell]) -> bool {
    spells.iter().all(|spell| spell.count > 0)
        && spells.windows(2).all(|pair| {
            let joined = pair[0].end() == pair[1].first && pair[0].check == pair[1].check;
            pair[0].end() <= pair[1].first && !joined
        })
}

/// The event queue tells of every probe what a look at every probe tells.
pub fn queue_and_naive_agree(
    scenario: &Scenario,
    outage: Option<OutagePlan>,
    replication: u64,
) -> Result<(), TestCaseError> {
    prop_assert!(scenario.validate().is_ok(), "{:?}", scenario.validate());
    let streams = Streams::new(scenario.run.seed, replication);
    let history = simulate(scenario, streams, outage);
    let naive = naive::simulate(scenario, streams, outage);
    prop_assert_eq!(probe_by_probe(&history), naive.probes);
    prop_assert_eq!(&history.restarts, &naive.restarts);
    prop_assert_eq!(&history.faults, &naive.faults);
    prop_assert!(is_well_formed(&history.spells));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn the_event_queue_tells_of_every_probe_what_looking_at_it_tells(
        scenario in scenario(),
        outage in prop::option::of(outage_plan()),
        replication in 0..1_000_u64,
    ) {
        queue_and_naive_agree(&scenario, outage, replication)?;
    }

    #[test]
    fn an_outage_laid_over_the_quiet_run_is_the_run_that_has_it(
        scenario in scenario(),
        plan in outage_plan(),
        replication in 0..1_000_u64,
        from_spell in 0.0..1.0_f64,
        trigger in trigger(),
    ) {
        let streams = Streams::new(scenario.run.seed, replication);
        let quiet = simulate(&scenario, streams, None);
        let end = plan.end.min(quiet.end);
        let with = simulate(&scenario, streams, Some(OutagePlan { end, ..plan }));
        let cover = Cover::of_outage(plan.kind, scenario.outage.fail_probability, streams);

        // Any spell from which the outage can still be found may be named.
        let first = quiet.due.first_at_or_after(plan.start);
        let last = quiet.spells.partition_point(|spell| spell.end() <= first);
        let hint = (from_spell * (last + 1) as f64) as usize;
        let laid: Vec<Spell> = covered(&quiet, cover, plan.start, end, hint).collect();
        let checks = laid.iter().flat_map(|spell| (spell.first..spell.end()).map(|p| (p, spell.check)));
        let within = with
            .checks()
            .filter(|(_, at, _)| plan.start <= *at && *at < end)
            .map(|(probe, _, check)| (probe, check));
        prop_assert_eq!(checks.collect::<Vec<_>>(), within.collect::<Vec<_>>());

        // So a trigger led to the outage on one and through it on the other decides the same.
        let by_run = detection(&mut trigger.clone(), &with, plan.start, end);
        let by_cover = detection(&mut trigger.clone(), &joined(&quiet, &laid, plan.start, end), plan.start, end);
        prop_assert_eq!(by_run, by_cover);
    }
}

/// The quiet history with `laid` in the place of what it says between the instants.
fn joined(quiet: &History, laid: &[Spell], start: Time, end: Time) -> History {
    let mut builder = failover_budget::history::Builder::new();
    let (first, past) = (quiet.due.first_at_or_after(start), quiet.due.first_at_or_after(end));
    let cut = |builder: &mut failover_budget::history::Builder, from: u64, to: u64| {
        for spell in &quiet.spells {
            builder.add(spell.first.max(from), spell.end().min(to), spell.check);
        }
    };
    cut(&mut builder, 0, first);
    laid.iter().for_each(|spell| builder.add(spell.first, spell.end(), spell.check));
    cut(&mut builder, past, u64::MAX);
    History { spells: builder.finish(), ..quiet.clone() }
}

/// Whether a trigger had fired when the outage began, and its first firing in it.
fn detection(
    trigger: &mut Trigger,
    history: &History,
    start: Time,
    end: Time,
) -> (bool, Option<Firing>) {
    let mut before = history.clone();
    before.spells.retain_mut(|spell| {
        let first = history.due.first_at_or_after(start);
        spell.count = spell.end().min(first).saturating_sub(spell.first);
        spell.count > 0
    });
    let mut led = trigger.clone();
    firings(&mut led, &before);
    let all = firings(trigger, history);
    (led.has_fired(), all.into_iter().find(|firing| start <= firing.at && firing.at < end))
}

fn trigger() -> impl Strategy<Value = Trigger> {
    let specs =
        ["consecutive:2", "consecutive:12", "window:60s", "m-of-n:3/5", "success-rate:0.5/60s/30s"];
    let spec = prop::sample::select(specs.map(|text| text.parse::<Spec>().unwrap()).to_vec());
    let silence = prop::sample::select(Silence::ALL.to_vec());
    let arming =
        prop::sample::select(vec![Arming::Immediate, Arming::FullWindow, Arming::Checks(5)]);
    (spec, silence, arming).prop_map(|(spec, silence, arming)| {
        Trigger::new(&spec, Span::from_secs(10), silence, arming)
    })
}

/// How often each kind of thing happens in the scenarios that the property tests draw.
#[test]
fn the_random_worlds_have_every_fault() {
    let mut runner = TestRunner::deterministic();
    let mut kinds = std::collections::BTreeMap::<FaultKind, u64>::new();
    let (mut unknown, mut jittered, mut restarts, mut on_probe) = (0_u64, 0_u64, 0_u64, 0_u64);
    for _ in 0..300 {
        let scenario = scenario().new_tree(&mut runner).unwrap().current();
        let outage = outage_plan().new_tree(&mut runner).unwrap().current();
        let history = simulate(&scenario, Streams::new(scenario.run.seed, 0), Some(outage));
        for fault in &history.faults {
            *kinds.entry(fault.kind).or_default() += 1;
            let probe = history.due.first_at_or_after(fault.start);
            on_probe += u64::from(history.due.at(probe) == fault.start);
        }
        restarts += history.restarts.len() as u64;
        jittered += u64::from(matches!(history.due, Due::Grid { jitter: Some(_), .. }));
        let probes = probe_by_probe(&history);
        unknown += probes.iter().filter(|(_, check)| check.is_none()).count() as u64;
    }
    assert_eq!(kinds.len(), 7, "{kinds:?}");
    assert!(kinds.values().all(|count| *count > 40), "{kinds:?}");
    let counts = [unknown, jittered, restarts, on_probe];
    assert!(counts.iter().all(|count| *count > 40), "{counts:?}");
}

#[test]
fn an_outage_of_no_length_does_nothing() {
    let scenario = Scenario::default();
    let streams = Streams::new(1, 0);
    let at = Time::START + Span::from_secs(3_600);
    let plan = OutagePlan { kind: OutageKind::Reported, start: at, end: at };
    assert_eq!(simulate(&scenario, streams, Some(plan)), simulate(&scenario, streams, None));
}

/// Where changes meet a probe at one instant: a fault is `[start, end)`, and a restart comes first.
#[test]
fn at_one_instant_faults_change_before_the_probe_is_judged() {
    let text = "
        [run]
        length = '70s'
        [probe]
        phase = '0s'
        [blips]
        gap = '20s'
        length = '10s'
        [restarts]
        gap = '60s'
        down = '10s'
    ";
    let scenario = Scenario::from_toml("instants", text).unwrap();
    let history = simulate(&scenario, Streams::new(1, 0), None);
    let told: String = probe_by_probe(&history)
        .iter()
        .map(|(_, check)| match check {
            Some(Check::Healthy) => 'S',
            Some(Check::Unhealthy) => 'F',
            Some(Check::Absent) => '-',
            None => '.',
        })
        .collect();
    // Blips are [20, 30) and [50, 60); the controller is away over [60, 70).
    assert_eq!(told, "SSFSSF.");
    let second = |secs| Time::START + Span::from_secs(secs);
    let blip = |start, end| Fault {
        kind: FaultKind::Blip,
        source: 0,
        start: second(start),
        end: second(end),
    };
    assert_eq!(history.faults[..2], [blip(20, 30), blip(50, 60)]);
    assert_eq!(history.restarts, []);
}
