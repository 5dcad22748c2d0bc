//! Judges due probes from the faults that are in progress.
//!
//! Between two changes every probe is judged alike, so all of them are one spell; only where a fault
//! fails each probe by chance is a coin tossed per probe. A probe's coin is a function of the
//! replication, the fault's name and the probe, so other faults do not change it.

use rand::RngExt;

use crate::engine::{Rng, Streams, streams::unit_hash};
use crate::history::{Builder, Check};
use crate::scenario::{OutageKind, Scenario};

/// Name of the coins of a gray outage.
pub const OUTAGE_COINS: &str = "outage-coins";

/// The faults in progress, and the coins of those that fail probes by chance.
#[derive(Clone)]
pub(crate) struct Judge {
    sources: Vec<Source>,
    /// The outage in progress.
    pub(crate) outage: Option<OutageKind>,
    /// True while the prober is dead.
    pub(crate) prober_dead: bool,
    /// True while the controller is down: it learns nothing of the probes due.
    pub(crate) controller_away: bool,
    outage_fail_probability: f64,
    outage_coins: u64,
    /// Blips in progress of sources that fail every probe.
    certain: u32,
    /// Blips in progress of sources that fail probes by chance.
    by_chance: u32,
}

#[derive(Clone)]
struct Source {
    in_progress: u32,
    fail_probability: f64,
    coins: u64,
}

impl Judge {
    pub(crate) fn new(scenario: &Scenario, streams: Streams) -> Self {
        let source = |source: &crate::scenario::BlipSource| Source {
            in_progress: 0,
            fail_probability: source.fail_probability,
            coins: streams.key(&format!("coins/{}", source.name)),
        };
        Judge {
            sources: scenario.blips.0.iter().map(source).collect(),
            outage: None,
            prober_dead: false,
            controller_away: false,
            outage_fail_probability: scenario.outage.fail_probability,
            outage_coins: streams.key(OUTAGE_COINS),
            certain: 0,
            by_chance: 0,
        }
    }

    #[inline]
    pub(crate) fn blip_begins(&mut self, source: u16) {
        let source = &mut self.sources[usize::from(source)];
        source.in_progress += 1;
        if source.fail_probability < 1.0 {
            self.by_chance += 1;
        } else {
            self.certain += 1;
        }
    }

    #[inline]
    pub(crate) fn blip_ends(&mut self, source: u16) {
        let source = &mut self.sources[usize::from(source)];
        source.in_progress -= 1;
        if source.fail_probability < 1.0 {
            self.by_chance -= 1;
        } else {
            self.certain -= 1;
        }
    }

    /// Gives every fault that fails probes by chance fresh coins.
    pub(crate) fn toss_anew(&mut self, rng: &mut Rng) {
        self.sources.iter_mut().for_each(|source| source.coins = rng.random());
    }

    /// Writes the checks of probes `first..end`.
    #[inline]
    pub(crate) fn judge(&self, first: u64, end: u64, spells: &mut Builder) {
        if self.controller_away {
            return;
        }
        let check = if self.prober_dead || self.outage == Some(OutageKind::Dark) {
            Check::Absent
        } else if self.certain > 0 || self.outage == Some(OutageKind::Reported) {
            Check::Unhealthy
        } else if self.by_chance == 0 && self.outage.is_none() {
            Check::Healthy
        } else {
            return self.judge_by_chance(first, end, spells);
        };
        spells.add(first, end, check);
    }

    #[inline(never)]
    fn judge_by_chance(&self, first: u64, end: u64, spells: &mut Builder) {
        for probe in first..end {
            let check = if self.fails(probe) { Check::Unhealthy } else { Check::Healthy };
            spells.add(probe, probe + 1, check);
        }
    }

    /// Tosses the coins of every fault in progress that fails probes by chance.
    fn fails(&self, probe: u64) -> bool {
        let by_outage = self.outage == Some(OutageKind::Gray)
            && unit_hash(self.outage_coins, probe) < self.outage_fail_probability;
        by_outage
            || self.sources.iter().any(|source| {
                source.in_progress > 0 && unit_hash(source.coins, probe) < source.fail_probability
            })
    }
}
