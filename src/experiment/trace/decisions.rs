//! What a trigger decided, instant by instant: when it was armed, when it fired, when it re-armed.

use crate::experiment::Setting;
use crate::history::{Check, Due, FaultKind, History, Spell};
use crate::time::{Span, Time};
use crate::trigger::{Arming, Trigger};

/// One decision of a trigger.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The probe at which it was decided.
    pub probe: u64,
    /// When it was decided: at the probe's instant, a time-out later for a firing.
    pub at: Time,
    /// What was decided.
    pub what: Decided,
}

/// What a trigger decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Decided {
    /// It holds as many checks since the last (re)start as its arming rule asks for.
    Armed,
    /// It fires: fail over.
    Fired(Fired),
    /// It has fired in this episode, and the episode is over: it may fire again.
    Rearmed,
}

/// A firing and what was behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fired {
    /// True when no outage was in progress: a false failover.
    pub is_false: bool,
    /// The kinds of fault in progress at the probe that fired.
    pub behind: Vec<FaultKind>,
    /// Due checks that the controller held since its last (re)start, this one included.
    pub held: u64,
    /// As many as its patience spans: with fewer it has fired on less than a full history.
    pub full: u64,
}

/// Leads a new trigger over `history`. A failing result is learnt `timeout` after its probe.
///
/// The firings are those of [`crate::trigger::firings`].
pub fn decide(setting: &Setting, history: &History, timeout: Span) -> Vec<Decision> {
    let interval = history.due.interval();
    let needed = match setting.arming {
        Arming::Immediate => 0,
        Arming::FullWindow => setting.spec.checks_to_fire(interval),
        Arming::Checks(checks) => checks,
    };
    let mut recorder = Recorder {
        trigger: setting.trigger(interval),
        history,
        timeout,
        needed,
        full: setting.spec.checks_to_fire(interval),
        held: 0,
        decisions: Vec::new(),
    };
    for (restarted, spell) in pieces(history) {
        recorder.take(restarted, spell);
    }
    recorder.decisions
}

/// The spells of a history, cut at the controller's restarts: each with whether the controller has
/// restarted since the one before.
pub(super) fn pieces(history: &History) -> Vec<(bool, Spell)> {
    let probes = history.restarts.iter().map(|at| history.due.first_at_or_after(*at));
    let mut restarts = probes.peekable();
    let mut pieces = Vec::new();
    for spell in &history.spells {
        let mut rest = *spell;
        let mut restarted = false;
        while let Some(probe) = restarts.next_if(|probe| *probe < rest.end()) {
            if probe > rest.first {
                pieces.push((restarted, Spell { count: probe - rest.first, ..rest }));
                rest = Spell { first: probe, count: rest.end() - probe, ..rest };
            }
            restarted = true;
        }
        pieces.push((restarted, rest));
    }
    pieces
}

struct Recorder<'a> {
    trigger: Trigger,
    history: &'a History,
    timeout: Span,
    /// Checks that its arming rule asks for.
    needed: u64,
    /// Checks that its patience spans.
    full: u64,
    /// Checks since the last (re)start.
    held: u64,
    decisions: Vec<Decision>,
}

impl Recorder<'_> {
    fn take(&mut self, restarted: bool, spell: Spell) {
        if restarted {
            self.trigger.restart();
            self.held = 0;
        }
        let before = self.held;
        let armed = (self.held < self.needed && self.needed <= self.held + spell.count)
            .then(|| spell.first + (self.needed - self.held - 1));
        if let Some(probe) = armed.filter(|_| self.needed > 1) {
            self.push(probe, self.due().at(probe), Decided::Armed);
        }
        self.feed(spell, before);
        self.held = before + spell.count;
    }

    /// Feeds a spell whole where it changes nothing, and check by check up to each change.
    fn feed(&mut self, spell: Spell, held: u64) {
        let due = &self.history.due;
        let mut rest = spell;
        while rest.count > 0 {
            let before = self.trigger.clone();
            let fires = self.trigger.observe_spell(due, &rest);
            if fires.is_none() && self.trigger.has_fired() == before.has_fired() {
                return;
            }
            if let (Some(probe), true) = (fires, spell.check != Check::Healthy) {
                // Only a healthy check re-arms, so nothing else can happen in this spell.
                return self.fired(probe, held + (probe - spell.first) + 1);
            }
            self.trigger = before;
            let probe = self.step_to_change(&mut rest);
            if self.trigger.has_fired() {
                self.fired(probe, held + (probe - spell.first) + 1);
            } else {
                self.push(probe, due.at(probe), Decided::Rearmed);
            }
        }
    }

    /// Takes checks off `rest` until the trigger fires or re-arms; the probe at which it did.
    fn step_to_change(&mut self, rest: &mut Spell) -> u64 {
        let had_fired = self.trigger.has_fired();
        loop {
            let probe = rest.first;
            self.trigger.observe(self.history.due.at(probe), rest.check);
            rest.first += 1;
            rest.count -= 1;
            if self.trigger.has_fired() != had_fired || rest.count == 0 {
                return probe;
            }
        }
    }

    fn fired(&mut self, probe: u64, held: u64) {
        let due_at = self.due().at(probe);
        let at = due_at + self.timeout;
        let faults = self.history.faults.iter();
        let mut behind: Vec<FaultKind> =
            faults.filter(|f| f.start <= due_at && due_at < f.end).map(|f| f.kind).collect();
        behind.sort();
        behind.dedup();
        let is_false = self.history.outage_at(at).is_none();
        self.push(probe, at, Decided::Fired(Fired { is_false, behind, held, full: self.full }));
    }

    fn push(&mut self, probe: u64, at: Time, what: Decided) {
        self.decisions.push(Decision { probe, at, what });
    }

    fn due(&self) -> &Due {
        &self.history.due
    }
}
