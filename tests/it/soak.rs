//! A soak: random worlds and triggers against their naive models for as long as one likes.
//!
//! `FAILOVER_BUDGET_SOAK=3600 cargo test --release --test it soak -- --nocapture` takes an hour. The
//! same comparisons are made a few thousand times in every run of the tests.

use std::time::{Duration, Instant};

use failover_budget::trigger::Silence;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::{trigger_spells, world};

#[test]
fn random_worlds_and_triggers_agree_with_their_naive_models() {
    let Some(seconds) = std::env::var("FAILOVER_BUDGET_SOAK").ok() else {
        println!("not run: set FAILOVER_BUDGET_SOAK to a number of seconds");
        return;
    };
    let end = Instant::now() + Duration::from_secs(seconds.parse().unwrap());
    let config =
        ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() };
    let mut rounds = 0_u64;
    while Instant::now() < end {
        let worlds = (world::scenario(), prop::option::of(world::outage_plan()), 0..1_000_000_u64);
        TestRunner::new(config.clone())
            .run(&worlds, |(scenario, outage, replication)| {
                world::queue_and_naive_agree(&scenario, outage, replication)
            })
            .unwrap();
        let triggers = (
            trigger_spells::specs(),
            prop::sample::select(Silence::ALL.to_vec()),
            trigger_spells::armings(),
            trigger_spells::histories(),
        );
        TestRunner::new(config.clone())
            .run(&triggers, |(spec, silence, arming, history)| {
                trigger_spells::spell_check_and_definition_agree(spec, silence, arming, &history)
            })
            .unwrap();
        rounds += 1;
    }
    println!("{} random worlds and as many triggers agreed", rounds * u64::from(config.cases));
}
