//! The failover controller: a pure state machine with hysteresis.
//!
//! It fails over after sustained failure and only to a standby that is healthy and that the gate lets
//! serve; it begins failback only after a much longer time of unbroken health. It moves no traffic and
//! knows no simulator: the same code could run in a real controller.

use crate::gate::Decision;
use crate::time::{Span, Time};

/// How patient the controller is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How long the primary must fail before it is left.
    pub fail_after: Span,
    /// How long the primary must be well, without a break, before failback begins.
    pub recover_after: Span,
    /// The least share of canaries that a healthy region passes.
    pub min_success: f64,
}

/// What the controller knows of a region at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Health {
    /// Share of the canaries in the window that passed; none when the window holds no canary.
    pub success: Option<f64>,
    /// Whether the latest canary passed.
    pub latest_passed: bool,
    /// Whether the breaker on the region's route is open.
    pub breaker_open: bool,
}

impl Health {
    /// A region that is well.
    pub const WELL: Health =
        Health { success: Some(1.0), latest_passed: true, breaker_open: false };

    /// Success below `min_success`, or an open breaker. An empty window is no failure: that silence
    /// is one is for the window to say, by counting absent canaries as failed.
    pub fn is_failing(&self, min_success: f64) -> bool {
        self.breaker_open || self.success.is_some_and(|success| success < min_success)
    }

    /// The window shows enough success, and the breaker is closed. An empty window shows nothing.
    pub fn is_healthy(&self, min_success: f64) -> bool {
        !self.breaker_open && self.success.is_some_and(|success| success >= min_success)
    }
}

/// What the controller knows of a standby.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StandbyReading {
    /// Its health.
    pub health: Health,
    /// What the gate says of it.
    pub gate: Decision,
}

/// Everything that one step of the controller looks at.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// Health of the primary.
    pub primary: Health,
    /// When another trigger decides about the primary: whether it has fired in this episode. It
    /// replaces `fail_after` and `min_success` on the way out, never on the way back.
    pub fired: Option<bool>,
    /// The standbys, in the order in which they are preferred.
    pub standbys: &'a [StandbyReading],
}

/// Where the traffic is meant to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// On the primary; failing since that instant, if it fails.
    OnPrimary {
        /// Start of the running failure.
        failing_since: Option<Time>,
    },
    /// On a standby; the primary is well since that instant, if it is.
    OnStandby {
        /// Which standby.
        standby: usize,
        /// Start of the primary's unbroken health.
        well_since: Option<Time>,
    },
    /// On the way back.
    FailingBack {
        /// From which standby.
        standby: usize,
    },
}

/// Why the controller would move and does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// No standby is healthy either: suspect a global fault, or the observer.
    GlobalFault,
    /// The preferred healthy standby may not serve.
    Gate {
        /// Which standby.
        standby: usize,
        /// What its gate says.
        decision: Decision,
    },
}

/// What the controller orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Nothing changes.
    Stay,
    /// A move is due and is held.
    Hold(Hold),
    /// Move to this standby: read-only features at once, others when a person has confirmed.
    FailOver {
        /// Which standby.
        standby: usize,
    },
    /// Begin the gated ramp back to the primary; never a flip.
    BeginFailback,
    /// The primary fails during the ramp: all traffic stays on the standby.
    AbandonFailback,
}

/// The controller.
#[derive(Clone, Debug)]
pub struct Controller {
    settings: Settings,
    state: State,
}

impl Controller {
    /// A controller with the traffic on the primary.
    pub fn new(settings: Settings) -> Self {
        Controller { settings, state: State::OnPrimary { failing_since: None } }
    }

    /// Where the traffic is meant to be.
    pub fn state(&self) -> State {
        self.state
    }

    /// Takes one reading and says what to do. Readings come in the order of time.
    pub fn step(&mut self, at: Time, reading: &Reading<'_>) -> Order {
        match self.state {
            State::OnPrimary { failing_since } => self.on_primary(at, failing_since, reading),
            State::OnStandby { standby, well_since } => {
                self.on_standby(at, standby, well_since, reading)
            }
            State::FailingBack { standby } => {
                if reading.primary.is_failing(self.settings.min_success) {
                    self.state = State::OnStandby { standby, well_since: None };
                    return Order::AbandonFailback;
                }
                Order::Stay
            }
        }
    }

    /// A person has ordered the switch to `standby`.
    pub fn switch(&mut self, standby: usize) {
        self.state = State::OnStandby { standby, well_since: None };
    }

    /// The ramp has reached the end: the primary has all traffic again.
    pub fn failback_done(&mut self) {
        self.state = State::OnPrimary { failing_since: None };
    }

    fn on_primary(&mut self, at: Time, since: Option<Time>, reading: &Reading<'_>) -> Order {
        let (failing, patience) = match reading.fired {
            Some(fired) => (fired, Span::ZERO),
            None => {
                (reading.primary.is_failing(self.settings.min_success), self.settings.fail_after)
            }
        };
        let since = failing.then(|| since.unwrap_or(at));
        self.state = State::OnPrimary { failing_since: since };
        if since.is_none_or(|since| at - since < patience) {
            return Order::Stay;
        }
        match self.choose(reading.standbys) {
            Ok(standby) => {
                self.switch(standby);
                Order::FailOver { standby }
            }
            Err(hold) => Order::Hold(hold),
        }
    }

    fn on_standby(
        &mut self,
        at: Time,
        standby: usize,
        since: Option<Time>,
        reading: &Reading<'_>,
    ) -> Order {
        let least = self.settings.min_success;
        // Unbroken is judged canary by canary: one that fails, or does not come, starts the time anew.
        let well = reading.primary.latest_passed && !reading.primary.breaker_open;
        let since = well.then(|| since.unwrap_or(at));
        self.state = State::OnStandby { standby, well_since: since };
        let recovered = since.is_some_and(|since| at - since >= self.settings.recover_after);
        if recovered && reading.primary.is_healthy(least) {
            self.state = State::FailingBack { standby };
            return Order::BeginFailback;
        }
        let here = reading.standbys.get(standby);
        if !well && here.is_some_and(|here| !here.health.is_healthy(least)) {
            return Order::Hold(Hold::GlobalFault);
        }
        Order::Stay
    }

    /// The first standby that is healthy and may serve, or why there is none.
    fn choose(&self, standbys: &[StandbyReading]) -> Result<usize, Hold> {
        let healthy = |(_, standby): &(usize, &StandbyReading)| {
            standby.health.is_healthy(self.settings.min_success)
        };
        let mut held = Hold::GlobalFault;
        for (index, standby) in standbys.iter().enumerate().filter(healthy) {
            if standby.gate.serves() {
                return Ok(index);
            }
            if held == Hold::GlobalFault {
                held = Hold::Gate { standby: index, decision: standby.gate };
            }
        }
        Err(held)
    }
}

#[cfg(test)]
mod tests;
