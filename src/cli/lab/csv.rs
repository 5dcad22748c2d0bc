//! The lab's figures as CSV: one line a trigger, every estimate with its ends and its exact value.

use crate::cli::{Failure, output};
use crate::estimate::Estimate;
use crate::experiment::lab::{Lab, TriggerFigures};

/// One estimate of a trigger, where it has one.
type Pick = fn(&TriggerFigures) -> Option<Estimate>;

/// The estimates by the names of their columns.
const ESTIMATES: [(&str, Pick); 12] = [
    ("false_failovers_per_day", |t| Some(t.false_failovers_per_day)),
    ("detection_mean_s", |t| t.detection_s.mean),
    ("detection_p50_s", |t| t.detection_s.p50),
    ("detection_p99_s", |t| t.detection_s.p99),
    ("already_fired", |t| Some(t.detection_s.already_fired)),
    ("missed", |t| Some(t.detection_s.missed)),
    ("dark_caught_ignored", |t| Some(t.dark_caught.ignored)),
    ("dark_caught_failure", |t| Some(t.dark_caught.failure)),
    ("restart_fires_immediate", |t| Some(t.restart_fires.immediate)),
    ("restart_fires_full_window", |t| Some(t.restart_fires.full_window)),
    ("prober_death_fires_ignored", |t| Some(t.prober_death_fires.ignored)),
    ("prober_death_fires_failure", |t| Some(t.prober_death_fires.failure)),
];

/// The lab as CSV with a header line.
///
/// # Errors
/// When a row cannot be written, which text in memory always can.
pub fn text(lab: &Lab) -> Result<String, Failure> {
    let mut headings = vec!["trigger".to_owned(), "patience_s".to_owned()];
    for (name, _) in ESTIMATES {
        headings.extend(["", "_lo", "_hi", "_exact"].map(|end| format!("{name}{end}")));
    }
    headings.push("detection_max_s".to_owned());
    for tier in &lab.budget.tiers {
        headings.push(format!("recovery_s {}", tier.target));
        headings.push(format!("meets_rto {}", tier.target));
    }
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let rows: Vec<Vec<String>> = lab.triggers.iter().map(row).collect();
    output::csv_text(&headings, &rows)
}

fn row(trigger: &TriggerFigures) -> Vec<String> {
    let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    let mut cells = vec![trigger.trigger.clone(), trigger.patience_s.to_string()];
    for (_, pick) in ESTIMATES {
        let estimate = pick(trigger);
        let exact = estimate.and_then(|estimate| estimate.exact);
        let ends = [estimate.map(|e| e.value), estimate.map(|e| e.lo), estimate.map(|e| e.hi)];
        cells.extend(ends.into_iter().chain([exact]).map(number));
    }
    cells.push(number(trigger.detection_s.max));
    for recovery in &trigger.recovery {
        cells.extend([recovery.recovery_s.to_string(), recovery.meets_rto.to_string()]);
    }
    cells
}
