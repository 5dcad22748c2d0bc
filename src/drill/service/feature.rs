//! What users get, and what it needs.

use serde::Deserialize;

use crate::law::Law;
use crate::time::Span;

/// Something that users get.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// Names of the dependencies and assets that it needs.
    pub needs: Vec<String>,
    /// Requests a second.
    pub rate_per_s: f64,
    /// Share of the service's full capacity that it takes at this rate.
    #[serde(default)]
    pub work: f64,
    /// Whether people wait for it. Default `"interactive"`.
    #[serde(default)]
    pub class: Class,
    /// Whether it changes something outside: then a person confirms its failover.
    #[serde(default)]
    pub side_effects: bool,
    /// How long the person takes to confirm, from the decision on; needed with side effects.
    #[serde(default)]
    pub confirmation: Option<Law>,
    /// Objective: how long until it works again.
    pub rto: Span,
    /// Objective: how much recent data may be lost.
    pub rpo: Span,
    /// Whether its requests are turns of conversations that a replicated store keeps.
    #[serde(default)]
    pub turns: bool,
    /// Mean length of one run that has side effects. Default 30 s.
    #[serde(default = "half_a_minute")]
    pub run: Span,
    /// Share of the runs in flight whose effect had happened but was not yet recorded. Default 0.
    #[serde(default)]
    pub executed_unrecorded: f64,
    /// Whether its side effects carry idempotency keys. Default yes.
    #[serde(default = "yes")]
    pub idempotency_keys: bool,
    /// Decisions a second that a region makes from work that it holds already, without any client:
    /// queues, schedules, agents. What a primary that is cut off goes on doing. Default 0.
    #[serde(default)]
    pub autonomous_per_s: f64,
}

fn half_a_minute() -> Span {
    Span::from_secs(30)
}

fn yes() -> bool {
    true
}

/// Whether people wait for a feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// People wait: served first, and shed in part when capacity is short.
    #[default]
    Interactive,
    /// Nobody waits: shed whole while capacity is short.
    Background,
}

/// Something that requests pass through.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dependency {
    /// Where it stands.
    pub location: Location,
    /// Whether a stream that is being answered dies with it. Default no.
    #[serde(default)]
    pub carries_streams: bool,
    /// For a provider: how long until the breaker opens and a fallback is tried. Default 30 s.
    #[serde(default = "half_a_minute")]
    pub switch_after: Span,
    /// For a provider: what is tried instead, in order.
    #[serde(default)]
    pub fallbacks: Vec<Fallback>,
}

/// Where a dependency stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Location {
    /// One for all regions.
    Global,
    /// One in each region.
    Replicated,
    /// In the primary only, without a replica.
    Regional,
    /// An endpoint of a provider in each region, with fallbacks.
    Provider,
}

/// What is tried when a provider's endpoint fails.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fallback {
    /// What it is called.
    pub name: String,
    /// What kind it is.
    pub kind: FallbackKind,
    /// Requests a second that are granted there now. No limit when left out.
    #[serde(default)]
    pub quota_per_s: Option<f64>,
    /// Whether commitments on residency allow it. Default yes.
    #[serde(default = "yes")]
    pub residency_allowed: bool,
    /// Whether it serves the same pinned version. Default yes.
    #[serde(default = "yes")]
    pub same_version: bool,
    /// What it adds to the time to first token. Default 0 s.
    #[serde(default)]
    pub added_latency: Span,
}

/// The kinds of fallback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FallbackKind {
    /// The same provider in another region.
    OtherEndpoint,
    /// Another provider.
    OtherProvider,
    /// A lesser answer that needs no provider.
    Degraded,
}

impl FallbackKind {
    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            FallbackKind::OtherEndpoint => "another endpoint",
            FallbackKind::OtherProvider => "another provider",
            FallbackKind::Degraded => "a degraded answer",
        }
    }
}

/// Something that holds state or bytes, with its own recovery.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "recovery", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Asset {
    /// In every region ahead of time and never changed in place: weights, prompts.
    Present,
    /// Written into every region at once: nothing lost, nothing to wait for.
    DualIngested,
    /// Copied after the fact: ready at once, and the last `lag` is lost.
    Replicated {
        /// How far the copy is behind at a failover. An input: it is never derived from load.
        lag: Law,
    },
    /// Restored from a snapshot: ready after `restore`, and the last `lag` is lost.
    Snapshot {
        /// How old the snapshot is.
        lag: Law,
        /// How long restoring takes.
        restore: Law,
    },
    /// Rebuilt from its source: nothing lost, ready after `takes`.
    Rebuilt {
        /// How long rebuilding takes.
        takes: Law,
    },
    /// A cache: it is never waited for. What a cold one costs stands under `latency`.
    Cache,
}
