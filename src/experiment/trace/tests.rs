use proptest::prelude::*;

use super::event::What;
use super::*;
use crate::experiment::measure;
use crate::history::{Builder, Check, Due, Jitter, Spell};
use crate::scenario::Scenario;
use crate::trigger::{Arming, Silence, Spec, firings};

const INTERVAL: Span = Span::from_secs(10);

fn specs() -> impl Strategy<Value = Spec> {
    let spans = |range: std::ops::Range<i64>| range.prop_map(Span::from_secs);
    prop_oneof![
        (1..12_u64).prop_map(|k| Spec::Consecutive { k }),
        spans(10..150).prop_map(|window| Spec::Window { window }),
        (1..8_u64, 0..8_u64).prop_map(|(m, more)| Spec::MOfN { m, n: m + more }),
        (1..=10_u32, spans(10..120), spans(0..90)).prop_map(|(tenths, window, fail_after)| {
            Spec::SuccessRate { min_success: f64::from(tenths) / 10.0, window, fail_after }
        }),
    ]
}

fn settings() -> impl Strategy<Value = Setting> {
    let armings = prop_oneof![
        Just(Arming::Immediate),
        Just(Arming::FullWindow),
        (0..20_u64).prop_map(Arming::Checks)
    ];
    let silences = prop::sample::select(Silence::ALL.to_vec());
    (specs(), silences, armings).prop_map(|(spec, silence, arming)| Setting {
        spec,
        silence,
        arming,
    })
}

/// Histories with holes and restarts, with and without jitter.
fn histories() -> impl Strategy<Value = History> {
    let check = prop_oneof![
        4 => Just(Check::Healthy), 4 => Just(Check::Unhealthy), 1 => Just(Check::Absent)
    ];
    let hole = prop_oneof![9 => Just(0), 1 => 1..12_u64];
    let spells = prop::collection::vec((hole, 1..16_u64, check), 1..30);
    let restarts = prop::collection::vec(0..2_000_i64, 0..4);
    let jitter = prop::option::of(1..=INTERVAL.as_nanos());
    (jitter, any::<u64>(), spells, restarts).prop_map(|(jitter, key, spells, mut restarts)| {
        let jitter = jitter.map(|max| Jitter { max: Span::from_nanos(max), key });
        let due = Due::Grid { phase: Time::from_nanos(3), interval: INTERVAL, jitter };
        let mut builder = Builder::new();
        let mut probe = 0;
        for (hole, count, check) in spells {
            builder.add(probe + hole, probe + hole + count, check);
            probe += hole + count;
        }
        restarts.sort();
        let restarts = restarts.into_iter().map(|s| Time::START + Span::from_secs(s)).collect();
        let end = due.at(probe);
        History { due, spells: builder.finish(), restarts, faults: Vec::new(), end }
    })
}

/// The decisions by their definition: every check taken for itself.
fn decisions_by_check(setting: &Setting, history: &History) -> Vec<(u64, bool)> {
    let mut trigger = setting.trigger(INTERVAL);
    let mut restarts = history.restarts.iter().peekable();
    let mut found = Vec::new();
    for (probe, at, check) in history.checks() {
        while restarts.next_if(|restart| **restart <= at).is_some() {
            trigger.restart();
        }
        let had_fired = trigger.has_fired();
        trigger.observe(at, check);
        if trigger.has_fired() != had_fired {
            found.push((probe, trigger.has_fired()));
        }
    }
    found
}

