//! Scenarios, specs of sweeps and services of drills from any text. What is read keeps within the
//! bounds that the readers promise.

#![no_main]

use failover_budget::drill::Plan;
use failover_budget::scenario::Scenario;
use failover_budget::sweep::{Sweep, limits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(scenario) = Scenario::from_toml("scenario.toml", text) {
        assert!(scenario.validate().is_ok());
        let again = Scenario::from_toml("written.toml", &scenario.to_toml());
        assert_eq!(again.ok(), Some(scenario));
    }
    if let Ok(sweep) = Sweep::from_toml("spec.toml", text, "spec") {
        assert!(sweep.points.len() as u128 <= limits::MOST_POINTS);
        assert!(sweep.rows() as u128 <= limits::MOST_ROWS);
    }
    let _ = Plan::from_toml("service.toml", text);
});
