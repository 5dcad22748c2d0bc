//! The names in a drill: each is given once, and whatever is referred to exists.

use super::broken;
use crate::drill::plan::{Need, NeedKind, PlannedFault, Regions, Scope, StepNeed};
use crate::drill::service::{Fault, FaultKind, Service};
use crate::scenario::document::nearest;
use crate::scenario::validate::Broken;

/// The word for every region.
const ALL: &str = "all";

/// Everything that can be referred to.
pub(in crate::drill) struct Names {
    needs: Vec<String>,
    /// Names of the regions: the primary, then the standbys.
    pub(in crate::drill) regions: Vec<String>,
    vantage_points: Vec<String>,
}

impl Names {
    pub(in crate::drill) fn new(service: &Service) -> Self {
        let mut needs: Vec<String> =
            service.dependencies.keys().chain(service.assets.keys()).cloned().collect();
        needs.sort();
        let standbys = service.standbys.iter().map(|standby| standby.name.clone());
        Names {
            needs,
            regions: std::iter::once(service.primary.name.clone()).chain(standbys).collect(),
            vantage_points: service.canary.vantage_points.clone(),
        }
    }

    /// Checks every name.
    ///
    /// # Errors
    /// The first that is given twice, empty, or unknown; with the nearest that is known.
    pub(in crate::drill) fn check(&self, service: &Service) -> Result<(), Broken> {
        self.check_given()?;
        for (name, feature) in &service.features {
            for need in &feature.needs {
                self.known(&format!("features.{name}.needs"), need)?;
            }
        }
        for need in service.canary.covers.iter().flatten() {
            self.known("canary.covers", need)?;
        }
        for (index, step) in service.runbook.iter().enumerate() {
            for need in &step.needs {
                if self.step_need(need).is_none() {
                    return unknown(
                        &format!("runbook.{index}.needs"),
                        need,
                        &[&self.needs, &self.regions],
                    );
                }
            }
        }
        for (index, fault) in service.faults.iter().enumerate() {
            self.check_fault(&format!("faults.{index}"), fault)?;
        }
        Ok(())
    }

    fn check_given(&self) -> Result<(), Broken> {
        if let Some(pair) = self.needs.windows(2).find(|pair| pair[0] == pair[1]) {
            return broken(
                &format!("assets.{}", pair[0]),
                "a dependency has this name; each needs a name of its own",
            );
        }
        for (index, name) in self.regions.iter().enumerate() {
            let key = match index.checked_sub(1) {
                None => "primary.name".to_owned(),
                Some(standby) => format!("standbys.{standby}.name"),
            };
            if name.trim().is_empty() || name == ALL {
                return broken(
                    &key,
                    format!("`{name}` found; allowed: any name but \"\" and \"{ALL}\""),
                );
            }
            if self.regions[..index].contains(name) || self.needs.contains(name) {
                return broken(
                    &key,
                    format!("`{name}` is given twice; each needs a name of its own"),
                );
            }
        }
        Ok(())
    }

    fn check_fault(&self, path: &str, fault: &Fault) -> Result<(), Broken> {
        if let Some(region) = &fault.region
            && region != ALL
            && !self.regions.contains(region)
        {
            return unknown(&format!("{path}.region"), region, &[&self.regions, &[ALL.to_owned()]]);
        }
        let key = format!("{path}.target");
        match (fault.kind, &fault.target) {
            (FaultKind::Dependency, Some(target)) => self.known(&key, target),
            (FaultKind::VantagePoint, Some(target)) if self.vantage_points.contains(target) => {
                Ok(())
            }
            (FaultKind::VantagePoint, Some(target)) => {
                unknown(&key, target, &[&self.vantage_points])
            }
            (FaultKind::Dependency, None) => {
                broken(path, "a fault of kind \"dependency\" needs a `target`")
            }
            (FaultKind::VantagePoint, None) => {
                broken(path, "a fault of kind \"vantage-point\" needs a `target`")
            }
            (_, Some(_)) => broken(
                &key,
                "only faults of kind \"dependency\" and \"vantage-point\" have a target",
            ),
            (_, None) => Ok(()),
        }
    }

    fn known(&self, key: &str, name: &str) -> Result<(), Broken> {
        if self.need(name).is_some() {
            return Ok(());
        }
        unknown(key, name, &[&self.needs])
    }

    /// The place of a dependency or asset.
    pub(in crate::drill) fn need(&self, name: &str) -> Option<usize> {
        self.needs.iter().position(|known| known == name)
    }

    /// What a step needs.
    pub(in crate::drill) fn step_need(&self, name: &str) -> Option<StepNeed> {
        let region = || self.regions.iter().position(|known| known == name);
        self.need(name).map(StepNeed::Need).or_else(|| region().map(StepNeed::Region))
    }

    /// Dependencies and assets in the order of their names.
    pub(in crate::drill) fn needs(&self, service: &Service) -> Vec<Need> {
        let need = |name: &String| {
            let dependency = service.dependencies.get(name).cloned().map(NeedKind::Dependency);
            let asset = || service.assets.get(name).cloned().map(NeedKind::Asset);
            Some(Need { name: name.clone(), kind: dependency.or_else(asset)? })
        };
        self.needs.iter().filter_map(need).collect()
    }

    /// A fault, resolved; none if a name in it is unknown.
    pub(in crate::drill) fn fault(&self, fault: &Fault, service: &Service) -> Option<PlannedFault> {
        let target = fault.target.as_deref();
        let scope = match fault.kind {
            FaultKind::Dependency => Scope::Need(self.need(target?)?),
            FaultKind::VantagePoint => {
                let known = |point: &String| Some(point.as_str()) == target;
                Scope::VantagePoint(self.vantage_points.iter().position(known)?)
            }
            kind => Scope::Region(kind),
        };
        let regions = match fault.region.as_deref() {
            Some(ALL) => Regions::All,
            Some(name) => Regions::One(self.regions.iter().position(|known| known == name)?),
            None => Regions::One(0),
        };
        let place = match regions {
            Regions::All => "all regions".to_owned(),
            Regions::One(region) => self.regions.get(region)?.clone(),
        };
        let what = match fault.kind {
            FaultKind::Dependency => target?.to_owned(),
            FaultKind::Region => "the whole region".to_owned(),
            FaultKind::Dark => "the whole region and its canaries".to_owned(),
            FaultKind::Isolated => "the way to the region, which goes on deciding".to_owned(),
            FaultKind::VantagePoint => format!("the sight of vantage point {}", target?),
        };
        Some(PlannedFault {
            at: fault.at.at(service.start),
            lasts: fault.lasts.clone(),
            scope,
            regions,
            fail_fraction: fault.fail_fraction,
            place,
            what,
        })
    }
}

fn unknown(key: &str, found: &str, allowed: &[&[String]]) -> Result<(), Broken> {
    let allowed: Vec<&str> =
        allowed.iter().flat_map(|names| names.iter()).map(String::as_str).collect();
    let hint = nearest(found, allowed.iter().copied())
        .map(|word| format!("did you mean `{word}`? "))
        .unwrap_or_default();
    broken(key, format!("unknown name `{found}`; {hint}allowed: {}", allowed.join(", ")))
}
