//! All that the `budget` command tells, as the object that scripts read: `failover-budget/budget/1`.

use serde::Serialize;

use super::table::{BudgetTable, TierRow};
use super::{Met, Outlook, WouldFit};
use crate::estimate::Estimate;
use crate::scenario::{OutageKind, Scenario, Tier};
use crate::time::Span;
use crate::trigger::{Silence, Spec};

/// The schema of [`Report`].
pub const SCHEMA: &str = "failover-budget/budget/1";

/// All that `budget` tells.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The schema of this object.
    pub schema: &'static str,
    /// The scenario's name.
    pub scenario: String,
    /// RTO and tiers.
    #[serde(flatten)]
    pub table: BudgetTable,
    /// Time between due probes.
    pub interval_s: f64,
    /// The tiers again, with more to each.
    pub targets: Vec<TargetRow>,
    /// Every trigger on every target.
    pub triggers: Vec<TriggerRow>,
    /// What the figures do not hold for.
    pub notes: Vec<String>,
}

/// A target with its stages, its loading, and what would fit where nothing does.
#[derive(Clone, Debug, Serialize)]
pub struct TargetRow {
    /// As in the table.
    #[serde(flatten)]
    pub row: TierRow,
    /// The stages in order.
    pub stages: Vec<StageRow>,
    /// How the weights are loaded.
    pub loading: LoadingRow,
    /// Why no trigger fits; none where one does.
    pub why_not: Option<String>,
    /// What each input alone would have to be for the least patient trigger to fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub would_fit_if: Option<serde_json::Value>,
}

/// One stage. Stages of the same step pass side by side.
#[derive(Clone, Debug, Serialize)]
pub struct StageRow {
    /// Its name.
    pub stage: String,
    /// Its place in the order, from 1.
    pub step: usize,
    /// Family of its law.
    pub law: &'static str,
    /// Its mean length.
    pub mean_s: f64,
}

/// How the weights are loaded.
#[derive(Clone, Debug, Serialize)]
pub struct LoadingRow {
    /// Size of the weights.
    pub weights_gb: f64,
    /// How many load at once.
    pub replicas: u64,
    /// What one could load.
    pub load_rate_gb_per_s: f64,
    /// What the storage gives to all; none where it is not limited.
    pub storage_gb_per_s: Option<f64>,
    /// What each replica gets.
    pub rate_gb_per_s: f64,
    /// True where the replicas slow each other down.
    pub contended: bool,
}

/// One trigger on every target.
#[derive(Clone, Debug, Serialize)]
pub struct TriggerRow {
    /// The trigger.
    pub trigger: Spec,
    /// From the first failed probe to the firing.
    pub patience_s: f64,
    /// Detection from the outage's start at the worst instant.
    pub worst_case_detection_s: f64,
    /// One entry a target.
    pub recovery: Vec<RecoveryRow>,
    /// What its author may not have meant.
    pub warnings: Vec<String>,
}

/// One trigger on one target. `meets_rto` is none where it is a matter of chance.
#[derive(Clone, Debug, Serialize)]
pub struct RecoveryRow {
    /// What the target is called.
    pub target: String,
    /// How ready it is.
    pub tier: Tier,
    /// From the first failed probe: patience and the stages.
    pub recovery_s: f64,
    /// From the outage's start at the worst instant.
    pub worst_case_s: f64,
    /// Whether the first is within the RTO, less the reserve.
    pub meets_rto: Option<bool>,
    /// Whether the second is.
    pub worst_case_meets_rto: Option<bool>,
    /// The probability of it, where it is a matter of chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rto_met: Option<Estimate>,
    /// The same for the worst case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_case_rto_met: Option<Estimate>,
}

impl Report {
    /// The whole report of a scenario whose targets have these outlooks.
    pub fn of(scenario: &Scenario, outlooks: &[Outlook]) -> Self {
        Report {
            schema: SCHEMA,
            scenario: scenario.name.clone(),
            table: BudgetTable::of(scenario.rto, outlooks),
            interval_s: scenario.probe.interval.as_secs_f64(),
            targets: outlooks.iter().map(TargetRow::of).collect(),
            triggers: scenario
                .triggers
                .iter()
                .map(|spec| TriggerRow::of(scenario, *spec, outlooks))
                .collect(),
            notes: notes(scenario),
        }
    }
}

