//! What a trigger is: a family and its parameters, their bounds, and the patience they amount to.
//!
//! A spec holds no rule for silence or arming; those are the controller's.

mod error;
mod written;

pub use error::SpecError;
pub(super) use written::{Reader, seconds, split};

use super::success_rate::is_below;
use crate::time::Span;

/// The largest number of consecutive failures that is accepted.
pub const LARGEST_K: u64 = 1_000_000_000;

/// The largest N of an M-of-N trigger.
pub const LARGEST_N: u64 = 1_000_000;

/// A trigger: a family and its parameters.
///
/// The parser refuses parameters that make no trigger; so does [`Spec::checked`] for those put
/// together in code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spec {
    /// Fires at the `k`-th unhealthy check in a row.
    Consecutive {
        /// Unhealthy checks in a row, at least 1.
        k: u64,
    },
    /// Fires when every check held in the last `window` is unhealthy, and there is one.
    Window {
        /// Length of the window, positive; both ends count.
        window: Span,
    },
    /// Fires when at least `m` of the last `n` due checks are unhealthy.
    MOfN {
        /// Unhealthy checks needed, from 1 to `n`.
        m: u64,
        /// Due checks looked at.
        n: u64,
    },
    /// Fires when the healthy share has been too low without a break for `fail_after`.
    SuccessRate {
        /// The least healthy share of the window that is good enough, in `(0, 1]`.
        min_success: f64,
        /// Length of the window the share is taken over, positive.
        window: Span,
        /// How long the share must have been too low; may be zero.
        fail_after: Span,
    },
}

impl Spec {
    /// The family's name, as it is written before the colon.
    pub fn family(&self) -> &'static str {
        match self {
            Spec::Consecutive { .. } => "consecutive",
            Spec::Window { .. } => "window",
            Spec::MOfN { .. } => "m-of-n",
            Spec::SuccessRate { .. } => "success-rate",
        }
    }

    /// Time from the first failed probe to the firing when every check after it fails, probes come
    /// every `interval`, and the trigger held a full history of healthy checks before.
    pub fn patience(&self, interval: Span) -> Span {
        let checks = self.checks_to_fire(interval);
        interval * i64::try_from(checks.saturating_sub(1)).unwrap_or(i64::MAX)
    }

    /// How many checks in a row must fail for the trigger to fire, counted as for
    /// [`Spec::patience`]: `patience / interval + 1`.
    pub fn checks_to_fire(&self, interval: Span) -> u64 {
        match *self {
            Spec::Consecutive { k } => k.max(1),
            Spec::Window { window } => steps_down(window, interval) + 1,
            Spec::MOfN { m, n } => m.clamp(1, n.max(1)),
            Spec::SuccessRate { min_success, window, fail_after } => {
                let in_window = steps_down(window, interval) + 1;
                let whole = steps_down(fail_after, interval);
                let reached = interval * i64::try_from(whole).unwrap_or(i64::MAX);
                let waiting = whole + u64::from(interval.is_positive() && reached < fail_after);
                least_failures(in_window, min_success).saturating_add(waiting)
            }
        }
    }

    /// The spec itself, or why it is no trigger.
    pub fn checked(self) -> Result<Spec, SpecError> {
        let bad = |part, found: String, allowed| {
            Err(SpecError::OutOfRange { spec: self.to_string(), part, found, allowed })
        };
        match self {
            Spec::Consecutive { k } if !(1..=LARGEST_K).contains(&k) => {
                bad("number of checks", k.to_string(), "a whole number from 1 to 1000000000")
            }
            Spec::Window { window } if !window.is_positive() => {
                bad("window", seconds(window), "longer than 0s")
            }
            Spec::MOfN { n, .. } if !(1..=LARGEST_N).contains(&n) => {
                bad("N", n.to_string(), "a whole number from 1 to 1000000")
            }
            Spec::MOfN { m, n } if !(1..=n).contains(&m) => {
                bad("M", m.to_string(), "a whole number from 1 to N")
            }
            Spec::SuccessRate { min_success, .. } if !(min_success > 0.0 && min_success <= 1.0) => {
                bad("minimum success", min_success.to_string(), "a share above 0 and up to 1")
            }
            Spec::SuccessRate { window, .. } if !window.is_positive() => {
                bad("window", seconds(window), "longer than 0s")
            }
            Spec::SuccessRate { fail_after, .. } if fail_after < Span::ZERO => {
                bad("fail-after", seconds(fail_after), "0s or longer")
            }
            spec => Ok(spec),
        }
    }
}

