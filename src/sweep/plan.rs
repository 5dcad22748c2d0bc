//! How a sweep's work is cut into parts.
//!
//! The cut follows from the spec alone, never from the machine, so that the parts of a shard, of a
//! resumed run and of a single run are the same.

use super::parts::Unit;
use super::spec::Sweep;
use crate::experiment::{Environment, Setting, answers_by_patience};

/// Work that one part holds, in nanoseconds on a common machine: small enough to lose at a kill.
const PART_COST_NS: f64 = 250e6;
/// Parts of large sweeps hold more work each, so that there are about this many, …
const MANY_PARTS: f64 = 20_000.0;
/// … but no more than a minute's, …
const LONGEST_PART_NS: f64 = 60e9;
/// … until there are this many.
const MOST_PARTS: f64 = 200_000.0;
/// Nanoseconds it takes to keep and merge what was counted of one trigger, however little that is. It
/// also bounds what a part holds.
const KEEP_NS: f64 = 5_000.0;
/// Nanoseconds it takes to make the figures of one trigger at one point, exact values included.
pub(super) const FIGURES_NS: f64 = 70_000.0;

/// Nanoseconds a blip costs on the patience path, and a blip and trigger on the event path.
const BLIP_NS: f64 = 12.0;
const EVENT_NS: f64 = 15.0;
/// Nanoseconds an outage costs a trigger on the event path, and one on the patience path.
const OUTAGE_EVENT_NS: f64 = 400.0;
const OUTAGE_NS: f64 = 100.0;

/// Estimated cost of one replication of a point, in nanoseconds.
pub fn replication_cost_ns(environment: &Environment, settings: &[Setting]) -> f64 {
    let scenario = &environment.scenario;
    let days = scenario.run.length.as_secs_f64();
    let blips: f64 = scenario
        .blips
        .0
        .iter()
        .map(|source| days / (source.gap.mean() + source.length.mean()).max(1e-3))
        .sum();
    let outages = scenario.outage.per_replication as f64;
    let by_event = settings.iter().filter(|s| !answers_by_patience(environment, s)).count() as f64;
    let patience =
        if by_event < settings.len() as f64 { blips * BLIP_NS + outages * OUTAGE_NS } else { 0.0 };
    let event = if by_event > 0.0 {
        blips * EVENT_NS * (1.0 + by_event) + outages * OUTAGE_EVENT_NS * by_event
    } else {
        0.0
    };
    1_000.0 + patience + event
}

/// The parts of a sweep, in order; `costs` are those of one replication at each point.
pub fn parts(sweep: &Sweep, costs: &[f64]) -> Vec<Vec<Unit>> {
    let replications = |point: usize| sweep.points[point].scenario.run.replications;
    let whole_cost: f64 =
        costs.iter().enumerate().map(|(point, cost)| cost * replications(point) as f64).sum();
    let part_cost =
        (whole_cost / MANY_PARTS).clamp(PART_COST_NS, LONGEST_PART_NS).max(whole_cost / MOST_PARTS);
    let mut parts = Vec::new();
    let mut open: Vec<Unit> = Vec::new();
    let mut open_cost = 0.0;
    for (point, cost) in costs.iter().enumerate() {
        let replications = replications(point);
        let keep = KEEP_NS * sweep.points[point].scenario.triggers.len() as f64;
        // Early stopping looks at a point as a whole, so its replications stay together.
        let block = if sweep.stop.is_some() {
            replications
        } else {
            ((part_cost / cost) as u64).clamp(1, replications)
        };
        let mut from = 0;
        while from < replications {
            let to = (from + block).min(replications);
            open_cost += cost * (to - from) as f64 + keep;
            open.push(Unit { point, from, to });
            from = to;
            if open_cost >= part_cost * 0.5 {
                parts.push(std::mem::take(&mut open));
                open_cost = 0.0;
            }
        }
    }
    if !open.is_empty() {
        parts.push(open);
    }
    parts
}

/// One of several processes that share a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 0.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// The whole sweep in one.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Whether part `part` is this shard's.
    pub fn holds(self, part: usize) -> bool {
        part as u64 % self.count == self.index
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    /// Reads `i/n`, i from 0 to n − 1.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some((index.trim().parse().ok()?, count.trim().parse().ok()?))
        });
        match numbers {
            Some((index, count)) if index < count => Ok(Shard { index, count }),
            Some((_, 0)) => {
                Err("there are no shards out of 0; write it as i/n, like 0/4".to_owned())
            }
            Some((index, count)) => Err(format!(
                "shard {index} of {count} does not exist; allowed: 0/{count} to {}/{count}",
                count - 1
            )),
            None => Err(format!("`{text}` is not a shard; write it as i/n, like 0/4")),
        }
    }
}
