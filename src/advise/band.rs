//! The feasible band of patience on one target: from the shortest that keeps to the limit to the
//! longest that the room allows.

use serde::Serialize;

use crate::budget::Outlook;
use crate::time::Span;
use crate::trigger::Spec;

/// A count of failed probes in a row as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Patience {
    /// Failed probes in a row.
    #[serde(skip)]
    pub k: u64,
    /// As a trigger.
    pub trigger: Spec,
    /// The window that is as patient, with half an interval to spare on either side.
    pub window: Spec,
    /// From the first failed probe to the firing.
    pub patience_s: f64,
}

impl Patience {
    /// `k` in a row at a probe every `interval`.
    pub fn new(k: u64, interval: Span) -> Self {
        let k = k.max(1);
        let trigger = Spec::Consecutive { k };
        let intervals = i64::try_from(k).unwrap_or(i64::MAX);
        Patience {
            k,
            trigger,
            window: Spec::Window { window: interval * intervals - interval / 2 },
            patience_s: trigger.patience(interval).as_secs_f64(),
        }
    }

    /// As a length of time.
    pub fn span(&self, interval: Span) -> Span {
        self.trigger.patience(interval)
    }
}

/// Every patience from the shortest to the longest is feasible.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Band {
    /// The shortest that keeps to the limit of false failovers.
    pub shortest: Patience,
    /// The longest that fits the room when the outage starts at the worst instant.
    pub longest: Patience,
}

impl Band {
    /// The band of a target, if there is one. `shortest` keeps to the limit.
    pub fn of(outlook: &Outlook, shortest: Option<u64>) -> Option<Band> {
        let (shortest, longest) = (shortest?, outlook.largest_consecutive()?);
        let interval = outlook.plan.interval;
        (shortest <= longest).then(|| Band {
            shortest: Patience::new(shortest, interval),
            longest: Patience::new(longest, interval),
        })
    }

    /// True iff `k` is in it.
    pub fn holds(&self, k: u64) -> bool {
        (self.shortest.k..=self.longest.k).contains(&k)
    }
}
