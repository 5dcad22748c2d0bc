//! A window of time in which every held check is unhealthy.
//!
//! The checks in `[t−W, t]` need not be kept. At least one of them is there and all are unhealthy
//! exactly when the last unhealthy check lies in the window and the last healthy one before it.

use std::ops::Range;

use super::rule::{Condition, Family, Reading, Run};
use crate::time::{Span, Time};

/// Met while the window ending now holds a check and none that is healthy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    window: Span,
    last_healthy: Option<Time>,
    last_unhealthy: Option<Time>,
}

impl Window {
    pub(super) fn new(window: Span) -> Self {
        Window { window: window.max(Span::ZERO), last_healthy: None, last_unhealthy: None }
    }
}

impl Family for Window {
    fn observe(&mut self, at: Time, reading: Reading) -> Condition {
        match reading {
            Reading::Healthy => self.last_healthy = Some(at),
            Reading::Unhealthy => self.last_unhealthy = Some(at),
            Reading::Nothing => {}
        }
        let inside = |held: Option<Time>| held.is_some_and(|held| held >= at - self.window);
        Condition::met(inside(self.last_unhealthy) && !inside(self.last_healthy))
    }

    /// Most blips end long before the last healthy check has left the window.
    #[inline]
    fn stays_clear(&mut self, run: Run<'_>) -> bool {
        let last = run.due.at(run.end - 1);
        match run.reading {
            Reading::Healthy => self.last_healthy = Some(last),
            Reading::Unhealthy
                if self.last_healthy.is_some_and(|held| last <= held + self.window) =>
            {
                self.last_unhealthy = Some(last);
            }
            _ => return false,
        }
        true
    }

    #[inline]
    fn observe_run(&mut self, run: Run<'_>, mut part: impl FnMut(Range<u64>, Condition)) {
        let Run { due, first, end, reading } = run;
        let last = due.at(end - 1);
        if reading == Reading::Healthy {
            self.last_healthy = Some(last);
            return part(first..end, Condition::Clear);
        }
        // The first probe of the run that no longer has `held` in its window.
        let past = |held: Option<Time>| match held {
            None => first,
            Some(held) if last <= held + self.window => end,
            Some(held) => {
                let just_past = held + self.window + Span::from_nanos(1);
                due.first_at_or_after(just_past).clamp(first, end)
            }
        };
        let from = past(self.last_healthy);
        let until = match reading {
            Reading::Unhealthy => end,
            _ => past(self.last_unhealthy).max(from),
        };
        if reading == Reading::Unhealthy {
            self.last_unhealthy = Some(last);
        }
        part(first..from, Condition::Clear);
        part(from..until, Condition::Met);
        part(until..end, Condition::Clear);
    }

    fn progress(&self, at: Time) -> f64 {
        let inside = |held: Option<Time>| held.is_some_and(|held| held >= at - self.window);
        match (self.last_healthy, self.last_unhealthy) {
            (_, unhealthy) if !inside(unhealthy) => 0.0,
            (Some(healthy), Some(unhealthy)) if healthy > unhealthy => 0.0,
            (Some(healthy), _) if inside(Some(healthy)) => {
                (at - healthy).as_secs_f64() / (self.window.as_secs_f64() + 1e-9)
            }
            _ => 1.0,
        }
    }

    fn restart(&mut self) {
        self.last_healthy = None;
        self.last_unhealthy = None;
    }
}
