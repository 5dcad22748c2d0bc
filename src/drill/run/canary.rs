//! Canaries: requests through the whole path, from each vantage point to each region.

use std::collections::{BTreeMap, VecDeque};

use super::{Event, Run};
use crate::drill::controller::Health;
use crate::drill::outcome::Kind;
use crate::drill::plan::Scope;
use crate::drill::service::FaultKind;
use crate::engine::{Phase, streams::unit_hash};
use crate::history::Check;
use crate::time::{Span, Time};
use crate::trigger::Silence;

/// How many canaries in a row a vantage point must disagree before it is told.
const ODD_AFTER: u32 = 3;

/// The checks of one region that the controller holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    held: VecDeque<(Time, bool)>,
    latest: Option<Check>,
    ticks: u64,
    /// For how many canaries in a row each vantage point has disagreed with the others.
    odd: BTreeMap<usize, u32>,
}

impl Window {
    /// Takes a check. What silence counts as is decided here, and nowhere else.
    fn take(&mut self, at: Time, check: Check, silence: Silence, window: Span) {
        self.latest = Some(check);
        match (check, silence) {
            (Check::Healthy, _) => self.held.push_back((at, true)),
            (Check::Unhealthy, _) | (Check::Absent, Silence::Failure) => {
                self.held.push_back((at, false));
            }
            (Check::Absent, Silence::Ignored) => {}
        }
        while self.held.front().is_some_and(|(held, _)| *held <= at - window) {
            self.held.pop_front();
        }
    }

    /// Share of the checks held that passed; none when nothing is held.
    pub(super) fn success(&self) -> Option<f64> {
        let passed = self.held.iter().filter(|(_, passed)| *passed).count();
        (!self.held.is_empty()).then(|| passed as f64 / self.held.len() as f64)
    }

    /// As the controller reads it.
    pub(super) fn health(&self, breaker_open: bool) -> Health {
        let latest_passed = self.latest == Some(Check::Healthy);
        Health { success: self.success(), latest_passed, breaker_open }
    }
}

impl Run<'_> {
    /// Sends the canaries that are due, and lets the controller decide.
    pub(super) fn canaries(&mut self) {
        let canary = &self.plan.service.canary;
        for region in 0..self.regions.len() {
            let check = self.check(region);
            self.regions[region].window.take(self.now, check, canary.silence, canary.window);
            if let (0, Some(trigger)) = (region, &mut self.trigger) {
                trigger.observe(self.now, check);
            }
        }
        self.queue.push(self.now, Phase::Decision, Event::Decide);
        self.queue.push(self.now + canary.interval, Phase::Probe, Event::Canary);
    }

    /// What the vantage points together see of a region.
    fn check(&mut self, region: usize) -> Check {
        let tick = self.regions[region].window.ticks;
        self.regions[region].window.ticks += 1;
        if self.region_has(region, FaultKind::Dark) {
            return Check::Absent;
        }
        let points = self.plan.service.canary.vantage_points.len();
        let up = self.canary_up[region].unwrap_or_else(|| self.canary_path_up(region));
        self.canary_up[region] = Some(up);
        let key = self.canary_keys[region];
        let failing: Vec<usize> = (0..points)
            .filter(|point| {
                let place = tick * points as u64 + *point as u64;
                self.vantage_point_fails(region, *point) || unit_hash(key, place) >= up
            })
            .collect();
        let unhealthy = failing.len() as u32 >= self.plan.quorum;
        self.tell_odd_points(region, if unhealthy { &[] } else { &failing });
        if unhealthy { Check::Unhealthy } else { Check::Healthy }
    }

    /// Chance that a canary comes through: all that it covers, as far as the region has it.
    fn canary_path_up(&self, region: usize) -> f64 {
        let covered = self.plan.covers.iter().filter(|need| {
            !self.stands_elsewhere(region, **need) && self.asset_usable(region, **need)
        });
        let whole = self.region_up(region) * (1.0 - self.plan.service.canary.noise);
        covered.fold(whole, |up, need| up * self.need_up(region, *need))
    }

    fn vantage_point_fails(&self, region: usize, point: usize) -> bool {
        let mut faults = self.plan.faults.iter().zip(&self.active);
        faults.any(|(fault, active)| {
            *active && fault.scope == Scope::VantagePoint(point) && fault.regions.has(region)
        })
    }

    /// A vantage point that goes on disagreeing is told once; a stray failure is not.
    fn tell_odd_points(&mut self, region: usize, odd: &[usize]) {
        if !self.recording {
            return;
        }
        let runs = &mut self.regions[region].window.odd;
        runs.retain(|point, _| odd.contains(point));
        odd.iter().for_each(|point| *runs.entry(*point).or_default() += 1);
        let told: Vec<usize> =
            runs.iter().filter(|(_, run)| **run == ODD_AFTER).map(|(point, _)| *point).collect();
        for point in told {
            let name = &self.plan.service.canary.vantage_points[point];
            let quorum = self.plan.quorum;
            self.say(Kind::Fault, self.region_name(region), || {
                format!(
                    "vantage point {name} sees failures that the others do not; quorum is {quorum}"
                )
            });
        }
    }
}
