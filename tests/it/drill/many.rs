//! Many replications: distributions, threads, and a drill's figures as results of a sweep.

use failover_budget::drill::outcome::Rto;
use failover_budget::drill::{self, Plan};

use super::document;

#[test]
fn the_distributions_are_the_same_for_any_number_of_threads() {
    let plan = Plan::new(&document("distributions")).unwrap();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let all = pool.install(|| drill::replicate(&plan, 7, 60));
        serde_json::to_string(&drill::distributions_json(&all)).unwrap()
    };
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(5));
    let other = serde_json::to_string(&drill::distributions_json(&drill::replicate(&plan, 8, 60)));
    assert_ne!(one, other.unwrap(), "another seed gives other figures");
}

#[test]
fn telling_the_timeline_changes_no_figure() {
    let plan = Plan::new(&document("distributions")).unwrap();
    for replication in 0..20 {
        let told = drill::run(&plan, 3, replication, true);
        let silent = drill::run(&plan, 3, replication, false);
        assert!(silent.timeline.is_empty() && !told.timeline.is_empty());
        assert_eq!(told.in_flight, silent.in_flight);
        for (told, silent) in told.features.iter().zip(&silent.features) {
            assert_eq!(told.interruptions, silent.interruptions);
            assert_eq!(told.requests, silent.requests);
        }
    }
}

/// The confirmation is lognormal with median 6 min, and the answers wait for no person: the difference
/// of the two recovery times is the confirmation itself.
#[test]
fn recovery_times_follow_the_laws_that_they_are_made_of() {
    const N: u64 = 2_000;
    let figures = drill::figures(&document("distributions"), 5, 0..N).unwrap();
    assert_eq!(figures.features, ["answers", "refunds", "summaries"]);
    let moved = figures.rto.iter().filter_map(|row| match (row[0], row[1]) {
        (Rto::Recovered(answers), Rto::Recovered(refunds)) if refunds > answers => {
            Some((refunds - answers).as_secs_f64())
        }
        _ => None,
    });
    let waits: Vec<f64> = moved.collect();
    // Outages (median 60 min, sigma 0.8) that end before the person has confirmed cut a wait short: at
    // most 2 % of them. Half of the confirmations lie below the median: binomial, n ≥ 1900, five standard
    // errors are 0.057, and 0.02 for the cut ones. Chance of failing by bad luck: below 1e-6.
    assert!(waits.len() as u64 > N * 95 / 100, "{}", waits.len());
    let below = waits.iter().filter(|wait| **wait < 360.0).count() as f64 / waits.len() as f64;
    assert!((below - 0.5).abs() < 0.077, "{below}");
    // The answers are detected within one canary more than 180 s.
    for row in &figures.rto {
        if let Rto::Recovered(answers) = row[0] {
            assert!((180.0..=200.0).contains(&answers.as_secs_f64()), "{answers}");
        }
    }
}

#[test]
fn turns_lost_are_the_rate_times_the_lag_on_average() {
    const N: u64 = 1_000;
    let mut drill = document("assistant");
    drill.table.insert("counts".to_owned(), "poisson".into());
    let all = drill::replicate(&Plan::new(&drill).unwrap(), 11, N);
    let (_, turns) = all.in_flight.iter().find(|(name, _)| *name == "turns_lost").unwrap();
    // Poisson of mean 31: the mean of 1000 has standard error 0.176; six of them, chance 2e-9.
    assert!((turns.unwrap().value - 31.0).abs() < 1.06, "{turns:?}");
}

#[test]
fn the_fields_of_a_drill_are_axes_and_its_recovery_times_results() {
    let with = |confirmation: &str, fail_after: &str| {
        let mut drill = document("assistant");
        drill.table["features"]["refunds"]["confirmation"] = confirmation.into();
        drill.table["controller"]["fail_after"] = fail_after.into();
        let figures = drill::figures(&drill, 1, 0..2).unwrap();
        figures.rto[1].iter().map(|rto| rto.secs()).collect::<Vec<_>>()
    };
    assert_eq!(with("6min", "180s"), [Some(180.0), Some(540.0), Some(720.0)]);
    assert_eq!(with("10min", "60s"), [Some(60.0), Some(660.0), Some(600.0)]);
}

#[test]
fn any_trigger_may_stand_in_for_the_patience() {
    let mut drill = document("assistant");
    drill.table["controller"]
        .as_table_mut()
        .unwrap()
        .insert("trigger".to_owned(), "consecutive:12".into());
    let rto = |drill| drill::figures(&drill, 1, 0..1).unwrap().rto[0][0];
    assert_eq!(rto(drill.clone()).secs(), Some(110.0));
    drill.table["controller"]["trigger"] = "success-rate:0.9/60s/180s".into();
    // The success-rate trigger and the controller's own patience are the same rule.
    assert_eq!(rto(drill).secs(), rto(document("assistant")).secs());
}
