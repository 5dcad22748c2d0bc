//! The way back: state is reconciled, then the primary takes the traffic step by step, each step held
//! and gated, and taken back when its gates fail. Never a flip.

use super::{Event, Place, Run, told};
use crate::drill::controller::State;
use crate::drill::outcome::Kind;
use crate::drill::service::Class;
use crate::time::Span;

/// The ramp and what must be done before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ramp {
    /// Steps taken: 0 before the first, and again when the first was taken back.
    taken: usize,
    /// Events of an earlier step are stale.
    epoch: u64,
    /// Reconciliations that were started; an earlier one is stale.
    attempt: u64,
    reconciling: bool,
    reconciled: bool,
    /// The controller has begun the failback, and the reconciliation is awaited.
    awaited: bool,
}

impl Run<'_> {
    /// State is reconciled while the primary is well, and anew when it fails again.
    pub(super) fn follow_recovery(&mut self) {
        let State::OnStandby { well_since, .. } = self.controller.state() else { return };
        if self.features.iter().all(|state| state.place != Place::Away) {
            return;
        }
        match (well_since.is_some(), self.failback.reconciling || self.failback.reconciled) {
            (true, false) => self.reconcile(),
            (false, true) => {
                self.failback.reconciling = false;
                self.failback.reconciled = false;
                self.failback.attempt += 1;
            }
            _ => {}
        }
    }

    fn reconcile(&mut self) {
        self.flow();
        let failback = &self.plan.service.failback;
        self.failback.attempt += 1;
        self.failback.reconciling = true;
        let features = self.plan.features.iter().enumerate();
        let arriving: f64 = features
            .filter(|(_, feature)| feature.input.turns)
            .map(|(index, feature)| feature.input.rate_per_s * self.features[index].away)
            .sum();
        // Validation keeps the rate of copying above that of writing.
        let copying = self.flows.turns_written / (failback.reconcile_turns_per_s - arriving);
        let takes = self.draw("reconcile", &failback.reconcile) + Span::from_secs_f64(copying);
        self.say(Kind::State, self.region_name(0), || {
            format!("is well: state written in the standby is reconciled, {}", told(takes))
        });
        self.after(takes, Event::Reconciled { attempt: self.failback.attempt });
    }

    pub(super) fn reconciled(&mut self, attempt: u64) {
        if attempt != self.failback.attempt {
            return;
        }
        self.failback.reconciling = false;
        self.failback.reconciled = true;
        let turns = self.copy_turns_back();
        self.say(Kind::State, self.region_name(0), || {
            format!("state is reconciled: {turns} turns copied back")
        });
        if std::mem::take(&mut self.failback.awaited) {
            self.take_step(1);
        }
    }

    /// The controller has seen enough unbroken health.
    pub(super) fn begin_failback(&mut self) {
        // Whoever has not moved by now need not: events of the way out are stale.
        self.moves += 1;
        for state in &mut self.features {
            if state.place == Place::Waiting {
                state.place = Place::Home;
            }
        }
        self.out.failback.began = Some(self.now);
        self.say(Kind::Failback, self.region_name(0), || "failback begins".to_owned());
        if self.features.iter().all(|state| state.place == Place::Home) {
            self.complete_failback();
            return;
        }
        if self.plan.service.failback.scale_up_first {
            self.scale_to(0, self.total_work());
        }
        if self.failback.reconciled {
            self.take_step(1);
        } else {
            self.failback.awaited = true;
            self.say(Kind::Failback, self.region_name(0), || {
                "the ramp waits until state is reconciled".to_owned()
            });
        }
    }

    /// The primary fails again: all traffic goes to the standby.
    pub(super) fn abandon_failback(&mut self) {
        self.out.failback.abandoned += 1;
        self.failback = Ramp {
            epoch: self.failback.epoch + 1,
            attempt: self.failback.attempt + 1,
            ..Ramp::default()
        };
        self.set_primary_share(0.0);
        self.say(Kind::Failback, self.region_name(0), || {
            "fails again: the ramp is abandoned and the standby has all traffic".to_owned()
        });
    }

    /// Takes `taken` steps of the ramp, in all, and holds there.
    fn take_step(&mut self, taken: usize) {
        let failback = &self.plan.service.failback;
        self.failback.taken = taken;
        self.failback.epoch += 1;
        let ramp = self.failback.epoch;
        let share = taken.checked_sub(1).and_then(|step| failback.steps.get(step));
        let share = share.copied().unwrap_or(0.0);
        self.set_primary_share(share);
        self.say(Kind::Failback, self.region_name(0), || {
            format!("{} % of the traffic is on the primary", share * 100.0)
        });
        self.after(failback.check_every, Event::RampCheck { ramp });
        self.after(failback.hold, Event::RampHeld { ramp });
    }

    fn set_primary_share(&mut self, share: f64) {
        for state in self.features.iter_mut().filter(|state| state.place == Place::Away) {
            state.away = 1.0 - share;
        }
    }

    pub(super) fn ramp_check(&mut self, ramp: u64) {
        if ramp == self.failback.epoch && self.gates_pass() {
            self.after(self.plan.service.failback.check_every, Event::RampCheck { ramp });
        }
    }

    pub(super) fn ramp_held(&mut self, ramp: u64) {
        if ramp != self.failback.epoch || !self.gates_pass() {
            return;
        }
        if self.failback.taken < self.plan.service.failback.steps.len() {
            self.take_step(self.failback.taken + 1);
        } else {
            self.complete_failback();
        }
    }

    fn complete_failback(&mut self) {
        let standby = self.away_region();
        for state in &mut self.features {
            state.place = Place::Home;
            state.away = 0.0;
        }
        self.regions[standby].ready = self.plan.service.standbys[self.move_.standby].capacity;
        let attempt = self.failback.attempt + 1;
        self.failback = Ramp { epoch: self.failback.epoch + 1, attempt, ..Ramp::default() };
        self.controller.failback_done();
        self.copy_turns_back();
        self.out.failback.completed = Some(self.now);
        self.say(Kind::Failback, self.region_name(0), || "failback is complete".to_owned());
    }

    /// Looks at the gates of the step; when one fails, the step is taken back.
    fn gates_pass(&mut self) -> bool {
        let failed = self.failed_gates();
        if failed.is_empty() {
            return true;
        }
        self.out.failback.step_backs += 1;
        self.say(Kind::Failback, self.region_name(0), || {
            format!("the step is taken back: {}", failed.join(", "))
        });
        self.take_step(self.failback.taken.saturating_sub(1));
        false
    }

    fn failed_gates(&self) -> Vec<String> {
        let failback = &self.plan.service.failback;
        let mut failed = Vec::new();
        if self.failback.taken > 0 {
            let ttft = self.primary_ttft();
            if ttft > failback.max_ttft {
                let [found, limit] = [ttft, failback.max_ttft].map(|span| span.as_secs_f64());
                failed.push(format!("time to first token {found} s, limit {limit} s"));
            }
            let errors = self.primary_errors();
            if errors > failback.max_error_rate {
                failed.push(format!("error rate {errors:.3}, limit {}", failback.max_error_rate));
            }
        }
        let success = self.regions[0].window.success().unwrap_or(0.0);
        if success < failback.min_canary_success {
            failed.push(format!(
                "canary success {success:.2}, limit {}",
                failback.min_canary_success
            ));
        }
        failed
    }

    fn primary_ttft(&self) -> Span {
        let latency = &self.plan.service.latency;
        let added = (0..self.features.len())
            .filter_map(|feature| Some(self.fallback_of(0, feature)?.added_latency))
            .max()
            .unwrap_or(Span::ZERO);
        let base = if self.regions[0].load.degraded { latency.degraded } else { latency.normal };
        base + added
    }

    /// Share of the primary's interactive requests that fail or are shed.
    fn primary_errors(&self) -> f64 {
        let (mut all, mut good) = (0.0, 0.0);
        for (feature, planned) in self.plan.features.iter().enumerate() {
            let moved = self.features[feature].place == Place::Away;
            if !moved || planned.input.class == Class::Background {
                continue;
            }
            let requests = planned.input.rate_per_s * self.share(0, feature);
            all += requests;
            good += requests * self.feature_up(0, feature) * self.regions[0].load.interactive;
        }
        if all > 0.0 { 1.0 - good / all } else { 0.0 }
    }
}
