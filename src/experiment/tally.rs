//! What is counted of one trigger over any number of replications, and merged exactly.
//!
//! Every sum is an integer, so merging in any order, over any number of threads or shards, gives the
//! same figures to the last bit.

use serde::{Deserialize, Serialize};

use super::delays::Delays;
use crate::estimate::Sums;
use crate::time::Span;

/// How often something happened in how many trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// How often it happened.
    pub hits: u64,
    /// In how many trials.
    pub n: u64,
}

impl Share {
    /// Adds one trial.
    pub fn add(&mut self, hit: bool) {
        self.n += 1;
        self.hits += u64::from(hit);
    }

    /// Adds all that another counted.
    pub fn merge(&mut self, other: &Share) {
        self.hits += other.hits;
        self.n += other.n;
    }
}

/// What became of the outages on one standby target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetTally {
    /// Outages recovered from within the RTO, of all.
    pub met: u64,
    /// Recovery times of the outages that were detected, already fired ones included; kept only where a
    /// stage is distributed. Where all are constant, recovery is detection plus a constant.
    pub recovery: Option<Delays>,
}

/// What one trigger did over some replications.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Replications counted.
    pub replications: u64,
    /// False failovers per replication.
    pub firings: Sums,
    /// False failovers per replication less those of the next trigger in the list, in the same
    /// replication; zeros for the last trigger.
    pub firings_less_next: Sums,
    /// Outages laid over the runs.
    pub outages: u64,
    /// Outages that began in an episode that had already been failed over.
    pub already_fired: u64,
    /// Outages in which the trigger never fired.
    pub missed: u64,
    /// Detection delays of the other outages.
    pub delays: Delays,
    /// Dark outages caught, by a firing in the running episode or later.
    pub dark: Share,
    /// Restarts that led to a firing that would not have happened without.
    pub restarts: Share,
    /// Prober deaths that led to a firing.
    pub prober_deaths: Share,
    /// One for each standby target.
    pub targets: Vec<TargetTally>,
}

impl Tally {
    /// Nothing counted yet. `distributed` tells for each target whether a stage is distributed.
    pub fn new(interval: Span, distributed: &[bool]) -> Self {
        let target = |distributed: &bool| TargetTally {
            met: 0,
            recovery: distributed.then(|| Delays::new(interval)),
        };
        Tally {
            replications: 0,
            firings: Sums::new(),
            firings_less_next: Sums::new(),
            outages: 0,
            already_fired: 0,
            missed: 0,
            delays: Delays::new(interval),
            dark: Share::default(),
            restarts: Share::default(),
            prober_deaths: Share::default(),
            targets: distributed.iter().map(target).collect(),
        }
    }

    /// Whether it has the same targets as another, so that the two can be merged.
    pub fn is_like(&self, other: &Tally) -> bool {
        self.targets.len() == other.targets.len()
            && self
                .targets
                .iter()
                .zip(&other.targets)
                .all(|(mine, theirs)| mine.recovery.is_some() == theirs.recovery.is_some())
    }

    /// Adds all that another tally of the same trigger counted.
    pub fn merge(&mut self, other: &Tally) {
        self.replications += other.replications;
        self.firings.merge(&other.firings);
        self.firings_less_next.merge(&other.firings_less_next);
        self.outages += other.outages;
        self.already_fired += other.already_fired;
        self.missed += other.missed;
        self.delays.merge(&other.delays);
        self.dark.merge(&other.dark);
        self.restarts.merge(&other.restarts);
        self.prober_deaths.merge(&other.prober_deaths);
        for (mine, theirs) in self.targets.iter_mut().zip(&other.targets) {
            mine.met += theirs.met;
            if let (Some(mine), Some(theirs)) = (&mut mine.recovery, &theirs.recovery) {
                mine.merge(theirs);
            }
        }
    }
}
