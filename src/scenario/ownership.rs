//! Who answers for the figures: inputs of the review, which no simulation reads.

use serde::{Deserialize, Serialize};

use crate::time::Span;

/// Who owns the false-failover rate, who may write probe results, when the plan was exercised.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ownership {
    /// The person or team that owns the false-failover rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The most false failovers that the owner accepts, as `"1/30d"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_false_failovers: Option<String>,
    /// Where the blip laws come from, such as the name of a fitted recording.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured_from: Option<String>,
    /// Who or what can write probe results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub probe_writers: Vec<String>,
    /// Manifest of the primary, for the diff with the standby's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primary_manifest: Option<String>,
    /// Manifest of the standby.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standby_manifest: Option<String>,
    /// What the gate lets pass in that diff; nothing beyond equality when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate_policy: Option<String>,
    /// The last exercise of the whole plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_drill: Option<LastDrill>,
}

/// An exercise of the whole plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LastDrill {
    /// The day, as `2026-10-31`.
    pub on: String,
    /// How often it is due, such as `"90d"`.
    pub every: Span,
    /// The stages as they were timed, by name.
    #[serde(default)]
    pub stages: std::collections::BTreeMap<String, Span>,
}
