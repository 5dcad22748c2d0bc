//! Simulated rates: as many replications as it takes to decide, up to a cap.
//!
//! A count keeps to a limit if the upper end of its interval does, and fails if the lower end is
//! above it; in between, the replications are doubled. Every look takes its part of the chance to be
//! wrong ([`LOOKS`]), so that all looks together are as sure as [`LEVEL`] says.

use std::collections::BTreeMap;

use super::Shortest;
use crate::estimate::{Estimate, LEVEL};
use crate::experiment::{Environment, Figures, Setting, Tally, run_range};
use crate::scenario::Scenario;
use crate::scenario::validate::Broken;
use crate::trigger::Spec;

/// How often it looks, with twice the replications each time.
const LOOKS: u32 = 6;

/// However many a scenario asks for, no more than this many are added for a decision.
const MOST_REPLICATIONS: u64 = 4_096;

/// How many counts one pass looks at before the range is narrowed.
const AT_ONCE: u64 = 40;

/// The tallies so far, by count.
#[derive(Debug)]
pub(super) struct Simulated {
    environment: Environment,
    tallies: BTreeMap<u64, Tally>,
}

/// What is known of one count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Keeps,
    Fails,
    Undecided,
}

impl Simulated {
    pub(super) fn new(scenario: &Scenario) -> Result<Self, Broken> {
        let mut scenario = scenario.clone();
        // Outages are laid over quiet runs and change no rate; one is enough.
        scenario.outage.per_replication = 1;
        Ok(Simulated { environment: Environment::new(scenario)?, tallies: BTreeMap::new() })
    }

    fn base(&self) -> u64 {
        self.environment.scenario.run.replications
    }

    /// The most replications that are run for a decision.
    fn cap(&self) -> u64 {
        let doubled = self.base().saturating_mul(1 << (LOOKS - 1));
        self.base().max(doubled.min(MOST_REPLICATIONS))
    }

    /// The rate, from at least the scenario's replications.
    pub(super) fn rate(&mut self, k: u64) -> Estimate {
        self.count(&[k], self.base());
        self.figure(k, LEVEL)
    }

    fn figure(&self, k: u64, level: f64) -> Estimate {
        let empty = self.environment.tally();
        let tally = self.tallies.get(&k).unwrap_or(&empty);
        Figures::rate_per_day(&self.environment, tally, level)
    }

    /// Brings every count's tally up to so many replications.
    fn count(&mut self, counts: &[u64], replications: u64) {
        let done = |k: &u64| self.tallies.get(k).map_or(0, |tally| tally.replications);
        let mut behind: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for k in counts.iter().filter(|k| done(k) < replications) {
            behind.entry(done(k)).or_default().push(*k);
        }
        let controller = &self.environment.scenario.controller;
        let setting = |k: &u64| Setting {
            spec: Spec::Consecutive { k: *k },
            silence: controller.silence,
            arming: controller.arming,
        };
        for (from, counts) in behind {
            let settings: Vec<Setting> = counts.iter().map(setting).collect();
            let more = run_range(&self.environment, &settings, from..replications, |_| {});
            for (k, tally) in counts.into_iter().zip(more) {
                let empty = || self.environment.tally();
                self.tallies.entry(k).or_insert_with(empty).merge(&tally);
            }
        }
    }

    fn verdict(&self, k: u64, per_day: f64) -> Verdict {
        let level = 1.0 - (1.0 - LEVEL) / f64::from(LOOKS);
        let rate = self.figure(k, level);
        match rate {
            _ if rate.hi <= per_day => Verdict::Keeps,
            _ if rate.lo > per_day => Verdict::Fails,
            _ => Verdict::Undecided,
        }
    }

    /// Decides every count, with more replications for those that stay undecided.
    fn decide(&mut self, counts: &[u64], per_day: f64) -> Vec<Verdict> {
        let mut replications = self.base();
        let mut open = counts.to_vec();
        loop {
            self.count(&open, replications);
            open.retain(|k| self.verdict(*k, per_day) == Verdict::Undecided);
            if open.is_empty() || replications >= self.cap() {
                return counts.iter().map(|k| self.verdict(*k, per_day)).collect();
            }
            replications = (replications * 2).min(self.cap());
        }
    }

