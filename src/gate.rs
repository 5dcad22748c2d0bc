//! May this standby serve? Two region manifests and a policy give a decision, and every difference.
//!
//! A standby that answers its health check may still hold another model, an older policy or stale
//! features. The gate compares what each region says of itself and answers with one [`Decision`],
//! the one that weighs most among all the differences, which are all listed. It is pure: no file, no
//! clock, no network. What it is told is taken as true; whether a manifest is honest is outside it.

mod answer;
mod compare;
mod decision;
mod features;
mod manifest;
mod policy;
mod read;

pub use answer::{Answer, Difference, Identity};
pub use decision::Decision;
pub use features::{FeatureAnswer, Freshness, Route};
pub use manifest::{Artifact, Canary, Manifest, Unresolved, Watermark};
pub use policy::{Fallback, FeaturePolicy, LogSink, Policy};
pub use read::{manifest, policy};

/// Decides whether `standby` may serve in place of `primary`.
///
/// `at` is the instant of the request that would be served; it is used only for features whose policy
/// sets a `max_age`, and without it such a feature goes to review.
pub fn decide(
    primary: &Manifest,
    standby: &Manifest,
    policy: &Policy,
    at: Option<Watermark>,
) -> Answer {
    let mut differences = compare::identity(primary, standby, policy);
    differences.extend(compare::readiness(standby, policy));
    differences.extend(compare::configuration(primary, standby, policy));
    let features = features::judge(primary, standby, policy, at);
    differences.extend(features.iter().filter_map(FeatureAnswer::difference));
    // Stable: within one weight they stay in the order in which they were found.
    differences.sort_by_key(|difference| difference.decision);
    let decision = differences.first().map_or(Decision::Serve, |first| first.decision);
    let identity = Identity::of(primary, standby, policy, at);
    Answer { decision, differences, features, identity }
}

#[cfg(test)]
mod tests;
