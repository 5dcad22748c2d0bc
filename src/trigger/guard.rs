//! What stands between a condition that holds and a firing: the silence rule, arming, the standby's
//! health, and one firing an episode.
//!
//! It is the same for every family, and is led over a spell by arithmetic wherever the family is.

use super::Silence;
use super::rule::{Condition, Family, Reading, Run};
use crate::history::{Check, Due, Spell};
use crate::time::Time;

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Guard {
    silence: Silence,
    /// Due checks since the last (re)start before it may fire.
    needed: u64,
    /// Due checks since the last (re)start, whatever they told.
    seen: u64,
    /// Whether this episode has been failed over.
    pub(super) fired: bool,
    pub(super) standby_healthy: bool,
}

impl Guard {
    pub(super) fn new(silence: Silence, needed: u64) -> Self {
        Guard { silence, needed, seen: 0, fired: false, standby_healthy: true }
    }

    /// The checks before no longer count towards arming.
    pub(super) fn restart(&mut self) {
        self.seen = 0;
    }

    pub(super) fn observe(&mut self, rule: &mut impl Family, at: Time, check: Check) -> bool {
        let reading = self.silence.reading(check);
        self.seen = self.seen.saturating_add(1);
        let armed = self.seen >= self.needed;
        match rule.observe(at, reading) {
            Condition::Met if armed && self.standby_healthy && !self.fired => {
                self.fired = true;
                return true;
            }
            Condition::Clear if reading == Reading::Healthy => self.fired = false,
            _ => {}
        }
        false
    }

    /// Takes a spell of at least one check, and hands on every probe that fires.
    #[inline]
    pub(super) fn observe_spell(
        &mut self,
        rule: &mut impl Family,
        due: &Due,
        spell: &Spell,
        on_firing: impl FnMut(u64),
    ) {
        let reading = self.silence.reading(spell.check);
        let run = Run { due, first: spell.first, end: spell.end(), reading };
        if rule.stays_clear(run) {
            self.fired &= reading != Reading::Healthy;
        } else {
            self.observe_run(rule, run, on_firing);
        }
        self.seen = self.seen.saturating_add(spell.count);
    }

    /// Takes a run in which the condition may hold at some probes.
    #[inline]
    fn observe_run(
        &mut self,
        rule: &mut impl Family,
        run: Run<'_>,
        mut on_firing: impl FnMut(u64),
    ) {
        let missing = self.needed.saturating_sub(self.seen).saturating_sub(1);
        let armed_from = run.first.saturating_add(missing);
        let standby_healthy = self.standby_healthy;
        let fired = &mut self.fired;
        rule.observe_run(run, |part, condition| {
            if part.is_empty() {
                return;
            }
            match condition {
                Condition::Met => {
                    let probe = part.start.max(armed_from);
                    if probe < part.end && standby_healthy && !*fired {
                        *fired = true;
                        on_firing(probe);
                    }
                }
                Condition::Clear if run.reading == Reading::Healthy => *fired = false,
                _ => {}
            }
        });
    }
}
