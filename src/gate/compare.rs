//! The comparisons that do not concern features: identity, readiness, configuration.

use std::collections::BTreeSet;

use super::answer::Difference;
use super::{Decision, LogSink, Manifest, Policy};

/// API contract, model and policy revision.
pub(super) fn identity(primary: &Manifest, standby: &Manifest, policy: &Policy) -> Vec<Difference> {
    let mut found = Vec::new();
    if primary.api_contract != standby.api_contract {
        found.push(Difference::between(
            Decision::HoldApiContract,
            "api_contract",
            Some(&primary.api_contract),
            Some(&standby.api_contract),
            "clients of one contract would meet the other",
        ));
    }
    found.extend(model(primary, standby, policy));
    if primary.policy_revision != standby.policy_revision {
        found.push(Difference::between(
            Decision::HoldPolicyRevision,
            "policy_revision",
            Some(&primary.policy_revision),
            Some(&standby.policy_revision),
            "the same request would be decided differently",
        ));
    }
    found
}

fn model(primary: &Manifest, standby: &Manifest, policy: &Policy) -> Vec<Difference> {
    let mut found = Vec::new();
    let theirs = primary.artifact.resolve(&primary.artifact.approved);
    let ours = standby.artifact.resolve(&standby.artifact.approved);
    for (region, digest) in [(&primary.region, &theirs), (&standby.region, &ours)] {
        if let Err(why) = digest {
            let why = format!("the approved model of {region} cannot be told: {why}");
            found.push(Difference::between(
                Decision::HoldModelDigest,
                "artifact.approved",
                theirs.as_deref().ok(),
                ours.as_deref().ok(),
                &why,
            ));
        }
    }
    if let Ok(ours) = &ours {
        if let Ok(theirs) = &theirs {
            found.extend(digests(primary, theirs, ours, policy));
        }
        if !standby.artifact.holds(ours) {
            found.push(Difference::between(
                Decision::HoldArtifactAbsent,
                "artifact.held",
                Some("verified"),
                None,
                &format!("{} does not hold the bytes of {ours}", standby.region),
            ));
        }
    }
    found
}

fn digests(primary: &Manifest, theirs: &str, ours: &str, policy: &Policy) -> Option<Difference> {
    if theirs == ours {
        return None;
    }
    let previous = primary.artifact.previous.as_deref();
    let previous = previous.and_then(|name| primary.artifact.resolve(name).ok());
    let (decision, why) = match (previous.as_deref() == Some(ours), policy.allow_rollback) {
        (true, true) => (
            Decision::ServeRollback,
            "the standby has the previous approved model, and the policy allows a rollback",
        ),
        (true, false) => (
            Decision::HoldModelDigest,
            "the standby has the previous approved model; the policy does not allow a rollback (`allow_rollback`)",
        ),
        (false, _) => (Decision::HoldModelDigest, "the regions would serve different models"),
    };
    Some(Difference::between(decision, "artifact.approved", Some(theirs), Some(ours), why))
}

/// Readiness and canary of the standby.
pub(super) fn readiness(standby: &Manifest, policy: &Policy) -> Vec<Difference> {
    let not_ready = |subject: &str, ours: Option<&str>, why: &str| {
        Difference::between(Decision::HoldNotReady, subject, None, ours, why)
    };
    let mut found = Vec::new();
    if !standby.ready {
        found.push(not_ready("ready", Some("false"), "the standby says that it is not ready"));
    }
    let Some(canary) = &standby.canary else {
        if policy.require_canary {
            found.push(not_ready("canary", None, "no scored canary was recorded"));
        }
        return found;
    };
    let least = policy.min_canary_success;
    // Written so that a success that is not a number does not pass.
    let passed = canary.success >= least && canary.success <= 1.0;
    if !passed {
        let shown = canary.success.to_string();
        let why = format!("the least share of canaries that must pass is {least}");
        found.push(not_ready("canary.success", Some(&shown), &why));
    }
    if let Some(answered) = &canary.digest {
        let answered = standby.artifact.resolve(answered);
        let approved = standby.artifact.resolve(&standby.artifact.approved);
        if answered.is_err() || answered != approved {
            let why = "the canary was answered by a model that is not the approved one";
            found.push(not_ready("canary.digest", answered.as_deref().ok(), why));
        }
    }
    found
}

/// Region, log sink and named revisions.
pub(super) fn configuration(
    primary: &Manifest,
    standby: &Manifest,
    policy: &Policy,
) -> Vec<Difference> {
    let mut found = Vec::new();
    if primary.region == standby.region {
        found.push(Difference::between(
            Decision::HoldConfigDrift,
            "region",
            Some(&primary.region),
            Some(&standby.region),
            "both manifests are of one region",
        ));
    }
    found.extend(log_sinks(primary, standby, policy));
    let names: BTreeSet<&String> =
        primary.revisions.keys().chain(standby.revisions.keys()).collect();
    for name in names {
        let (theirs, ours) = (primary.revisions.get(name), standby.revisions.get(name));
        if theirs == ours {
            continue;
        }
        let (decision, why) = match (policy.may_differ.contains(name), theirs, ours) {
            (true, ..) => (Decision::Serve, "the policy lets it differ"),
            (false, Some(_), Some(_)) => (Decision::HoldConfigDrift, "the revisions differ"),
            (false, _, None) => (Decision::HoldConfigDrift, "the standby does not name it"),
            (false, None, _) => (Decision::HoldConfigDrift, "the primary does not name it"),
        };
        let subject = format!("revisions.{name}");
        let (theirs, ours) = (theirs.map(String::as_str), ours.map(String::as_str));
        found.push(Difference::between(decision, &subject, theirs, ours, why));
    }
    found
}

fn log_sinks(primary: &Manifest, standby: &Manifest, policy: &Policy) -> Option<Difference> {
    let (theirs, ours) = (primary.log_sink.as_deref(), standby.log_sink.as_deref());
    let (decision, why) = match (theirs, ours) {
        (_, None) => (
            Decision::HoldConfigDrift,
            "the standby names no log sink: decisions would go unrecorded",
        ),
        (None, Some(_)) => (Decision::HoldConfigDrift, "the primary names no log sink"),
        (Some(theirs), Some(ours)) if theirs == ours => return None,
        _ if policy.log_sink == LogSink::PerRegion => {
            (Decision::Serve, "the policy lets each region have its own")
        }
        _ => (Decision::HoldConfigDrift, "decisions would be logged elsewhere"),
    };
    Some(Difference::between(decision, "log_sink", theirs, ours, why))
}
