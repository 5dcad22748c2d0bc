//! A drill ready to run: names resolved to places in lists, the gate asked once a standby.

use super::service::{Asset, Dependency, FaultKind, Feature, Location, Service};
use super::validate;
use crate::gate::{self, Answer, Manifest};
use crate::law::Law;
use crate::scenario::{Document, InputError};
use crate::time::Time;

/// A drill ready to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// As it was written.
    pub service: Service,
    /// Names of the regions: the primary, then the standbys.
    pub regions: Vec<String>,
    /// Dependencies and assets, by name.
    pub needs: Vec<Need>,
    /// Features, by name.
    pub features: Vec<PlannedFeature>,
    /// The gate's answer for each standby.
    pub gates: Vec<Answer>,
    /// Steps of the runbook, in order.
    pub steps: Vec<PlannedStep>,
    /// Steps that need the region that is failed from: not statically stable.
    pub unstable_steps: Vec<UnstableStep>,
    /// What goes wrong.
    pub(super) faults: Vec<PlannedFault>,
    /// What the canaries exercise.
    pub(super) covers: Vec<usize>,
    /// How many vantage points must see a failure.
    pub(super) quorum: u32,
}

/// A dependency or an asset.
#[derive(Clone, Debug)]
pub struct Need {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: NeedKind,
}

/// What a feature needs.
#[derive(Clone, Debug)]
pub enum NeedKind {
    /// Something that requests pass through.
    Dependency(Dependency),
    /// Something that holds state or bytes.
    Asset(Asset),
}

impl Need {
    /// Where a dependency stands; none for an asset.
    pub(super) fn location(&self) -> Option<Location> {
        match &self.kind {
            NeedKind::Dependency(dependency) => Some(dependency.location),
            NeedKind::Asset(_) => None,
        }
    }

    /// Whether it stands in the primary only.
    pub fn is_regional(&self) -> bool {
        self.location() == Some(Location::Regional)
    }

    /// Whether streams die with it.
    pub(super) fn carries_streams(&self) -> bool {
        matches!(&self.kind, NeedKind::Dependency(dependency) if dependency.carries_streams)
    }
}

/// A feature and what it needs.
#[derive(Clone, Debug)]
pub struct PlannedFeature {
    /// Its name.
    pub name: String,
    /// As it was written.
    pub input: Feature,
    /// Places of its needs.
    pub needs: Vec<usize>,
}

/// A step of the runbook and what it needs.
#[derive(Clone, Debug)]
pub struct PlannedStep {
    /// What is done.
    pub name: String,
    /// How long it takes.
    pub(super) takes: Law,
    /// Without which it cannot be done.
    pub(super) needs: Vec<StepNeed>,
    /// Whether it stops the primary from deciding.
    pub(super) fences: bool,
}

/// What a step needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepNeed {
    /// A dependency or asset.
    Need(usize),
    /// A region.
    Region(usize),
}

/// A step that needs the region that is failed from.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct UnstableStep {
    /// What is done.
    pub step: String,
    /// What it needs.
    pub needs: String,
    /// Why that is a fault of the plan.
    pub why: String,
}

/// A fault, resolved.
#[derive(Clone, Debug)]
pub(super) struct PlannedFault {
    pub(super) at: Time,
    pub(super) lasts: Law,
    pub(super) scope: Scope,
    pub(super) regions: Regions,
    pub(super) fail_fraction: f64,
    /// Where it happens, for the timeline.
    pub(super) place: String,
    /// What it hits, for the timeline.
    pub(super) what: String,
}

/// What a fault hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Need(usize),
    Region(FaultKind),
    VantagePoint(usize),
}

/// Which regions a fault hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Regions {
    All,
    One(usize),
}

impl Regions {
    pub(super) fn has(self, region: usize) -> bool {
        match self {
            Regions::All => true,
            Regions::One(one) => one == region,
        }
    }
}

impl Plan {
    /// Reads, validates and resolves a drill.
    ///
    /// # Errors
    /// Names line and key, what was found and what is allowed.
    pub fn new(document: &Document) -> Result<Plan, InputError> {
        let service: Service = document.parse()?;
        validate::values(&service)
            .map_err(|broken| document.error(&broken.key, &broken.message))?;
        let names = validate::Names::new(&service);
        names.check(&service).map_err(|broken| document.error(&broken.key, &broken.message))?;
        let gates = ask_gate(document, &service)?;
        Ok(Plan::resolve(service, &names, gates))
    }

