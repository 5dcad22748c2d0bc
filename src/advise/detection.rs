//! How soon a trigger detects an outage, as far as costs and promises need it: exact where theory has
//! it, else from simulated outages.

use crate::estimate::{Estimate, LEVEL};
use crate::exact::Sampled;
use crate::experiment::Tally;
use crate::scenario::{OutageKind, Scenario};
use crate::time::Span;
use crate::trigger::Silence;

use super::rates::exactly;

/// Over how many equally likely delays a figure is averaged that is not linear in the delay.
const POINTS: u64 = 64;

/// The detection of outages by one trigger.
#[derive(Clone, Debug)]
pub struct Detection {
    /// Share of outages that begin in an episode already failed over: detected at once.
    pub already: f64,
    /// Share never detected.
    pub missed: f64,
    /// Mean delay of the others, in seconds.
    pub mean_s: Estimate,
    /// Equally likely delays of the others, in seconds.
    pub delays_s: Vec<f64>,
}

/// True iff every outage fails every probe, is learnt of by the controller, and outlasts a detection of
/// this length: then theory knows the delay, and the worst case bounds it.
pub fn is_plain(scenario: &Scenario, worst: Span) -> bool {
    let learnt = match scenario.outage.kind {
        OutageKind::Reported => true,
        OutageKind::Dark => scenario.controller.silence == Silence::Failure,
        OutageKind::Gray => false,
    };
    learnt && scenario.outage.length.survival(worst.as_secs_f64()) == 1.0
}

fn points() -> impl Iterator<Item = f64> {
    (0..POINTS).map(|point| (point as f64 + 0.5) / POINTS as f64)
}

impl Detection {
    /// From theory that reaches `k`; `late_s` is by how much a result comes late.
    pub fn exact(theory: &Sampled, k: u64, late_s: f64) -> Self {
        Detection {
            already: theory.already_fired(k),
            missed: 0.0,
            mean_s: exactly(theory.detection_mean_s(k) + late_s),
            delays_s: points().map(|p| theory.detection_quantile_s(k, p) + late_s).collect(),
        }
    }

    /// From the outages of a simulation; none where it had none.
    pub fn simulated(tally: &Tally) -> Option<Self> {
        let share = |count: u64| count as f64 / tally.outages as f64;
        if tally.outages == 0 {
            return None;
        }
        let count = tally.delays.sums.n;
        let ranked = |p: f64| tally.delays.ranked_s(((p * count as f64) as u64 + 1).min(count));
        let seen = count > 0;
        Some(Detection {
            already: share(tally.already_fired),
            missed: share(tally.missed),
            mean_s: tally.delays.mean_s(LEVEL).unwrap_or(exactly(0.0)),
            delays_s: if seen { points().map(ranked).collect() } else { Vec::new() },
        })
    }
}
