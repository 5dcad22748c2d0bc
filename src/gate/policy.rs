//! What the gate lets pass.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::time::Span;

/// What the gate lets pass. An empty policy is the strictest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// Whether a standby with the previous approved model may serve. Default no.
    pub allow_rollback: bool,
    /// The least share of canaries that must pass. Default 0.9.
    pub min_canary_success: f64,
    /// Whether a scored canary must have been recorded. Default yes.
    pub require_canary: bool,
    /// How the log sinks of the regions must relate. Default `"same"`.
    pub log_sink: LogSink,
    /// Named revisions that may differ between the regions; they are listed all the same.
    pub may_differ: Vec<String>,
    /// How stale each feature may be. A feature that is not named may not lag at all.
    pub features: BTreeMap<String, FeaturePolicy>,
}

/// How stale one feature may be, and what happens beyond that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeaturePolicy {
    /// The furthest that the standby's watermark may be behind the primary's.
    pub max_lag: Span,
    /// The oldest that the standby's watermark may be when the request comes. No limit when left out.
    #[serde(default)]
    pub max_age: Option<Span>,
    /// What happens to a decision that needs the feature beyond its budget. Default `"review"`.
    #[serde(default)]
    pub fallback: Fallback,
}

/// What happens to a decision that needs a feature beyond its budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fallback {
    /// It is served as if the feature were fresh.
    Serve,
    /// A person looks at it.
    #[default]
    Review,
    /// It is refused.
    Reject,
}

/// How the log sinks of the regions must relate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogSink {
    /// Both name the same one.
    #[default]
    Same,
    /// Each names one; they may differ.
    PerRegion,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            allow_rollback: false,
            min_canary_success: 0.9,
            require_canary: true,
            log_sink: LogSink::Same,
            may_differ: Vec::new(),
            features: BTreeMap::new(),
        }
    }
}

impl Policy {
    /// The policy of a feature: its own, or no lag at all and review.
    pub fn feature(&self, name: &str) -> FeaturePolicy {
        self.features.get(name).cloned().unwrap_or(FeaturePolicy {
            max_lag: Span::ZERO,
            max_age: None,
            fallback: Fallback::Review,
        })
    }

    /// The first rule that the policy breaks: dotted key and message.
    pub fn broken_rule(&self) -> Option<(String, String)> {
        if !(0.0..=1.0).contains(&self.min_canary_success) {
            let found = self.min_canary_success;
            return Some((
                "min_canary_success".to_owned(),
                format!("{found} found; allowed: 0 to 1"),
            ));
        }
        self.features.iter().find_map(|(name, feature)| {
            let negative = |key: &str, span: Span| {
                let key = format!("features.{name}.{key}");
                (span < Span::ZERO).then(|| (key, format!("{span} found; allowed: 0s or longer")))
            };
            negative("max_lag", feature.max_lag)
                .or_else(|| feature.max_age.and_then(|age| negative("max_age", age)))
        })
    }
}
