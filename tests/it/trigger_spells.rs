//! Triggers over random histories: spell by spell against check by check, and both against a
//! reading of the definitions that keeps every check and looks at all of them each time.

use failover_budget::history::{Builder, Check, Due, History, Jitter};
use failover_budget::time::{Span, Time};
use failover_budget::trigger::{Arming, Firing, Silence, Spec, Trigger, firings};
use proptest::prelude::*;

const INTERVAL: Span = Span::from_secs(10);

/// A trigger that forgets nothing and computes everything from its definition.
struct Naive {
    spec: Spec,
    silence: Silence,
    needed: usize,
    /// Due checks since the last (re)start: unhealthy, healthy, or not held.
    checks: Vec<(Time, Option<bool>)>,
    /// Whether the success rate was too low at each of those.
    low: Vec<(Time, bool)>,
    fired: bool,
}

impl Naive {
    fn new(spec: Spec, silence: Silence, arming: Arming) -> Self {
        let needed = match arming {
            Arming::Immediate => 1,
            Arming::FullWindow => spec.checks_to_fire(INTERVAL),
            Arming::Checks(checks) => checks,
        };
        let (checks, low) = (Vec::new(), Vec::new());
        Naive { spec, silence, needed: needed as usize, checks, low, fired: false }
    }

    fn within(&self, at: Time, window: Span) -> Vec<bool> {
        let inside = self.checks.iter().filter(|(instant, _)| *instant >= at - window);
        inside.filter_map(|(_, held)| *held).collect()
    }

    /// Whether the condition holds, and whether anything is still failing.
    fn condition(&mut self, at: Time) -> (bool, bool) {
        let holds = match self.spec {
            Spec::Consecutive { k } => {
                let held = self.checks.iter().rev().filter_map(|(_, held)| *held);
                held.take_while(|bad| *bad).count() as u64 >= k
            }
            Spec::Window { window } => {
                let held = self.within(at, window);
                !held.is_empty() && held.iter().all(|bad| *bad)
            }
            Spec::MOfN { m, n } => {
                let last = self.checks.iter().rev().take(n as usize);
                last.filter(|(_, held)| *held == Some(true)).count() as u64 >= m
            }
            Spec::SuccessRate { min_success, window, fail_after } => {
                let held = self.within(at, window);
                let good = held.iter().filter(|bad| !**bad).count();
                // Shares in the tests are whole percents, so this comparison is exact.
                let low = good * 100 < (min_success * 100.0).round() as usize * held.len();
                self.low.push((at, low));
                let unbroken = self.low.iter().rev().take_while(|(_, low)| *low);
                let since = unbroken.last().map(|(since, _)| *since);
                return (since.is_some_and(|since| at - since >= fail_after), low);
            }
        };
        (holds, holds)
    }

    fn observe(&mut self, at: Time, check: Check) -> bool {
        let held = match (check, self.silence) {
            (Check::Healthy, _) => Some(false),
            (Check::Unhealthy, _) | (Check::Absent, Silence::Failure) => Some(true),
            (Check::Absent, Silence::Ignored) => None,
        };
        self.checks.push((at, held));
        let (holds, failing) = self.condition(at);
        if holds && !self.fired && self.checks.len() >= self.needed {
            self.fired = true;
            return true;
        }
        if held == Some(false) && !failing {
            self.fired = false;
        }
        false
    }

    fn restart(&mut self) {
        self.checks.clear();
        self.low.clear();
    }
}

/// Every check in order, with the restarts between them.
fn each(history: &History, mut on: impl FnMut(Option<(u64, Time, Check)>)) {
    let mut restarts = history.restarts.iter().peekable();
    for (probe, at, check) in history.checks() {
        while restarts.next_if(|restart| **restart <= at).is_some() {
            on(None);
        }
        on(Some((probe, at, check)));
    }
    restarts.for_each(|_| on(None));
}

fn seconds(range: std::ops::Range<i64>) -> impl Strategy<Value = Span> {
    // Both on the grid of ten seconds, where the edges are, and off it.
    prop_oneof![
        range.clone().prop_map(|secs| Span::from_secs(secs / 10 * 10)),
        range.prop_map(Span::from_secs)
    ]
}

pub fn specs() -> impl Strategy<Value = Spec> {
    prop_oneof![
        (1..12_u64).prop_map(|k| Spec::Consecutive { k }),
        seconds(10..150).prop_map(|window| Spec::Window { window }),
        (1..10_u64, 0..8_u64).prop_map(|(m, more)| Spec::MOfN { m, n: m + more }),
        (1..=100_u32, seconds(10..120), seconds(0..90)).prop_map(
            |(percent, window, fail_after)| {
                Spec::SuccessRate { min_success: f64::from(percent) / 100.0, window, fail_after }
            }
        ),
    ]
}

pub fn armings() -> impl Strategy<Value = Arming> {
    prop_oneof![
        Just(Arming::Immediate),
        Just(Arming::FullWindow),
        (0..20_u64).prop_map(Arming::Checks)
    ]
}

