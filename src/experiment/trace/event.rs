//! What happened in the stretch shown, as one list in the order of time.

use super::tell::tell;
use super::{Decided, PatienceRun, Trace, TriggerTrace};
use crate::history::{Check, FaultKind, Spell};
use crate::time::Time;

/// One thing that happened, at an instant or over a stretch.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When, or since when.
    pub at: Time,
    /// Until when, for what lasts.
    pub until: Option<Time>,
    /// What.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A fault of the truth, the whole of it.
    Fault {
        /// What it was.
        kind: FaultKind,
        /// The blip source it came from, where there are several.
        source: Option<String>,
    },
    /// A spell of equal checks, as far as it is shown, cut at restarts.
    Checks {
        /// The first probe.
        first: u64,
        /// How many.
        count: u64,
        /// What each told; none where nobody learnt of them.
        check: Option<Check>,
    },
    /// The controller restarts and loses its history.
    Restart,
    /// A trigger's patience ran.
    Patience {
        /// The trigger.
        trigger: String,
        /// How it went.
        run: PatienceRun,
    },
    /// A trigger decided something.
    Decision {
        /// The trigger.
        trigger: String,
        /// What was decided.
        what: Decided,
        /// The probe at which it was.
        probe: u64,
    },
    /// A stage of a failover.
    Stage {
        /// The trigger that fired.
        trigger: String,
        /// The standby target.
        target: String,
        /// The stage's name.
        name: String,
    },
    /// The first request is served from the standby.
    Served {
        /// The trigger that fired.
        trigger: String,
        /// The standby target.
        target: String,
        /// Seconds since the outage began, if there is one.
        recovery_s: Option<f64>,
        /// Whether the RTO was met.
        rto_met: Option<bool>,
    },
    /// The RTO, counted from the outage's start, runs out.
    RtoEnds,
}

impl What {
    /// Which of the timeline's tracks it belongs to.
    pub fn track(&self) -> &'static str {
        match self {
            What::Fault { kind: FaultKind::ControllerDown, .. } | What::Restart => "controller",
            What::Fault { .. } => "truth",
            What::Checks { .. } => "checks",
            What::Patience { .. } => "patience",
            What::Decision { .. } => "decision",
            What::Stage { .. } | What::Served { .. } | What::RtoEnds => "failover",
        }
    }

    /// One word for it, as JSON and the charts use it.
    pub fn kind(&self) -> &'static str {
        match self {
            What::Fault { kind, .. } => fault_word(*kind),
            What::Checks { check, .. } => check_word(*check),
            What::Restart => "restart",
            What::Patience { .. } => "patience",
            What::Decision { what: Decided::Armed, .. } => "armed",
            What::Decision { what: Decided::Fired(_), .. } => "fires",
            What::Decision { what: Decided::Rearmed, .. } => "re-arms",
            What::Stage { .. } => "stage",
            What::Served { .. } => "served",
            What::RtoEnds => "rto-ends",
        }
    }

    /// The trigger it belongs to, if any.
    pub fn trigger(&self) -> Option<&str> {
        match self {
            What::Patience { trigger, .. }
            | What::Decision { trigger, .. }
            | What::Stage { trigger, .. }
            | What::Served { trigger, .. } => Some(trigger),
            _ => None,
        }
    }

    /// The standby target it belongs to, if any.
    pub fn target(&self) -> Option<&str> {
        match self {
            What::Stage { target, .. } | What::Served { target, .. } => Some(target),
            _ => None,
        }
    }

    /// Its place among what happens at one instant: as the engine orders events.
    fn rank(&self) -> u8 {
        match self {
            What::Fault { kind: FaultKind::ControllerDown, .. } => 1,
            What::Fault { .. } => 0,
            What::Restart => 2,
            What::Checks { .. } => 3,
            What::Patience { .. } => 4,
            What::Decision { .. } => 5,
            What::Stage { .. } => 6,
            What::Served { .. } => 7,
            What::RtoEnds => 8,
        }
    }
}

impl Event {
    /// What happened, in words; the trigger's name is left to the reader.
    pub fn told(&self) -> String {
        tell(self)
    }
}

/// The word for a kind of fault.
pub fn fault_word(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Blip => "blip",
        FaultKind::ReportedOutage => "reported-outage",
        FaultKind::DarkOutage => "dark-outage",
        FaultKind::GrayOutage => "gray-outage",
        FaultKind::ProberDeath => "prober-death",
        FaultKind::Deploy => "deploy",
        FaultKind::ControllerDown => "controller-down",
    }
}

