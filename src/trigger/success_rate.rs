//! A success rate that stays too low for too long: hysteresis over a window of time.
//!
//! The checks in the window are kept with their instants. A spell is followed check by check until
//! the window holds nothing else, and jumped over from there, so it costs as much as the window
//! holds, not as the spell is long.

use std::collections::VecDeque;
use std::ops::Range;

use super::rule::{Condition, Family, Reading, Run};
use crate::time::{Span, Time};

/// Met once the healthy share of the window has been below `min_success` for `fail_after`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SuccessRate {
    min_success: f64,
    window: Span,
    fail_after: Span,
    /// Held checks in the window, oldest first: instant, and whether healthy.
    held: VecDeque<(Time, bool)>,
    /// Healthy ones among them.
    healthy: usize,
    /// The decision since which the share has been too low without a break.
    below_since: Option<Time>,
}

/// True iff `healthy` of `held` is less than `min_success`, as the fractions they are.
///
/// The quotient is the float nearest to the fraction, just as `min_success` is the float nearest to
/// what was written, so 9 of 10 is not less than 0.9. Fractions of counts below 2^26 that differ do
/// not share a nearest float with a bound of up to seven digits.
pub(super) fn is_below(healthy: u64, held: u64, min_success: f64) -> bool {
    held > 0 && (healthy as f64) / (held as f64) < min_success
}

impl SuccessRate {
    pub(super) fn new(min_success: f64, window: Span, fail_after: Span) -> Self {
        SuccessRate {
            min_success,
            window: window.max(Span::ZERO),
            fail_after: fail_after.max(Span::ZERO),
            held: VecDeque::new(),
            healthy: 0,
            below_since: None,
        }
    }

    /// True iff one more check of this reading leaves the window all of one kind.
    fn holds_only(&self, reading: Reading) -> bool {
        match reading {
            Reading::Healthy => self.healthy == self.held.len(),
            Reading::Unhealthy => self.healthy == 0,
            Reading::Nothing => self.held.is_empty(),
        }
    }

    /// The rest of a run once the window holds nothing but its reading.
    fn jump(&mut self, run: Run<'_>, mut part: impl FnMut(Range<u64>, Condition)) {
        let Run { due, first, end, reading } = run;
        // With a bound of zero (or not a number) nothing is ever too low.
        if reading == Reading::Unhealthy && is_below(0, 1, self.min_success) {
            let since = *self.below_since.get_or_insert(due.at(first));
            let met = due.first_at_or_after(since + self.fail_after).clamp(first, end);
            part(first..met, Condition::Pending);
            part(met..end, Condition::Met);
        } else {
            self.below_since = None;
            part(first..end, Condition::Clear);
        }
        let from = due.at(end - 1) - self.window;
        self.drop_before(from);
        for probe in due.first_at_or_after(from).max(first)..end {
            self.hold(due.at(probe), reading);
        }
    }

    fn hold(&mut self, at: Time, reading: Reading) {
        let healthy = match reading {
            Reading::Healthy => true,
            Reading::Unhealthy => false,
            Reading::Nothing => return,
        };
        self.healthy += usize::from(healthy);
        self.held.push_back((at, healthy));
    }

    fn drop_before(&mut self, from: Time) {
        while let Some((_, healthy)) = self.held.pop_front_if(|(at, _)| *at < from) {
            self.healthy -= usize::from(healthy);
        }
    }
}

impl Family for SuccessRate {
    fn observe(&mut self, at: Time, reading: Reading) -> Condition {
        self.hold(at, reading);
        self.drop_before(at - self.window);
        if !is_below(self.healthy as u64, self.held.len() as u64, self.min_success) {
            self.below_since = None;
            return Condition::Clear;
        }
        let since = *self.below_since.get_or_insert(at);
        if at - since >= self.fail_after { Condition::Met } else { Condition::Pending }
    }

    /// What may be jumped over is told in [`Family::observe_run`].
    fn stays_clear(&mut self, _: Run<'_>) -> bool {
        false
    }

    fn observe_run(&mut self, run: Run<'_>, mut part: impl FnMut(Range<u64>, Condition)) {
        let mut probe = run.first;
        while probe < run.end && !self.holds_only(run.reading) {
            part(probe..probe + 1, self.observe(run.due.at(probe), run.reading));
            probe += 1;
        }
        if probe < run.end {
            self.jump(Run { first: probe, ..run }, part);
        }
    }

    /// Half of the way is the share falling below its bound, half is its staying there.
    fn progress(&self, at: Time) -> f64 {
        let Some(since) = self.below_since else {
            let held = self.held.len() as f64;
            let failed = held - self.healthy as f64;
            let needed = held * (1.0 - self.min_success);
            return if failed > 0.0 { 0.5 * (failed / needed.max(1e-9)).min(1.0) } else { 0.0 };
        };
        let held_for = (at - since).as_secs_f64();
        let fail_after = self.fail_after.as_secs_f64();
        0.5 + 0.5 * if fail_after > 0.0 { (held_for / fail_after).min(1.0) } else { 1.0 }
    }

    fn restart(&mut self) {
        self.held.clear();
        self.healthy = 0;
        self.below_since = None;
    }
}
