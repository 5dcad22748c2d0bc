//! What triggers did wrong in public, as kinds of fault: each is a run of checks and the right
//! decision, over every depth and family the fault could show in.
//!
//! `S` a healthy check, `F` an unhealthy one, `-` due but absent, `.` unknown (the controller was
//! paused), `R` the controller restarts before the next check; blanks mean nothing.

mod case;

use case::{case, check};
use failover_budget::history::{Builder, Check, Due, History};
use failover_budget::time::{Span, Time};
use failover_budget::trigger::{Arming, Silence, Spec, Trigger, firings};

fn times(letter: &str, count: u64) -> String {
    letter.repeat(count as usize)
}

/// Triggers of every family that need exactly `k` failures in a row at 10 s, over a full history.
fn of_depth(k: u64) -> [String; 4] {
    [
        format!("consecutive:{k}"),
        format!("window:{}s", 10 * k - 5),
        format!("m-of-n:{k}/{k}"),
        // A window of one check: below the minimum at the first failure, then k − 1 intervals more.
        format!("success-rate:1/5s/{}s", 10 * (k - 1)),
    ]
}

// Counting

#[test]
fn a_success_resets_the_count() {
    check(case("F S F", "consecutive:2"), &[]);
    for k in 2..=12 {
        let below = times("F", k - 1);
        for trigger in of_depth(k) {
            let start = times("S", k);
            check(case(format!("{start} {below} S {below} S {below}"), trigger), &[]);
        }
    }
}

#[test]
fn one_failure_moves_nothing() {
    check(case("S F S", "consecutive:3"), &[]);
    for k in 2..=12 {
        for trigger in of_depth(k) {
            let well = times("S", k);
            check(case(format!("{well} F {well} F {well}"), trigger), &[]);
        }
    }
}

#[test]
fn k_means_the_kth_failure_in_a_row_and_not_k_retries_after_the_first() {
    check(case("F F F F", "consecutive:3"), &[3]);
    for k in 1..=12 {
        for trigger in of_depth(k) {
            let run = format!("{} {}", times("S", k), times("F", 2 * k));
            check(case(run, trigger), &[2 * k]);
        }
    }
}

#[test]
fn patience_is_told_in_seconds_of_the_wall_clock() {
    let patience = |text: &str, interval: &str| {
        let spec: Spec = text.parse().unwrap();
        spec.patience(interval.parse().unwrap()).as_secs_f64()
    };
    assert_eq!(patience("consecutive:3", "5s"), 10.0);
    assert_eq!(patience("consecutive:3", "10s"), 20.0);
    check(case("F F F F", "consecutive:3").every("5s"), &[3]);
    for k in 1..=40 {
        for (interval, secs) in [("5s", 5.0), ("10s", 10.0), ("60s", 60.0)] {
            let expected = (k - 1) as f64 * secs;
            assert_eq!(patience(&format!("consecutive:{k}"), interval), expected);
        }
    }
    // The first table of the design, detection column.
    assert_eq!(patience("window:900s", "10s"), 900.0);
    assert_eq!(patience("window:300s", "10s"), 300.0);
    assert_eq!(patience("consecutive:12", "10s"), 110.0);
}

#[test]
fn a_partition_fires_by_the_phase_of_the_probes() {
    // 43 s with probes every 10 s hold five probes for phases up to 3 s and four beyond.
    for (k, fires) in [(4, 1000), (5, 300), (6, 0)] {
        let fired = (0..1000)
            .filter(|step| {
                let due = Due::grid(Time::from_nanos(step * 10_000_000), Span::from_secs(10));
                let start = due.first_at_or_after(Time::START + Span::from_secs(100));
                let end = due.first_at_or_after(Time::START + Span::from_secs(143));
                let mut builder = Builder::new();
                builder.add(0, start, Check::Healthy);
                builder.add(start, end, Check::Unhealthy);
                builder.add(end, end + 10, Check::Healthy);
                let end = due.at(end + 10);
                let spells = builder.finish();
                let history = History { due, spells, restarts: vec![], faults: vec![], end };
                let spec = Spec::Consecutive { k };
                let interval = Span::from_secs(10);
                let mut trigger =
                    Trigger::new(&spec, interval, Silence::Failure, Arming::FullWindow);
                !firings(&mut trigger, &history).is_empty()
            })
            .count();
        assert_eq!(fired, fires, "k = {k}");
    }
}

// Silence

#[test]
fn only_due_probes_count() {
    // Decisions between probes would see "nothing new" eleven times before the second probe.
    check(case("- F", "consecutive:2").every("60s").silence(Silence::Failure), &[2]);
    for k in 2..=6 {
        let late = case(times("F", k), format!("consecutive:{k}")).every("60s");
        check(late, &[k]);
    }
}