    /// Reads a drill from TOML text; `source` is the file's name in errors.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn from_toml(source: &str, text: &str) -> Result<Plan, InputError> {
        Plan::new(&Document::new(source, text)?)
    }

    /// Every name is known by now, so that a name that is not found is left out silently.
    fn resolve(service: Service, names: &validate::Names, gates: Vec<Answer>) -> Plan {
        let needs = names.needs(&service);
        let features = service.features.iter().map(|(name, feature)| PlannedFeature {
            name: name.clone(),
            input: feature.clone(),
            needs: feature.needs.iter().filter_map(|need| names.need(need)).collect(),
        });
        let features: Vec<PlannedFeature> = features.collect();
        let steps: Vec<PlannedStep> = service
            .runbook
            .iter()
            .map(|step| PlannedStep {
                name: step.step.clone(),
                takes: step.takes.clone(),
                needs: step.needs.iter().filter_map(|need| names.step_need(need)).collect(),
                fences: step.fences,
            })
            .collect();
        let mut covers: Vec<usize> = match &service.canary.covers {
            Some(covers) => covers.iter().filter_map(|need| names.need(need)).collect(),
            None => features.iter().flat_map(|feature| feature.needs.iter().copied()).collect(),
        };
        covers.sort_unstable();
        covers.dedup();
        let points = service.canary.vantage_points.len() as u32;
        let faults = service.faults.iter().filter_map(|fault| names.fault(fault, &service));
        Plan {
            faults: faults.collect(),
            quorum: service.canary.quorum.unwrap_or(points / 2 + 1),
            unstable_steps: unstable_steps(&steps, &needs, &names.regions),
            regions: names.regions.clone(),
            needs,
            features,
            gates,
            steps,
            covers,
            service,
        }
    }
}

fn unstable_steps(steps: &[PlannedStep], needs: &[Need], regions: &[String]) -> Vec<UnstableStep> {
    let primary = regions.first().map_or("", String::as_str);
    let mut found = Vec::new();
    for step in steps {
        for need in &step.needs {
            let (needs, why) = match need {
                StepNeed::Region(0) => {
                    (primary.to_owned(), "it needs the region that is failed from".to_owned())
                }
                StepNeed::Need(need) if needs[*need].is_regional() => {
                    (needs[*need].name.clone(), format!("it stands in {primary} only"))
                }
                _ => continue,
            };
            found.push(UnstableStep { step: step.name.clone(), needs, why });
        }
    }
    found
}

/// The gate's answer for each standby: the primary's manifest against the same with differences.
fn ask_gate(document: &Document, service: &Service) -> Result<Vec<Answer>, InputError> {
    let plain = || plain_manifest(&service.primary.name);
    let mut of_primary = service.primary.manifest.clone().unwrap_or_else(plain);
    of_primary.insert("region".to_owned(), service.primary.name.clone().into());
    let primary = manifest(document, "primary.manifest", &of_primary)?;
    let answer = |(index, standby): (usize, &super::service::Standby)| {
        let mut of_standby = of_primary.clone();
        of_standby.insert("region".to_owned(), standby.name.clone().into());
        overlay(&mut of_standby, &standby.differs);
        let standby = manifest(document, &format!("standbys.{index}.differs"), &of_standby)?;
        Ok(gate::decide(&primary, &standby, &service.gate, None))
    };
    service.standbys.iter().enumerate().map(answer).collect()
}

fn manifest(document: &Document, key: &str, table: &toml::Table) -> Result<Manifest, InputError> {
    let text = toml::to_string(table).unwrap_or_default();
    gate::manifest(key, &text).map_err(|error| {
        let inner =
            if error.key.is_empty() { key.to_owned() } else { format!("{key}.{}", error.key) };
        document.error(&inner, &error.message)
    })
}

/// The manifest of a region of which nothing was said: current, ready, its canaries passed.
fn plain_manifest(region: &str) -> toml::Table {
    let digest = format!("sha256:{}", "0".repeat(64));
    let artifact: toml::Table = [
        ("approved".to_owned(), digest.clone().into()),
        ("held".to_owned(), toml::Value::Array(vec![digest.into()])),
    ]
    .into_iter()
    .collect();
    let canary: toml::Table = [("success".to_owned(), 1.0.into())].into_iter().collect();
    [
        ("region".to_owned(), region.into()),
        ("api_contract".to_owned(), "v1".into()),
        ("policy_revision".to_owned(), "1".into()),
        ("artifact".to_owned(), artifact.into()),
        ("ready".to_owned(), true.into()),
        ("log_sink".to_owned(), "decisions".into()),
        ("canary".to_owned(), canary.into()),
    ]
    .into_iter()
    .collect()
}

/// Lays `over` over `base`: tables are merged key by key, everything else is replaced.
pub(super) fn overlay(base: &mut toml::Table, over: &toml::Table) {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) => overlay(below, above),
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
}
