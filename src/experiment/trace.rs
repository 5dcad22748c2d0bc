//! One replication told as a timeline: the truth, the checks, the decisions and what followed them.
//!
//! The outage of a trace is the first of those that the counting runs lay over the same replication
//! (unless `outage.at` says where it is), and its stages are the same draws, so a trace shows one of
//! the very outages that the figures count. This module tells what happened; it counts nothing and
//! draws no chart.

pub mod chrome;
pub mod decisions;
pub mod event;
pub mod failover;
pub mod json;
pub mod patience;
pub mod tell;
pub mod view;

use crate::engine::Streams;
use crate::history::{Fault, History};
use crate::scenario::{OutageKind, Scenario};
use crate::time::{Span, Time};
use crate::world::{OutagePlan, simulate};

use super::general::Marks;
use super::{Environment, Setting};

pub use decisions::{Decided, Decision, Fired};
pub use event::{Event, What};
pub use failover::{Detection, Failover, StageSpan};
pub use patience::{Ended, PatienceRun};
pub use view::{Frame, View};

/// Which replication to trace, with which outage, and which stretch of it to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ask {
    /// The replication, counted from 0.
    pub replication: u64,
    /// What kind of outage it has, if any.
    pub outage: Option<OutageKind>,
    /// The stretch that is shown.
    pub frame: Frame,
}

/// Why there is no such trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// The scenario has fewer replications.
    #[error(
        "replication {found}: the scenario has {count}, counted from 0; allowed: 0 to {}, or a larger \
         run.replications",
        count - 1
    )]
    NoSuchReplication {
        /// The replication asked for.
        found: u64,
        /// How many there are.
        count: u64,
    },
    /// The stretch to show is empty or lies outside the run.
    #[error("{option} {found}: {allowed}")]
    NoSuchStretch {
        /// The option that gave it.
        option: &'static str,
        /// What was given.
        found: Span,
        /// What may be given.
        allowed: String,
    },
}

/// One trigger over the traced history.
#[derive(Clone, Debug, PartialEq)]
pub struct TriggerTrace {
    /// The trigger and its rules.
    pub setting: Setting,
    /// Its patience.
    pub patience: Span,
    /// The count at which it fires when it holds a full history.
    pub needed: u64,
    /// What it decided over the whole run, in order.
    pub decisions: Vec<Decision>,
    /// Every time its patience ran, over the whole run, in order.
    pub runs: Vec<PatienceRun>,
    /// Whether it found the outage, where there is one.
    pub detection: Option<Detection>,
    /// The failover that the outage led to or, without an outage, the first firing shown; one for
    /// each standby target. Empty when nothing fired.
    pub failovers: Vec<Failover>,
}

/// One replication and what every trigger made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The inputs.
    pub scenario: Scenario,
    /// The replication, counted from 0.
    pub replication: u64,
    /// The truth and the checks of the whole run.
    pub history: History,
    /// The outage, if there is one.
    pub outage: Option<Fault>,
    /// The triggers, in the scenario's order.
    pub triggers: Vec<TriggerTrace>,
    /// The stretch that is shown.
    pub view: View,
}

impl Trace {
    /// Simulates the replication and leads every trigger of the scenario over it.
    ///
    /// # Errors
    /// When there is no such replication or the stretch to show is empty.
    pub fn run(environment: &Environment, ask: Ask) -> Result<Trace, TraceError> {
        let scenario = &environment.scenario;
        let count = scenario.run.replications;
        if ask.replication >= count {
            return Err(TraceError::NoSuchReplication { found: ask.replication, count });
        }
        ask.frame.check(scenario.run.length)?;
        let streams = Streams::new(scenario.run.seed, ask.replication);
        let plan = ask.outage.map(|kind| plan(environment, streams, kind));
        let history = simulate(scenario, streams, plan);
        let outage = plan.map(|plan| plan.fault());
        let mut triggers: Vec<TriggerTrace> = environment
            .settings()
            .into_iter()
            .map(|setting| follow(setting, &history, scenario.probe.timeout))
            .collect();
        let anchor = view::anchor(ask.frame, scenario, &triggers);
        for trigger in &mut triggers {
            trigger.fail_over(environment, streams, outage.as_ref(), anchor, &history);
        }
        let view = View::of(ask.frame, scenario, &history, outage.as_ref(), &triggers, anchor);
        Ok(Trace {
            scenario: scenario.clone(),
            replication: ask.replication,
            history,
            outage,
            triggers,
            view,
        })
    }

    /// Everything that happened in the stretch shown, by time.
    pub fn events(&self) -> Vec<Event> {
        event::events(self)
    }

    /// The instant from which times are counted: the outage's start or, without one, the first
    /// firing shown, else the first instant shown.
    pub fn origin(&self) -> Time {
        let fired = |trigger: &TriggerTrace| {
            trigger.firings().map(|(at, _)| at).find(|at| self.view.contains(*at))
        };
        match &self.outage {
            Some(outage) => outage.start,
            None => self.triggers.iter().filter_map(fired).min().unwrap_or(self.view.from),
        }
    }
}

/// The outage of the replication: the first one that is measured on it.
fn plan(environment: &Environment, streams: Streams, kind: OutageKind) -> OutagePlan {
    let marks = Marks::draw(environment, streams);
    let drawn = marks.starts.first().copied().unwrap_or_default();
    let start = environment.scenario.outage.at.map_or(drawn, |at| Time::START + at);
    let length = marks.outage_lengths.first().copied().unwrap_or_default();
    OutagePlan { kind, start, end: start + length }
}

fn follow(setting: Setting, history: &History, timeout: Span) -> TriggerTrace {
    let interval = history.due.interval();
    let decisions = decisions::decide(&setting, history, timeout);
    let runs = patience::runs(&setting, history, &decisions);
    TriggerTrace {
        patience: setting.spec.patience(interval),
        needed: patience::needed(&setting.spec, interval),
        setting,
        decisions,
        runs,
        detection: None,
        failovers: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
