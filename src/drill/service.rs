//! The description of a service that is drilled, as it stands in TOML.
//!
//! Inputs only: the types and their defaults. What must hold between them is checked in `validate`,
//! and names are resolved in `plan`. Every field can be an axis of a sweep by its dotted path.

pub mod clock;
pub mod feature;
pub mod moving;
pub mod region;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use clock::{Clock, Moment};
pub use feature::{Asset, Class, Dependency, Fallback, FallbackKind, Feature, Location};
pub use moving::{Failback, Fencing, Shift, Step};
pub use region::{Cache, Latency, Primary, Servers, Standby};

use crate::gate::Policy;
use crate::law::Law;
use crate::time::Span;
use crate::trigger::{Silence, Spec};

/// A service in two or more regions, and what happens to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// What the drill is called.
    pub name: String,
    /// One sentence on what it exercises.
    #[serde(default)]
    pub about: String,
    /// Time of day at which the run begins.
    #[serde(default)]
    pub start: Clock,
    /// How long the run lasts.
    pub length: Span,
    /// The master seed.
    #[serde(default = "one")]
    pub seed: u64,
    /// How counts of requests are made from rates.
    #[serde(default)]
    pub counts: Counts,
    /// The failover controller.
    #[serde(default)]
    pub controller: Controller,
    /// The canaries that it watches.
    #[serde(default)]
    pub canary: Canary,
    /// The region that serves at the start.
    pub primary: Primary,
    /// The standbys, in the order in which they are preferred.
    pub standbys: Vec<Standby>,
    /// What the gate lets pass.
    #[serde(default)]
    pub gate: Policy,
    /// What users get, by name.
    pub features: BTreeMap<String, Feature>,
    /// What requests pass through, by name.
    #[serde(default)]
    pub dependencies: BTreeMap<String, Dependency>,
    /// What holds state or bytes, by name.
    #[serde(default)]
    pub assets: BTreeMap<String, Asset>,
    /// The servers of the model and how more of them come.
    #[serde(default)]
    pub servers: Servers,
    /// Time to first token: inputs, not a queue model.
    #[serde(default)]
    pub latency: Latency,
    /// What clients do.
    #[serde(default)]
    pub clients: Clients,
    /// How traffic moves.
    #[serde(default)]
    pub shift: Shift,
    /// The steps between the decision and the moving of traffic, in order.
    #[serde(default)]
    pub runbook: Vec<Step>,
    /// How a primary that is cut off stops deciding.
    #[serde(default)]
    pub fencing: Fencing,
    /// The way back.
    #[serde(default)]
    pub failback: Failback,
    /// When a person orders the switch although nothing is wrong.
    #[serde(default)]
    pub planned_switch: Option<Moment>,
    /// What goes wrong.
    #[serde(default)]
    pub faults: Vec<Fault>,
}

fn one() -> u64 {
    1
}

/// How counts of requests are made from rates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Counts {
    /// Random arrivals: the count in a time is a Poisson variate.
    #[default]
    Poisson,
    /// Evenly spaced arrivals: the rate times the length, rounded.
    Even,
}

/// The failover controller.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Controller {
    /// How long success must stay below `min_success`. Default 180 s.
    pub fail_after: Span,
    /// How long the primary must be well before failback. Default 1800 s.
    pub recover_after: Span,
    /// The least share of canaries that a healthy region passes. Default 0.9.
    pub min_success: f64,
    /// Another trigger for the way out, like `"consecutive:12"`; it replaces `fail_after`.
    pub trigger: Option<Spec>,
    /// A breaker on the primary's route opens when a feature has failed there this long. None when
    /// left out.
    pub breaker_opens_after: Option<Span>,
    /// Which features move: all of them, or those that the fault interrupts.
    pub scope: Scope,
}

impl Default for Controller {
    fn default() -> Self {
        Controller {
            fail_after: Span::from_secs(180),
            recover_after: Span::from_secs(1_800),
            min_success: 0.9,
            trigger: None,
            breaker_opens_after: None,
            scope: Scope::Region,
        }
    }
}

/// Which features move at a failover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Every feature: the region is evacuated.
    Region,
    /// Only those that the fault interrupts.
    Affected,
}

/// The canaries that the controller watches.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Canary {
    /// Time from one canary to the next. Default 10 s.
    pub interval: Span,
    /// Instant of the first, in `[0, interval)`, or `"uniform"` there in each replication. Default
    /// `"uniform"`.
    pub phase: CanaryPhase,
    /// Success is the share that passed in the last this long. Default 60 s.
    pub window: Span,
    /// What an absent canary counts as. Default `"failure"`.
    pub silence: Silence,
    /// Where the canaries are sent from. Default one place, outside.
    pub vantage_points: Vec<String>,
    /// How many vantage points must see a failure. Default more than half.
    pub quorum: Option<u32>,
    /// What the canaries exercise. Default all that any feature needs.
    pub covers: Option<Vec<String>>,
    /// Chance that a canary fails although all is well. Default 0.
    pub noise: f64,
}

impl Default for Canary {
    fn default() -> Self {
        Canary {
            interval: Span::from_secs(10),
            phase: CanaryPhase::Uniform,
            window: Span::from_secs(60),
            silence: Silence::Failure,
            vantage_points: vec!["outside".to_owned()],
            quorum: None,
            covers: None,
            noise: 0.0,
        }
    }
}

/// Instant of the first canary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanaryPhase {
    /// Drawn in each replication.
    Uniform,
    /// Pinned.
    At(Span),
}

impl<'de> Deserialize<'de> for CanaryPhase {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == "uniform" {
            return Ok(CanaryPhase::Uniform);
        }
        text.parse().map(CanaryPhase::At).map_err(|why| {
            serde::de::Error::custom(format!(
                "{why}; or \"uniform\" for one drawn in each replication"
            ))
        })
    }
}

/// What clients do.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clients {
    /// Mean length of one streamed answer. Default 8 s.
    pub stream: Span,
    /// How long a client goes on retrying a lost stream under the same request id. Default 10 min.
    pub retry_for: Span,
    /// Share of clients that hold the lost turn and replay it; the others are told. Default 0.
    pub replay_turns: f64,
}

impl Default for Clients {
    fn default() -> Self {
        Clients { stream: Span::from_secs(8), retry_for: Span::from_secs(600), replay_turns: 0.0 }
    }
}

/// Something that goes wrong.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// When it begins.
    pub at: Moment,
    /// How long it lasts.
    pub lasts: Law,
    /// What kind of fault.
    pub kind: FaultKind,
    /// The dependency, asset or vantage point that fails, for faults of one.
    #[serde(default)]
    pub target: Option<String>,
    /// The region, or `"all"`. Default the primary.
    #[serde(default)]
    pub region: Option<String>,
    /// Share of requests that fail. Default 1.
    #[serde(default = "all_of_it")]
    pub fail_fraction: f64,
}

fn all_of_it() -> f64 {
    1.0
}

/// What kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// One dependency or asset fails.
    Dependency,
    /// The whole region fails, and the canaries say so.
    Region,
    /// The region fails and its canaries with it: nothing arrives.
    Dark,
    /// The region is cut off: nothing reaches it, but it goes on deciding.
    Isolated,
    /// One vantage point sees failures that are not there.
    VantagePoint,
}
