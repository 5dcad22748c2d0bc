//! The bars of the budget chart: which triggers are shown, and the stages of each recovery.

use crate::budget::{Outlook, Plan};
use crate::figure::grid;
use crate::scenario::Scenario;
use crate::sweep::SweepError;
use crate::time::Span;
use crate::trigger::Spec;

/// One standby target.
#[derive(Clone, Debug)]
pub struct Group {
    /// What the target is called.
    pub target: String,
    /// What it leaves for detection, in seconds.
    pub room_s: f64,
    /// Stages after detection, in order: name and seconds. A name that ends in `~` is a mean.
    pub stages: Vec<(String, f64)>,
    /// Seconds kept back from the RTO.
    pub reserve_s: f64,
    /// How much longer than the mean the stages take in one recovery of a hundred, in seconds.
    pub tail_s: f64,
    /// The triggers shown, and the patience of each in seconds.
    pub bars: Vec<(String, f64)>,
}

/// The groups of a scenario, each with at most `most` bars.
pub fn groups(
    scenario: &Scenario,
    most: usize,
    most_targets: usize,
) -> Result<Vec<Group>, SweepError> {
    let plans = Plan::of_all(scenario).map_err(SweepError::Plan)?;
    let outlooks: Vec<Outlook> = plans.into_iter().take(most_targets).map(Outlook::of).collect();
    let interval = scenario.probe.interval;
    let shown = selected(scenario, &outlooks, most.min(7));
    let group = |outlook: &Outlook| {
        let mean_s = outlook.after.mean().value;
        Group {
            target: outlook.plan.target.clone(),
            room_s: outlook.room().as_secs_f64(),
            stages: stages(&outlook.plan),
            reserve_s: outlook.plan.reserve().as_secs_f64(),
            tail_s: (outlook.after.quantile(0.99).value - mean_s).max(0.0),
            bars: shown
                .iter()
                .map(|spec| (spec.to_string(), spec.patience(interval).as_secs_f64()))
                .collect(),
        }
    };
    Ok(outlooks.iter().map(group).collect())
}

/// Stages in sequence; of those side by side the one that is longest on average.
fn stages(plan: &Plan) -> Vec<(String, f64)> {
    let group = |group: &Vec<crate::budget::Stage>| {
        let longest = group.iter().max_by(|a, b| a.mean_s().total_cmp(&b.mean_s()))?;
        let others = group.len() - 1;
        let mut name = longest.name.replace('_', " ");
        if others > 0 {
            name += &format!(" (beside {others} more)");
        }
        if longest.constant.is_none() {
            name += " ~";
        }
        Some((name, longest.mean_s()))
    };
    plan.groups.iter().filter_map(group).filter(|(_, secs)| *secs > 0.0).collect()
}

/// The triggers shown: all where they are few; else the first and the last by patience, the most
/// patient that fits each target, and some between.
fn selected(scenario: &Scenario, outlooks: &[Outlook], most: usize) -> Vec<Spec> {
    let interval = scenario.probe.interval;
    let patience = |spec: &Spec| spec.patience(interval);
    let mut all = scenario.triggers.clone();
    all.sort_by_key(patience);
    if all.len() <= most {
        return all;
    }
    let fits = |room: Span| all.iter().rposition(|spec| patience(spec) + interval <= room);
    let mut places: Vec<usize> = vec![0, all.len() - 1];
    places.extend(outlooks.iter().filter_map(|outlook| fits(outlook.room())));
    places.extend(grid::spread(all.len(), most));
    let mut kept: Vec<usize> = Vec::new();
    for place in places {
        if kept.len() < most && !kept.contains(&place) {
            kept.push(place);
        }
    }
    kept.sort_unstable();
    kept.into_iter().map(|place| all[place]).collect()
}
