//! Rates of rare false failovers, where no exact form applies: splitting.
//!
//! A trigger's progress towards firing is cut into levels. Whenever a run rises over a level, it is
//! split: further branches with the same past and futures of their own go on from there, and each ends
//! when it falls below the level again (RESTART, Villén-Altamirano 1991). A firing counts with the
//! product of one over the numbers of branches, so the sum is unbiased whatever the levels are;
//! levels only decide how much is learnt for the work. They are found by a pilot with streams of its
//! own. Replications are independent, and the interval is Student's over them.

mod pilot;
mod trial;

use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;

use super::{Environment, Setting};
use crate::estimate::{Estimate, LEVEL};

/// Branches, the original included, that a run has beyond each level. A power of two: weights are exact.
pub const BRANCHES: u32 = 4;

/// Replications in a round; rounds double.
const FIRST_ROUND: u64 = 64;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// Half the interval's width, as a share of the rate.
    pub relative: f64,
    /// The most replications.
    pub most_replications: u64,
}

impl Default for Aim {
    fn default() -> Self {
        Aim { relative: 0.1, most_replications: 1 << 20 }
    }
}

/// How much the figure can be trusted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reliability {
    /// How many equal replications would give the same spread of weights: (Σx)² ÷ Σx².
    pub effective_replications: f64,
    /// Share of the whole that the heaviest replication has.
    pub heaviest_share: f64,
    /// True where the interval is as narrow as was asked for.
    pub reached: bool,
    /// What is doubtful, in words.
    pub warnings: Vec<String>,
}

/// The rate of one trigger's false failovers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rare {
    /// Firings a day without an outage.
    pub false_failovers_per_day: Estimate,
    /// The levels of progress at which runs were split.
    pub levels: Vec<f64>,
    /// Replications run.
    pub replications: u64,
    /// How much the figure can be trusted.
    pub reliability: Reliability,
}

/// Estimates the rate of `setting`'s false failovers on the environment's quiet runs.
///
/// The figure depends on the scenario, the setting and the aim alone, not on threads.
pub fn rate(
    environment: &Environment,
    setting: &Setting,
    aim: Aim,
    done: impl Fn(u64) + Sync,
) -> Rare {
    let pilot::Found { levels, in_reach } = pilot::levels(environment, setting);
    let most =
        if in_reach { aim.most_replications } else { FIRST_ROUND.min(aim.most_replications) };
    let mut weights: Vec<f64> = Vec::new();
    let mut round = FIRST_ROUND;
    loop {
        let from = weights.len() as u64;
        let to = (from + round).min(most.max(2));
        weights.extend(run(environment, setting, &levels, from..to, &done));
        let estimate = estimate(environment, &weights);
        let width = (estimate.hi - estimate.lo) / 2.0;
        let reached = estimate.value > 0.0
            && width <= aim.relative * estimate.value
            && effective(&weights) >= MOST_DOUBTFUL;
        if reached || to >= most {
            return Rare {
                false_failovers_per_day: estimate,
                levels,
                replications: to,
                reliability: reliability(&weights, reached, in_reach),
            };
        }
        round = to;
    }
}

/// Below so many effective replications an interval is not to be trusted.
const MOST_DOUBTFUL: f64 = 50.0;

/// The weight of firings in each replication, in order.
fn run(
    environment: &Environment,
    setting: &Setting,
    levels: &[f64],
    replications: Range<u64>,
    done: &(impl Fn(u64) + Sync),
) -> Vec<f64> {
    replications
        .into_par_iter()
        .map(|replication| {
            let weight = trial::replicate(environment, setting, levels, replication, "rare").weight;
            done(1);
            weight
        })
        .collect()
}

fn estimate(environment: &Environment, weights: &[f64]) -> Estimate {
    let days = environment.scenario.run.length.as_days_f64();
    let seen = Estimate::mean_of(weights, LEVEL).filter(|mean| mean.value > 0.0);
    match seen {
        Some(mean) => Estimate { lo: mean.lo.max(0.0), ..mean }.scaled(1.0 / days),
        // Nothing seen bounds the rate as the unsplit time alone does.
        None => Estimate::rate(0, days * weights.len() as f64, LEVEL).unwrap_or(Estimate {
            value: 0.0,
            lo: 0.0,
            hi: f64::INFINITY,
            level: LEVEL,
            n: 0,
            exact: None,
        }),
    }
}

fn effective(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
    if squares > 0.0 { sum * sum / squares } else { 0.0 }
}

fn reliability(weights: &[f64], reached: bool, in_reach: bool) -> Reliability {
    let sum: f64 = weights.iter().sum();
    let heaviest = weights.iter().copied().fold(0.0, f64::max);
    let heaviest_share = if sum > 0.0 { heaviest / sum } else { 0.0 };
    let effective_replications = effective(weights);
    let mut warnings = Vec::new();
    if sum == 0.0 && !in_reach {
        warnings.push(
            "no branch came near a firing: the rate is far below 1e-18 a day, and the bound is that of \
             unsplit time"
                .to_owned(),
        );
    } else if sum == 0.0 {
        warnings.push(
            "no branch fired: the bound counts unsplit time only; ask for more replications"
                .to_owned(),
        );
    } else if effective_replications < MOST_DOUBTFUL {
        warnings.push(format!(
            "the figure rests on {effective_replications:.0} replications' worth of weight: its interval is \
             too narrow; ask for more replications"
        ));
    }
    if !reached && in_reach {
        warnings.push(
            "stopped at the most replications before the interval was narrow enough".to_owned(),
        );
    }
    Reliability { effective_replications, heaviest_share, reached, warnings }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::figures;
    use crate::law::Law;
    use crate::scenario::Scenario;
    use crate::trigger::{Arming, Silence, Spec};

    fn setting(spec: &str) -> Setting {
        let spec: Spec = spec.parse().unwrap();
        Setting { spec, silence: Silence::Failure, arming: Arming::FullWindow }
    }

    /// Splitting against the exact rate: within 5 standard errors each (chance of failing by bad luck
    /// below one in a million for all), and the interval known to a tenth or so.
    fn agrees(length: Law, k: u64) {
        let mut scenario = Scenario::default();
        scenario.blips.0[0].length = length;
        let exact = figures::theory(&scenario, k).unwrap().run_rate_per_day(k);
        let environment = Environment::new(scenario).unwrap();
        let aim = Aim { relative: 0.1, most_replications: 4_096 };
        let rare = rate(&environment, &setting(&format!("consecutive:{k}")), aim, |_| {});
        let found = rare.false_failovers_per_day;
        let standard_error = (found.hi - found.lo) / 2.0 / 1.96;
        let z = (found.value - exact) / standard_error;
        assert!(z.abs() < 5.0, "k={k}: {found:?} against {exact}: z = {z}");
        assert!(rare.reliability.reached, "k={k}: {:?}", rare.reliability);
    }

    #[test]
    fn splitting_agrees_with_exact_rates_down_to_one_in_a_billion() {
        for k in [6, 12, 31, 51] {
            agrees(Law::exponential(20.0).unwrap(), k);
        }
        agrees(Law::weibull(0.7, 15.8).unwrap(), 60);
        agrees(Law::lognormal(2.5, 1.0).unwrap(), 60);
        agrees(Law::gamma(2.0, 10.0).unwrap(), 25);
    }
}
