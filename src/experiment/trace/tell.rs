//! A trace's events in words.

use super::event::{Event, What, check_word, fault_word};
use super::{Decided, Ended, Fired, PatienceRun};
use crate::budget::words::{grouped, said};
use crate::history::FaultKind;

/// One event in words, without the trigger's name.
pub(super) fn tell(event: &Event) -> String {
    match &event.what {
        What::Fault { kind, source } => {
            let source = source.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
            fault_word(*kind).replace('-', " ") + &source
        }
        What::Checks { count, check, .. } => {
            let checks = if *count == 1 { "check" } else { "checks" };
            format!("{} {} {checks}", grouped(&count.to_string()), check_word(*check))
        }
        What::Restart => "controller restarts: its history is gone".to_owned(),
        What::Patience { run, .. } => patience(run),
        What::Decision { what, .. } => decision(what),
        What::Stage { target, name, .. } => format!("{target}: {}", said(name)),
        What::Served { target, recovery_s, rto_met, .. } => {
            let verdict = match (recovery_s, rto_met) {
                (Some(recovery), Some(true)) => format!(" after {recovery:.1} s: RTO met"),
                (Some(recovery), _) => format!(" after {recovery:.1} s: RTO missed"),
                (None, _) => String::new(),
            };
            format!("{target}: first request served{verdict}")
        }
        What::RtoEnds => "the RTO runs out".to_owned(),
    }
}

fn patience(run: &PatienceRun) -> String {
    let count =
        format!("{} of {}", grouped(&run.peak.to_string()), grouped(&run.needed.to_string()));
    match run.ended {
        Ended::Fired => format!("patience runs to {count}, and it fires"),
        Ended::Cleared => format!("patience runs to {count}, then clears"),
        Ended::Lost => format!("patience runs to {count}, lost in a restart"),
        Ended::Open => format!("patience runs to {count}"),
    }
}

fn decision(what: &Decided) -> String {
    match what {
        Decided::Armed => "armed".to_owned(),
        Decided::Rearmed => "re-arms".to_owned(),
        Decided::Fired(fired) => {
            let held = match fired.held {
                held if held >= fired.full => String::new(),
                1 => ", on 1 check since the controller started".to_owned(),
                held => format!(", on {held} checks since the controller started"),
            };
            match fired.is_false {
                true => format!("FIRES, a false failover{held} (behind it: {})", behind(fired)),
                false => format!("FIRES, a true failover{held}"),
            }
        }
    }
}

/// What was behind a false failover: the faults in progress.
fn behind(fired: &Fired) -> String {
    let word = |kind: &FaultKind| fault_word(*kind).replace('-', " ");
    let faults: Vec<String> = fired.behind.iter().map(word).collect();
    if faults.is_empty() { "no fault in progress".to_owned() } else { faults.join(", ") }
}
