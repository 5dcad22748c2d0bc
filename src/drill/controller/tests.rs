//! The controller's rules one by one, and against a naive reading of the whole past.

use proptest::prelude::*;

use super::*;

const SETTINGS: Settings = Settings {
    fail_after: Span::from_secs(180),
    recover_after: Span::from_secs(1_800),
    min_success: 0.9,
};

fn at(secs: i64) -> Time {
    Time::START + Span::from_secs(secs)
}

fn health(success: f64) -> Health {
    Health { success: Some(success), latest_passed: success >= 0.9, breaker_open: false }
}

fn standby(health: Health, gate: Decision) -> StandbyReading {
    StandbyReading { health, gate }
}

const FIT: StandbyReading = StandbyReading { health: Health::WELL, gate: Decision::Serve };

fn step(
    controller: &mut Controller,
    secs: i64,
    primary: Health,
    standbys: &[StandbyReading],
) -> Order {
    controller.step(at(secs), &Reading { primary, fired: None, standbys })
}

/// Orders other than `Stay`, with their seconds, when the primary's success follows `success`.
fn orders(
    until: i64,
    success: impl Fn(i64) -> f64,
    standbys: &[StandbyReading],
) -> Vec<(i64, Order)> {
    let mut controller = Controller::new(SETTINGS);
    (0..=until)
        .step_by(10)
        .map(|secs| (secs, step(&mut controller, secs, health(success(secs)), standbys)))
        .filter(|(_, order)| *order != Order::Stay)
        .collect()
}

#[test]
fn fails_over_after_180_s_and_back_after_1800_s_of_unbroken_health() {
    let lost = |secs: i64| if (600..5_400).contains(&secs) { 0.0 } else { 1.0 };
    let seen = orders(8_000, lost, &[FIT]);
    assert_eq!(seen, [(780, Order::FailOver { standby: 0 }), (7_200, Order::BeginFailback)]);
}

#[test]
fn success_at_the_threshold_is_health_and_below_it_is_failure() {
    assert!(orders(1_000, |_| 0.9, &[FIT]).is_empty());
    assert_eq!(orders(180, |_| 0.899, &[FIT]), [(180, Order::FailOver { standby: 0 })]);
}

#[test]
fn a_break_in_the_failure_starts_the_time_anew() {
    let broken = |secs: i64| if secs == 170 { 1.0 } else { 0.0 };
    assert_eq!(orders(360, broken, &[FIT]), [(360, Order::FailOver { standby: 0 })]);
}

#[test]
fn an_open_breaker_is_failure_whatever_the_canaries_say() {
    let mut controller = Controller::new(SETTINGS);
    let open = Health { breaker_open: true, ..Health::WELL };
    assert_eq!(step(&mut controller, 0, open, &[FIT]), Order::Stay);
    assert_eq!(step(&mut controller, 180, open, &[FIT]), Order::FailOver { standby: 0 });
}

#[test]
fn both_regions_bad_moves_nothing_and_suspects_a_global_fault() {
    let bad = standby(health(0.0), Decision::Serve);
    let seen = orders(2_000, |_| 0.0, &[bad]);
    assert!(seen.iter().all(|(_, order)| *order == Order::Hold(Hold::GlobalFault)));
    assert_eq!(seen[0].0, 180);
    let open = Health { breaker_open: true, ..Health::WELL };
    assert_eq!(
        orders(180, |_| 0.0, &[standby(open, Decision::Serve)])[0].1,
        Order::Hold(Hold::GlobalFault)
    );
    let silent = Health { success: None, latest_passed: false, breaker_open: false };
    assert_eq!(
        orders(180, |_| 0.0, &[standby(silent, Decision::Serve)])[0].1,
        Order::Hold(Hold::GlobalFault)
    );
}

#[test]
fn a_standby_that_the_gate_holds_is_never_moved_to() {
    for decision in Decision::ALL {
        let seen = orders(1_000, |_| 0.0, &[standby(Health::WELL, decision)]);
        let expected = match decision {
            Decision::Serve | Decision::ServeRollback => Order::FailOver { standby: 0 },
            _ => Order::Hold(Hold::Gate { standby: 0, decision }),
        };
        assert_eq!(seen[0], (180, expected), "{decision}");
    }
}

#[test]
fn of_three_standbys_the_first_that_is_fit_is_taken() {
    let held = standby(Health::WELL, Decision::HoldArtifactAbsent);
    let sick = standby(health(0.2), Decision::Serve);
    assert_eq!(orders(180, |_| 0.0, &[held, sick, FIT]), [(180, Order::FailOver { standby: 2 })]);
    let hold = Hold::Gate { standby: 1, decision: Decision::HoldArtifactAbsent };
    assert_eq!(orders(180, |_| 0.0, &[sick, held])[0].1, Order::Hold(hold));
}

