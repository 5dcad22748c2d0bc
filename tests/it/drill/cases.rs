//! The worked case to the minute, and every unhappy path.

use failover_budget::drill::outcome::{Rto, Server, Stage};

use super::{drilled, minutes};

#[test]
fn the_worked_case_comes_out_to_the_minute() {
    let case = drilled("assistant");
    assert_eq!(case.clocks("eu-west", "lost: vector-index"), ["09:00"]);
    assert_eq!(case.clocks("eu-north", "fail over to eu-north"), ["09:03"]);
    assert_eq!(case.clocks("answers", "first request served by eu-north"), ["09:03"]);
    assert_eq!(case.clocks("refunds", "a person confirms"), ["09:09"]);
    assert_eq!(case.clocks("refunds", "first request served by eu-north"), ["09:09"]);
    // New servers take six minutes to load and pass readiness, once they are there.
    assert_eq!(case.clocks("eu-north", "6min to load and pass readiness"), ["09:03"]);
    assert_eq!(case.clocks("eu-north", "background work is shed"), ["09:03"]);
    assert_eq!(case.clocks("eu-north", "degraded: 0.9 s to 2.4 s"), ["09:03"]);
    assert_eq!(case.clocks("eu-north", "normal again: 0.9 s"), ["09:12"]);
    assert_eq!(case.clocks("eu-north", "background work is served again"), ["09:12"]);
    assert_eq!(case.clocks("eu-west", "well again: vector-index"), ["10:20"]);
    assert_eq!(case.clocks("eu-west", "failback begins"), ["10:50"]);
    for (share, clock) in
        [("5 %", "10:50"), ("25 %", "11:00"), ("50 %", "11:10"), ("100 %", "11:20")]
    {
        let text = format!("{share} of the traffic is on the primary");
        let told: Vec<_> = case.clocks("eu-west", &text);
        assert!(told.contains(&clock.to_owned()), "{share}: {told:?}");
    }
    assert_eq!(case.clocks("eu-west", "failback is complete"), ["11:30"]);

    let answers = case.feature("answers");
    assert_eq!(answers.rto(), Rto::Recovered(minutes(3)));
    assert_eq!(case.stages("answers"), [(Stage::Detection, minutes(3))]);
    let refunds = case.feature("refunds");
    assert_eq!(refunds.rto(), Rto::Recovered(minutes(9)));
    let stages = [(Stage::Detection, minutes(3)), (Stage::Confirmation, minutes(6))];
    assert_eq!(case.stages("refunds"), stages);
    assert!(answers.rto().meets(minutes(5)) && refunds.rto().meets(minutes(15)));
    assert_eq!(case.outcome.in_flight.turns_lost, 31);
    assert_eq!(case.outcome.in_flight.turns_notified, 31);
    assert_eq!(case.outcome.failovers, 1);
    assert!(case.outcome.holds.is_empty() && case.plan.unstable_steps.is_empty());
}

/// Requests that fail until the clients have followed: evenly over the TTL, so half of it on average.
#[test]
fn what_is_lost_is_the_rate_times_the_wait() {
    let case = drilled("assistant");
    let lost = case.feature("answers").requests.lost;
    assert!((lost - 7.75 * (180.0 + 15.0)).abs() < 1e-6, "{lost}");
    let summaries = case.feature("summaries").requests;
    assert!((summaries.lost - 2.0 * 195.0).abs() < 1e-6, "{summaries:?}");
    // Shed from 09:03 to 09:12, but for the part that was still failing on the primary.
    assert!((summaries.shed - 2.0 * (540.0 - 15.0)).abs() < 1e-6, "{summaries:?}");
    let all = |requests: failover_budget::drill::outcome::Requests| {
        requests.by_primary + requests.by_standby + requests.lost + requests.shed
    };
    let whole = all(summaries);
    assert!((whole - 2.0 * 3.0 * 3_600.0).abs() < 1e-6, "every request is accounted for: {whole}");
}