#[test]
fn a_region_that_goes_dark_is_caught_only_if_silence_is_failure() {
    check(case("S - - -", "consecutive:3").silence(Silence::Failure), &[4]);
    check(case("S - - -", "consecutive:3"), &[]);
    for k in 1..=12 {
        let checks = format!("{} {}", times("S", k), times("-", 2 * k));
        for trigger in of_depth(k) {
            let dark = case(checks.as_str(), trigger);
            check(dark.clone().silence(Silence::Failure), &[2 * k]);
            check(dark, &[]);
        }
    }
}

#[test]
fn a_gap_inside_a_failing_run() {
    check(case("F F - F", "consecutive:3").silence(Silence::Failure), &[3]);
    check(case("F F - F", "consecutive:3"), &[4]);
    for k in 2..=8 {
        let checks = format!("{} - F F", times("F", k - 1));
        let trigger = format!("consecutive:{k}");
        check(case(checks.as_str(), trigger.as_str()).silence(Silence::Failure), &[k]);
        check(case(checks.as_str(), trigger), &[k + 1]);
        // Among the last N the absent one takes a place, so N = M has to start again.
        let strict = format!("m-of-n:{k}/{k}");
        check(case(checks.as_str(), strict), if k == 2 { &[4] } else { &[] });
        let lenient = format!("m-of-n:{k}/{}", k + 1);
        check(case(checks, lenient), &[k + 1]);
    }
}

#[test]
fn the_empty_window_is_healthy_or_failing_as_silence_says() {
    for (trigger, fires) in [
        ("window:5s", 1),
        ("window:25s", 1),
        ("window:300s", 1),
        ("success-rate:0.9/60s/20s", 3),
        ("success-rate:0.5/5s/0s", 1),
    ] {
        check(case("- - - -", trigger), &[]);
        check(case("- - - -", trigger).silence(Silence::Failure), &[fires]);
        let full =
            case(times("-", 60), trigger).silence(Silence::Failure).arming(Arming::FullWindow);
        let spec: Spec = trigger.parse().unwrap();
        check(full, &[spec.checks_to_fire(Span::from_secs(10))]);
    }
    // Failures that age out leave an empty window behind: the flaw shows as a firing that is lost.
    check(case("S F - - - - -", "window:25s"), &[4]);
    check(case("S F - - - - -", "window:15s"), &[3]);
    check(case("S F - - - - -", "window:25s").arming(Arming::Checks(5)), &[]);
}

#[test]
fn a_window_shorter_than_the_interval_is_one_failed_probe() {
    check(case("F", "window:30s").every("60s"), &[1]);
    for window in [1, 30, 59] {
        let trigger = format!("window:{window}s");
        check(case("S S F S F", trigger.as_str()).every("60s"), &[3, 5]);
        let spec: Spec = trigger.parse().unwrap();
        let warnings = spec.warnings(Span::from_secs(60), Span::ZERO);
        assert!(warnings[0].to_string().contains("one failed probe fills it"), "{warnings:?}");
    }
}

/// The table of a large cloud's alarm service for "3 of 3", where a rule of ours says the same.
///
/// `0` there is a good point and `X` a bad one. Its column *ignored* (an alarm keeps its state) is
/// three in a row with silence ignored, in every row. Its column *failing* fills in bad points only
/// where fewer than three real ones are in reach; with silence `failure` here every absent check is
/// a bad one, so rows 1 and 2 differ, and ours errs on the side of firing.
#[test]
fn three_of_three_as_an_alarm_service_has_it() {
    for (points, ignored, failing) in [
        ("S - F - F", &[][..], &[4][..]),
        ("S - - - -", &[], &[4]),
        ("- - - - -", &[], &[3]),
        ("S F F - F", &[5], &[4]),
        ("F - - - -", &[], &[3]),
    ] {
        check(case(points, "consecutive:3"), ignored);
        check(case(points, "consecutive:3").silence(Silence::Failure), failing);
    }
}

// Restart

#[test]
fn the_first_bad_probe_after_a_restart() {
    check(case("S S S R F", "window:300s"), &[4]);
    check(case("S S S R F", "window:300s").arming(Arming::FullWindow), &[]);
    for k in 2..=12 {
        let trigger = format!("window:{}s", 10 * k - 5);
        let healthy = times("S", k);
        let blip = format!("{healthy} R F {healthy}");
        check(case(blip.as_str(), trigger.as_str()), &[k + 1]);
        check(case(blip, trigger.as_str()).arming(Arming::FullWindow), &[]);
        // An outage under way at the restart is still caught, as many due checks later.
        let outage = format!("{healthy} R {}", times("F", 2 * k));
        check(case(outage.as_str(), trigger.as_str()).arming(Arming::FullWindow), &[2 * k]);
        check(case(outage, trigger).arming(Arming::Checks(k + 1)), &[2 * k + 1]);
    }
}

