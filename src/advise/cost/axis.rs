//! The patience axis of the costs, and how soon each of its triggers detects an outage.

use crate::advise::advisor::Advisor;
use crate::advise::detection::{Detection, is_plain};
use crate::budget::Outlook;
use crate::experiment::{Environment, Setting, run};
use crate::scenario::validate::Broken;
use crate::trigger::Spec;

/// The most counts of an axis whose figures are exact, and of one whose figures are simulated.
const MOST_EXACT: u64 = 240;
const MOST_SIMULATED: u64 = 40;

/// Counts from 1 to the longest that fits any target or that the limit needs, ascending; thinned where
/// they are many, but never of the ends of a band or of what is chosen.
pub(super) fn counts(advisor: &Advisor, chosen: &[(String, u64)]) -> Vec<u64> {
    let longest = advisor.outlooks.iter().filter_map(Outlook::largest_consecutive);
    let mut counts: Vec<u64> = longest.chain(advisor.shortest().k).collect();
    let deepest = counts.iter().copied().max().unwrap_or(1);
    let is_exact = advisor.tried[0].rates.is_exact();
    let most = if is_exact { MOST_EXACT } else { MOST_SIMULATED };
    let step = deepest.div_ceil(most).max(1);
    counts.extend((1..=deepest).step_by(usize::try_from(step).unwrap_or(usize::MAX)));
    counts.extend(chosen.iter().map(|(_, k)| *k));
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// The detection of each count; none where nothing is known of it.
pub(super) fn detections(
    advisor: &mut Advisor,
    counts: &[u64],
) -> Result<Vec<Option<Detection>>, Broken> {
    let probe = advisor.scenario.probe.clone();
    let deepest = counts.last().copied().unwrap_or(1);
    let patience = Spec::Consecutive { k: deepest }.patience(probe.interval);
    let plain = is_plain(&advisor.scenario, patience + probe.interval + probe.timeout);
    if let Some(theory) = advisor.base().theory(deepest).filter(|_| plain) {
        let late_s = probe.timeout.as_secs_f64();
        return Ok(counts.iter().map(|k| Some(Detection::exact(theory, *k, late_s))).collect());
    }
    let environment = Environment::new(advisor.scenario.clone())?;
    let controller = &environment.scenario.controller;
    let setting = |k: &u64| Setting {
        spec: Spec::Consecutive { k: *k },
        silence: controller.silence,
        arming: controller.arming,
    };
    let settings: Vec<Setting> = counts.iter().map(setting).collect();
    let tallies = run(&environment, &settings, |_| {});
    Ok(tallies.iter().map(Detection::simulated).collect())
}
