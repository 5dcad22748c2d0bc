//! Finds levels: each is reached by about one in [`BRANCHES`] of the runs that reached the one below.

use rayon::prelude::*;

use super::super::{Environment, Setting};
use super::{BRANCHES, trial};

/// Peaks that a level is read from.
const PEAKS: usize = 400;

/// Replications that one level may take.
const MOST_REPLICATIONS: u64 = 512;

/// The most levels: 4^40 is a chance of 1e-24.
const MOST_LEVELS: usize = 40;

/// What the pilot found.
pub(super) struct Found {
    /// Levels of progress at which to split, ascending; none where the trigger fires often as it is.
    pub(super) levels: Vec<f64>,
    /// False where the levels end far from a firing, and so many of them that none will be seen.
    pub(super) in_reach: bool,
}

/// So many levels are a chance of 1e-18 for a run that has reached the first.
const FAR: usize = 30;

/// Looks for the levels.
pub(super) fn levels(environment: &Environment, setting: &Setting) -> Found {
    let mut levels: Vec<f64> = Vec::new();
    // Branches at the highest level for one at the lowest: it should neither grow nor shrink.
    let mut growth = 1.0;
    while levels.len() < MOST_LEVELS {
        let mut peaks = peaks(environment, setting, &levels);
        peaks.sort_by(f64::total_cmp);
        let last = levels.last().copied().unwrap_or(0.0);
        let Some((level, share)) = next_level(&peaks, last, growth) else { break };
        if level >= 1.0 {
            return Found { levels, in_reach: true };
        }
        growth *= share * f64::from(BRANCHES);
        levels.push(level);
    }
    Found { in_reach: levels.len() < FAR, levels }
}

/// The next level above `last` and the share of `peaks`, which ascend, that reach it. Progress moves in
/// steps, so that no level may be reached by just one in [`BRANCHES`]: of the steps beside it, the one
/// that brings the growth so far back to 1.
fn next_level(peaks: &[f64], last: f64, growth: f64) -> Option<(f64, f64)> {
    let steps = peaks.chunk_by(|one, other| one == other).map(|step| step[0]);
    let reached = |level: f64| peaks.len() - peaks.partition_point(|peak| *peak < level);
    let shares = steps
        .filter(|step| *step > last)
        .map(|step| (step, reached(step) as f64 / peaks.len() as f64));
    let off = |share: f64| (growth * share * f64::from(BRANCHES)).ln().abs();
    shares.min_by(|one, other| off(one.1).total_cmp(&off(other.1)))
}

/// How far runs beyond the highest level came, from as many replications as it takes.
fn peaks(environment: &Environment, setting: &Setting, levels: &[f64]) -> Vec<f64> {
    let mut peaks = Vec::new();
    let mut from = 0;
    let mut round = 4;
    while peaks.len() < PEAKS && from < MOST_REPLICATIONS {
        let purpose = format!("rare-pilot-{}", levels.len());
        let more: Vec<Vec<f64>> = (from..from + round)
            .into_par_iter()
            .map(|replication| {
                trial::replicate(environment, setting, levels, replication, &purpose).peaks
            })
            .collect();
        peaks.extend(more.into_iter().flatten());
        from += round;
        round = from;
    }
    peaks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A peak a step, each step reached by e^-½ of those that reached the one below.
    #[test]
    fn levels_keep_the_number_of_branches() {
        let step = |index: usize| (f64::from(index as u32) + 0.5) / 1_000.0;
        let peaks: Vec<f64> =
            (0..1_000).map(|n| (-2.0 * (1.0 - step(n)).ln()).floor() + 1.0).collect();
        // Three steps are reached by 0.22, two by 0.37.
        assert_eq!(next_level(&peaks, 0.0, 1.0).map(|(level, _)| level), Some(4.0));
        assert_eq!(next_level(&peaks, 0.0, 0.6).map(|(level, _)| level), Some(3.0));
        assert_eq!(next_level(&peaks, 5.0, 0.1).map(|(level, _)| level), Some(6.0));
        assert_eq!(next_level(&[0.5, 0.5], 0.5, 1.0), None);
        assert_eq!(next_level(&[], 0.0, 1.0), None);
    }
}