/// The same history, a spell for each check.
fn split_up(history: &History) -> History {
    let single = |(probe, _, check)| Spell { first: probe, count: 1, check };
    History { spells: history.checks().map(single).collect(), ..history.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decisions_are_those_of_the_trigger(setting in settings(), history in histories()) {
        let decided = decisions::decide(&setting, &history, Span::ZERO);
        let fired: Vec<u64> = decided
            .iter()
            .filter(|d| matches!(d.what, Decided::Fired(_)))
            .map(|d| d.probe)
            .collect();
        let firings = firings(&mut setting.trigger(INTERVAL), &history);
        prop_assert_eq!(fired, firings.iter().map(|f| f.probe).collect::<Vec<_>>());
        let changes: Vec<(u64, bool)> = decided
            .iter()
            .filter(|d| d.what != Decided::Armed)
            .map(|d| (d.probe, matches!(d.what, Decided::Fired(_))))
            .collect();
        prop_assert_eq!(changes, decisions_by_check(&setting, &history));
    }

    #[test]
    fn patience_is_counted_alike_by_spell_and_by_check(
        setting in settings(),
        history in histories(),
    ) {
        let decided = decisions::decide(&setting, &history, Span::ZERO);
        let runs = |history: &History| -> Vec<_> {
            let runs = patience::runs(&setting, history, &decided).into_iter();
            runs.map(|run| (run.from, run.until, run.peak, run.ended)).collect()
        };
        let by_spell = runs(&history);
        prop_assert_eq!(&by_spell, &runs(&split_up(&history)));
        for pair in by_spell.windows(2) {
            prop_assert!(pair[0].1 <= pair[1].0, "{:?}", pair);
        }
        // Every firing ends a run; a count of failures in a row then stands at k.
        let firings = firings(&mut setting.trigger(INTERVAL), &history);
        let ends: Vec<Time> =
            by_spell.iter().filter(|r| r.3 == Ended::Fired).map(|r| r.1).collect();
        prop_assert_eq!(ends, firings.iter().map(|f| f.at).collect::<Vec<_>>());
        if let (Spec::Consecutive { k }, Arming::Immediate) = (&setting.spec, setting.arming) {
            for run in by_spell.iter().filter(|run| run.3 == Ended::Fired) {
                prop_assert_eq!(run.2, *k);
            }
        }
    }
}

/// A scenario in which everything happens: blips, outage, prober deaths, restarts with deploys.
fn eventful() -> Scenario {
    let text = r#"
        triggers = ["consecutive:6", "window:300s", "m-of-n:3/5", "success-rate:0.8/60s/60s"]
        run.length = "2d"
        probe.jitter = "4s"
        probe.timeout = "3s"
        prober.gap = { law = "exponential", mean = "12h" }
        restarts.gap = { law = "exponential", mean = "3h" }
        restarts.down = "45s"
        restarts.deploy.length = "20min"
        outage.length = "40min"
        outage.per_replication = 1
        stages.promotion = { law = "exponential", mean = "60s" }
        stages.extra = [{ name = "cache tail", length = "150s", beside = "traffic_shift" }]
    "#;
    Scenario::from_toml("eventful", text).unwrap()
}

fn trace(scenario: &Scenario, replication: u64, outage: bool, frame: Frame) -> Trace {
    let environment = Environment::new(scenario.clone()).unwrap();
    let outage = outage.then_some(scenario.outage.kind);
    Trace::run(&environment, Ask { replication, outage, frame }).unwrap()
}

#[test]
fn spells_cover_every_probe_shown_and_events_are_in_time_order() {
    let scenario = eventful();
    let minutes = |minutes: i64| Some(Span::from_secs(minutes * 60));
    let frames = [
        Frame::Matter,
        Frame::All,
        Frame::Around(Span::from_secs(90_000)),
        Frame::Between(minutes(1_000), minutes(1_300)),
    ];
    for (replication, frame) in (0..8).flat_map(|r| frames.map(|frame| (r, frame))) {
        let trace = trace(&scenario, replication, replication % 2 == 0, frame);
        let events = trace.events();
        assert!(events.is_sorted_by_key(|event| event.at));
        assert!(events.iter().all(|event| event.until.is_none_or(|until| until >= event.at)));
        let due = &trace.history.due;
        let mut next = due.first_at_or_after(trace.view.from);
        for event in &events {
            if let What::Checks { first, count, .. } = event.what {
                assert_eq!(first, next);
                next += count;
            }
        }
        assert_eq!(next, due.first_at_or_after(trace.view.to.min(trace.history.end)));
    }
}

#[test]
fn a_trace_shows_the_outage_that_the_figures_count() {
    let (mut fired, mut missed) = (0, 0);
    for kind in [OutageKind::Reported, OutageKind::Dark, OutageKind::Gray] {
        let mut scenario = eventful();
        scenario.outage.kind = kind;
        let environment = Environment::new(scenario.clone()).unwrap();
        let settings = environment.settings();
        for replication in 0..20 {
            let tallies = measure(&environment, &settings, replication..replication + 1, |_, _| {});
            let trace = trace(&scenario, replication, true, Frame::Matter);
            // Past its end the counted run goes on without faults, and the traced one does not.
            if trace.outage.unwrap().end > trace.history.end {
                continue;
            }
            for (tally, trigger) in tallies.iter().zip(&trace.triggers) {
                let detection = trigger.detection.unwrap();
                let counted = match (tally.missed, tally.already_fired) {
                    (1, 0) => Detection::Missed,
                    (0, 1) => Detection::AlreadyFired,
                    _ => Detection::Fired(tally.delays.max),
                };
                assert_eq!(detection, counted, "{kind:?} {replication} {}", trigger.setting.spec);
                fired += u64::from(detection != Detection::Missed);
                missed += u64::from(detection == Detection::Missed);
                let met = |failover: &Failover| u64::from(failover.rto_met() == Some(true));
                let met: Vec<u64> = trigger.failovers.iter().map(met).collect();
                if detection != Detection::Missed {
                    let counted: Vec<u64> = tally.targets.iter().map(|t| t.met).collect();
                    assert_eq!(met, counted);
                }
            }
        }
    }
    assert!(fired > 100 && missed > 0, "{fired} {missed}");
}

#[test]
fn the_stages_add_up_to_the_recovery() {
    let scenario = eventful();
    let trace = trace(&scenario, 0, true, Frame::Matter);
    let start = trace.outage.unwrap().start;
    let mut found = 0;
    for trigger in &trace.triggers {
        let Some(delay) = trigger.detection.unwrap().delay() else { continue };
        for (failover, plan) in
            trigger.failovers.iter().zip(Environment::new(scenario.clone()).unwrap().plans)
        {
            // Each group begins where the longest stage of the one before ends.
            let mut at = start + delay;
            let mut stages = failover.stages.iter();
            for group in &plan.groups {
                let own: Vec<&StageSpan> = stages.by_ref().take(group.len()).collect();
                assert!(own.iter().all(|stage| stage.begin == at && stage.end >= at));
                at = own.iter().map(|stage| stage.end).max().unwrap();
            }
            assert_eq!(failover.served, at);
            assert_eq!(failover.recovery, Some(at - start));
            found += 1;
        }
    }
    assert!(found >= 6, "{found}");
}

#[test]
fn a_stretch_outside_the_run_is_refused() {
    let environment = Environment::new(Scenario::default()).unwrap();
    let said = |replication, frame| {
        let ask = Ask { replication, outage: None, frame };
        Trace::run(&environment, ask).unwrap_err().to_string()
    };
    let day = |days| Some(Span::from_days(days));
    assert!(said(30, Frame::Matter).contains("allowed: 0 to 29"));
    assert!(said(0, Frame::Around(Span::from_days(31))).contains("--around 31d: allowed: from 0s"));
    assert!(said(0, Frame::Between(day(3), day(3))).contains("later than --from, which is 3d"));
    assert!(said(0, Frame::Between(day(30), None)).contains("before the run's end at 30d"));
    assert!(said(0, Frame::Between(day(-1), None)).contains("--from -1d"));
}

#[test]
fn a_restart_with_no_history_fires_on_one_check() {
    let text = r#"
        triggers = ["window:300s"]
        controller.arming = "immediate"
        restarts.gap = { law = "exponential", mean = "2h" }
    "#;
    let scenario = Scenario::from_toml("restarts", text).unwrap();
    let trace = trace(&scenario, 0, false, Frame::Matter);
    let (at, fired) = trace.triggers[0].firings().next().unwrap();
    assert_eq!((fired.is_false, fired.held, fired.full), (true, 1, 31));
    assert!(fired.behind.contains(&crate::history::FaultKind::Blip));
    assert!(trace.view.contains(at));
    assert_eq!(trace.origin(), at);
    assert_eq!(trace.triggers[0].failovers.len(), 3);
    assert!(trace.triggers[0].failovers.iter().all(|f| f.begin == at && f.rto_met().is_none()));
}
