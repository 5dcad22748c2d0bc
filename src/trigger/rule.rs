//! What the families have in common: how they read checks, what they say of a run of equal ones, and
//! the dispatch to them.
//!
//! A family says whether its condition holds; it decides no firing.

use std::ops::Range;

use super::Spec;
use super::consecutive::Consecutive;
use super::m_of_n::MOfN;
use super::success_rate::SuccessRate;
use super::window::Window;
use crate::history::Due;
use crate::time::Time;

/// What a check counts as once the silence rule has spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Held as healthy.
    Healthy,
    /// Held as unhealthy.
    Unhealthy,
    /// Due, but not held: time passes and nothing is learnt.
    Nothing,
}

/// How a family's rule stands after a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// No sign of failure that counts.
    Clear,
    /// Failing, but not for long enough to fire.
    Pending,
    /// Holds: the trigger fires unless it already has, or is not armed.
    Met,
}

impl Condition {
    pub(super) fn met(holds: bool) -> Self {
        if holds { Condition::Met } else { Condition::Clear }
    }
}

/// The probes of a run of equal readings, one at least.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    pub(super) due: &'a Due,
    pub(super) first: u64,
    pub(super) end: u64,
    pub(super) reading: Reading,
}

/// The condition of one family, and what it remembers of the checks before.
pub(super) trait Family {
    /// Takes the reading of the probe due at `at`.
    fn observe(&mut self, at: Time, reading: Reading) -> Condition;

    /// Whether the condition stays clear for the whole run. If so the run is taken; else nothing has
    /// changed. It may say no where the answer is yes: it is for the runs that are quickly told,
    /// which most are.
    fn stays_clear(&mut self, run: Run<'_>) -> bool;

    /// As if `observe` were called for each probe of the run. The parts handed to `part` are in
    /// order, cover the run, and may be empty.
    fn observe_run(&mut self, run: Run<'_>, part: impl FnMut(Range<u64>, Condition));

    /// How far it is on its way from no failure (0) to its condition (1), after the check at `at`.
    fn progress(&self, at: Time) -> f64;

    /// Forgets all checks.
    fn restart(&mut self);
}

/// The rule of a trigger.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rule {
    Consecutive(Consecutive),
    Window(Window),
    MOfN(MOfN),
    SuccessRate(SuccessRate),
}

/// Does the same with whichever family a rule is of.
macro_rules! each {
    ($rule:expr, $one:ident => $does:expr) => {
        match $rule {
            Rule::Consecutive($one) => $does,
            Rule::Window($one) => $does,
            Rule::MOfN($one) => $does,
            Rule::SuccessRate($one) => $does,
        }
    };
}
pub(super) use each;

impl Rule {
    /// Impossible parameters (which [`Spec`]'s parser refuses) are held to the nearest possible ones.
    pub(super) fn new(spec: &Spec) -> Self {
        match *spec {
            Spec::Consecutive { k } => Rule::Consecutive(Consecutive::new(k)),
            Spec::Window { window } => Rule::Window(Window::new(window)),
            Spec::MOfN { m, n } => Rule::MOfN(MOfN::new(m, n)),
            Spec::SuccessRate { min_success, window, fail_after } => {
                Rule::SuccessRate(SuccessRate::new(min_success, window, fail_after))
            }
        }
    }
}
