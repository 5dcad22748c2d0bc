//! So many unhealthy checks in a row. Time plays no part: only what is held counts.

use std::ops::Range;

use super::rule::{Condition, Family, Reading, Run};
use crate::time::Time;

/// Met while the last `k` held checks are unhealthy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Consecutive {
    k: u64,
    /// Unhealthy checks since the last healthy one.
    count: u64,
}

impl Consecutive {
    pub(super) fn new(k: u64) -> Self {
        Consecutive { k: k.max(1), count: 0 }
    }
}

impl Family for Consecutive {
    fn observe(&mut self, _: Time, reading: Reading) -> Condition {
        match reading {
            Reading::Healthy => self.count = 0,
            Reading::Unhealthy => self.count = self.count.saturating_add(1),
            Reading::Nothing => {}
        }
        Condition::met(self.count >= self.k)
    }

    #[inline]
    fn stays_clear(&mut self, run: Run<'_>) -> bool {
        let count = match run.reading {
            Reading::Healthy => 0,
            Reading::Unhealthy => self.count.saturating_add(run.end - run.first),
            Reading::Nothing => self.count,
        };
        let clear = count < self.k;
        self.count = if clear { count } else { self.count };
        clear
    }

    #[inline]
    fn observe_run(&mut self, run: Run<'_>, mut part: impl FnMut(Range<u64>, Condition)) {
        let Run { first, end, reading, .. } = run;
        match reading {
            Reading::Healthy => {
                self.count = 0;
                part(first..end, Condition::Clear);
            }
            Reading::Nothing => part(first..end, Condition::met(self.count >= self.k)),
            Reading::Unhealthy => {
                let wanting = self.k.saturating_sub(self.count).saturating_sub(1);
                let met = first.saturating_add(wanting).min(end);
                self.count = self.count.saturating_add(end - first);
                part(first..met, Condition::Clear);
                part(met..end, Condition::Met);
            }
        }
    }

    fn progress(&self, _: Time) -> f64 {
        (self.count as f64 / self.k as f64).min(1.0)
    }

    fn restart(&mut self) {
        self.count = 0;
    }
}
