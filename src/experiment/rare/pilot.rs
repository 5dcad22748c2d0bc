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

/// Levels of progress at which to split, ascending; none where the trigger fires often as it is.
pub(super) fn levels(environment: &Environment, setting: &Setting) -> Vec<f64> {
    let mut levels: Vec<f64> = Vec::new();
    while levels.len() < MOST_LEVELS {
        let mut peaks = peaks(environment, setting, &levels);
        if peaks.is_empty() {
            break;
        }
        peaks.sort_by(f64::total_cmp);
        // About one in BRANCHES gets at least as far as this.
        let wanted = peaks[peaks.len() - 1 - (peaks.len() - 1) / BRANCHES as usize];
        let last = levels.last().copied().unwrap_or(0.0);
        let level = if wanted > last {
            wanted
        } else {
            // Progress moves in steps: the next step that was seen at all.
            match peaks.iter().find(|peak| **peak > last) {
                Some(next) => *next,
                None => break,
            }
        };
        if level >= 1.0 {
            break;
        }
        levels.push(level);
    }
    levels
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
