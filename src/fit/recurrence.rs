//! How often blips begin, told from how often they are seen to.

use super::joins::Joins;
use super::runs::{Observed, Run};
use crate::law::Law;

/// The chances that a recording gave blips to be seen, and how many were.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recurrence {
    /// Gaps between a healthy probe and the next one, by length in seconds, and how many there are.
    pub at_risk: Vec<(f64, u64)>,
    /// Runs of failed probes that were seen to begin.
    pub begun: u64,
    /// Runs at least this long from the first failed probe on are not among them, seconds.
    pub cut_s: Option<f64>,
    /// Interval of the probes, seconds.
    pub step_s: f64,
    /// Failed probes of the longest run, and one more.
    pub longest: u64,
}

impl Recurrence {
    /// The chances that the recording gave, and how many of `runs` began in them. With `cut_s`, runs
    /// of that length are not among them.
    pub fn of(observed: &Observed, runs: &[&Run], cut_s: Option<f64>) -> Recurrence {
        let begun = runs.iter().filter(|run| run.last_healthy.is_some()).count() as u64;
        let longest = runs.iter().map(|run| run.failed).max().unwrap_or(0) + 1;
        let step_s = observed.interval_s;
        Recurrence { at_risk: observed.at_risk.clone(), begun, cut_s, step_s, longest }
    }

    /// Seconds in which a blip that begins is counted: it lasts to the next probe, and not to the cut.
    pub fn window_s(&self, law: &Law, joins: &Joins) -> f64 {
        let counted = self.counted_s(law);
        counted * (1.0 + joins.share(1.0))
    }

    fn counted_s(&self, law: &Law) -> f64 {
        let chance = |gap: f64| {
            let cut =
                |secs: f64| law.cumulative_survival(secs + gap) - law.cumulative_survival(secs);
            law.cumulative_survival(gap) - self.cut_s.map_or(0.0, cut)
        };
        self.at_risk.iter().map(|(gap, count)| *count as f64 * chance(*gap)).sum()
    }

    /// Blips that begin in a second of health.
    pub fn rate(&self, law: &Law, joins: &Joins) -> f64 {
        self.begun as f64 / self.window_s(law, joins)
    }

    /// Chance that a blip is seen by a probe at all.
    pub fn seen(&self, law: &Law) -> f64 {
        let total: f64 = self.at_risk.iter().map(|(gap, count)| gap * *count as f64).sum();
        let seen: f64 = self
            .at_risk
            .iter()
            .map(|(gap, count)| *count as f64 * law.cumulative_survival(*gap))
            .sum();
        if total > 0.0 { (seen / total).clamp(0.0, 1.0) } else { 0.0 }
    }
}