/// Detection is arithmetic only where every probe of an outage fails and the controller minds.
fn notes(scenario: &Scenario) -> Vec<String> {
    let (outage, controller) = (&scenario.outage, &scenario.controller);
    let mut notes = Vec::new();
    if outage.kind == OutageKind::Gray {
        notes.push(format!(
            "patience and worst case are those of an outage that fails every probe; this scenario's is \
             gray and fails each with probability {}, so detection takes longer: simulate it",
            outage.fail_probability
        ));
    }
    if outage.kind == OutageKind::Dark && controller.silence == Silence::Ignored {
        notes.push(
            "with silence ignored a dark outage is never detected, whatever the room: set \
             `controller.silence = \"failure\"`"
                .to_owned(),
        );
    }
    notes
}

impl TargetRow {
    fn of(outlook: &Outlook) -> Self {
        let plan = &outlook.plan;
        let stage_rows = plan.groups.iter().enumerate().flat_map(|(index, group)| {
            group.iter().map(move |stage| StageRow {
                stage: stage.name.clone(),
                step: index + 1,
                law: stage.length.family(),
                mean_s: stage.mean_s(),
            })
        });
        let why_not = outlook.why_not();
        let would_fit = || outlook.would_fit(plan.worst_detection(Span::ZERO)).to_json();
        TargetRow {
            row: TierRow::of(outlook),
            stages: stage_rows.collect(),
            loading: LoadingRow {
                weights_gb: plan.loading.weights_gb,
                replicas: plan.loading.replicas,
                load_rate_gb_per_s: plan.loading.load_rate_gb_per_s,
                storage_gb_per_s: plan.loading.storage_gb_per_s,
                rate_gb_per_s: plan.loading.rate_gb_per_s(),
                contended: plan.loading.is_contended(),
            },
            would_fit_if: why_not.is_some().then(would_fit),
            why_not,
        }
    }
}

impl TriggerRow {
    fn of(scenario: &Scenario, spec: Spec, outlooks: &[Outlook]) -> Self {
        let probe = &scenario.probe;
        let patience = spec.patience(probe.interval);
        let worst = patience + probe.interval + probe.jitter + probe.timeout;
        let warnings = spec.warnings(probe.interval, probe.jitter);
        TriggerRow {
            trigger: spec,
            patience_s: patience.as_secs_f64(),
            worst_case_detection_s: worst.as_secs_f64(),
            recovery: outlooks.iter().map(|outlook| RecoveryRow::of(outlook, patience)).collect(),
            warnings: warnings.iter().map(ToString::to_string).collect(),
        }
    }
}

impl RecoveryRow {
    fn of(outlook: &Outlook, patience: Span) -> Self {
        let recovery = outlook.recovery(patience);
        let chance = |met: Met| match met {
            Met::Chance(estimate) => Some(estimate),
            _ => None,
        };
        RecoveryRow {
            target: outlook.plan.target.clone(),
            tier: outlook.plan.tier,
            recovery_s: recovery.recovery_s,
            worst_case_s: recovery.worst_case_s,
            meets_rto: recovery.met.certain(),
            worst_case_meets_rto: recovery.worst_case_met.certain(),
            rto_met: chance(recovery.met),
            worst_case_rto_met: chance(recovery.worst_case_met),
        }
    }
}

impl WouldFit {
    /// As JSON, without what cannot do it alone; stages stand as `<stage>_s`.
    pub fn to_json(&self) -> serde_json::Value {
        let mut object = serde_json::Map::new();
        let mut put = |key: &str, value: Option<serde_json::Value>| {
            value.map(|value| object.insert(key.to_owned(), value));
        };
        put("rto_s", self.rto.map(|rto| rto.as_secs_f64().into()));
        for (name, length) in &self.stages {
            put(&format!("{name}_s"), Some(length.as_secs_f64().into()));
        }
        put("weights_gb", self.weights_gb.map(Into::into));
        put("load_rate_gb_per_s", self.load_rate_gb_per_s.map(Into::into));
        put("storage_gb_per_s", self.storage_gb_per_s.map(Into::into));
        put("replicas", self.replicas.map(Into::into));
        put("tier", self.tier.map(|tier| tier.name().into()));
        object.into()
    }
}
