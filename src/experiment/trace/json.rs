//! A trace as JSON: one object, or a line for each event.

use serde_json::{Map, Value, json};

use super::event::{Event, What, fault_word};
use super::{Decided, Detection, Failover, Trace, TriggerTrace};
use crate::time::Time;

/// Names the layout of the JSON.
pub const SCHEMA: &str = "failover-budget/trace/1";

impl Trace {
    /// The trace as one object, its events in the order of time.
    pub fn json(&self) -> Value {
        let mut object = self.head();
        object.insert("events".into(), self.events().iter().map(Event::json).collect());
        Value::Object(object)
    }

    /// The trace as JSON lines: first the head (all but the events), then a line for each event.
    pub fn json_lines(&self) -> String {
        let events = self.events();
        let head = Value::Object(self.head());
        let lines = std::iter::once(head).chain(events.iter().map(Event::json));
        lines.map(|line| line.to_string() + "\n").collect()
    }

    fn head(&self) -> Map<String, Value> {
        let outage = self.outage.as_ref().map(|outage| {
            json!({
                "kind": fault_word(outage.kind),
                "at_s": outage.start.as_secs_f64(),
                "until_s": outage.end.as_secs_f64(),
            })
        });
        let head = json!({
            "schema": SCHEMA,
            "scenario": self.scenario.name,
            "seed": self.scenario.run.seed,
            "replication": self.replication,
            "interval_s": self.scenario.probe.interval.as_secs_f64(),
            "rto_s": self.scenario.rto.as_secs_f64(),
            "silence": self.scenario.controller.silence,
            "arming": self.scenario.controller.arming,
            "from_s": self.view.from.as_secs_f64(),
            "to_s": self.view.to.as_secs_f64(),
            "outage": outage,
            "triggers": self.triggers.iter().map(trigger).collect::<Vec<Value>>(),
        });
        match head {
            Value::Object(head) => head,
            _ => Map::new(),
        }
    }
}

fn trigger(trigger: &TriggerTrace) -> Value {
    let detection = trigger.detection.map(|detection| {
        let word = match detection {
            Detection::Fired(_) => "fired",
            Detection::AlreadyFired => "already-fired",
            Detection::Missed => "missed",
        };
        json!({ "result": word, "detection_s": detection.delay().map(|d| d.as_secs_f64()) })
    });
    let false_failovers = trigger.firings().filter(|(_, fired)| fired.is_false).count();
    json!({
        "trigger": trigger.setting.spec,
        "patience_s": trigger.patience.as_secs_f64(),
        "false_failovers": false_failovers,
        "detection": detection,
        "recovery": trigger.failovers.iter().map(recovery).collect::<Vec<Value>>(),
    })
}

fn recovery(failover: &Failover) -> Value {
    let stage = |stage: &super::StageSpan| {
        json!({
            "stage": stage.name,
            "at_s": stage.begin.as_secs_f64(),
            "until_s": stage.end.as_secs_f64(),
        })
    };
    json!({
        "target": failover.target,
        "tier": failover.tier,
        "stages": failover.stages.iter().map(stage).collect::<Vec<Value>>(),
        "served_s": failover.served.as_secs_f64(),
        "recovery_s": failover.recovery.map(|recovery| recovery.as_secs_f64()),
        "rto_met": failover.rto_met(),
    })
}

impl Event {
    /// The event as an object: `at_s`, `until_s` where it lasts, `track`, `kind`, and what is its own.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        object.insert("at_s".into(), self.at.as_secs_f64().into());
        if let Some(until) = self.until {
            object.insert("until_s".into(), until.as_secs_f64().into());
        }
        object.insert("track".into(), self.what.track().into());
        object.insert("kind".into(), self.what.kind().into());
        if let Some(trigger) = self.what.trigger() {
            object.insert("trigger".into(), trigger.into());
        }
        if let Some(target) = self.what.target() {
            object.insert("target".into(), target.into());
        }
        if let Value::Object(own) = self.what.own() {
            object.extend(own);
        }
        Value::Object(object)
    }
}

impl What {
    /// What this kind of event alone tells.
    pub(super) fn own(&self) -> Value {
        let seconds = |at: &Time| at.as_secs_f64();
        match self {
            What::Fault { source: Some(source), .. } => json!({ "source": source }),
            What::Checks { first, count, .. } => json!({ "first_probe": first, "count": count }),
            What::Patience { run, .. } => {
                let points = run.points.iter().map(|(at, count)| json!([seconds(at), count]));
                json!({
                    "count": run.peak,
                    "needed": run.needed,
                    "ended": run.ended.word(),
                    "counts": points.collect::<Vec<Value>>(),
                })
            }
            What::Decision { what: Decided::Fired(fired), probe, .. } => json!({
                "probe": probe,
                "false_failover": fired.is_false,
                "behind": fired.behind.iter().map(|kind| fault_word(*kind)).collect::<Vec<_>>(),
                "checks_held": fired.held,
            }),
            What::Decision { probe, .. } => json!({ "probe": probe }),
            What::Stage { name, .. } => json!({ "stage": name }),
            What::Served { recovery_s, rto_met, .. } => {
                json!({ "recovery_s": recovery_s, "rto_met": rto_met })
            }
            _ => Value::Null,
        }
    }
}
