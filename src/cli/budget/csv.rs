//! The budget as CSV.

use crate::budget::Report;
use crate::cli::{Failure, output};
use crate::estimate::Estimate;

/// One line for each trigger and target.
pub(super) fn text(report: &Report) -> Result<String, Failure> {
    let headings = [
        "trigger",
        "patience_s",
        "target",
        "tier",
        "after_detection_s",
        "room_s",
        "largest_consecutive",
        "recovery_s",
        "worst_case_s",
        "meets_rto",
        "worst_case_meets_rto",
        "rto_met",
        "rto_met_lo",
        "rto_met_hi",
        "worst_case_rto_met",
        "worst_case_rto_met_lo",
        "worst_case_rto_met_hi",
    ];
    let flag = |flag: Option<bool>| flag.map_or(String::new(), |flag| flag.to_string());
    let chance = |chance: Option<Estimate>| match chance {
        Some(Estimate { value, lo, hi, .. }) => [value, lo, hi].map(|number| number.to_string()),
        None => Default::default(),
    };
    let mut lines = Vec::new();
    for trigger in &report.triggers {
        for (row, tier) in trigger.recovery.iter().zip(&report.table.tiers) {
            let mut line = vec![
                trigger.trigger.to_string(),
                trigger.patience_s.to_string(),
                row.target.clone(),
                row.tier.to_string(),
                tier.after_detection_s.to_string(),
                tier.room_s.to_string(),
                tier.largest_consecutive.map_or(String::new(), |k| k.to_string()),
                row.recovery_s.to_string(),
                row.worst_case_s.to_string(),
                flag(row.meets_rto),
                flag(row.worst_case_meets_rto),
            ];
            line.extend(chance(row.rto_met));
            line.extend(chance(row.worst_case_rto_met));
            lines.push(line);
        }
    }
    output::csv_text(&headings, &lines)
}
