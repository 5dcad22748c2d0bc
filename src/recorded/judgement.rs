//! Reads down runs and unavailability off a recorded history.
//!
//! Time is weighed, not rows: a check stands until the next due one.

use super::report::Warning;
use crate::history::{Check, History};
use crate::time::Span;

/// What a history says of its down time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Judgement {
    pub down_runs: u64,
    pub right_censored: u64,
    pub left_truncated: u64,
    pub unavailability: f64,
}

/// Judges a history; notes runs that the recording cut off.
pub(crate) fn judge(history: &History, warnings: &mut Vec<Warning>) -> Judgement {
    let mut judged = Judgement::default();
    let (mut down, mut known) = (Span::ZERO, Span::ZERO);
    let mut open: Option<u64> = None;
    let mut start_seen = false;
    let mut reached = 0;
    for spell in &history.spells {
        if spell.first > reached {
            judged.right_censored += u64::from(open.take().is_some());
            start_seen = false;
        }
        let stands = until(history, spell.end()) - history.due.at(spell.first);
        match spell.check {
            Check::Healthy => {
                open = None;
                start_seen = true;
                known += stands;
            }
            Check::Unhealthy => {
                if open.is_none() {
                    open = Some(spell.first);
                    judged.down_runs += 1;
                    judged.left_truncated += u64::from(!start_seen);
                }
                known += stands;
                down += stands;
            }
            Check::Absent => {}
        }
        reached = spell.end();
    }
    if history.spells.first().is_some_and(|spell| spell.check == Check::Unhealthy) {
        warnings.push(Warning::BeginsDown);
    }
    if let Some(first) = open {
        judged.right_censored += 1;
        let length = history.end - history.due.at(first);
        warnings.push(Warning::NeverRecovers { length });
    }
    if known.is_positive() {
        judged.unavailability = down.as_secs_f64() / known.as_secs_f64();
    }
    judged
}

/// The instant until which the probe before `probe` stands.
fn until(history: &History, probe: u64) -> crate::time::Time {
    match &history.due {
        crate::history::Due::Listed(instants) => {
            instants.get(probe as usize).copied().unwrap_or(history.end)
        }
        grid => grid.at(probe).min(history.end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Builder, Due};
    use crate::time::Time;

    fn history(checks: &str) -> History {
        let mut spells = Builder::new();
        for (probe, check) in checks.chars().enumerate() {
            let check = match check {
                'S' => Check::Healthy,
                'F' => Check::Unhealthy,
                '-' => Check::Absent,
                _ => continue,
            };
            spells.add(probe as u64, probe as u64 + 1, check);
        }
        let at = |i: usize| Time::START + Span::from_secs(10) * i as i64;
        History {
            due: Due::Listed((0..checks.len()).map(at).collect()),
            spells: spells.finish(),
            restarts: vec![],
            faults: vec![],
            end: at(checks.len()),
        }
    }

    #[test]
    fn runs_are_counted_with_their_cut_ends() {
        let judged = |checks: &str| {
            let judged = judge(&history(checks), &mut vec![]);
            (judged.down_runs, judged.left_truncated, judged.right_censored)
        };
        assert_eq!(judged("SFFSSFS"), (2, 0, 0));
        assert_eq!(judged("FFSFF"), (2, 1, 1));
        assert_eq!(judged("SFF-FFS"), (1, 0, 0));
        assert_eq!(judged("SFF??FFS"), (2, 1, 1));
        assert_eq!(judged("---"), (0, 0, 0));
    }

    #[test]
    fn absent_and_unknown_time_is_left_out() {
        let judged = judge(&history("SFF--??S"), &mut vec![]);
        assert_eq!(judged.unavailability, 0.5);
    }
}
