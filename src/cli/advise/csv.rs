//! The advice as one line a target.

use crate::advise::Advice;
use crate::cli::Failure;
use crate::cli::output::csv_text;

const HEADINGS: [&str; 15] = [
    "target",
    "tier",
    "room_s",
    "shortest",
    "longest",
    "trigger",
    "patience_s",
    "false_failovers_per_day",
    "false_failovers_per_day_lo",
    "false_failovers_per_day_hi",
    "recovery_s",
    "worst_case_s",
    "rto_met",
    "because",
    "would_fit_if",
];

pub(super) fn text(advice: &Advice) -> Result<String, Failure> {
    let row = |target: &crate::advise::report::TargetAdvice| -> Vec<String> {
        let band = target.band;
        let choice = target.choice.as_ref();
        let figure = |figure: fn(&crate::advise::report::Choice) -> f64| {
            choice.map_or_else(String::new, |choice| figure(choice).to_string())
        };
        let words: Vec<&str> =
            target.would_fit_if.iter().map(|change| change.words.as_str()).collect();
        vec![
            target.target.clone(),
            target.tier.to_string(),
            target.room_s.to_string(),
            band.map_or_else(String::new, |band| band.shortest.trigger.to_string()),
            band.map_or_else(String::new, |band| band.longest.trigger.to_string()),
            choice.map_or_else(String::new, |choice| choice.patience.trigger.to_string()),
            figure(|choice| choice.patience.patience_s),
            figure(|choice| choice.false_failovers_per_day.value),
            figure(|choice| choice.false_failovers_per_day.lo),
            figure(|choice| choice.false_failovers_per_day.hi),
            figure(|choice| choice.recovery_s),
            figure(|choice| choice.worst_case_s),
            figure(|choice| choice.rto_met.value),
            target.because.clone(),
            words.join("; "),
        ]
    };
    let rows: Vec<Vec<String>> = advice.targets.iter().map(row).collect();
    csv_text(&HEADINGS, &rows)
}
