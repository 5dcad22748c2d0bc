//! Leads a trigger over a history, stopping at marked instants.

use crate::history::{Due, History, Spell};
use crate::time::Time;
use crate::trigger::{Firing, Trigger};

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
    let mut restarts = history.restarts.iter().peekable();
    let mut marks = marks.iter().enumerate().peekable();
    for (index, spell) in history.spells.iter().enumerate() {
        let mut rest = *spell;
        loop {
            // A restart at a mark's very instant comes first.
            let restart = restarts.peek().map(|at| **at);
            let mark = marks.peek().map(|(_, at)| **at);
            let is_restart = restart.is_some_and(|restart| mark.is_none_or(|mark| restart <= mark));
            let Some(at) = (if is_restart { restart } else { mark }) else { break };
            let probe = history.due.first_at_or_after(at);
            if probe >= rest.end() {
                break;
            }
            feed(trigger, &history.due, split_off(&mut rest, probe), &mut on_firing);
            if is_restart {
                trigger.restart();
                restarts.next();
            } else if let Some((mark, _)) = marks.next() {
                on_mark(mark, trigger, index);
            }
        }
        feed(trigger, &history.due, rest, &mut on_firing);
    }
    for (mark, _) in marks {
        on_mark(mark, trigger, history.spells.len());
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
            feed(trigger, due, split_off(&mut rest, probe), &mut |firing| found = Some(firing));
            if found.is_some() {
                return found;
            }
            trigger.restart();
            restarts.next();
        }
        feed(trigger, due, rest, &mut |firing| found = Some(firing));
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

fn feed(trigger: &mut Trigger, due: &Due, spell: Spell, on_firing: &mut impl FnMut(Firing)) {
    if spell.count > 0
        && let Some(probe) = trigger.observe_spell(due, &spell)
    {
        on_firing(Firing { probe, at: due.at(probe) });
    }
}
