//! The time after detection as a distribution.
//!
//! Exact when every stage is constant, and when one stage has a law of its own: then it is that law,
//! shifted, and cut off below by the constant stages beside it. With several such stages it is taken
//! from [`DRAWS`] seeded draws, and every figure carries the interval of that sample.

use super::{Plan, Stage};
use crate::engine::Streams;
use crate::estimate::{self, Estimate};
use crate::law::Law;
use crate::time::{LONGEST, Span};

/// How many recoveries are drawn where no exact form is used.
pub const DRAWS: u64 = 100_000;

/// Level of the intervals.
pub const LEVEL: f64 = 0.95;

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
            Shape::Drawn { sorted, .. } => estimate::quantile(sorted, p, LEVEL),
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
                estimate::proportion(within as u64, sorted.len() as u64, LEVEL)
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
    let mut distributed = plan.stages().filter(|stage| stage.constant.is_none());
    let (stage, others) = (distributed.next()?, distributed.next());
    if others.is_some() {
        return None;
    }
    let constants = |group: &Vec<Stage>| -> Span {
        group.iter().filter_map(|stage| stage.constant).max().unwrap_or_default()
    };
    let is_beside = |group: &&Vec<Stage>| group.iter().any(|other| other.name == stage.name);
    let floor = plan.groups.iter().find(is_beside).map(constants).unwrap_or_default();
    let all: Span = plan.groups.iter().map(constants).sum();
    Some(OneLaw { rest: all - floor, floor, law: stage.length.clone() })
}

fn drawn(plan: &Plan) -> Shape {
    let mut sampler = plan.sampler(&Streams::new(plan.seed, 0));
    let mut sorted: Vec<f64> = (0..DRAWS).map(|_| sampler.next().as_secs_f64()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let mean = estimate::mean(&sorted, LEVEL);
    Shape::Drawn { sorted, mean }
}
