//! What happens to the world but for blips: the outage, the prober's death, the controller's restarts,
//! and deploys, which make healthy gaps pass faster.
//!
//! All of it is rare beside blips, and is kept out of the loop that they are simulated in.

use super::{Event, World, at_least_a_tick};
use crate::engine::Phase;
use crate::history::FaultKind;
use crate::time::Time;

impl World<'_> {
    #[cold]
    pub(super) fn outage_begins(&mut self) {
        if let Some(outage) = self.outage {
            self.judge.outage = Some(outage.kind);
            self.faults.push(outage.fault());
        }
    }

    #[cold]
    pub(super) fn prober_dies(&mut self, now: Time) {
        self.judge.prober_dead = true;
        self.prober_died = Some(now);
        let repair = self.scenario.prober.repair.sample(&mut self.prober);
        self.queue.push(now + repair, Phase::Prober, Event::ProberReturns);
    }

    #[cold]
    pub(super) fn prober_returns(&mut self, now: Time) {
        self.judge.prober_dead = false;
        if let Some(died) = self.prober_died.take() {
            self.record(FaultKind::ProberDeath, 0, died, now);
        }
        self.schedule_death(now);
    }

    #[cold]
    pub(super) fn controller_stops(&mut self, now: Time) {
        self.judge.controller_away = true;
        self.stopped = Some(now);
        let down = self.scenario.restarts.down.sample(&mut self.restarts);
        self.queue.push(now + down, Phase::Controller, Event::ControllerStarts);
        if let Some(deploy) = &self.scenario.restarts.deploy {
            let length = deploy.length.sample(&mut self.deploy_lengths);
            self.queue.push(now + length, Phase::FaultEnds, Event::DeployEnds);
            self.record(FaultKind::Deploy, 0, now, now + length);
            self.set_deploys(now, self.deploys + 1);
        }
    }

    #[cold]
    pub(super) fn controller_starts(&mut self, now: Time) {
        self.judge.controller_away = false;
        self.restarted.push(now);
        if let Some(stopped) = self.stopped.take()
            && stopped < now
        {
            self.record(FaultKind::ControllerDown, 0, stopped, now);
        }
        self.schedule_restart(now);
    }

    #[cold]
    pub(super) fn set_deploys(&mut self, now: Time, deploys: u32) {
        self.deploys = deploys;
        let before = self.pace;
        self.pace = match &self.scenario.restarts.deploy {
            Some(deploy) if deploys > 0 => deploy.blip_factor,
            _ => 1.0,
        };
        if before != self.pace {
            for process in &mut self.blips {
                process.change_pace(now, before, self.pace, &mut self.queue);
            }
        }
    }

    pub(super) fn schedule_death(&mut self, now: Time) {
        if let Some(gap) = &self.scenario.prober.gap {
            let at = now + at_least_a_tick(gap.sample(&mut self.prober));
            self.queue.push(at, Phase::Prober, Event::ProberDies);
        }
    }

    pub(super) fn schedule_restart(&mut self, now: Time) {
        if let Some(gap) = &self.scenario.restarts.gap {
            let at = now + at_least_a_tick(gap.sample(&mut self.restarts));
            self.queue.push(at, Phase::Controller, Event::ControllerStops);
        }
    }
}
