//! M unhealthy among the last N due checks.
//!
//! The last N checks are kept as runs, so a spell costs as much as there are runs among them. An
//! absent check that is not held as unhealthy still takes its place among the N.

use std::collections::VecDeque;
use std::ops::Range;

use super::rule::{Condition, Family, Reading, Run};
use crate::time::Time;

/// Met while at least `m` of the last `n` due checks are unhealthy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MOfN {
    m: u64,
    n: u64,
    /// The last `n` due checks, oldest first, as maximal runs of (unhealthy, how many).
    runs: VecDeque<(bool, u64)>,
    /// Checks in `runs`; fewer than `n` after a restart.
    held: u64,
    /// Unhealthy ones among them.
    unhealthy: u64,
}

impl MOfN {
    pub(super) fn new(m: u64, n: u64) -> Self {
        let n = n.max(1);
        MOfN { m: m.clamp(1, n), n, runs: VecDeque::new(), held: 0, unhealthy: 0 }
    }

    /// Unhealthy checks among the last `n` once `pushed` more are there, all unhealthy or all not.
    fn unhealthy_after(&self, pushed: u64, unhealthy: bool) -> u64 {
        let mut leaving = self.held.saturating_add(pushed).saturating_sub(self.n);
        let mut left = self.unhealthy;
        for (unhealthy, count) in &self.runs {
            let gone = leaving.min(*count);
            left -= if *unhealthy { gone } else { 0 };
            leaving -= gone;
            if leaving == 0 {
                break;
            }
        }
        left + if unhealthy { pushed.min(self.n) } else { 0 }
    }

    fn push(&mut self, unhealthy: bool, count: u64) {
        let count = count.min(self.n);
        let mut leaving = (self.held + count).saturating_sub(self.n);
        self.held = self.held + count - leaving;
        while leaving > 0 {
            let Some(oldest) = self.runs.front_mut() else { break };
            let gone = leaving.min(oldest.1);
            self.unhealthy -= if oldest.0 { gone } else { 0 };
            leaving -= gone;
            oldest.1 -= gone;
            if oldest.1 == 0 {
                self.runs.pop_front();
            }
        }
        self.unhealthy += if unhealthy { count } else { 0 };
        match self.runs.back_mut() {
            Some(last) if last.0 == unhealthy => last.1 += count,
            _ => self.runs.push_back((unhealthy, count)),
        }
    }
}

impl Family for MOfN {
    fn observe(&mut self, _: Time, reading: Reading) -> Condition {
        self.push(reading == Reading::Unhealthy, 1);
        Condition::met(self.unhealthy >= self.m)
    }

    #[inline]
    fn stays_clear(&mut self, run: Run<'_>) -> bool {
        let count = run.end - run.first;
        let unhealthy = run.reading == Reading::Unhealthy;
        let most = if unhealthy { self.unhealthy.saturating_add(count) } else { self.unhealthy };
        let clear = most < self.m;
        if clear {
            self.push(unhealthy, count);
        }
        clear
    }

    #[inline]
    fn observe_run(&mut self, run: Run<'_>, mut part: impl FnMut(Range<u64>, Condition)) {
        let Run { first, end, reading, .. } = run;
        let count = end - first;
        // The number of unhealthy checks never falls while unhealthy ones are pushed and never
        // rises while others are, so the condition changes at most once in the run. It has changed
        // when all of the last `n` are of the run.
        let within = count.min(self.n);
        if reading == Reading::Unhealthy {
            let met =
                first + first_where(within, |pushed| self.unhealthy_after(pushed, true) >= self.m);
            part(first..met, Condition::Clear);
            part(met..end, Condition::Met);
        } else {
            let clear =
                first + first_where(within, |pushed| self.unhealthy_after(pushed, false) < self.m);
            part(first..clear, Condition::Met);
            part(clear..end, Condition::Clear);
        }
        self.push(reading == Reading::Unhealthy, count);
    }

    /// Only failures count that can still be among the M: a firing's last N checks spare but N − M that
    /// do not fail, so what lies behind more of them than that will not be held together with what comes.
    fn progress(&self, _: Time) -> f64 {
        let (mut spared, mut failed) = (self.n - self.m, 0);
        for (unhealthy, count) in self.runs.iter().rev() {
            if *unhealthy {
                failed += count;
            } else if *count > spared {
                break;
            } else {
                spared -= count;
            }
        }
        (failed as f64 / self.m as f64).min(1.0)
    }

    fn restart(&mut self) {
        self.runs.clear();
        self.held = 0;
        self.unhealthy = 0;
    }
}

/// How many of the first `count` pushes pass before `holds` (which stays true once it is) is true
/// after a push: an index from 0, or `count` if it never is.
fn first_where(count: u64, holds: impl Fn(u64) -> bool) -> u64 {
    if count == 0 || holds(1) {
        return 0;
    }
    if !holds(count) {
        return count;
    }
    // Holds after `late` pushes and not after `early`.
    let (mut early, mut late) = (1, count);
    while late - early > 1 {
        let middle = early + (late - early) / 2;
        if holds(middle) { late = middle } else { early = middle }
    }
    late - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3 of 5 spares two checks that do not fail; a third leaves what is behind it without a use.
    #[test]
    fn progress_counts_what_can_still_be_among_the_m() {
        let cases = [
            ("", 0),
            ("h", 0),
            ("u", 1),
            ("uu", 2),
            ("uuh", 2),
            ("uuhh", 2),
            ("uuhhh", 0),
            ("uhuh", 2),
            ("uhuhh", 1),
            ("uhuhhu", 2),
            ("uhuhu", 3),
            ("uuuuu", 3),
            ("huuuh", 3),
        ];
        for (checks, expected) in cases {
            let mut rule = MOfN::new(3, 5);
            let mut met = false;
            for check in checks.chars() {
                let reading = if check == 'u' { Reading::Unhealthy } else { Reading::Healthy };
                met = rule.observe(Time::START, reading) == Condition::Met;
            }
            assert_eq!((rule.progress(Time::START) * 3.0).round(), f64::from(expected), "{checks}");
            assert_eq!(met, expected == 3, "{checks}");
        }
    }
}
