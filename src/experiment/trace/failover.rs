//! What followed a firing: the outage found or missed, the stages on each standby target, the RTO.

use super::decisions::{Decided, Decision, Fired};
use super::{Environment, TriggerTrace};
use crate::budget::Plan;
use crate::engine::Streams;
use crate::history::{Fault, History};
use crate::scenario::Tier;
use crate::time::{Span, Time};

/// What a trigger made of the outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection {
    /// It fired so long after the outage's start.
    Fired(Span),
    /// It had fired in this episode before the outage began: no delay.
    AlreadyFired,
    /// It did not fire while the outage lasted.
    Missed,
}

impl Detection {
    /// The detection delay, if the outage was found.
    pub fn delay(self) -> Option<Span> {
        match self {
            Detection::Fired(delay) => Some(delay),
            Detection::AlreadyFired => Some(Span::ZERO),
            Detection::Missed => None,
        }
    }
}

/// One stage of a failover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageSpan {
    /// The stage's name.
    pub name: String,
    /// When it begins.
    pub begin: Time,
    /// When it ends.
    pub end: Time,
}

/// A failover on one standby target.
#[derive(Clone, Debug, PartialEq)]
pub struct Failover {
    /// What the target is called.
    pub target: String,
    /// How ready it is.
    pub tier: Tier,
    /// The firing, or the outage's start where the trigger had already fired.
    pub begin: Time,
    /// The stages, in order.
    pub stages: Vec<StageSpan>,
    /// The first request served from the standby.
    pub served: Time,
    /// From the outage's start to the first request served; none where there is no outage.
    pub recovery: Option<Span>,
    /// The longest recovery that meets the RTO: the RTO less the reserve.
    pub limit: Span,
}

impl Failover {
    /// Whether the RTO was met; none where there is no outage.
    pub fn rto_met(&self) -> Option<bool> {
        self.recovery.map(|recovery| recovery <= self.limit)
    }
}

impl TriggerTrace {
    /// Its firings: when each was decided, and what was behind it.
    pub fn firings(&self) -> impl Iterator<Item = (Time, &Fired)> {
        self.decisions.iter().filter_map(|decision| match &decision.what {
            Decided::Fired(fired) => Some((decision.at, fired)),
            _ => None,
        })
    }

    /// Works out the detection and draws the stages that follow it. Without an outage, those of the
    /// first firing at or after `since`.
    pub(super) fn fail_over(
        &mut self,
        environment: &Environment,
        streams: Streams,
        outage: Option<&Fault>,
        since: Time,
        history: &History,
    ) {
        let begin = match outage {
            Some(outage) => {
                let detection = detect(&self.decisions, outage, history);
                self.detection = Some(detection);
                detection.delay().map(|delay| outage.start + delay)
            }
            None => self.firings().map(|(at, _)| at).find(|at| *at >= since),
        };
        let Some(begin) = begin else { return };
        let start = outage.map(|outage| outage.start);
        let plans = environment.plans.iter();
        self.failovers = plans.map(|plan| failover(plan, streams, begin, start)).collect();
    }
}

/// Whether the outage was found: judged as the counting runs judge it.
fn detect(decisions: &[Decision], outage: &Fault, history: &History) -> Detection {
    let first = history.due.first_at_or_after(outage.start);
    let has_fired = |decisions: &[Decision]| {
        let last = decisions.iter().rev().find(|decision| decision.what != Decided::Armed);
        last.is_some_and(|decision| matches!(decision.what, Decided::Fired(_)))
    };
    let (before, after) = decisions.split_at(decisions.partition_point(|d| d.probe < first));
    if has_fired(before) {
        return Detection::AlreadyFired;
    }
    let firing = after.iter().find(|decision| matches!(decision.what, Decided::Fired(_)));
    match firing {
        Some(decision) if decision.at < outage.end => Detection::Fired(decision.at - outage.start),
        _ => Detection::Missed,
    }
}

fn failover(plan: &Plan, streams: Streams, begin: Time, outage: Option<Time>) -> Failover {
    let stages: Vec<StageSpan> = plan
        .sampler(streams)
        .next_stages()
        .into_iter()
        .map(|run| StageSpan { name: run.name, begin: begin + run.begin, end: begin + run.end })
        .collect();
    let served = stages.iter().map(|stage| stage.end).max().unwrap_or(begin);
    Failover {
        target: plan.target.clone(),
        tier: plan.tier,
        begin,
        stages,
        served,
        recovery: outage.map(|start| served - start),
        limit: plan.limit(),
    }
}
