//! What the drills of `sweeps/drills` do not show: invariants over random drills, and single rules.

use proptest::prelude::*;

use super::outcome::{Rto, Stage};
use super::*;
use crate::time::{Span, Time};

const ASSISTANT: &str = include_str!("../../sweeps/drills/assistant.toml");

fn assistant(over: &str) -> Document {
    let base = Document::new("assistant.toml", ASSISTANT).unwrap();
    layered(&base, Document::new("over.toml", over).unwrap()).unwrap()
}

fn plan(over: &str) -> Plan {
    Plan::new(&assistant(over)).unwrap_or_else(|error| panic!("{error}"))
}

fn once(over: &str) -> Outcome {
    run(&plan(over), 1, 0, true)
}

fn rto(outcome: &Outcome, feature: usize) -> Option<f64> {
    outcome.features[feature].rto().secs()
}

const ANSWERS: usize = 0;
const REFUNDS: usize = 1;

const REGION_LOST: &str = "[[faults]]\nkind = \"region\"\nat = \"09:00\"\nlasts = \"80min\"\n";

#[test]
fn without_idempotency_keys_what_had_happened_happens_twice() {
    let keyed = once(REGION_LOST).in_flight;
    assert_eq!((keyed.runs_interrupted, keyed.runs_retried, keyed.runs_duplicated), (4, 3, 0));
    let bare = format!("[features.refunds]\nidempotency_keys = false\n{REGION_LOST}");
    let bare = once(&bare).in_flight;
    assert_eq!((bare.runs_interrupted, bare.runs_retried, bare.runs_duplicated), (4, 4, 1));
}

#[test]
fn clients_that_hold_the_turn_replay_it_and_the_others_are_told() {
    let flight = once("[clients]\nreplay_turns = 0.8\n").in_flight;
    assert_eq!((flight.turns_lost, flight.turns_replayed, flight.turns_notified), (31, 25, 6));
}

#[test]
fn streams_are_given_up_when_nobody_serves_in_time() {
    let flight = once(&format!("[clients]\nretry_for = \"2min\"\n{REGION_LOST}")).in_flight;
    assert_eq!((flight.streams_lost, flight.streams_retried, flight.streams_given_up), (62, 0, 62));
}

#[test]
fn a_load_balancer_moves_everybody_at_once() {
    // A table's tag and keys are replaced one by one, so the DNS keys must go.
    let mut drill = assistant("");
    let shift: toml::Table = "by = \"load-balancer\"\ndelay = \"5s\"".parse().unwrap();
    drill.table.insert("shift".to_owned(), shift.into());
    let outcome = run(&Plan::new(&drill).unwrap(), 1, 0, true);
    assert_eq!(rto(&outcome, ANSWERS), Some(185.0));
    let stages = &outcome.features[ANSWERS].interruptions[0].stages;
    assert_eq!(stages[1], (Stage::TrafficShift, Span::from_secs(5)));
    assert!((outcome.features[ANSWERS].requests.lost - 7.75 * 185.0).abs() < 1e-6);
}

#[test]
fn canaries_that_do_not_cover_a_dependency_miss_its_loss_and_the_breaker_finds_it() {
    let covers = "[canary]\ncovers = [\"gateway\", \"model\"]\n";
    let missed = once(covers);
    assert_eq!((missed.failovers, rto(&missed, ANSWERS)), (0, Some(4_800.0)));
    let found = once(&format!("{covers}[controller]\nbreaker_opens_after = \"30s\"\n"));
    assert_eq!((found.failovers, rto(&found, ANSWERS)), (1, Some(210.0)));
}

#[test]
fn a_gray_fault_is_seen_through_the_share_of_canaries_that_fail() {
    let gray = |fraction: f64| {
        once(&format!(
            "[[faults]]\nkind = \"dependency\"\ntarget = \"vector-index\"\nat = \"09:00\"\nlasts = \"80min\"\nfail_fraction = {fraction}\n"
        ))
    };
    // Each of three vantage points fails with 0.8, so a check of quorum 2 with 0.896.
    assert_eq!(gray(0.8).failovers, 1);
    let slight = gray(0.02);
    assert_eq!((slight.failovers, slight.features[ANSWERS].rto()), (0, Rto::NotInterrupted));
    let lost = slight.features[ANSWERS].requests.lost;
    assert!((lost - 0.02 * 7.75 * 4_800.0).abs() < 1e-6, "{lost}");
}

