//! The controller's step in the run, and what its orders set off.

use super::availability::HALF;
use super::{Event, Run};
use crate::drill::controller::{Hold, Order, Reading, StandbyReading, State};
use crate::drill::outcome::Kind;
use crate::engine::Phase;
use crate::gate::Decision;
use crate::time::Time;

impl Run<'_> {
    /// One decision of the controller.
    pub(super) fn decide(&mut self) {
        let standbys: Vec<StandbyReading> = (0..self.mended.len())
            .map(|standby| StandbyReading {
                health: self.regions[standby + 1].window.health(false),
                gate: self.gate_says(standby),
            })
            .collect();
        let reading = Reading {
            primary: self.regions[0].window.health(self.breaker_open()),
            fired: self.trigger.as_ref().map(crate::trigger::Trigger::has_fired),
            standbys: &standbys,
        };
        let order = self.controller.step(self.now, &reading);
        if order != Order::Stay {
            self.change();
        }
        match order {
            Order::Stay => self.last_hold = None,
            Order::Hold(hold) => self.hold(hold),
            Order::FailOver { standby } => {
                self.tell_passed_over(standby, &standbys);
                self.fail_over(standby, false);
            }
            Order::BeginFailback => self.begin_failback(),
            Order::AbandonFailback => self.abandon_failback(),
        }
        if order == Order::Stay && matches!(self.controller.state(), State::OnPrimary { .. }) {
            self.move_.due = None;
        }
        self.follow_recovery();
    }

    /// A person orders the switch although nothing is wrong.
    pub(super) fn planned_switch(&mut self) {
        if !matches!(self.controller.state(), State::OnPrimary { .. }) {
            return;
        }
        let least = self.plan.service.controller.min_success;
        let mut refused = None;
        for standby in 0..self.mended.len() {
            let health = self.regions[standby + 1].window.health(false);
            let gate = self.gate_says(standby);
            if health.is_healthy(least) && gate.serves() {
                self.controller.switch(standby);
                self.fail_over(standby, true);
                return;
            }
            refused.get_or_insert(if health.is_healthy(least) {
                gate
            } else {
                Decision::HoldNotReady
            });
        }
        let decision = refused.unwrap_or(Decision::HoldNotReady);
        self.tell_hold(Hold::Gate { standby: 0, decision });
    }

    /// Why standbys that are preferred to the chosen one were not.
    fn tell_passed_over(&mut self, chosen: usize, standbys: &[StandbyReading]) {
        let least = self.plan.service.controller.min_success;
        for (standby, reading) in standbys.iter().enumerate().take(chosen) {
            let healthy = reading.health.is_healthy(least);
            self.say(Kind::Decision, self.region_name(standby + 1), || {
                if healthy {
                    format!("is passed over: {}", reading.gate)
                } else {
                    "is passed over: it is not healthy".to_owned()
                }
            });
        }
    }

    pub(super) fn mended(&mut self, standby: usize) {
        self.mended[standby] = true;
        self.say(Kind::Person, self.region_name(standby + 1), || {
            "its differences are mended: the gate says serve".to_owned()
        });
    }

    fn gate_says(&self, standby: usize) -> Decision {
        if self.mended[standby] { Decision::Serve } else { self.plan.gates[standby].decision }
    }

    fn hold(&mut self, hold: Hold) {
        self.move_.due.get_or_insert(self.now);
        if self.last_hold == Some(hold) {
            return;
        }
        self.last_hold = Some(hold);
        self.tell_hold(hold);
        if let Hold::Gate { standby, .. } = hold
            && !self.mending[standby]
            && let Some(law) = &self.plan.service.standbys[standby].mended_after
        {
            self.mending[standby] = true;
            let span = self.draw(&format!("mended/{standby}"), law);
            // Before the decision that falls on the same instant.
            self.queue.push(self.now + span, Phase::Controller, Event::Mended { standby });
        }
    }

    fn tell_hold(&mut self, hold: Hold) {
        let (subject, reason) = match hold {
            Hold::GlobalFault => ("controller", "suspect a global fault".to_owned()),
            Hold::Gate { standby, decision } => {
                (self.region_name(standby + 1), decision.name().to_owned())
            }
        };
        self.say(Kind::Decision, subject, || match hold {
            Hold::GlobalFault => {
                "both regions are bad: suspect a global fault; nothing moves".to_owned()
            }
            Hold::Gate { decision, .. } => format!("a failover is due and is held: {decision}"),
        });
        if !self.out.holds.contains(&reason) {
            self.out.holds.push(reason);
        }
    }

    /// Whether the breaker on the primary's route is open.
    fn breaker_open(&self) -> bool {
        let opens = self.plan.service.controller.breaker_opens_after;
        opens.zip(self.breaker_since).is_some_and(|(after, since)| self.now - since >= after)
    }

    /// Keeps the start of failure on the primary's route, as its breaker sees it.
    pub(super) fn watch_breaker(&mut self) {
        if self.plan.service.controller.breaker_opens_after.is_none() {
            return;
        }
        let fails = (0..self.features.len()).any(|feature| self.feature_up(0, feature) < HALF);
        self.breaker_since = fails.then(|| self.breaker_since.unwrap_or(self.now));
    }

    /// When the controller saw the failure long enough to move, whether or not it could.
    pub(super) fn due_or(&self, decided: Time) -> Time {
        self.move_.due.unwrap_or(decided).min(decided)
    }
}