/// Whole intervals in a span; none where there is no interval.
pub(super) fn steps_down(span: Span, interval: Span) -> u64 {
    if !interval.is_positive() {
        return 0;
    }
    u64::try_from(span.div_floor(interval)).unwrap_or(0)
}

/// The least number of failures among `checks` that brings the healthy share below `min_success`.
fn least_failures(checks: u64, min_success: f64) -> u64 {
    let guess = ((1.0 - min_success) * checks as f64) as u64;
    let mut failures = guess.clamp(1, checks);
    while failures > 1 && is_below(checks - (failures - 1), checks, min_success) {
        failures -= 1;
    }
    while failures < checks && !is_below(checks - failures, checks, min_success) {
        failures += 1;
    }
    failures
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fires_after(text: &str, interval: i64) -> (u64, f64) {
        let spec: Spec = text.parse().unwrap();
        let interval = Span::from_secs(interval);
        (spec.checks_to_fire(interval), spec.patience(interval).as_secs_f64())
    }

    #[test]
    fn patience_by_family() {
        assert_eq!(fires_after("consecutive:12", 10), (12, 110.0));
        assert_eq!(fires_after("window:300s", 10), (31, 300.0));
        assert_eq!(fires_after("window:295s", 10), (30, 290.0));
        assert_eq!(fires_after("window:30s", 60), (1, 0.0));
        assert_eq!(fires_after("m-of-n:3/5", 10), (3, 20.0));
        // Seven checks in the window; one failure leaves 6/7 < 0.9; then 18 intervals.
        assert_eq!(fires_after("success-rate:0.9/60s/180s", 10), (19, 180.0));
        // Ten checks; 9 of 10 is not below 0.9, so it takes two failures.
        assert_eq!(fires_after("success-rate:0.9/90s/0s", 10), (2, 10.0));
        assert_eq!(fires_after("success-rate:0.9/90s/25s", 10), (5, 40.0));
        assert_eq!(fires_after("success-rate:0.001/90s/0s", 10), (10, 90.0));
    }

    #[test]
    fn the_least_number_of_failures_is_exact() {
        for checks in 1..200 {
            for percent in 1..=100 {
                let expected = (1..=checks)
                    .find(|failures| (checks - failures) * 100 < percent * checks)
                    .unwrap();
                assert_eq!(least_failures(checks, percent as f64 / 100.0), expected);
            }
        }
        assert_eq!(least_failures(1 << 50, 1.0), 1);
    }

    #[test]
    fn nothing_panics_on_what_is_no_trigger() {
        let (none, back) = (Span::ZERO, Span::from_secs(-5));
        let share =
            |min_success, window, fail_after| Spec::SuccessRate { min_success, window, fail_after };
        for spec in [
            Spec::Consecutive { k: 0 },
            Spec::Consecutive { k: u64::MAX },
            Spec::Window { window: back },
            Spec::MOfN { m: 0, n: 0 },
            Spec::MOfN { m: 4, n: 3 },
            share(f64::NAN, none, none),
            share(0.0, back, back),
            share(2.0, crate::time::LONGEST, back),
        ] {
            assert!(spec.checked().is_err(), "{spec}");
            for interval in [back, none, Span::from_nanos(1), Span::from_nanos(i64::MAX)] {
                let _ = (spec.patience(interval), spec.warnings(interval, back));
            }
        }
    }
}
