//! What only shows when recordings are seen side by side: states that none of them has, and the same
//! checks given twice. Nothing here reads a file.

use super::super::Failure;
use crate::recorded::{Recording, Warning};

/// Refuses recordings of which not one has a row in the states called down. One of several may well
/// have none: nothing failed in that month.
///
/// # Errors
/// When none has one.
pub fn none_down(recordings: &[Recording], source: &str) -> Result<(), Failure> {
    let none = |recording: &Recording| {
        let mut warnings = recording.report.warnings.iter();
        warnings.find(|warning| matches!(warning, Warning::NoneDown { .. })).cloned()
    };
    let all: Option<Vec<Warning>> = recordings.iter().map(none).collect();
    match all.as_deref() {
        Some([first, ..]) => Err(Failure::BadInput(format!("{source}: {first}"))),
        _ => Ok(()),
    }
}

/// Notes recordings of one series that go over the same time: their checks count twice.
pub fn note_overlaps(recordings: &mut [Recording]) {
    for later in 1..recordings.len() {
        let (before, rest) = recordings.split_at_mut(later);
        let Some(one) = rest.first_mut() else { continue };
        if let Some(other) = before.iter().find(|other| overlap(other, one)) {
            let from = other.report.from.max(one.report.from);
            let to = other.report.to.min(one.report.to);
            one.report.warnings.push(Warning::Note(format!(
                "recorded twice from {from:.0} to {to:.0}: these checks count as twice the \
                 evidence; leave one of the recordings out, or name their series apart"
            )));
        }
    }
}

/// True iff both are of one series and share more than the two intervals that their ends may.
fn overlap(one: &Recording, other: &Recording) -> bool {
    let from = one.report.from.max(other.report.from);
    let to = one.report.to.min(other.report.to);
    let shared = to.duration_since(from).as_secs_f64();
    one.series == other.series && shared > 2.0 * one.report.interval_s.max(other.report.interval_s)
}
