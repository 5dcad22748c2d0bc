//! The budget of a recovery: what follows detection on each standby target, and what that leaves.
//!
//! A [`Plan`] is one target's stages in order. From it come the time after detection (a length when
//! every stage is constant, else a distribution), the room that the RTO leaves for detection, the
//! patience that fits, and the verdict on each trigger. All of it is arithmetic on a scenario:
//! nothing here simulates probes, reads files or prints.

pub mod outlook;
pub mod report;
pub mod sampler;
pub mod table;
pub mod total;
pub mod words;
pub mod would_fit;

use crate::law::Law;
use crate::scenario::sequence::{BuiltIn, Step, sequence};
use crate::scenario::{Reserve, Scenario, StageDefaults, Target, Tier};
use crate::time::Span;

/// Why a scenario has no plan: a rule that it breaks, with the dotted key.
pub use crate::scenario::validate::Broken as PlanError;
pub use outlook::{Met, Outlook, Recovery, Room};
pub use report::Report;
pub use sampler::{Sampler, StageRun};
pub use table::{BudgetTable, TierRow, json, outlooks};
pub use total::AfterDetection;
pub use would_fit::WouldFit;

/// One stage after detection.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// What it is called, in the words of the scenario (`traffic_shift`).
    pub name: String,
    /// How long it takes.
    pub length: Law,
    /// Its length when it is always the same.
    pub constant: Option<Span>,
}

impl Stage {
    fn new(name: &str, length: Law) -> Self {
        let constant = constant_of(&length);
        Stage { name: name.to_owned(), length, constant }
    }

    /// A stage that always takes as long.
    fn of_length(name: &str, length: Span) -> Self {
        Stage { name: name.to_owned(), length: Law::constant_span(length), constant: Some(length) }
    }

    /// Its mean in seconds.
    pub fn mean_s(&self) -> f64 {
        self.constant.map_or_else(|| self.length.mean(), Span::as_secs_f64)
    }
}

/// The length of a law that always gives the same.
fn constant_of(law: &Law) -> Option<Span> {
    match law {
        Law::Constant(_) => Some(Span::from_secs_f64(law.mean())),
        _ => None,
    }
}

/// What decides how long the weights take to load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loading {
    /// Size of the weights in gigabytes.
    pub weights_gb: f64,
    /// What one replica can load, in gigabytes a second.
    pub load_rate_gb_per_s: f64,
    /// How many replicas load at once.
    pub replicas: u64,
    /// What the storage gives to all of them together, in gigabytes a second, if it is limited.
    pub storage_gb_per_s: Option<f64>,
}

impl Loading {
    /// How `target` loads its weights.
    pub fn of(defaults: &StageDefaults, target: &Target) -> Self {
        Loading {
            weights_gb: target.weights_gb.unwrap_or(defaults.weights_gb),
            load_rate_gb_per_s: target.load_rate_gb_per_s.unwrap_or(defaults.load_rate_gb_per_s),
            replicas: target.replicas.unwrap_or(defaults.replicas),
            storage_gb_per_s: target.storage_gb_per_s.or(defaults.storage_gb_per_s),
        }
    }

    /// What the storage gives to each replica, in gigabytes a second, if it is limited.
    pub fn share_gb_per_s(&self) -> Option<f64> {
        self.storage_gb_per_s.map(|storage| storage / self.replicas.max(1) as f64)
    }

    /// What each replica loads, in gigabytes a second: its own rate or its share of the storage's,
    /// whichever is less.
    pub fn rate_gb_per_s(&self) -> f64 {
        self.share_gb_per_s()
            .map_or(self.load_rate_gb_per_s, |share| share.min(self.load_rate_gb_per_s))
    }

    /// True iff the replicas would load faster if there were fewer of them.
    pub fn is_contended(&self) -> bool {
        self.share_gb_per_s().is_some_and(|share| share < self.load_rate_gb_per_s)
    }

    /// The most replicas that can load at once with none slowed down; 0 when even one is, and none
    /// where the storage is not limited.
    pub fn uncontended_replicas(&self) -> Option<u64> {
        self.storage_gb_per_s.map(|storage| (storage / self.load_rate_gb_per_s).floor() as u64)
    }

    /// How long the load takes.
    pub fn time(&self) -> Span {
        Span::from_secs_f64(self.weights_gb / self.rate_gb_per_s())
    }
}

