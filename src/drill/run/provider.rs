//! A provider's endpoint fails although the region is well: fallbacks under quota, residency and
//! version parity.

use super::availability::HALF;
use super::{Event, Run};
use crate::drill::outcome::Kind;
use crate::drill::plan::NeedKind;
use crate::drill::service::{Fallback, FallbackKind, Location};

impl Run<'_> {
    /// A fault has begun on `need`: if it is a provider, its breaker will look in a while.
    pub(super) fn watch_provider(&mut self, region: usize, need: usize) {
        if let NeedKind::Dependency(dependency) = &self.plan.needs[need].kind
            && dependency.location == Location::Provider
        {
            self.after(dependency.switch_after, Event::ProviderSwitch { region, need });
        }
    }

    /// The breaker opens: the first fallback that may be used is.
    pub(super) fn provider_switch(&mut self, region: usize, need: usize) {
        let plan = self.plan;
        let NeedKind::Dependency(dependency) = &plan.needs[need].kind else { return };
        let broken = self.need_unbroken(region, need) < HALF;
        if !broken || self.fallbacks[region][need].is_some() {
            return;
        }
        let name = &plan.needs[need].name;
        let load = self.requests_through(region, need);
        for (index, fallback) in dependency.fallbacks.iter().enumerate() {
            match refusal(fallback, load) {
                Some(why) => {
                    self.say(Kind::Decision, name, || {
                        format!("{} cannot be used: {why}", fallback.name)
                    });
                }
                None => {
                    self.fallbacks[region][need] = Some(index);
                    self.say(Kind::Traffic, name, || {
                        format!("served by {} ({})", fallback.name, fallback.kind.words())
                    });
                    return;
                }
            }
        }
        self.say(Kind::Decision, name, || "no fallback can be used".to_owned());
    }

    /// The endpoint is well again: the fallback is left.
    pub(super) fn leave_fallback(&mut self, region: usize, need: usize) {
        if self.fallbacks[region][need].is_some() && self.need_unbroken(region, need) >= HALF {
            self.fallbacks[region][need] = None;
            let name = &self.plan.needs[need].name;
            self.say(Kind::Traffic, name, || "served by its own endpoint again".to_owned());
        }
    }

    /// The fallback in use for a feature in a region, the one with the largest added latency.
    pub(super) fn fallback_of(&self, region: usize, feature: usize) -> Option<&Fallback> {
        let needs = self.plan.features[feature].needs.iter();
        needs
            .filter_map(|need| {
                let index = self.fallbacks[region][*need]?;
                match &self.plan.needs[*need].kind {
                    NeedKind::Dependency(dependency) => dependency.fallbacks.get(index),
                    NeedKind::Asset(_) => None,
                }
            })
            .max_by_key(|fallback| fallback.added_latency)
    }

    fn requests_through(&self, region: usize, need: usize) -> f64 {
        let features = self.plan.features.iter().enumerate();
        features
            .filter(|(_, feature)| feature.needs.contains(&need))
            .map(|(index, feature)| feature.input.rate_per_s * self.share(region, index))
            .sum()
    }
}

/// Why a fallback may not be used, if it may not.
fn refusal(fallback: &Fallback, load: f64) -> Option<String> {
    if !fallback.residency_allowed {
        return Some("residency forbids it".to_owned());
    }
    if !fallback.same_version && fallback.kind != FallbackKind::Degraded {
        return Some("it does not serve the pinned version".to_owned());
    }
    match fallback.quota_per_s {
        Some(quota) if quota < load => {
            Some(format!("its quota of {quota} requests/s is less than the load of {load}"))
        }
        _ => None,
    }
}