fn grids() -> impl Strategy<Value = Due> {
    let phase = (0..INTERVAL.as_nanos()).prop_map(Time::from_nanos);
    let jitter =
        (phase.clone(), 1..=INTERVAL.as_nanos(), any::<u64>()).prop_map(|(phase, max, key)| {
            Due::Grid {
                phase,
                interval: INTERVAL,
                jitter: Some(Jitter { max: Span::from_nanos(max), key }),
            }
        });
    let gaps = prop::collection::vec(prop_oneof![4 => 8..13_i64, 1 => 1..60_i64], 700);
    let listed = gaps.prop_map(|gaps| {
        let mut at = Time::START;
        let instants: Vec<Time> = gaps
            .into_iter()
            .map(|gap| {
                at += Span::from_secs(gap);
                at
            })
            .collect();
        Due::Listed(instants.into())
    });
    prop_oneof![phase.prop_map(|phase| Due::grid(phase, INTERVAL)), jitter, listed]
}

/// Histories of at most 600 probes, with holes and restarts, some at the very instant of a probe.
pub fn histories() -> impl Strategy<Value = History> {
    let check = prop_oneof![
        4 => Just(Check::Healthy), 4 => Just(Check::Unhealthy), 1 => Just(Check::Absent)
    ];
    let count = prop_oneof![3 => 1..4_u64, 2 => 1..16_u64];
    let hole = prop_oneof![9 => Just(0), 1 => 1..12_u64];
    let spells = prop::collection::vec((hole, count, check), 1..30);
    let restarts = prop::collection::vec((0..300_u64, 0..2_i64), 0..4);
    (grids(), spells, restarts).prop_map(|(due, spells, restarts)| {
        let mut builder = Builder::new();
        let mut probe = 0;
        for (hole, count, check) in spells {
            builder.add(probe + hole, probe + hole + count, check);
            probe += hole + count;
        }
        let mut restarts: Vec<Time> = restarts
            .into_iter()
            .map(|(probe, past)| due.at(probe) + Span::from_nanos(past))
            .collect();
        restarts.sort();
        let end = due.at(probe);
        History { due, spells: builder.finish(), restarts, faults: Vec::new(), end }
    })
}

/// Spell by spell, check by check and by definition the same firings are found.
pub fn spell_check_and_definition_agree(
    spec: Spec,
    silence: Silence,
    arming: Arming,
    history: &History,
) -> Result<(), TestCaseError> {
    let new = || Trigger::new(&spec, INTERVAL, silence, arming);
    let mut by_spell = new();
    let found = firings(&mut by_spell, history);

    let (mut by_check, mut naive) = (new(), Naive::new(spec, silence, arming));
    let (mut looped, mut defined) = (Vec::new(), Vec::new());
    each(history, |event| match event {
        None => {
            by_check.restart();
            naive.restart();
        }
        Some((probe, at, check)) => {
            if by_check.observe(at, check) {
                looped.push(Firing { probe, at });
            }
            if naive.observe(at, check) {
                defined.push(Firing { probe, at });
            }
        }
    });
    prop_assert_eq!(&looped, &defined, "check by check against the definition");
    prop_assert_eq!(&found, &looped, "spell by spell against check by check");
    prop_assert_eq!(by_spell, by_check, "the state after it");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spells_checks_and_definitions_agree(
        spec in specs(),
        silence in prop::sample::select(Silence::ALL.to_vec()),
        arming in armings(),
        history in histories(),
    ) {
        spell_check_and_definition_agree(spec, silence, arming, &history)?;
    }

    /// The standby fails during some spells.
    #[test]
    fn spells_and_checks_agree_while_the_standby_comes_and_goes(
        spec in specs(),
        history in histories(),
        standby in prop::collection::vec(any::<bool>(), 30),
    ) {
        let new = || Trigger::new(&spec, INTERVAL, Silence::Failure, Arming::Immediate);
        let (mut by_spell, mut by_check) = (new(), new());
        for (spell, healthy) in history.spells.iter().zip(standby) {
            by_spell.set_standby_healthy(healthy);
            by_check.set_standby_healthy(healthy);
            let found = by_spell.observe_spell(&history.due, spell);
            let looped = (spell.first..spell.end())
                .filter(|probe| by_check.observe(history.due.at(*probe), spell.check))
                .min();
            prop_assert_eq!(found, looped);
            prop_assert_eq!(&by_spell, &by_check);
        }
    }

    /// A window and a count of consecutive failures are the same knob.
    #[test]
    fn a_window_is_a_count_of_failures_in_steady_state(
        window in seconds(10..300),
        phase in 0..INTERVAL.as_nanos(),
        lengths in prop::collection::vec((1..60_u64, 1..60_u64), 1..30),
    ) {
        let due = Due::grid(Time::from_nanos(phase), INTERVAL);
        let mut builder = Builder::new();
        let mut probe = 31;
        builder.add(0, probe, Check::Healthy);
        for (bad, good) in lengths {
            builder.add(probe, probe + bad, Check::Unhealthy);
            builder.add(probe + bad, probe + bad + good, Check::Healthy);
            probe += bad + good;
        }
        let end = due.at(probe);
        let history =
            History { due, spells: builder.finish(), restarts: vec![], faults: vec![], end };
        let fired = |spec| {
            let mut trigger =
                Trigger::new(&spec, INTERVAL, Silence::Ignored, Arming::FullWindow);
            firings(&mut trigger, &history)
        };
        let k = Spec::Window { window }.checks_to_fire(INTERVAL);
        prop_assert_eq!(k, window.as_nanos() as u64 / INTERVAL.as_nanos() as u64 + 1);
        prop_assert_eq!(fired(Spec::Window { window }), fired(Spec::Consecutive { k }));
    }

    /// Patience is what a stopwatch shows: from the first failed probe to the firing.
    #[test]
    fn patience_is_as_measured(
        spec in specs(),
        interval in (1..40_i64).prop_map(Span::from_secs),
        arming in prop::sample::select(vec![Arming::Immediate, Arming::FullWindow]),
    ) {
        let due = Due::grid(Time::from_nanos(17), interval);
        let mut builder = Builder::new();
        builder.add(0, 200, Check::Healthy);
        builder.add(200, 1000, Check::Unhealthy);
        let spells = builder.finish();
        let end = due.at(1000);
        let history = History { due, spells, restarts: vec![], faults: vec![], end };
        let mut trigger = Trigger::new(&spec, interval, Silence::Ignored, arming);
        let found = firings(&mut trigger, &history);
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(found[0].at - history.due.at(200), spec.patience(interval), "{}", spec);
        prop_assert_eq!(found[0].probe - 200 + 1, spec.checks_to_fire(interval), "{}", spec);
    }

    /// What is printed can be read back.
    #[test]
    fn specs_are_read_as_they_are_printed(spec in specs(), nanos in 1..10_000_000_000_000_i64) {
        prop_assert_eq!(spec.to_string().parse::<Spec>().unwrap(), spec);
        let fine = Spec::Window { window: Span::from_nanos(nanos) };
        prop_assert_eq!(fine.to_string().parse::<Spec>().unwrap(), fine);
    }

    /// No text makes the reader panic.
    #[test]
    fn any_text_is_read_or_refused(text in "[a-z0-9:/.\\- ]{0,40}|.{0,20}") {
        let _ = text.parse::<Spec>();
        let _ = Spec::expand(&text);
        let _ = Spec::expand(&format!("consecutive:{text}"));
        let _ = Spec::expand(&format!("window:{text}"));
    }
}

