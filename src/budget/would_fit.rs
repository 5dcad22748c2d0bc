//! What would have to change for a detection to fit: each input alone, with the others as they are.
//!
//! Every value is the last one that still fits. With stages that have a law, "fits" means: in
//! [`CONFIDENCE`] of [`DRAWS`] seeded recoveries.

use super::outlook::CONFIDENCE;
use super::total::DRAWS;
use super::{Loading, Outlook, Plan, Stage};
use crate::engine::Streams;
use crate::scenario::Tier;
use crate::scenario::sequence::BuiltIn;
use crate::time::{LONGEST, Span};

/// What each input alone would have to be. A field is none where the input alone cannot do it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WouldFit {
    /// The shortest RTO.
    pub rto: Option<Span>,
    /// The longest that each stage but the weight load may be, by its name.
    pub stages: Vec<(String, Span)>,
    /// The largest weights, in gigabytes.
    pub weights_gb: Option<f64>,
    /// The lowest load rate of a replica, in gigabytes a second.
    pub load_rate_gb_per_s: Option<f64>,
    /// The lowest storage rate, in gigabytes a second; none where the storage is not limited.
    pub storage_gb_per_s: Option<f64>,
    /// The most replicas that may load at once; none where the storage is not limited.
    pub replicas: Option<u64>,
    /// The least ready tier that fits, with every other input as it is.
    pub tier: Option<Tier>,
}

/// A recovery with one stage left open.
#[derive(Clone, Copy)]
struct Open {
    /// The other groups together.
    rest: Span,
    /// The longest of the stages beside the open one.
    beside: Span,
}

impl Outlook {
    /// What would let a detection of this length fit (see [`Plan::worst_detection`] for the delay of
    /// a trigger from the outage's start).
    pub fn would_fit(&self, detection: Span) -> WouldFit {
        let plan = &self.plan;
        let others = plan.stages().filter(|stage| stage.name != "weight_load");
        let longest = |stage: &Stage| {
            let length = self.longest(&stage.name, detection)?;
            Some((stage.name.clone(), length))
        };
        let mut fit = WouldFit {
            rto: self.shortest_rto(detection),
            stages: others.filter_map(longest).collect(),
            tier: self.least_ready_tier(detection),
            ..WouldFit::default()
        };
        if let Some(load) = self.longest("weight_load", detection) {
            fit.set_loading(&plan.loading, load);
        }
        fit
    }

    /// The longest that the stage of this name may be, the others unchanged, for a detection of this
    /// length to fit. None where the others alone are too long, or there is no such stage.
    pub fn longest(&self, name: &str, detection: Span) -> Option<Span> {
        let limit = self.plan.limit() - detection;
        let mut lengths: Vec<Span> = self
            .with_open(name)?
            .into_iter()
            .map(|open| (limit - open.rest, open.beside))
            .filter(|(left, beside)| *left >= *beside)
            .map(|(left, _)| left)
            .collect();
        lengths.sort_unstable();
        let draws = if self.after.constant().is_some() { 1 } else { DRAWS };
        // The stage may be as long as the shortest of what is left in the draws that must fit.
        let must_fit = (CONFIDENCE * draws as f64).ceil() as usize;
        lengths.len().checked_sub(must_fit).map(|at| lengths[at])
    }

    /// Recoveries with the stage of this name left open: one when the plan is constant, else draws.
    fn with_open(&self, name: &str) -> Option<Vec<Open>> {
        let plan = &self.plan;
        let holds = |group: &Vec<Stage>| group.iter().any(|stage| stage.name == name);
        let place = plan.groups.iter().position(holds)?;
        let draws = if self.after.constant().is_some() { 1 } else { DRAWS };
        let mut sampler = plan.sampler(Streams::new(plan.seed, 0));
        let open = |_| {
            let mut open = Open { rest: Span::ZERO, beside: Span::ZERO };
            for (index, lengths) in sampler.next_lengths().enumerate() {
                let others = lengths.filter(|(other, _)| *other != name).map(|(_, length)| length);
                let longest = others.max().unwrap_or_default();
                if index == place {
                    open.beside = longest;
                } else {
                    open.rest += longest;
                }
            }
            open
        };
        Some((0..draws).map(open).collect())
    }

