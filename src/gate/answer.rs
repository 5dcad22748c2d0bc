//! The gate's answer and its JSON form.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Decision, FeatureAnswer, Manifest, Policy, Watermark};

/// The gate's answer: one decision, and everything that led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The weightiest decision among the differences; `serve` when there is none.
    pub decision: Decision,
    /// Every difference, the weightiest first, those that the policy lets pass included.
    pub differences: Vec<Difference>,
    /// Freshness of every feature.
    pub features: Vec<FeatureAnswer>,
    /// Who serves, or would serve.
    pub identity: Identity,
}

/// One difference between the regions, or between the standby and the policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What this difference alone would decide.
    pub decision: Decision,
    /// Dotted name of what differs.
    pub subject: String,
    /// What the primary has.
    pub primary: Option<String>,
    /// What the standby has.
    pub standby: Option<String>,
    /// What it means.
    pub why: String,
}

impl Difference {
    pub(super) fn between(
        decision: Decision,
        subject: &str,
        primary: Option<&str>,
        standby: Option<&str>,
        why: &str,
    ) -> Self {
        Difference {
            decision,
            subject: subject.to_owned(),
            primary: primary.map(str::to_owned),
            standby: standby.map(str::to_owned),
            why: why.to_owned(),
        }
    }
}

/// What every response served from the standby must carry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// The standby's region.
    pub region: String,
    /// Resolved digest of its approved model; none when it does not resolve.
    pub artifact_digest: Option<String>,
    /// Its policy revision.
    pub policy_revision: String,
    /// The oldest of its feature watermarks.
    pub feature_watermark: Option<Watermark>,
    /// Each feature's watermark.
    pub feature_watermarks: BTreeMap<String, Watermark>,
    /// A digest of everything that the decision depends on: the same inputs give the same id.
    pub decision_id: String,
}

impl Identity {
    pub(super) fn of(
        primary: &Manifest,
        standby: &Manifest,
        policy: &Policy,
        at: Option<Watermark>,
    ) -> Self {
        let inputs = json!([primary, standby, policy, at]).to_string();
        let digest = Sha256::digest(inputs.as_bytes());
        let id: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Identity {
            region: standby.region.clone(),
            artifact_digest: standby.artifact.resolve(&standby.artifact.approved).ok(),
            policy_revision: standby.policy_revision.clone(),
            feature_watermark: standby.features.values().min().copied(),
            feature_watermarks: standby.features.clone(),
            decision_id: format!("gate-{id}"),
        }
    }
}

impl Answer {
    /// The answer as a JSON object of schema `failover-budget/gate/1`.
    pub fn to_json(&self) -> Value {
        json!({
            "schema": "failover-budget/gate/1",
            "decision": self.decision,
            "serves": self.decision.serves(),
            "identity": self.identity,
            "differences": self.differences,
            "features": self.features.iter().map(feature_json).collect::<Vec<_>>(),
        })
    }
}

fn feature_json(answer: &FeatureAnswer) -> Value {
    json!({
        "feature": answer.feature,
        "primary_watermark": answer.primary,
        "standby_watermark": answer.standby,
        "lag_s": answer.lag.map(|lag| lag.as_secs_f64()),
        "max_lag_s": answer.policy.max_lag.as_secs_f64(),
        "max_age_s": answer.policy.max_age.map(|age| age.as_secs_f64()),
        "freshness": answer.freshness,
        "route": answer.route,
    })
}
