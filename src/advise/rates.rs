//! False failovers a day of "k failed probes in a row", for any k of one scenario: exact where theory
//! has them, simulated with intervals elsewhere.
//!
//! A longer count fires on a part of what a shorter one fires on, in every history. So the rates fall
//! with k, and the shortest count that keeps to a limit is found by bisection.

mod simulated;

use crate::estimate::{Estimate, LEVEL};
use crate::exact::{DEEPEST, Sampled};
use crate::experiment::figures::theory;
use crate::scenario::Scenario;
use crate::scenario::validate::Broken;

use simulated::Simulated;

/// The longest count that is looked at where no closed form is known.
pub const DEEPEST_SEARCHED: u64 = 2_048;

/// The longest count that is looked at where one is.
const DEEPEST_CLOSED: u64 = 1 << 40;

/// The rates of one scenario.
#[derive(Debug)]
pub struct Rates {
    scenario: Scenario,
    source: Source,
}

#[derive(Debug)]
enum Source {
    /// Theory, and the count up to which it was worked out.
    Exact {
        sampled: Box<Sampled>,
        depth: u64,
    },
    Simulated(Box<Simulated>),
}

/// The shortest count that keeps to a limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortest {
    /// It; none where no count up to `searched` does for certain.
    pub k: Option<u64>,
    /// The longest count that was looked at.
    pub searched: u64,
    /// A shorter count that may keep to the limit too, for all that the simulation says, with its rate.
    pub undecided: Option<(u64, Estimate)>,
    /// Replications that decided; none where the rate is exact.
    pub replications: Option<u64>,
}

/// A figure that is known without sampling.
pub fn exactly(value: f64) -> Estimate {
    Estimate { value, lo: value, hi: value, level: LEVEL, n: 0, exact: Some(value) }
}

impl Rates {
    /// The rates of this scenario.
    ///
    /// # Errors
    /// When the scenario has no plan; with the dotted key.
    pub fn new(scenario: &Scenario) -> Result<Rates, Broken> {
        let depth = 128;
        let source = match theory(scenario, depth) {
            Some(sampled) => Source::Exact { sampled: Box::new(sampled), depth },
            None => Source::Simulated(Box::new(Simulated::new(scenario)?)),
        };
        Ok(Rates { scenario: scenario.clone(), source })
    }

    /// True iff the rates are exact.
    pub fn is_exact(&self) -> bool {
        matches!(self.source, Source::Exact { .. })
    }

    /// Theory for counts up to `k`, where it has any.
    pub fn theory(&mut self, k: u64) -> Option<&Sampled> {
        let Source::Exact { sampled, depth } = &mut self.source else { return None };
        // Only what is worked out number by number knows a depth; there, doubling keeps the work low.
        if sampled.all_unhealthy(k).is_nan() && k <= DEEPEST {
            *depth = k.max(*depth * 2).min(DEEPEST);
            **sampled = theory(&self.scenario, *depth)?;
        }
        Some(sampled).filter(|sampled| !sampled.all_unhealthy(k).is_nan()).map(|sampled| &**sampled)
    }

    /// The rate of `k` in a row, a day. Unknown, which is between nothing and everything, beyond what
    /// theory works out.
    pub fn rate(&mut self, k: u64) -> Estimate {
        if let Source::Simulated(simulated) = &mut self.source {
            return simulated.rate(k);
        }
        match self.theory(k) {
            Some(sampled) => exactly(sampled.run_rate_per_day(k)),
            None => Estimate { lo: 0.0, hi: f64::INFINITY, exact: None, ..exactly(0.0) },
        }
    }

    /// Whether `k` in a row keeps to `per_day` for certain.
    pub fn keeps(&mut self, k: u64, per_day: f64) -> bool {
        match &mut self.source {
            Source::Exact { .. } => self.rate(k).hi <= per_day,
            Source::Simulated(simulated) => simulated.shortest(per_day, k, k).k.is_some(),
        }
    }

    /// The shortest count up to `deepest` that keeps to `per_day` for certain: by its exact rate, or
    /// by the upper end of its interval.
    pub fn shortest(&mut self, per_day: f64, deepest: u64) -> Shortest {
        let deepest = deepest.max(1);
        if let Source::Simulated(simulated) = &mut self.source {
            return simulated.shortest(per_day, 1, deepest);
        }
        let (mut short, mut long) = (0, 1);
        while !self.keeps(long, per_day) {
            short = long;
            if long >= deepest {
                return Shortest {
                    k: None,
                    searched: deepest,
                    undecided: None,
                    replications: None,
                };
            }
            long = (long * 2).min(deepest);
        }
        while long - short > 1 {
            let middle = short + (long - short) / 2;
            if self.keeps(middle, per_day) { long = middle } else { short = middle }
        }
        Shortest { k: Some(long), searched: deepest, undecided: None, replications: None }
    }

    /// As [`Rates::shortest`], as deep as makes sense.
    pub fn shortest_of_all(&mut self, per_day: f64) -> Shortest {
        let closed = self.theory(DEEPEST + 1).is_some();
        self.shortest(per_day, if closed { DEEPEST_CLOSED } else { DEEPEST_SEARCHED })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(text: &str) -> Rates {
        Rates::new(&Scenario::from_toml("test", text).unwrap()).unwrap()
    }

    /// Brute force over the axis, for every kind of exact form.
    #[test]
    fn the_shortest_is_that_of_brute_force() {
        for text in [
            "",
            "blips.length.mean = \"60s\"",
            "blips.arrivals = \"poisson\"",
            "blips.length = { law = \"lognormal\", mean = \"20s\", sigma = 1.0 }",
            "blips.length = { law = \"pareto\", mean = \"20s\", alpha = 1.5 }",
        ] {
            let mut rates = rates(text);
            assert!(rates.is_exact(), "{text}");
            for per_day in [100.0, 1.0, 1.0 / 30.0, 1e-3] {
                let brute = (1..=400).find(|k| rates.rate(*k).value <= per_day);
                assert_eq!(rates.shortest(per_day, 400).k, brute, "{text} at {per_day}");
            }
        }
    }

    #[test]
    fn the_search_ends_where_nothing_keeps_to_the_limit() {
        let mut heavy = rates("blips.length = { law = \"pareto\", mean = \"20s\", alpha = 1.05 }");
        let none = heavy.shortest(1e-9, 100);
        assert_eq!((none.k, none.searched), (None, 100));
        let mut closed = rates("");
        assert!(closed.shortest_of_all(1e-300).k.unwrap() > 1_000);
    }
}
