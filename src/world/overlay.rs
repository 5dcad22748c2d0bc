//! An outage, a prober's death or a restart laid over a quiet run.
//!
//! Faults do not depend on each other, so what the controller would have learnt had an outage begun
//! at some instant follows from the quiet history: the same run serves any number of outages, and
//! each is compared with the run that did not have it.

use crate::engine::{Streams, streams::unit_hash};
use crate::history::{Check, History, Spell};
use crate::scenario::OutageKind;
use crate::time::Time;

use super::judge::OUTAGE_COINS;

/// What is laid over the quiet run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cover {
    /// Every probe that arrives fails.
    Fails,
    /// No probe arrives.
    Silences,
    /// Each probe that arrives fails with this chance; the key names the coins.
    FailsByChance {
        /// Chance that a probe fails.
        fail_probability: f64,
        /// Names the coins of this replication.
        coins: u64,
    },
    /// Nothing is laid over it.
    Nothing,
}

impl Cover {
    /// What an outage of this kind lays over the run.
    pub fn of_outage(kind: OutageKind, fail_probability: f64, streams: Streams) -> Self {
        match kind {
            OutageKind::Reported => Cover::Fails,
            OutageKind::Dark => Cover::Silences,
            OutageKind::Gray => {
                Cover::FailsByChance { fail_probability, coins: streams.key(OUTAGE_COINS) }
            }
        }
    }
}

/// The spells from the first probe due at or after `start` to the last before `end`, as they would
/// have been under `cover`. `spell` is the index of a spell of the history from which to search.
///
/// Past the end of the history, the region is taken to be well but for the cover.
pub fn covered<'a>(
    history: &'a History,
    cover: Cover,
    start: Time,
    end: Time,
    spell: usize,
) -> impl Iterator<Item = Spell> + 'a {
    let first = history.due.first_at_or_after(start);
    let past = history.due.first_at_or_after(end);
    let known = history.due.first_at_or_after(history.end);
    let within = history.spells[spell.min(history.spells.len())..]
        .iter()
        .skip_while(move |spell| spell.end() <= first)
        .take_while(move |spell| spell.first < past)
        .map(move |spell| (spell.first.max(first), spell.end().min(past), spell.check));
    let beyond = (known.max(first) < past).then(|| (known.max(first), past, Check::Healthy));
    within.chain(beyond).flat_map(move |(from, to, check)| Pieces { cover, from, to, check })
}

/// One quiet spell under a cover: a single spell, or one a probe where coins are tossed.
struct Pieces {
    cover: Cover,
    from: u64,
    to: u64,
    check: Check,
}

impl Iterator for Pieces {
    type Item = Spell;

    fn next(&mut self) -> Option<Spell> {
        if self.from >= self.to {
            return None;
        }
        let whole = self.to - self.from;
        let (count, check) = match (self.cover, self.check) {
            (_, Check::Absent) | (Cover::Silences, _) => (whole, Check::Absent),
            (Cover::Fails, _) | (_, Check::Unhealthy) => (whole, Check::Unhealthy),
            (Cover::Nothing, Check::Healthy) => (whole, Check::Healthy),
            (Cover::FailsByChance { fail_probability, coins }, Check::Healthy) => {
                let fails = unit_hash(coins, self.from) < fail_probability;
                (1, if fails { Check::Unhealthy } else { Check::Healthy })
            }
        };
        let spell = Spell { first: self.from, count, check };
        self.from += count;
        Some(spell)
    }
}
