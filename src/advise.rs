//! Advice that people act on: which trigger, on which tier, at what cost, and as whose configuration.
//!
//! Nothing here reads files or prints; the command line does both.

pub mod advisor;
pub mod band;
pub mod cases;
pub mod changes;
pub mod choice;
pub mod cost;
pub mod detection;
pub mod limit;
pub mod plausible;
pub mod products;
pub mod ranking;
pub mod rates;
pub mod report;
pub mod review;
pub mod sensitivity;

pub use choice::Preference;
pub use limit::Limit;
pub use plausible::Plausible;
pub use report::{Advice, advise};

use crate::scenario::Tier;

/// What is asked of the advice.
#[derive(Clone, Debug)]
pub struct Question {
    /// The most false failovers.
    pub limit: Limit,
    /// Which trigger of a band is chosen.
    pub preference: Preference,
    /// The tiers that are looked at; all when empty.
    pub tiers: Vec<Tier>,
    /// The laws that a refit leaves plausible, in place of the scenario's blips.
    pub plausible: Option<Plausible>,
}