    /// The shortest count from `least` to `deepest` that keeps to `per_day`.
    pub(super) fn shortest(&mut self, per_day: f64, least: u64, deepest: u64) -> Shortest {
        let (mut from, mut to) = (least, deepest.max(least));
        let mut found = Shortest { k: None, searched: to, undecided: None, replications: None };
        loop {
            let counts = spread(from, to);
            let verdicts = self.decide(&counts, per_day);
            let first = verdicts.iter().position(|verdict| *verdict == Verdict::Keeps);
            if let Some(first) = first {
                found.k = Some(counts[first]);
            }
            // The longest that does not keep to it, of those below the first that does.
            let Some(last) = first.unwrap_or(counts.len()).checked_sub(1) else { break };
            let k = counts[last];
            found.undecided =
                (verdicts[last] == Verdict::Undecided).then(|| (k, self.figure(k, LEVEL)));
            match first {
                Some(first) if k + 1 < counts[first] => (from, to) = (k + 1, counts[first] - 1),
                _ => break,
            }
        }
        let decided = found.k.or(found.undecided.map(|(k, _)| k)).unwrap_or(deepest);
        found.replications = self.tallies.get(&decided).map(|tally| tally.replications);
        found
    }
}

/// At most [`AT_ONCE`] counts from `from` to `to`, both included, evenly by ratio.
fn spread(from: u64, to: u64) -> Vec<u64> {
    if to - from < AT_ONCE {
        return (from..=to).collect();
    }
    let (low, high) = ((from as f64).ln(), (to as f64).ln());
    let step = (high - low) / (AT_ONCE - 1) as f64;
    let middle = (1..AT_ONCE - 1).map(|i| (low + step * i as f64).exp().round() as u64);
    let mut counts: Vec<u64> = [from].into_iter().chain(middle).chain([to]).collect();
    counts.dedup();
    counts
}

#[cfg(test)]
mod tests {
    use super::super::Rates;
    use super::*;

    #[test]
    fn a_spread_holds_both_ends_in_order() {
        for (from, to) in [(1, 1), (1, 40), (1, 41), (3, 2_048), (500, 541)] {
            let counts = spread(from, to);
            assert_eq!((counts[0], counts[counts.len() - 1]), (from, to));
            assert!(counts.windows(2).all(|pair| pair[0] < pair[1]), "{counts:?}");
        }
    }

    /// The lab's own rates, once exact and once simulated (a jitter of one nanosecond has no exact
    /// form and changes nothing that a test could see). The simulation decides on the upper end of an
    /// interval, so it is less patient than the truth only by an error of a look, whose chance is 0.4 %,
    /// and the seed is fixed. The rates of neighbours differ by 65 %, and at 960 replications of 30
    /// days and a rate of 1/30 a day the interval reaches 9 % to either side; so one probe more patient
    /// is left for where the truth is hard on the limit, and two would be eight standard errors.
    #[test]
    fn what_is_simulated_decides_as_what_is_exact() {
        let mut exact = Rates::new(&Scenario::default()).unwrap();
        let text = "probe.jitter = \"1ns\"";
        let mut simulated = Rates::new(&Scenario::from_toml("test", text).unwrap()).unwrap();
        assert!(!simulated.is_exact());
        for per_day in [3.0, 0.2, 1.0 / 30.0] {
            let truth = exact.shortest(per_day, 72).k.unwrap();
            let found = simulated.shortest(per_day, 72);
            assert!((truth..=truth + 1).contains(&found.k.unwrap()), "{found:?} {truth}");
            assert!(found.replications.is_some());
            let rate = simulated.rate(found.k.unwrap());
            assert!(rate.hi <= per_day, "{rate:?}");
        }
    }

    #[test]
    fn what_the_cap_cannot_decide_is_said() {
        let text = "probe.jitter = \"1ns\"\nrun = { length = \"1d\", replications = 2 }";
        let scenario = Scenario::from_toml("test", text).unwrap();
        let found = Simulated::new(&scenario).unwrap().shortest(1e-6, 1, 72);
        assert_eq!(found.k, None);
        let (k, rate) = found.undecided.unwrap();
        assert!(k == 72 && rate.hi > 1e-6, "{k} {rate:?}");
        assert_eq!(found.replications, Some(64));
    }
}