/// What happens on one standby target once the trigger has fired, and what it must fit into.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What the target is called.
    pub target: String,
    /// How ready it is.
    pub tier: Tier,
    /// The committed recovery time.
    pub rto: Span,
    /// How much is kept back from it.
    pub reserve_rule: Reserve,
    /// The stages: groups in sequence, the stages of a group side by side. A group ends when the
    /// last of its stages does.
    pub groups: Vec<Vec<Stage>>,
    /// How the weights are loaded, on tiers that load them.
    pub loading: Loading,
    /// Time between due probes.
    pub interval: Span,
    /// How much later than its place on the grid a failed probe may be known: jitter and time-out.
    pub lateness: Span,
    /// The master seed, for what must be drawn.
    pub seed: u64,
}

impl Plan {
    /// The plan of `target` under `scenario`.
    ///
    /// # Errors
    /// When a further stage has no place, or a reserve is negative; with the dotted key.
    pub fn of(scenario: &Scenario, target: &Target) -> Result<Plan, PlanError> {
        let same = |other: &Target| other.label() == target.label();
        let key = match scenario.targets.iter().position(same) {
            Some(index) => format!("targets.{index}"),
            None => "targets".to_owned(),
        };
        let defaults = &scenario.stages;
        let loading = Loading::of(defaults, target);
        let stage = |step: &Step<'_>| match step {
            Step::BuiltIn(BuiltIn::WeightLoad) => Stage::of_length(step.name(), loading.time()),
            Step::BuiltIn(stage) => Stage::new(stage.name(), law_of(*stage, defaults, target)),
            Step::Extra(extra) => Stage::new(&extra.name, extra.length.clone()),
        };
        let groups = sequence(defaults, target, &key)?;
        Ok(Plan {
            target: target.label().to_owned(),
            tier: target.tier,
            rto: scenario.rto,
            reserve_rule: target.reserve.unwrap_or(defaults.reserve),
            groups: groups.iter().map(|group| group.iter().map(stage).collect()).collect(),
            loading,
            interval: scenario.probe.interval,
            lateness: scenario.probe.jitter + scenario.probe.timeout,
            seed: scenario.run.seed,
        })
    }

    /// The plan of every target, in the scenario's order.
    ///
    /// # Errors
    /// As [`Plan::of`].
    pub fn of_all(scenario: &Scenario) -> Result<Vec<Plan>, PlanError> {
        scenario.targets.iter().map(|target| Plan::of(scenario, target)).collect()
    }

    /// Every stage, in order.
    pub fn stages(&self) -> impl Iterator<Item = &Stage> {
        self.groups.iter().flatten()
    }

    /// The stage of this name, if the target goes through it.
    pub fn stage(&self, name: &str) -> Option<&Stage> {
        self.stages().find(|stage| stage.name == name)
    }

    /// What is kept back from the RTO.
    pub fn reserve(&self) -> Span {
        self.reserve_rule.of(self.rto)
    }

    /// What detection and the stages after it share: the RTO less the reserve.
    pub fn limit(&self) -> Span {
        self.rto - self.reserve()
    }

    /// The time after detection when every stage is constant.
    pub fn constant_after_detection(&self) -> Option<Span> {
        let group = |stages: &Vec<Stage>| -> Option<Span> {
            let lengths: Option<Vec<Span>> = stages.iter().map(|stage| stage.constant).collect();
            Some(lengths?.into_iter().max().unwrap_or_default())
        };
        self.groups.iter().map(group).sum()
    }

    /// The detection delay of a trigger of this patience when the outage starts at the worst
    /// instant, just after a probe: one interval more, and what a probe's result comes late by.
    ///
    /// It holds for outages that fail every probe.
    pub fn worst_detection(&self, patience: Span) -> Span {
        patience + self.interval + self.lateness
    }
}

/// The law of a stage other than the weight load, which is arithmetic.
fn law_of(stage: BuiltIn, defaults: &StageDefaults, target: &Target) -> Law {
    let (own, common) = match stage {
        BuiltIn::Promotion => (&target.promotion, &defaults.promotion),
        BuiltIn::TrafficShift => (&target.traffic_shift, &defaults.traffic_shift),
        BuiltIn::Capacity | BuiltIn::WeightLoad => (&target.capacity, &defaults.capacity),
    };
    own.as_ref().unwrap_or(common).clone()
}

#[cfg(test)]
mod tests;
