//! The time after detection as a distribution.
//!
//! Exact when every stage is constant, and when one stage has a law of its own: then it is that law,
//! shifted, and cut off below by the constant stages beside it. With several such stages quantiles and
//! probabilities are taken from [`DRAWS`] seeded draws and carry the intervals of that sample.

use super::{Plan, Stage};
use crate::engine::Streams;
use crate::estimate::{Estimate, LEVEL, Sums};
use crate::law::Law;
use crate::time::{LONGEST, Span};

/// How many recoveries are drawn where no exact form is used.
pub const DRAWS: u64 = 100_000;

/// The time after detection on one target.
#[derive(Clone, Debug)]
pub struct AfterDetection {
    shape: Shape,
    /// It is never shorter.
    least: Span,
    /// It is never longer, if there is such a length.
    most: Option<Span>,
}

#[derive(Clone, Debug)]
enum Shape {
    Constant(Span),
    One(OneLaw),
    Drawn { sorted: Vec<f64>, mean: Estimate },
}

/// `rest + max(floor, X)` with X of the law.
#[derive(Clone, Debug)]
struct OneLaw {
    rest: Span,
    floor: Span,
    law: Law,
}

impl OneLaw {
    /// `rest + max(floor, secs)` in seconds.
    fn with(&self, secs: f64) -> f64 {
        self.rest.as_secs_f64() + secs.max(self.floor.as_secs_f64())
    }

    /// E max(c, X) = c + ∫_c^∞ S.
    fn mean(&self) -> f64 {
        let floor = self.floor.as_secs_f64();
        self.with(floor) + (self.law.mean() - self.law.cumulative_survival(floor)).max(0.0)
    }

    /// The probability that it is at most `limit`.
    fn within(&self, limit: Span) -> f64 {
        // Whole nanoseconds, so that a law with atoms is not missed by a rounding.
        let left = limit - self.rest;
        if left < self.floor { 0.0 } else { self.law.cdf(left.as_secs_f64()) }
    }
}

impl AfterDetection {
    /// The time after detection under `plan`.
    pub fn of(plan: &Plan) -> Self {
        let extreme = |p: f64| -> Span { sum_of_longest(plan, |stage| quantile_of(stage, p)) };
        let (least, most) = (extreme(0.0), extreme(1.0));
        let shape = if let Some(constant) = plan.constant_after_detection() {
            Shape::Constant(constant)
        } else {
            one_law(plan).map_or_else(|| drawn(plan), Shape::One)
        };
        AfterDetection { shape, least, most: Some(most).filter(|most| *most < LONGEST) }
    }

    /// Its length when it is always the same.
    pub fn constant(&self) -> Option<Span> {
        match self.shape {
            Shape::Constant(length) => Some(length),
            _ => None,
        }
    }

    /// True iff its figures come from draws.
    pub fn is_drawn(&self) -> bool {
        matches!(self.shape, Shape::Drawn { .. })
    }

    /// It is never shorter than this.
    pub fn least(&self) -> Span {
        self.least
    }

    /// It is never longer than this; none when a law has no end.
    pub fn most(&self) -> Option<Span> {
        self.most
    }

    /// The mean in seconds.
    pub fn mean(&self) -> Estimate {
        match &self.shape {
            Shape::Constant(length) => exactly(length.as_secs_f64()),
            Shape::One(one) => exactly(one.mean()),
            Shape::Drawn { mean, .. } => *mean,
        }
    }

    /// The quantile at `p` in seconds.
    pub fn quantile(&self, p: f64) -> Estimate {
        match &self.shape {
            Shape::Constant(length) => exactly(length.as_secs_f64()),
            Shape::One(one) => exactly(one.with(one.law.quantile(p))),
            Shape::Drawn { sorted, mean } => Estimate::quantile(sorted, p, LEVEL).unwrap_or(*mean),
        }
    }

    /// The probability that it is at most `limit`.
    pub fn within(&self, limit: Span) -> Estimate {
        match &self.shape {
            Shape::Constant(length) => exactly(if *length <= limit { 1.0 } else { 0.0 }),
            Shape::One(one) => exactly(one.within(limit)),
            Shape::Drawn { sorted, .. } => {
                let secs = limit.as_secs_f64();
                let within = sorted.partition_point(|drawn| *drawn <= secs);
                let (within, draws) = (within as u64, sorted.len() as u64);
                Estimate::proportion(within, draws, LEVEL).unwrap_or(exactly(0.0))
            }
        }
    }
}

/// A figure that is known without sampling.
fn exactly(value: f64) -> Estimate {
    Estimate { value, lo: value, hi: value, level: LEVEL, n: 0, exact: Some(value) }
}

/// The sum over the groups of the longest stage, by some length of a stage.
fn sum_of_longest(plan: &Plan, length: impl Fn(&Stage) -> Span) -> Span {
    let group = |group: &Vec<Stage>| group.iter().map(&length).max().unwrap_or_default();
    plan.groups.iter().map(group).sum()
}

fn quantile_of(stage: &Stage, p: f64) -> Span {
    stage.constant.unwrap_or_else(|| Span::from_secs_f64(stage.length.quantile(p)))
}

/// The exact form, when exactly one stage has a law of its own.
fn one_law(plan: &Plan) -> Option<OneLaw> {
    let has_law = |group: &&Vec<Stage>| group.iter().any(|stage| stage.constant.is_none());
    let mut groups = plan.groups.iter().filter(has_law);
    let (group, others) = (groups.next()?, groups.next());
    let one = one_law_of(group).filter(|_| others.is_none())?;
    let all: Span = plan.groups.iter().map(|group| longest_constant(group)).sum();
    Some(OneLaw { rest: all - one.floor, ..one })
}

/// A group as a law, when exactly one of its stages has one.
fn one_law_of(group: &[Stage]) -> Option<OneLaw> {
    let mut laws = group.iter().filter(|stage| stage.constant.is_none());
    let (stage, others) = (laws.next()?, laws.next());
    let floor = longest_constant(group);
    let one = OneLaw { rest: Span::ZERO, floor, law: stage.length.clone() };
    Some(one).filter(|_| others.is_none())
}

fn longest_constant(group: &[Stage]) -> Span {
    group.iter().filter_map(|stage| stage.constant).max().unwrap_or_default()
}

/// The sum of the groups' means, unless a group holds two laws: then its mean is not written down.
fn exact_mean(plan: &Plan) -> Option<f64> {
    let group = |group: &Vec<Stage>| -> Option<f64> {
        if group.iter().all(|stage| stage.constant.is_some()) {
            return Some(longest_constant(group).as_secs_f64());
        }
        one_law_of(group).map(|one| one.mean())
    };
    plan.groups.iter().map(group).sum()
}

fn drawn(plan: &Plan) -> Shape {
    let mut sampler = plan.sampler(Streams::new(plan.seed, 0));
    let mut draws: Vec<Span> = (0..DRAWS).map(|_| sampler.next()).collect();
    draws.sort_unstable();
    let sorted = draws.iter().map(|draw| draw.as_secs_f64()).collect();
    let nanoseconds = 1e-9;
    let sampled = || Sums::of(draws.iter().map(|draw| draw.as_nanos())).mean(nanoseconds, LEVEL);
    let mean = exact_mean(plan).map(exactly).or_else(sampled).unwrap_or(exactly(0.0));
    Shape::Drawn { sorted, mean }
}
