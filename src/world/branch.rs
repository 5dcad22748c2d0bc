//! A world that is led probe by probe, and can be branched: its future drawn anew from the same past.
//!
//! A blip in progress is drawn on from its age, so a branch is as likely a continuation of the past as
//! the original. This is what splitting needs; ordinary runs do not use it.

use rand::RngExt;

use super::World;
use crate::engine::{Rng, Streams};
use crate::history::{Builder, Check, Due};
use crate::law::Law;
use crate::scenario::Scenario;
use crate::time::{Span, Time};

/// What the controller meets next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Probes are due at the same state of the world: all before this one.
    Probes(u64),
    /// The controller has lost its history.
    Restarted,
    /// The run is over.
    Over,
}

/// A quiet world at some instant.
#[derive(Clone)]
pub(crate) struct Branch<'a> {
    world: World<'a>,
    due: Due,
    restarts_told: usize,
}

impl<'a> Branch<'a> {
    /// A quiet run at its start.
    pub(crate) fn new(scenario: &'a Scenario, streams: Streams) -> Self {
        let mut world = World::new(scenario, streams, None);
        world.keeps_truth = false;
        let due = world.grid.due();
        Branch { world, due, restarts_told: 0 }
    }

    /// Moves on to the next probes that are due, or the next thing that the controller notices.
    pub(crate) fn next(&mut self) -> Next {
        let world = &mut self.world;
        loop {
            if self.restarts_told < world.restarted.len() {
                self.restarts_told = world.restarted.len();
                return Next::Restarted;
            }
            let change = world.queue.peek_time().unwrap_or(world.end).min(world.end);
            let until = world.grid.first_at_or_after(change);
            if until > world.next_probe {
                return Next::Probes(until);
            }
            if change >= world.end {
                return Next::Over;
            }
            if let Some((now, _, event)) = world.queue.pop() {
                world.happen(now, event);
            }
        }
    }

    /// What the controller learns of the probes before `until`, which [`Branch::next`] has said are due:
    /// stretches of equal checks as (first, just past the last, check). It does not move on.
    pub(crate) fn look(&self, until: u64) -> Vec<(u64, u64, Check)> {
        let mut spells = Builder::new();
        self.world.judge.judge(self.world.next_probe, until, &mut spells);
        spells.finish().iter().map(|spell| (spell.first, spell.end(), spell.check)).collect()
    }

    /// Moves on past the probes before `until`.
    pub(crate) fn take(&mut self, until: u64) {
        self.world.next_probe = until;
    }

    /// When probes are due.
    pub(crate) fn due(&self) -> &Due {
        &self.due
    }

    /// Another future of the same past, as it stands at `now`, drawn from `rng`.
    pub(crate) fn branch(&self, now: Time, rng: &mut Rng) -> Self {
        let mut other = self.clone();
        let world = &mut other.world;
        for process in &mut world.blips {
            process.draw_on(now, rng, &mut world.queue);
        }
        world.judge.toss_anew(rng);
        other
    }
}

/// A length of this law that is known to be longer than `age`, in whole nanoseconds.
pub(super) fn longer_than(law: &Law, age: Span, rng: &mut Rng) -> Span {
    if let Law::Exponential(_) = law {
        // No memory: what is left is a fresh draw.
        return age + law.sample(rng);
    }
    let age_s = age.as_secs_f64();
    let unit: f64 = rng.random();
    let wanted = law.survival(age_s) * (1.0 - unit);
    // The survival falls, so its inverse is found by halving; the bracket is doubled until it holds.
    let (mut low, mut high) = (age_s, age_s.max(1.0) * 2.0);
    while law.survival(high) > wanted && high < 1e10 {
        (low, high) = (high, high * 2.0);
    }
    for _ in 0..80 {
        let middle = low + (high - low) / 2.0;
        if law.survival(middle) > wanted { low = middle } else { high = middle }
    }
    Span::from_secs_f64(high).max(age)
}
