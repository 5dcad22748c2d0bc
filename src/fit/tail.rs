//! How well a fitted law meets the tail, where it matters for a trigger: runs of at least k failures.

use serde::Serialize;
use statrs::distribution::{DiscreteCDF, Poisson};

use super::evidence::Evidence;
use crate::law::Law;

/// Numbers of failures that are looked at.
const FAILURES: [u64; 10] = [2, 3, 4, 6, 9, 12, 18, 31, 61, 91];

/// Runs of at least so many failed probes, seen and as the law has them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TailPoint {
    /// Failed probes in a row, at least.
    pub failures: u64,
    /// How many runs had them.
    pub observed: u64,
    /// How many the law gives.
    pub expected: f64,
    /// Chance of a count as far out as the observed one, on either side, if the law is right.
    pub p: f64,
}

/// The tail of runs of failed probes; empty for other evidence. Stops once both counts are negligible.
pub fn tail(evidence: &Evidence, law: &Law) -> Vec<TailPoint> {
    let Evidence::Windows(windows) = evidence else { return Vec::new() };
    let step = windows.typical().map_or(0.0, |run| run.step_s);
    let cap = windows.seen().iter().find_map(|run| run.cap_s).unwrap_or(f64::INFINITY);
    let mut points = Vec::new();
    for failures in FAILURES {
        let (mut observed, mut expected) = (0, 0.0);
        let secs = (failures - 1) as f64 * step;
        if secs > cap + 0.5 * step {
            break;
        }
        for run in windows.seen() {
            if run.to_last_failed_s > secs - 0.5 * step {
                observed += run.count;
            }
            if run.gap_s.is_finite() {
                expected += run.count as f64 * windows.chance_to_last(law, run, secs);
            }
        }
        if observed == 0 && expected < 0.05 {
            break;
        }
        points.push(TailPoint { failures, observed, expected, p: two_sided(observed, expected) });
    }
    points
}

/// Poisson, which for a count of few among many is near enough.
fn two_sided(observed: u64, expected: f64) -> f64 {
    let Ok(poisson) = Poisson::new(expected.max(1e-12)) else { return 1.0 };
    let below = poisson.cdf(observed);
    let above = observed.checked_sub(1).map_or(1.0, |less| poisson.sf(less));
    (2.0 * below.min(above)).min(1.0)
}