#[test]
fn the_stages_of_every_interruption_add_up_to_its_length() {
    let mut seen = 0;
    for entry in std::fs::read_dir(super::path("assistant").parent().unwrap()).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        let case = drilled(&name);
        for feature in &case.outcome.features {
            for interruption in &feature.interruptions {
                let sum: failover_budget::time::Span =
                    interruption.stages.iter().map(|(_, span)| *span).sum();
                assert_eq!(Some(sum), interruption.length().or(Some(sum)), "{name}");
                seen += 1;
            }
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn a_planned_switch_to_a_current_standby_interrupts_nobody() {
    let case = drilled("planned-switch");
    for feature in &case.outcome.features {
        assert_eq!(feature.rto(), Rto::NotInterrupted);
        assert_eq!(feature.rpo, Some(failover_budget::time::Span::ZERO));
        assert!(feature.requests.lost == 0.0 && feature.requests.shed == 0.0);
        assert!(feature.requests.by_standby > 0.0);
    }
    assert_eq!(case.outcome.failovers, 1);
    assert_eq!(case.outcome.in_flight.turns_lost, 0);
    assert!(case.outcome.failback.completed.is_some());
}

#[test]
fn an_absent_artifact_holds_until_it_is_there() {
    let case = drilled("absent-artifact");
    assert_eq!(case.outcome.holds, ["hold:artifact-absent"]);
    let stages = [(Stage::Detection, minutes(3)), (Stage::Held, minutes(20))];
    assert_eq!(case.stages("answers"), stages);
    assert!(!case.feature("answers").rto().meets(minutes(5)));
}

#[test]
fn a_lagged_watermark_is_for_review_and_moves_nothing() {
    let case = drilled("lagged-watermark");
    assert_eq!(case.outcome.holds, ["manual-review:feature-lag"]);
    assert_eq!(case.outcome.failovers, 0);
    assert_eq!(case.rto_min("answers"), Some(80.0));
    assert_eq!(case.stages("answers"), [(Stage::UntilMended, minutes(80))]);
}

#[test]
fn a_snapshot_costs_its_restore_and_its_age() {
    let case = drilled("vector-index-lost");
    assert_eq!(case.rto_min("answers"), Some(15.0));
    let stages = [(Stage::Detection, minutes(3)), (Stage::AssetRecovery, minutes(12))];
    assert_eq!(case.stages("answers"), stages);
    assert_eq!(case.feature("answers").rpo, Some(minutes(30)));
    // Documents are lost with the snapshot, turns are not.
    assert_eq!(case.outcome.in_flight.turns_lost, 31);
}

#[test]
fn an_index_that_must_be_rebuilt_misses_its_rto_by_the_rebuild_time() {
    let (dual, rebuilt) = (drilled("assistant"), drilled("index-rebuilt"));
    let excess = rebuilt.rto_min("answers").unwrap() - dual.rto_min("answers").unwrap();
    assert_eq!(excess, 360.0);
    let stages = [(Stage::Detection, minutes(3)), (Stage::AssetRecovery, minutes(360))];
    assert_eq!(rebuilt.stages("answers"), stages);
    assert!(!rebuilt.feature("answers").rto().meets(minutes(5)));
}

#[test]
fn a_lost_tool_backend_is_a_feature_outage_that_no_failover_ends() {
    let case = drilled("tool-backend-lost");
    assert_eq!(case.feature("answers").rto(), Rto::NotInterrupted);
    assert_eq!(case.rto_min("refunds"), Some(80.0));
    let why = case.feature("refunds").stuck.as_deref();
    assert_eq!(why, Some("it needs tool-backend, which stands in the primary only"));
    assert_eq!(case.outcome.in_flight.turns_lost, 0, "nobody moved");
}

#[test]
fn a_region_that_fails_breaks_its_streams_and_they_are_retried() {
    for name in ["region-evacuated", "dark-region"] {
        let case = drilled(name);
        assert_eq!(case.rto_min("answers"), Some(3.0), "{name}");
        // 7.75 a second for 8 s each.
        assert_eq!(case.outcome.in_flight.streams_lost, 62, "{name}");
        assert_eq!(case.outcome.in_flight.streams_retried, 62, "{name}");
        assert_eq!(case.outcome.in_flight.runs_interrupted, 4, "{name}");
        assert_eq!(case.outcome.in_flight.runs_reconciled, 1, "{name}");
        assert_eq!(case.outcome.in_flight.runs_duplicated, 0, "{name}");
    }
}

#[test]
fn a_dark_region_is_missed_when_silence_is_ignored() {
    let case = drilled("dark-region-missed");
    assert_eq!(case.outcome.failovers, 0);
    assert!(case.outcome.holds.is_empty(), "the controller saw nothing");
    assert_eq!(case.rto_min("answers"), Some(80.0));
    assert_eq!(case.outcome.in_flight.streams_given_up, 62);
}

#[test]
fn when_both_regions_are_bad_nothing_moves_and_a_global_fault_is_suspected() {
    let case = drilled("both-regions");
    assert_eq!(case.outcome.holds, ["suspect a global fault"]);
    assert_eq!(case.clocks("controller", "suspect a global fault"), ["09:03"]);
    assert_eq!(case.outcome.failovers, 0);
    assert_eq!(case.rto_min("answers"), Some(40.0));
}

#[test]
fn a_provider_outage_is_met_by_the_first_fallback_that_may_be_used() {
    let case = drilled("provider-region");
    assert_eq!(case.outcome.failovers, 0, "the region itself is well");
    assert_eq!(case.clocks("model", "residency forbids it").len(), 1);
    assert_eq!(
        case.clocks("model", "quota of 5 requests/s is less than the load of 9.85").len(),
        1
    );
    assert_eq!(case.clocks("model", "served by second provider").len(), 1);
    assert_eq!(case.rto_min("answers"), Some(0.5));
    assert_eq!(case.clocks("model", "its own endpoint again"), ["10:20"]);
}

#[test]
fn a_primary_back_for_two_minutes_pulls_no_traffic() {
    let case = drilled("primary-back-for-two-minutes");
    assert_eq!(case.outcome.failovers, 1);
    assert_eq!(case.clocks("eu-west", "failback begins"), ["10:50"]);
    assert_eq!(case.feature("answers").interruptions.len(), 1);
    assert_eq!(case.clocks("eu-west", "is reconciled, "), ["09:30", "10:20"], "anew");
    assert_eq!(case.clocks("eu-west", "state is reconciled"), ["10:33"]);
}

#[test]
fn a_failback_into_a_cold_cache_is_taken_back_and_then_passes() {
    let case = drilled("failback-cold-cache");
    assert!(case.outcome.failback.step_backs >= 1, "{:?}", case.outcome.failback);
    assert!(
        !case.clocks("eu-west", "taken back: time to first token 2.4 s, limit 1.5 s").is_empty()
    );
    assert!(case.outcome.failback.completed > drilled("assistant").outcome.failback.completed);
    assert_eq!(case.outcome.failovers, 1, "a step that is taken back is no failover");
}

#[test]
fn a_relapse_in_the_ramp_gives_the_traffic_back_to_the_standby() {
    let case = drilled("relapse-in-the-ramp");
    assert_eq!(case.outcome.failback.abandoned, 1);
    assert_eq!(case.clocks("eu-west", "failback begins"), ["10:50", "11:40"]);
    assert_eq!(case.outcome.failovers, 1);
    // The standby serves all along; the quarter that was on the primary is lost for no time at all.
    assert_eq!(case.feature("answers").interruptions.len(), 1);
}

#[test]
fn of_three_standbys_the_first_that_is_fit_serves() {
    let case = drilled("three-standbys");
    assert_eq!(case.clocks("eu-north", "passed over: hold:api-contract"), ["09:03"]);
    assert_eq!(case.clocks("eu-central", "passed over: it is not healthy"), ["09:03"]);
    assert_eq!(case.clocks("eu-south", "fail over to eu-south"), ["09:03"]);
    assert_eq!(case.rto_min("answers"), Some(3.0));
}

#[test]
fn an_isolated_primary_decides_twice_unless_it_is_fenced() {
    let case = drilled("isolated-primary");
    // 0.05 a second from 09:09 to 10:20, less half the TTL.
    let expected = (0.05 * (71.0 * 60.0 - 15.0_f64)).round() as u64;
    assert_eq!(case.outcome.in_flight.duplicate_decisions, expected);
    let fenced = drilled("isolated-primary-fenced");
    assert_eq!(fenced.outcome.in_flight.duplicate_decisions, 0);
    assert_eq!(fenced.rto_min("refunds"), Some(9.0), "the lease costs no time here");
}

#[test]
fn a_step_that_needs_the_failed_region_is_reported_and_waits() {
    let case = drilled("runbook-needs-the-primary");
    assert_eq!(case.plan.unstable_steps.len(), 1);
    assert_eq!(case.plan.unstable_steps[0].step, "Copy the secrets out of the primary");
    assert_eq!(case.plan.unstable_steps[0].needs, "eu-west");
    assert_eq!(
        case.clocks("Copy the secrets out of the primary", "waits: it needs eu-west"),
        ["09:03"]
    );
    assert_eq!(case.rto_min("answers"), Some(80.0));
    let ended_by = case.feature("answers").worst().unwrap().ended_by;
    assert_eq!(ended_by, Some(Server::Primary));
    assert_eq!(case.outcome.in_flight.turns_lost, 0, "nobody moved");
}

#[test]
fn one_vantage_point_of_three_is_reported_and_moves_nothing() {
    let case = drilled("one-vantage-point");
    assert_eq!(case.outcome.failovers, 0);
    assert_eq!(case.clocks("eu-west", "vantage point outside sees failures").len(), 1);
    assert_eq!(case.feature("answers").rto(), Rto::NotInterrupted);
}
