//! Leads a trigger over a history, stopping at marked instants.

use crate::history::{Due, History, Spell};
use crate::time::Time;
use crate::trigger::{Firing, Trigger};

/// Where a walk stops: at a restart, or at a mark.
#[derive(Clone, Copy)]
enum Stop {
    Restart,
    Mark(usize),
}

/// The stops of a walk in order, as the first probe due at or after each.
struct Stops<'a> {
    due: &'a Due,
    restarts: &'a [Time],
    marks: &'a [Time],
    marked: usize,
    next: u64,
}

impl<'a> Stops<'a> {
    fn new(history: &'a History, marks: &'a [Time]) -> Self {
        let restarts = &history.restarts[..];
        let mut stops = Stops { due: &history.due, restarts, marks, marked: 0, next: 0 };
        stops.find_next();
        stops
    }

    fn find_next(&mut self) {
        let soonest = self.restarts.first().into_iter().chain(self.marks.first()).min();
        self.next = soonest.map_or(u64::MAX, |at| self.due.first_at_or_after(*at));
    }

    /// Takes the next stop. A restart at a mark's very instant comes first.
    fn take(&mut self) -> Option<Stop> {
        let restart_first = match (self.restarts.first(), self.marks.first()) {
            (Some(restart), Some(mark)) => restart <= mark,
            (restart, _) => restart.is_some(),
        };
        let stop = if restart_first {
            self.restarts = &self.restarts[1..];
            Some(Stop::Restart)
        } else if self.marks.is_empty() {
            None
        } else {
            self.marks = &self.marks[1..];
            self.marked += 1;
            Some(Stop::Mark(self.marked - 1))
        };
        self.find_next();
        stop
    }
}

/// Leads `trigger` over the whole of `history`: calls `on_firing` at each firing, and `on_mark` with
/// the trigger as it stands just before the probes due at or after each of `marks` (ascending),
/// together with the mark's index and the index of the spell that follows.
pub(crate) fn walk(
    trigger: &mut Trigger,
    history: &History,
    marks: &[Time],
    mut on_firing: impl FnMut(Firing),
    mut on_mark: impl FnMut(usize, &Trigger, usize),
) {
    let due = &history.due;
    let mut stops = Stops::new(history, marks);
    let mut on_probe = |probe| on_firing(Firing { probe, at: due.at(probe) });
    let mut index = 0;
    while index < history.spells.len() {
        // The spells that no stop cuts are taken in one go.
        let ahead = &history.spells[index..];
        let whole = ahead.partition_point(|spell| spell.end() <= stops.next);
        trigger.observe_spells(due, &ahead[..whole], &mut on_probe);
        index += whole;
        let Some(mut rest) = ahead.get(whole).copied() else { break };
        while stops.next < rest.end() {
            trigger.observe_each_firing(due, &split_off(&mut rest, stops.next), &mut on_probe);
            match stops.take() {
                Some(Stop::Restart) => trigger.restart(),
                Some(Stop::Mark(mark)) => on_mark(mark, trigger, index),
                None => break,
            }
        }
        trigger.observe_each_firing(due, &rest, &mut on_probe);
        index += 1;
    }
    while let Some(stop) = stops.take() {
        match stop {
            Stop::Restart => trigger.restart(),
            Stop::Mark(mark) => on_mark(mark, trigger, history.spells.len()),
        }
    }
}

/// Leads `trigger` over `spells` until it fires. `restarts` are instants at which it loses its history.
pub(crate) fn first_firing(
    trigger: &mut Trigger,
    due: &Due,
    spells: impl Iterator<Item = Spell>,
    restarts: &[Time],
) -> Option<Firing> {
    let mut restarts = restarts.iter().peekable();
    let mut found = None;
    for mut rest in spells {
        while let Some(at) = restarts.peek() {
            let probe = due.first_at_or_after(**at);
            if probe >= rest.end() {
                break;
            }
            feed(trigger, due, split_off(&mut rest, probe), &mut |firing| {
                found.get_or_insert(firing);
            });
            if found.is_some() {
                return found;
            }
            trigger.restart();
            restarts.next();
        }
        feed(trigger, due, rest, &mut |firing| {
            found.get_or_insert(firing);
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Cuts `rest` before `probe` and returns the part before it, which may be empty.
fn split_off(rest: &mut Spell, probe: u64) -> Spell {
    let count = probe.saturating_sub(rest.first).min(rest.count);
    let before = Spell { count, ..*rest };
    rest.first += count;
    rest.count -= count;
    before
}

/// Hands a part of a spell, which may be empty, to the trigger.
fn feed(trigger: &mut Trigger, due: &Due, spell: Spell, on_firing: &mut impl FnMut(Firing)) {
    trigger.observe_each_firing(due, &spell, |probe| {
        on_firing(Firing { probe, at: due.at(probe) });
    });
}
