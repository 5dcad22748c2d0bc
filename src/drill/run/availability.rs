//! What works where: shares of requests that come through, by region, need and feature.

use super::Run;
use crate::drill::plan::{NeedKind, Scope};
use crate::drill::service::{FaultKind, Location};

/// The share of requests from which on a feature counts as served.
pub(super) const HALF: f64 = 0.5;

impl Run<'_> {
    /// Share of requests that the faults on the whole region let through.
    pub(super) fn region_up(&self, region: usize) -> f64 {
        self.through(|scope, regions| matches!(scope, Scope::Region(_)) && regions.has(region))
    }

    /// Whether a fault of this kind is on in the region.
    pub(super) fn region_has(&self, region: usize, kind: FaultKind) -> bool {
        let mut faults = self.plan.faults.iter().zip(&self.active);
        faults.any(|(fault, active)| {
            *active && fault.scope == Scope::Region(kind) && fault.regions.has(region)
        })
    }

    /// Share of requests that this need lets through in the region.
    pub(super) fn need_up(&self, region: usize, need: usize) -> f64 {
        if self.stands_elsewhere(region, need) || !self.asset_usable(region, need) {
            return 0.0;
        }
        if self.fallbacks[region][need].is_some() {
            return 1.0;
        }
        self.need_unbroken(region, need)
    }

    /// As [`Run::need_up`], but for faults alone: without fallbacks, places and recoveries.
    pub(super) fn need_unbroken(&self, region: usize, need: usize) -> f64 {
        let global = self.plan.needs[need].location() == Some(Location::Global);
        self.through(|scope, regions| {
            *scope == Scope::Need(need) && (global || regions.has(region))
        })
    }

    /// Share of the feature's requests that come through in the region.
    pub(super) fn feature_up(&self, region: usize, feature: usize) -> f64 {
        let needs = &self.plan.features[feature].needs;
        needs.iter().fold(self.region_up(region), |up, need| up * self.need_up(region, *need))
    }

    /// Whether the need stands in the primary only, and the region is another.
    pub(super) fn stands_elsewhere(&self, region: usize, need: usize) -> bool {
        region != 0 && self.plan.needs[need].location() == Some(Location::Regional)
    }

    /// Whether the asset is usable in the region; true of a dependency.
    pub(super) fn asset_usable(&self, region: usize, need: usize) -> bool {
        match self.plan.needs[need].kind {
            NeedKind::Asset(_) if region > 0 => self.assets[region - 1][need],
            _ => true,
        }
    }

    fn through(&self, hit: impl Fn(&Scope, &crate::drill::plan::Regions) -> bool) -> f64 {
        let faults = self.plan.faults.iter().zip(&self.active);
        faults
            .filter(|(fault, active)| **active && hit(&fault.scope, &fault.regions))
            .fold(1.0, |up, (fault, _)| up * (1.0 - fault.fail_fraction))
    }
}