/// The word for what a probe told; `unknown` where nobody learnt of it.
pub fn check_word(check: Option<Check>) -> &'static str {
    match check {
        Some(Check::Healthy) => "healthy",
        Some(Check::Unhealthy) => "unhealthy",
        Some(Check::Absent) => "absent",
        None => "unknown",
    }
}

pub(super) fn events(trace: &Trace) -> Vec<Event> {
    let mut events = truth(trace);
    events.extend(checks(trace));
    for trigger in &trace.triggers {
        events.extend(decisions(trace, trigger));
        events.extend(failover(trace, trigger));
    }
    let deadline = trace.outage.as_ref().map(|outage| outage.start + trace.scenario.rto);
    if let Some(at) = deadline.filter(|at| trace.view.contains(*at)) {
        events.push(Event { at, until: None, what: What::RtoEnds });
    }
    // The sort is stable: what else is equal stays in the order of triggers, targets and stages.
    events.sort_by_key(|event| (event.at, event.what.rank()));
    events
}

fn truth(trace: &Trace) -> Vec<Event> {
    let sources = &trace.scenario.blips.0;
    let source = |fault: &crate::history::Fault| {
        let is_one_of_many = fault.kind == FaultKind::Blip && sources.len() > 1;
        is_one_of_many.then(|| sources.get(usize::from(fault.source)).map(|s| s.name.clone()))?
    };
    let shown = |from, until| trace.view.meets(from, until);
    let faults = trace.history.faults.iter().filter(|f| shown(f.start, f.end));
    let fault = |fault: &crate::history::Fault| Event {
        at: fault.start,
        until: Some(fault.end),
        what: What::Fault { kind: fault.kind, source: source(fault) },
    };
    let restarts = trace.history.restarts.iter().filter(|at| trace.view.contains(**at));
    let restart = |at: &Time| Event { at: *at, until: None, what: What::Restart };
    faults.map(fault).chain(restarts.map(restart)).collect()
}

/// The spells shown: they cover every probe due in the view, those nobody learnt of included.
fn checks(trace: &Trace) -> Vec<Event> {
    let due = &trace.history.due;
    let first = due.first_at_or_after(trace.view.from);
    let end = due.first_at_or_after(trace.view.to.min(trace.history.end));
    let mut events = Vec::new();
    let mut next = first;
    let mut push = |from: u64, to: u64, check: Option<Check>| {
        if from < to {
            let what = What::Checks { first: from, count: to - from, check };
            events.push(Event { at: due.at(from), until: Some(due.at(to)), what });
        }
    };
    for (_, Spell { first, count, check }) in super::decisions::pieces(&trace.history) {
        let (from, to) = (first.max(next), (first + count).min(end));
        if from < to {
            push(next, from, None);
            push(from, to, Some(check));
            next = to;
        }
    }
    push(next, end, None);
    events
}

fn decisions(trace: &Trace, trigger: &TriggerTrace) -> Vec<Event> {
    let name = || trigger.setting.spec.to_string();
    let runs = trigger.runs.iter().filter(|run| trace.view.meets(run.from, run.until));
    let run = |run: &PatienceRun| Event {
        at: run.from,
        until: Some(run.until),
        what: What::Patience { trigger: name(), run: run.clone() },
    };
    let decided = trigger.decisions.iter().filter(|d| trace.view.contains(d.at));
    let decision = |decision: &super::Decision| Event {
        at: decision.at,
        until: None,
        what: What::Decision {
            trigger: name(),
            what: decision.what.clone(),
            probe: decision.probe,
        },
    };
    runs.map(run).chain(decided.map(decision)).collect()
}

fn failover(trace: &Trace, trigger: &TriggerTrace) -> Vec<Event> {
    let name = trigger.setting.spec.to_string();
    let mut events = Vec::new();
    for failover in &trigger.failovers {
        let stages = failover.stages.iter().filter(|s| trace.view.meets(s.begin, s.end));
        events.extend(stages.map(|stage| Event {
            at: stage.begin,
            until: Some(stage.end),
            what: What::Stage {
                trigger: name.clone(),
                target: failover.target.clone(),
                name: stage.name.clone(),
            },
        }));
        if trace.view.contains(failover.served) {
            let what = What::Served {
                trigger: name.clone(),
                target: failover.target.clone(),
                recovery_s: failover.recovery.map(|recovery| recovery.as_secs_f64()),
                rto_met: failover.rto_met(),
            };
            events.push(Event { at: failover.served, until: None, what });
        }
    }
    events
}
