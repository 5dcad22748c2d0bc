//! Goes along a history from one check that arrived to the next.

use crate::history::{Check, History};
use crate::time::Time;

/// A check that arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) at: Time,
    pub(super) healthy: bool,
}

/// What comes next along a history.
pub(super) enum Step {
    /// The first check that arrived, or the first after a hole.
    First(Known),
    /// Two checks that arrived, nothing but absent ones between them.
    Next { before: Known, after: Known },
    /// Checks that were due and did not arrive.
    Absent(u64),
    /// Probes of which nothing is known.
    Hole,
}

/// Hands every step along the history to `on_step`, in order.
pub(super) fn walk(history: &History, mut on_step: impl FnMut(Step)) {
    let mut last: Option<Known> = None;
    let mut next_probe = history.spells.first().map_or(0, |spell| spell.first);
    for spell in &history.spells {
        if spell.first > next_probe && last.take().is_some() {
            on_step(Step::Hole);
        }
        next_probe = spell.end();
        if spell.check == Check::Absent {
            on_step(Step::Absent(spell.count));
            continue;
        }
        for probe in spell.first..spell.end() {
            let after = Known { at: history.due.at(probe), healthy: spell.check == Check::Healthy };
            match last {
                None => on_step(Step::First(after)),
                Some(before) => on_step(Step::Next { before, after }),
            }
            last = Some(after);
        }
    }
}