#[test]
fn a_primary_back_for_two_minutes_pulls_no_traffic() {
    let back = |secs: i64| if (1_200..1_320).contains(&secs) || secs >= 5_000 { 1.0 } else { 0.0 };
    let seen = orders(7_000, back, &[FIT]);
    assert_eq!(seen, [(180, Order::FailOver { standby: 0 }), (6_800, Order::BeginFailback)]);
}

#[test]
fn failure_during_the_ramp_abandons_it_and_the_recovery_time_starts_anew() {
    let relapse = |secs: i64| match secs {
        0..1_000 | 3_000..3_100 => 0.0,
        _ => 1.0,
    };
    let seen = orders(5_000, relapse, &[FIT]);
    let expected = [
        (180, Order::FailOver { standby: 0 }),
        (2_800, Order::BeginFailback),
        (3_000, Order::AbandonFailback),
        (4_900, Order::BeginFailback),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn an_empty_window_is_neither_failure_nor_recovery() {
    let silent = Health { success: None, latest_passed: false, breaker_open: false };
    let mut controller = Controller::new(SETTINGS);
    for secs in (0..4_000).step_by(10) {
        assert_eq!(step(&mut controller, secs, silent, &[FIT]), Order::Stay);
    }
    controller.switch(0);
    for secs in (4_000..8_000).step_by(10) {
        assert_eq!(step(&mut controller, secs, silent, &[FIT]), Order::Stay);
    }
}

#[test]
fn another_trigger_replaces_the_patience_on_the_way_out() {
    let mut controller = Controller::new(SETTINGS);
    let mut with = |secs: i64, fired: bool| {
        let reading = Reading { primary: health(0.0), fired: Some(fired), standbys: &[FIT] };
        controller.step(at(secs), &reading)
    };
    assert_eq!(with(0, false), Order::Stay);
    assert_eq!(with(1_000, false), Order::Stay);
    assert_eq!(with(1_010, true), Order::FailOver { standby: 0 });
}

/// One instant of a random past: success of the primary, its breaker, health and gate of the standby.
type Instant = (bool, bool, bool, bool);

/// The latest instant since which `holds` is true without a break, looking back from `upto`.
fn unbroken(past: &[Instant], from: usize, upto: usize, holds: impl Fn(&Instant) -> bool) -> usize {
    (from..=upto).rev().take_while(|index| holds(&past[*index])).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Every order agrees with a naive look at the whole past: enough unbroken failure before leaving,
    /// enough unbroken health before returning, a fit standby, and never two moves in a row.
    #[test]
    fn orders_agree_with_a_naive_reading_of_the_past(
        runs in proptest::collection::vec(((any::<bool>(), prop::bool::weighted(0.1), prop::bool::weighted(0.8), prop::bool::weighted(0.8)), 1..300_usize), 1..20)
    ) {
        let past: Vec<Instant> =
            runs.into_iter().flat_map(|(instant, count)| std::iter::repeat_n(instant, count)).collect();
        let mut controller = Controller::new(SETTINGS);
        // Where the traffic is, and since which instant, kept apart from the controller's own state.
        let mut place = 'P';
        let mut since = 0;
        for (index, &(good, breaker, fit, serves)) in past.iter().enumerate() {
            let primary = Health { breaker_open: breaker, ..health(if good { 1.0 } else { 0.0 }) };
            let gate = if serves { Decision::Serve } else { Decision::HoldNotReady };
            let other = health(if fit { 1.0 } else { 0.0 });
            let order = step(&mut controller, 10 * index as i64, primary, &[standby(other, gate)]);
            let bad_for = unbroken(&past, since, index, |(good, breaker, ..)| !good || *breaker);
            let well_for = unbroken(&past, since, index, |(good, breaker, ..)| *good && !breaker);
            let expected = match place {
                'P' if bad_for > 18 && !fit => Order::Hold(Hold::GlobalFault),
                'P' if bad_for > 18 && !serves => {
                    Order::Hold(Hold::Gate { standby: 0, decision: Decision::HoldNotReady })
                }
                'P' if bad_for > 18 => Order::FailOver { standby: 0 },
                'S' if well_for > 180 => Order::BeginFailback,
                'S' if well_for == 0 && !fit => Order::Hold(Hold::GlobalFault),
                'B' if bad_for > 0 => Order::AbandonFailback,
                _ => Order::Stay,
            };
            prop_assert_eq!(order, expected, "at {}", index);
            place = match order {
                Order::FailOver { .. } | Order::AbandonFailback => 'S',
                Order::BeginFailback => 'B',
                _ => place,
            };
            if matches!(order, Order::FailOver { .. } | Order::AbandonFailback | Order::BeginFailback) {
                since = index + 1;
            }
        }
    }
}