    /// The shortest RTO whose share for detection and stages holds this detection.
    fn shortest_rto(&self, detection: Span) -> Option<Span> {
        let after = self.plan.limit() - self.room();
        let needed = detection + after;
        let fits = |rto: i64| {
            let rto = Span::from_nanos(rto);
            rto - self.plan.reserve_rule.of(rto) >= needed
        };
        // What is left of an RTO grows with it, so halve the range in which it becomes enough.
        let (mut short, mut long) = (0, LONGEST.as_nanos());
        if !fits(long) {
            return None;
        }
        while long - short > 1 {
            let middle = short + (long - short) / 2;
            if fits(middle) { long = middle } else { short = middle }
        }
        Some(Span::from_nanos(long))
    }

    /// The least ready tier, readier than this one, on which the detection fits when the stages that
    /// it does not spend fall away.
    fn least_ready_tier(&self, detection: Span) -> Option<Tier> {
        let readier = Tier::ALL.into_iter().rev().filter(|tier| *tier < self.plan.tier);
        readier.into_iter().find(|tier| {
            let outlook = Outlook::of(self.plan.on_tier(*tier));
            outlook.room() >= detection
        })
    }

    /// The longest probe interval at which `k` consecutive failures are sure to fit; none where no
    /// interval is short enough.
    pub fn longest_interval(&self, k: u64) -> Option<Span> {
        let left = self.room() - self.plan.lateness;
        let k = i64::try_from(k).ok().filter(|k| *k > 0)?;
        Some(left / k).filter(|interval| interval.is_positive())
    }
}

impl Plan {
    /// The same plan without the stages that a readier tier does not spend.
    fn on_tier(&self, tier: Tier) -> Plan {
        let falls_away = |stage: &Stage| {
            let same = |built_in: &BuiltIn| built_in.name() == stage.name;
            BuiltIn::ALL.iter().find(|b| same(b)).is_some_and(|b| !b.is_spent_by(tier))
        };
        let mut plan = Plan { tier, ..self.clone() };
        for group in &mut plan.groups {
            group.retain(|stage| !falls_away(stage));
        }
        plan.groups.retain(|group| !group.is_empty());
        plan
    }
}

impl WouldFit {
    /// What lets the weights load within `load`.
    fn set_loading(&mut self, loading: &Loading, load: Span) {
        let fits = |changed: Loading| changed.time() <= load;
        let secs = load.as_secs_f64();
        let weights = |gb| Loading { weights_gb: gb, ..*loading };
        let rate = |gb_per_s| Loading { load_rate_gb_per_s: gb_per_s, ..*loading };
        let storage = |gb_per_s| Loading { storage_gb_per_s: Some(gb_per_s), ..*loading };
        self.weights_gb = at_edge(secs * loading.rate_gb_per_s(), -1.0, |gb| fits(weights(gb)));
        let needed = loading.weights_gb / secs;
        self.load_rate_gb_per_s = at_edge(needed, 1.0, |r| fits(rate(r)));
        let Some(stored) = loading.storage_gb_per_s else { return };
        let all = needed * loading.replicas.max(1) as f64;
        self.storage_gb_per_s = at_edge(all, 1.0, |s| fits(storage(s)));
        // A hair more, for a share that comes out whole.
        let replicas = (stored / needed * (1.0 + 1e-12)).floor() as u64;
        self.replicas =
            Some(replicas).filter(|r| *r > 0 && fits(Loading { replicas: *r, ..*loading }));
    }
}

/// The value, or one a hair to the safe side where rounding has put it just beyond.
fn at_edge(value: f64, safe_side: f64, fits: impl Fn(f64) -> bool) -> Option<f64> {
    let usable = |value: &f64| value.is_finite() && *value > 0.0 && fits(*value);
    [value, value * (1.0 + safe_side * 1e-12)].into_iter().find(usable)
}

#[cfg(test)]
mod tests;
