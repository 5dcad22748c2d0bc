//! Triggers: the rules that turn checks into a firing.
//!
//! A trigger is a pure state machine over checks. [`Trigger::observe`] takes one check, as a real
//! controller would; [`Trigger::observe_spell`] takes a spell of equal checks and finds the firing
//! by arithmetic, so that cost grows with spells and not with probes. Each family (a file of its
//! own) says only whether its *condition* holds at a check; arming, silence and "one firing an
//! episode" are shared here. This module knows no simulator and never sees the truth behind a check.

pub mod arming;
mod consecutive;
pub mod expand;
mod guard;
mod m_of_n;
mod rule;
pub mod silence;
pub mod spec;
mod success_rate;
pub mod warning;
mod window;
mod words;

pub use arming::Arming;
pub use silence::Silence;
pub use spec::{Spec, SpecError};
pub use warning::Warning;
pub use words::UnknownWord;

use crate::history::{Check, Due, History, Spell};
use crate::time::{Span, Time};
use guard::Guard;
use rule::{Family, Rule, each};

/// One running trigger. A new one is like one that has just been restarted.
///
/// It fires at a check at which its family's condition holds, it is armed, the standby is healthy
/// and it has not yet fired in this episode. An episode ends at the next healthy check at which the
/// family sees no failure any more. For a window and for consecutive failures that is any healthy
/// check; an M-of-N or success-rate trigger still sees failures for some checks after that, and
/// must not fire a second time on the very failures it has fired on.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    rule: Rule,
    guard: Guard,
}

impl Trigger {
    /// A trigger that has seen nothing. `interval` is the time between due probes; it turns
    /// [`Arming::FullWindow`] into a number of checks and is used for nothing else.
    pub fn new(spec: &Spec, interval: Span, silence: Silence, arming: Arming) -> Trigger {
        let needed = match arming {
            Arming::Immediate => 0,
            Arming::FullWindow => spec.checks_to_fire(interval),
            Arming::Checks(checks) => checks,
        };
        Trigger { rule: Rule::new(spec), guard: Guard::new(silence, needed) }
    }

    /// Takes the check of the probe due at `at` and decides. True iff the trigger fires now.
    ///
    /// Instants must not fall from one call to the next.
    pub fn observe(&mut self, at: Time, check: Check) -> bool {
        each!(&mut self.rule, rule => self.guard.observe(rule, at, check))
    }

    /// Takes a whole spell of equal checks; returns the first probe of it that fires, if one does.
    ///
    /// Equal to calling [`Trigger::observe`] for each probe of the spell. There is at most one firing a
    /// spell, but for one case: a success-rate trigger on a list of uneven instants can recover and
    /// fail again inside one healthy spell; [`walk`] reports those firings too.
    pub fn observe_spell(&mut self, due: &Due, spell: &Spell) -> Option<u64> {
        let mut first = None;
        self.observe_each_firing(due, spell, |probe| {
            first.get_or_insert(probe);
        });
        first
    }

    /// As [`Trigger::observe_spell`], with every firing of the spell.
    pub(crate) fn observe_each_firing(
        &mut self,
        due: &Due,
        spell: &Spell,
        on_firing: impl FnMut(u64),
    ) {
        if spell.count > 0 {
            each!(&mut self.rule, rule => self.guard.observe_spell(rule, due, spell, on_firing));
        }
    }

    /// As [`Trigger::observe_each_firing`] for one spell after the other, none of them empty. The family
    /// is looked up once for all.
    pub(crate) fn observe_spells(
        &mut self,
        due: &Due,
        spells: &[Spell],
        mut on_firing: impl FnMut(u64),
    ) {
        each!(&mut self.rule, rule => for spell in spells {
            self.guard.observe_spell(rule, due, spell, &mut on_firing);
        });
    }

    /// The controller restarts: what it held is gone, and it must arm anew. That this episode has
    /// already been failed over is not forgotten.
    pub fn restart(&mut self) {
        each!(&mut self.rule, rule => rule.restart());
        self.guard.restart();
    }

    /// Tells whether the standby is healthy (it is until told otherwise). While it is not, the
    /// trigger does not fire: a failover would not help.
    pub fn set_standby_healthy(&mut self, healthy: bool) {
        self.guard.standby_healthy = healthy;
    }

    /// How far the trigger is on its way from no failure (0) to its condition (1), just after the check
    /// at `at`. It says nothing of arming and decides nothing: it tells a search for rare firings
    /// where to look.
    pub fn progress(&self, at: Time) -> f64 {
        each!(&self.rule, rule => rule.progress(at))
    }

    /// True iff the trigger has fired in the running episode.
    pub fn has_fired(&self) -> bool {
        self.guard.fired
    }
}

/// A trigger's decision to fail over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Firing {
    /// The probe at whose instant it was decided.
    pub probe: u64,
    /// That instant.
    pub at: Time,
}

/// Runs `trigger` over `history` and hands each firing to `on_firing`, in order.
///
/// A restart clears what the trigger holds before the probe due at that very instant is judged.
/// Probes that no spell covers are passed over: nobody decided anything then.
pub fn walk(trigger: &mut Trigger, history: &History, mut on_firing: impl FnMut(Firing)) {
    let due = &history.due;
    let mut restarts = history.restarts.iter().map(|at| due.first_at_or_after(*at)).peekable();
    let mut take = |trigger: &mut Trigger, first: u64, end: u64, check: Check| {
        let spell = Spell { first, count: end.saturating_sub(first), check };
        trigger.observe_each_firing(due, &spell, |probe| {
            on_firing(Firing { probe, at: due.at(probe) });
        });
    };
    for spell in &history.spells {
        let mut first = spell.first;
        while let Some(restart) = restarts.next_if(|probe| *probe < spell.end()) {
            take(trigger, first, restart, spell.check);
            trigger.restart();
            first = first.max(restart);
        }
        take(trigger, first, spell.end(), spell.check);
    }
    if restarts.next().is_some() {
        trigger.restart();
    }
}

/// Every firing of `trigger` over `history`; see [`walk`].
pub fn firings(trigger: &mut Trigger, history: &History) -> Vec<Firing> {
    let mut firings = Vec::new();
    walk(trigger, history, |firing| firings.push(firing));
    firings
}