#[test]
fn a_fault_that_never_acts_changes_no_figure() {
    let laws = "counts = \"poisson\"\n[canary]\nphase = \"uniform\"\nnoise = 0.01\n[features.refunds]\nconfirmation = { law = \"exponential\", mean = \"6min\" }\n";
    let fault = |at: &str| {
        format!(
            "[[faults]]\nkind = \"region\"\nat = \"{at}\"\nlasts = {{ law = \"exponential\", mean = \"20min\" }}\n"
        )
    };
    let one = plan(&format!("{laws}{}", fault("09:00")));
    let two = plan(&format!("{laws}{}{}", fault("09:00"), fault("20h")));
    for replication in 0..20 {
        assert_eq!(run(&one, 5, replication, true), run(&two, 5, replication, true));
    }
}

#[test]
fn capacity_waits_for_its_servers_under_contention() {
    let cold =
        "[servers]\nstorage_gb_per_s = 2.0\n[[standbys]]\nname = \"eu-north\"\ncapacity = 0.0\n";
    let outcome = once(cold);
    // Nothing is ready, ten servers are asked for: 180 s, 140 GB each at 0.2 GB/s, 80 s.
    let wait = 180.0 + 700.0 + 80.0;
    assert_eq!(rto(&outcome, ANSWERS), Some(180.0 + wait));
    let stages = &outcome.features[ANSWERS].interruptions[0].stages;
    assert_eq!(stages[1], (Stage::Capacity, Span::from_secs(wait as i64)));
    assert_eq!(rto(&outcome, REFUNDS), Some(180.0 + wait));
}

#[test]
fn a_second_outage_after_the_way_home_is_failed_over_again() {
    let again = "length = \"8h\"\n[[faults]]\nkind = \"dependency\"\ntarget = \"vector-index\"\nat = \"09:00\"\nlasts = \"20min\"\n[[faults]]\nkind = \"dependency\"\ntarget = \"vector-index\"\nat = \"12:00\"\nlasts = \"20min\"\n";
    let outcome = once(again);
    assert_eq!(outcome.failovers, 2);
    let lengths: Vec<_> =
        outcome.features[ANSWERS].interruptions.iter().map(|one| one.length()).collect();
    assert_eq!(lengths, [Some(Span::from_secs(180)); 2]);
    assert_eq!(outcome.in_flight.turns_lost, 62);
}

#[test]
fn an_outage_that_outlasts_the_run_is_missed_and_counted_in_no_mean() {
    let drill = plan(
        "[canary]\nsilence = \"ignored\"\n[[faults]]\nkind = \"dark\"\nat = \"09:00\"\nlasts = \"9h\"\n",
    );
    assert_eq!(run(&drill, 1, 0, false).features[ANSWERS].rto(), Rto::Missed);
    let all = replicate(&drill, 1, 10);
    let answers = &all.features[ANSWERS];
    assert_eq!((answers.interrupted, answers.missed), (10, 10));
    assert!(answers.mean_s.is_none() && answers.max_s.is_none());
    assert_eq!(answers.rto_met.unwrap().value, 0.0);
}

#[test]
fn another_version_is_no_fallback_and_a_lesser_answer_is_told_as_one() {
    let outcome = once(
        "[dependencies.model]\nlocation = \"provider\"\n[[dependencies.model.fallbacks]]\nname = \"elsewhere\"\nkind = \"other-endpoint\"\nsame_version = false\n[[dependencies.model.fallbacks]]\nname = \"canned\"\nkind = \"degraded\"\nsame_version = false\n[[faults]]\nkind = \"dependency\"\ntarget = \"model\"\nat = \"09:00\"\nlasts = \"80min\"\n",
    );
    assert_eq!((outcome.failovers, rto(&outcome, ANSWERS)), (0, Some(30.0)));
    let refused = outcome.timeline.iter().filter(|entry| entry.text.contains("pinned version"));
    assert_eq!(refused.count(), 1);
    let segments = &outcome.features[ANSWERS].segments;
    assert!(segments[2].server.serves() && segments[2].degraded, "{segments:?}");
    let degraded = outcome.features[ANSWERS].requests.degraded_s;
    assert!((degraded - (80.0 * 60.0 - 30.0)).abs() < 1e-6, "{degraded}");
}

