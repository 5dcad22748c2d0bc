//! Faults begin and end.

use super::{Event, Run};
use crate::drill::outcome::Kind;
use crate::drill::plan::{NeedKind, Scope};
use crate::drill::service::FaultKind;
use crate::engine::Phase;

impl Run<'_> {
    pub(super) fn fault_begins(&mut self, index: usize) {
        self.active[index] = true;
        let plan = self.plan;
        let fault = &plan.faults[index];
        self.say(Kind::Fault, &fault.place, || format!("lost: {}", fault.what));
        self.break_streams(index);
        for region in (0..self.regions.len()).filter(|region| fault.regions.has(*region)) {
            match fault.scope {
                Scope::Region(FaultKind::Region | FaultKind::Dark) => self.lose_servers(region),
                Scope::Region(FaultKind::Isolated) if region == 0 => {
                    self.fenced = false;
                    if let Some(lease) = plan.service.fencing.lease {
                        self.queue.push(
                            self.now + lease,
                            Phase::Controller,
                            Event::LeaseOver(index),
                        );
                    }
                }
                Scope::Need(need) => self.watch_provider(region, need),
                _ => {}
            }
        }
    }

    pub(super) fn fault_ends(&mut self, index: usize) {
        self.active[index] = false;
        let plan = self.plan;
        let fault = &plan.faults[index];
        self.say(Kind::Fault, &fault.place, || format!("well again: {}", fault.what));
        if let Scope::Need(need) = fault.scope {
            for region in 0..self.regions.len() {
                self.leave_fallback(region, need);
            }
        }
        self.resume_runbook();
    }

    /// A region that is cut off stops deciding by itself when its lease runs out.
    pub(super) fn lease_over(&mut self, index: usize) {
        if self.active[index] && !self.fenced {
            self.fenced = true;
            self.say(Kind::State, self.region_name(0), || {
                "its lease has run out: it stops deciding".to_owned()
            });
        }
    }

    /// A region that fails loses its caches, and all servers that it would not keep when idle.
    fn lose_servers(&mut self, region: usize) {
        let kept = if region == 0 { self.plan.service.primary.idle_capacity } else { 1.0 };
        let state = &mut self.regions[region];
        state.ready = state.ready.min(kept);
        state.warmth = 0.0;
    }

    /// True iff something that a step of the runbook needs is there.
    pub(super) fn step_need_up(&self, need: usize) -> bool {
        let region = match self.plan.needs[need].kind {
            NeedKind::Dependency(_) if self.plan.needs[need].is_regional() => 0,
            _ => self.away_region(),
        };
        self.need_up(region, need) * self.region_up(region) >= super::availability::HALF
    }
}
