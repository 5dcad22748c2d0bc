//! A trace's events in words.

use super::event::{Event, What, check_word, fault_word};
use super::{Decided, Ended, Fired, PatienceRun};
use crate::budget::words::{number, said};
use crate::history::FaultKind;

/// One event in words.
pub(super) fn tell(event: &Event) -> String {
    match &event.what {
        What::Fault { kind, source } => {
            let source = source.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
            fault_word(*kind).replace('-', " ") + &source
        }
        What::Checks { count, check, .. } => {
            let checks = if *count == 1 { "check" } else { "checks" };
            format!("{} {} {checks}", grouped(*count), check_word(*check))
        }
        What::Restart => "controller restarts: its history is gone".to_owned(),
        What::Patience { trigger, run } => format!("{trigger}: {}", patience(run)),
        What::Decision { trigger, what, .. } => format!("{trigger}: {}", decision(what)),
        What::Stage { trigger, target, name } => format!("{trigger}, {target}: {}", said(name)),
        What::Served { trigger, target, recovery_s, rto_met } => {
            let verdict = match (recovery_s, rto_met) {
                (Some(recovery), Some(true)) => {
                    format!(", recovery {} s: RTO met", number(*recovery))
                }
                (Some(recovery), _) => format!(", recovery {} s: RTO missed", number(*recovery)),
                (None, _) => String::new(),
            };
            format!("{trigger}, {target}: served from the standby{verdict}")
        }
        What::RtoEnds => "the RTO runs out".to_owned(),
    }
}

fn patience(run: &PatienceRun) -> String {
    let count = format!("{} of {}", grouped(run.peak), grouped(run.needed));
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
        Decided::Fired(fired) if fired.is_false => {
            format!("FIRES, a false failover ({})", behind(fired))
        }
        Decided::Fired(_) => "FIRES, a true failover".to_owned(),
    }
}

/// What was behind a false failover: the faults in progress.
fn behind(fired: &Fired) -> String {
    let word = |kind: &FaultKind| fault_word(*kind).replace('-', " ");
    let faults: Vec<String> = fired.behind.iter().map(word).collect();
    if faults.is_empty() { "no fault in progress".to_owned() } else { faults.join(", ") }
}

/// A count with thousands set apart: `1,203`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