/// The one case of two firings in one spell: on uneven instants a healthy probe can push more
/// healthy ones than failures out of the window.
#[test]
fn a_success_rate_can_fail_twice_in_one_healthy_spell() {
    let instants: Vec<Time> = [0, 2, 4, 6, 8, 10, 12, 13, 14, 16, 67, 68]
        .map(|secs| Time::START + Span::from_secs(secs))
        .to_vec();
    let (due, end) = (Due::Listed(instants.clone().into()), instants[11]);
    let mut builder = Builder::new();
    builder.add(0, 3, Check::Healthy);
    builder.add(3, 8, Check::Unhealthy);
    builder.add(8, 12, Check::Healthy);
    let history = History { due, spells: builder.finish(), restarts: vec![], faults: vec![], end };
    let spec: Spec = "success-rate:0.5/60s/0s".parse().unwrap();
    let new = || Trigger::new(&spec, INTERVAL, Silence::Failure, Arming::Checks(9));
    let mut by_check = new();
    let looped: Vec<u64> = history
        .checks()
        .filter(|(_, at, check)| by_check.observe(*at, *check))
        .map(|(probe, ..)| probe)
        .collect();
    let found: Vec<u64> = firings(&mut new(), &history).iter().map(|firing| firing.probe).collect();
    assert_eq!(looped, [8, 10]);
    assert_eq!(found, looped);
    let mut trigger = new();
    let first: Vec<Option<u64>> =
        history.spells.iter().map(|spell| trigger.observe_spell(&history.due, spell)).collect();
    assert_eq!(first, [None, None, Some(8)]);
}

/// A month of healthy probes is one step, however many they are.
#[test]
fn cost_does_not_grow_with_probes() {
    let due = Due::grid(Time::START, Span::from_nanos(1));
    let end = due.at(u64::from(u32::MAX) << 24);
    let mut builder = Builder::new();
    builder.add(0, 1 << 54, Check::Healthy);
    builder.add(1 << 54, 1 << 55, Check::Unhealthy);
    builder.add(1 << 55, 1 << 56, Check::Absent);
    let history = History { due, spells: builder.finish(), restarts: vec![], faults: vec![], end };
    for text in
        ["consecutive:12", "window:1us", "m-of-n:900000/1000000", "success-rate:0.9/1us/1ms"]
    {
        let spec: Spec = text.parse().unwrap();
        for silence in Silence::ALL {
            let interval = Span::from_nanos(1);
            let mut trigger = Trigger::new(&spec, interval, silence, Arming::FullWindow);
            let found = firings(&mut trigger, &history);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].at - history.due.at(1 << 54), spec.patience(interval), "{text}");
        }
    }
}