/// Random faults, capacities, shifts and laws, laid over the worked case.
fn drills() -> impl Strategy<Value = String> {
    let kind = prop_oneof![
        Just("kind = \"region\""),
        Just("kind = \"dark\""),
        Just("kind = \"isolated\""),
        Just("kind = \"dependency\"\ntarget = \"vector-index\""),
        Just("kind = \"dependency\"\ntarget = \"model\""),
        Just("kind = \"dependency\"\ntarget = \"tool-backend\""),
        Just("kind = \"vantage-point\"\ntarget = \"outside\""),
    ];
    let region = prop_oneof![Just("eu-west"), Just("eu-north"), Just("all")];
    let fault = (kind, region, 0..10_000_i64, 1..8_000_i64, 1..=10_u32).prop_map(
        |(kind, region, at, lasts, tenths)| {
            let fraction = f64::from(tenths) / 10.0;
            format!("[[faults]]\n{kind}\nregion = \"{region}\"\nat = \"{at}s\"\nlasts = \"{lasts}s\"\nfail_fraction = {fraction}\n")
        },
    );
    let index = prop_oneof![
        Just("recovery = \"dual-ingested\""),
        Just("recovery = \"rebuilt\"\ntakes = \"20min\""),
        Just("recovery = \"snapshot\"\nlag = \"30min\"\nrestore = \"5min\""),
    ];
    let faults = proptest::collection::vec(fault, 0..5);
    (faults, 0..=100_u32, 0..=10_u32, index, 0..600_i64, any::<bool>()).prop_map(
        |(faults, capacity, stragglers, index, ttl, ignored)| {
            let silence = if ignored { "ignored" } else { "failure" };
            format!(
                "length = \"5h\"\n[canary]\nsilence = \"{silence}\"\nnoise = 0.01\n[latency.cache]\ncold_penalty = 0.5\n[primary]\nidle_capacity = 0.3\n[shift]\nttl = \"{ttl}s\"\nstragglers = {}\n[assets.vector-index]\n{index}\n[[standbys]]\nname = \"eu-north\"\ncapacity = {}\n{}",
                f64::from(stragglers) / 10.0,
                f64::from(capacity) / 100.0,
                if faults.is_empty() { String::new() } else { faults.join("") },
            )
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever goes wrong: every request is accounted for, interruptions follow each other, their stages
    /// add up, the timeline is in order, and nothing is done sooner than it could be.
    #[test]
    fn books_balance_whatever_goes_wrong(over in drills(), seed in any::<u64>()) {
        let plan = plan(&over);
        let outcome = run(&plan, seed, 0, true);
        let end = Time::START + plan.service.length;
        for (planned, feature) in plan.features.iter().zip(&outcome.features) {
            let requests = feature.requests;
            let sum = requests.by_primary + requests.by_standby + requests.lost + requests.shed;
            let whole = planned.input.rate_per_s * plan.service.length.as_secs_f64();
            prop_assert!((sum - whole).abs() < 1e-6 * whole, "{} of {whole}", sum);
            for pair in feature.interruptions.windows(2) {
                prop_assert!(pair[0].to.is_some_and(|to| to <= pair[1].from));
            }
            for one in &feature.interruptions {
                prop_assert!(one.from <= end && one.to.is_none_or(|to| to <= end && to >= one.from));
                let stages: Span = one.stages.iter().map(|(_, span)| *span).sum();
                prop_assert!(one.length().is_none_or(|length| length == stages), "{one:?}");
                prop_assert!(one.stages.iter().all(|(_, span)| span.is_positive()));
            }
            if planned.input.side_effects && feature.rpo.is_some() {
                let decided = outcome.timeline.iter().find(|entry| entry.text.starts_with("fail over to"));
                let moved = outcome.timeline.iter().find(|entry| {
                    entry.subject == planned.name && entry.text.starts_with("moves to")
                });
                let (Some(decided), Some(moved)) = (decided, moved) else {
                    return Err(TestCaseError::fail("moved without a word"));
                };
                prop_assert!(moved.at - decided.at >= Span::from_secs(360), "a person needs six minutes");
            }
        }
        prop_assert!(outcome.timeline.windows(2).all(|pair| pair[0].at <= pair[1].at));
        let flight = outcome.in_flight;
        prop_assert_eq!(flight.streams_lost, flight.streams_retried + flight.streams_given_up);
        prop_assert_eq!(flight.turns_lost, flight.turns_replayed + flight.turns_notified);
        prop_assert!(svg(&plan, &outcome).is_ok());
    }

    /// Whatever the text, reading it ends with a plan or an error.
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}", cut in 0..ASSISTANT.len()) {
        let _ = Plan::from_toml("drill", &text);
        if let Some(start) = ASSISTANT.get(..cut) {
            let _ = Plan::from_toml("drill", start);
        }
    }
}
