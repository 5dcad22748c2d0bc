//! Which trigger a target gets: the quietest of those that meet the RTO.
//!
//! A trigger meets the RTO where arithmetic says that it always does, detection counted from the
//! outage's start at the worst instant. Where chance has a say (stages with laws, gray outages,
//! silence ignored), it must do so in [`CONFIDENCE`] of recoveries by the cautious end of the interval.

use super::study::{Run, Study};
use crate::budget::outlook::CONFIDENCE;
use crate::budget::{Met, Outlook};
use crate::estimate::Estimate;
use crate::scenario::{OutageKind, Scenario};
use crate::trigger::{Silence, Spec};

/// Whether a trigger meets the RTO on a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It does.
    Meets,
    /// It does not.
    Misses,
    /// The figures do not say.
    Open,
}

impl Verdict {
    /// The class that styles it; the words beside it say the same.
    pub(super) fn class(self) -> &'static str {
        match self {
            Verdict::Meets => "yes",
            Verdict::Misses => "no",
            Verdict::Open => "open",
        }
    }

    fn of_share(share: &Estimate) -> Self {
        if share.lo >= CONFIDENCE {
            Verdict::Meets
        } else if share.hi < CONFIDENCE {
            Verdict::Misses
        } else {
            Verdict::Open
        }
    }
}

/// A trigger at a point, by their indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    pub(super) trigger: usize,
    /// How many triggers at that point meet the RTO.
    pub(super) candidates: usize,
}

impl Study {
    /// Whether `trigger` meets the RTO on `target` at `point`.
    pub(super) fn verdict(&self, point: usize, trigger: usize, target: usize) -> Verdict {
        let (scenario, outlook) = (self.scenario(point), &self.outlooks[point][target]);
        let spec = &scenario.triggers[trigger];
        let simulated = || Verdict::of_share(&self.runs[point][trigger].targets[target].rto_met);
        if !is_arithmetic(scenario, spec, outlook) {
            return simulated();
        }
        match outlook.met(outlook.plan.worst_detection(spec.patience(scenario.probe.interval))) {
            Met::Always => Verdict::Meets,
            Met::Never { .. } => Verdict::Misses,
            Met::Chance(share) => Verdict::of_share(&share),
        }
    }

    /// The quietest trigger that meets the RTO on `target` at `point`; among equals the fastest.
    pub(super) fn choice(&self, point: usize, target: usize) -> Option<Choice> {
        let meets = |trigger: &usize| self.verdict(point, *trigger, target) == Verdict::Meets;
        let candidates: Vec<usize> = (0..self.runs[point].len()).filter(meets).collect();
        let cost = |run: &Run| (run.cautious_rate(), run.patience_s);
        let best = candidates.iter().copied().min_by(|a, b| {
            let (a, b) = (cost(&self.runs[point][*a]), cost(&self.runs[point][*b]));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        })?;
        Some(Choice { trigger: best, candidates: candidates.len() })
    }

    /// The trigger that meets the RTO on `target` at every point, and whose worst point is quietest.
    ///
    /// Only where every point has the same triggers and targets.
    pub(super) fn choice_everywhere(&self, target: usize) -> Option<usize> {
        if !self.is_product() {
            return None;
        }
        let points = 0..self.points().len();
        let meets = |trigger: &usize| {
            points.clone().all(|point| self.verdict(point, *trigger, target) == Verdict::Meets)
        };
        let worst = |trigger: usize| {
            let rates = points.clone().map(|point| self.runs[point][trigger].cautious_rate());
            let patience = self.runs[0][trigger].patience_s;
            (rates.fold(0.0_f64, f64::max), patience)
        };
        (0..self.runs[0].len()).filter(meets).min_by(|a, b| {
            let (a, b) = (worst(*a), worst(*b));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        })
    }

    /// The triggers that the answer names at the base point, by index and without repetition.
    pub(super) fn answers_at_base(&self) -> Vec<usize> {
        let mut named: Vec<usize> = Vec::new();
        for target in 0..self.outlooks[self.base].len() {
            let choice = self.choice_everywhere(target);
            let choice = choice.or_else(|| Some(self.choice(self.base, target)?.trigger));
            named.extend(choice.filter(|trigger| !named.contains(trigger)));
        }
        named
    }
}

/// True where detection is bounded by arithmetic: every probe of the outage fails, the controller
/// minds, and the outage lasts until the trigger has fired.
fn is_arithmetic(scenario: &Scenario, spec: &Spec, outlook: &Outlook) -> bool {
    let outage = &scenario.outage;
    let minds = match outage.kind {
        OutageKind::Reported => true,
        OutageKind::Dark => scenario.controller.silence == Silence::Failure,
        OutageKind::Gray => false,
    };
    let counts = matches!(spec, Spec::Consecutive { .. } | Spec::Window { .. });
    let worst = outlook.plan.worst_detection(spec.patience(scenario.probe.interval));
    let stops = scenario.restarts.gap.is_some() || scenario.prober.gap.is_some();
    minds && counts && !stops && outage.length.survival(worst.as_secs_f64()) == 1.0
}
