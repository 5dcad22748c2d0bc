//! What a plan leaves for detection, and whether a patience meets the RTO.
//!
//! Two timings are given everywhere. *Recovery* counts from the first failed probe: patience and the
//! stages. *Worst case* counts from the outage's start at the worst instant: one interval more, and
//! what a probe's result comes late by.

use super::{AfterDetection, Plan};
use crate::estimate::Estimate;
use crate::time::Span;

/// With stages that have a law, "fits" means: in this share of recoveries.
pub const CONFIDENCE: f64 = 0.99;

/// A plan with its time after detection worked out, since that may take draws.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// The plan.
    pub plan: Plan,
    /// Its time after detection.
    pub after: AfterDetection,
}

/// What the RTO leaves for detection when stages have laws, in seconds; may be negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// After a mean recovery.
    pub mean_s: f64,
    /// After a median one.
    pub p50_s: f64,
    /// After one that is longer than 99 of 100.
    pub p99_s: f64,
    /// The probability that there is any.
    pub positive: Estimate,
}

/// Whether a recovery is within its RTO, less the reserve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Met {
    /// It always is.
    Always,
    /// It never is: it is over by this much, or by more where stages have laws.
    Never {
        /// How far it is over.
        over_by: Span,
    },
    /// It is with this probability.
    Chance(Estimate),
}

impl Met {
    /// Yes or no, where it is not a matter of chance.
    pub fn certain(&self) -> Option<bool> {
        match self {
            Met::Always => Some(true),
            Met::Never { .. } => Some(false),
            Met::Chance(_) => None,
        }
    }
}

/// How long a recovery takes with one patience on one target, and whether that meets the RTO.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recovery {
    /// From the first failed probe, in seconds; the mean where stages have laws.
    pub recovery_s: f64,
    /// From the outage's start at the worst instant, in seconds; the mean where stages have laws.
    pub worst_case_s: f64,
    /// Whether the first meets the RTO.
    pub met: Met,
    /// Whether the second does.
    pub worst_case_met: Met,
}

impl Outlook {
    /// Works out the time after detection of `plan`.
    pub fn of(plan: Plan) -> Self {
        let after = AfterDetection::of(&plan);
        Outlook { plan, after }
    }

    /// The longest detection that the target can afford; negative where it can afford none.
    ///
    /// With stages that have a law it is what is left in [`CONFIDENCE`] of recoveries, by the
    /// cautious end of the interval.
    pub fn room(&self) -> Span {
        match self.after.constant() {
            Some(after) => self.plan.limit() - after,
            None => self.room_after(self.after.quantile(CONFIDENCE).hi),
        }
    }

    fn room_after(&self, secs: f64) -> Span {
        self.plan.limit() - Span::from_secs_f64(secs)
    }

    /// The room in more detail, where stages have laws.
    pub fn distributed_room(&self) -> Option<Room> {
        if self.after.constant().is_some() {
            return None;
        }
        let left = |secs: f64| self.plan.limit().as_secs_f64() - secs;
        Some(Room {
            mean_s: left(self.after.mean().value),
            p50_s: left(self.after.quantile(0.5).value),
            p99_s: left(self.after.quantile(0.99).value),
            positive: self.after.within(self.plan.limit()),
        })
    }

    /// The largest number of consecutive failures whose worst-case detection fits the room: `k`
    /// intervals and the lateness of a result. None where not even one does.
    pub fn largest_consecutive(&self) -> Option<u64> {
        let left = self.room() - self.plan.lateness;
        if !self.plan.interval.is_positive() {
            return None;
        }
        u64::try_from(left.div_floor(self.plan.interval)).ok().filter(|k| *k > 0)
    }

    /// A window that is [`Outlook::largest_consecutive`] with half an interval to spare on either
    /// side: `(k − ½)` intervals.
    pub fn largest_window(&self) -> Option<Span> {
        let k = i64::try_from(self.largest_consecutive()?).ok()?;
        Some(self.plan.interval * k - self.plan.interval / 2)
    }

    /// How long recovery takes with a trigger of this patience, and whether it meets the RTO.
    pub fn recovery(&self, patience: Span) -> Recovery {
        let worst = self.plan.worst_detection(patience);
        let after_s = self.after.mean().value;
        let total_s = |detection: Span| match self.after.constant() {
            Some(after) => (detection + after).as_secs_f64(),
            None => detection.as_secs_f64() + after_s,
        };
        Recovery {
            recovery_s: total_s(patience),
            worst_case_s: total_s(worst),
            met: self.met(patience),
            worst_case_met: self.met(worst),
        }
    }

    /// Whether a detection of this length leaves enough for the stages.
    pub fn met(&self, detection: Span) -> Met {
        let left = self.plan.limit() - detection;
        if self.after.most().is_some_and(|most| most <= left) {
            Met::Always
        } else if self.after.least() > left {
            Met::Never { over_by: self.after.least() - left }
        } else {
            Met::Chance(self.after.within(left))
        }
    }
}