#[test]
fn nothing_has_run_yet() {
    for k in 1..=12 {
        for trigger in of_depth(k) {
            let dark = case(format!("R {}", times("-", 2 * k)), trigger);
            check(dark.silence(Silence::Failure).arming(Arming::FullWindow), &[k]);
        }
    }
}

#[test]
fn a_restart_in_the_middle_of_a_run_forgets_it() {
    check(case("F F R F", "consecutive:3"), &[]);
    for k in 2..=12 {
        for trigger in [format!("consecutive:{k}"), format!("m-of-n:{k}/{}", 2 * k)] {
            let below = times("F", k - 1);
            check(case(format!("{below} R {below}"), trigger.as_str()), &[]);
            check(case(format!("{below} R {below} F"), trigger), &[2 * k - 1]);
        }
        // Time spent down is not counted either: nobody knows what was due then.
        let down = format!("S {} R....... F", times("F", k - 1));
        check(case(down, format!("consecutive:{k}")), &[]);
        let down = format!("S F R....... F {}", times("F", k));
        let waits = format!("success-rate:1/5s/{}s", 10 * (k - 1));
        check(case(down, waits), &[9 + k]);
    }
}

#[test]
fn a_restart_does_not_forget_the_failover() {
    for k in 1..=6 {
        for trigger in of_depth(k) {
            let fired = format!("{} {}", times("S", k), times("F", k));
            let again = times("F", 3 * k);
            for arming in [Arming::Immediate, Arming::FullWindow] {
                let restarted = case(format!("{fired} R {again}"), trigger.as_str()).arming(arming);
                check(restarted, &[2 * k]);
                let twice = case(format!("{fired} R F R {again}"), trigger.as_str()).arming(arming);
                check(twice, &[2 * k]);
            }
            // A new episode after a healthy spell is a new failover.
            let next = format!("{fired} R F {} {again}", times("S", k));
            check(case(next, trigger), &[2 * k, 4 * k + 1]);
        }
    }
}

#[test]
fn a_failing_share_that_was_failed_over_is_not_failed_over_again() {
    // Half the probes fail for good. The healthy ones among them end no episode.
    let gray = "SSSSSS FSFSFSFSFSFSFSFSFSFS";
    check(case(gray, "m-of-n:3/6"), &[11]);
    check(case(gray, "success-rate:0.9/50s/60s"), &[13]);
    check(case(format!("{gray} R {gray}"), "success-rate:0.9/50s/60s"), &[13, 39]);
    check(case(format!("{gray} R FSFSFSFSFSFSFSFSFS"), "success-rate:0.9/50s/60s"), &[13]);
}

// Time

#[test]
fn a_pause_of_the_controller_is_not_silence_of_the_region() {
    for k in 2..=12 {
        for silence in Silence::ALL {
            let run = format!("{} ...... F S", times("F", k - 2));
            check(case(run, format!("consecutive:{k}")).silence(silence), &[]);
            let run = format!("{} ...... F S", times("F", k - 2));
            check(case(run, format!("m-of-n:{k}/{}", 2 * k)).silence(silence), &[]);
        }
    }
    check(case("S F ...... S F ...... S", "window:15s").silence(Silence::Failure), &[]);
}

// Standby

#[test]
fn no_failover_while_the_standby_fails_too() {
    for k in 1..=8 {
        for text in of_depth(k) {
            let spec: Spec = text.parse().unwrap();
            let interval = Span::from_secs(10);
            let mut trigger = Trigger::new(&spec, interval, Silence::Failure, Arming::Immediate);
            let mut at = Time::START;
            let mut next = |trigger: &mut Trigger, check, standby| {
                trigger.set_standby_healthy(standby);
                at += interval;
                trigger.observe(at, check)
            };
            for _ in 0..k {
                assert!(!next(&mut trigger, Check::Healthy, true), "{text}");
            }
            for _ in 0..3 * k {
                assert!(!next(&mut trigger, Check::Unhealthy, false), "{text}: it would not help");
            }
            assert!(!trigger.has_fired());
            assert!(next(&mut trigger, Check::Unhealthy, true), "{text}: now it helps");
            assert!(!next(&mut trigger, Check::Unhealthy, true), "{text}: once");
        }
    }
}
