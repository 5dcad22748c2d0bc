//! The decision against a brute-force table over all combinations of differences.

use super::{digest, map, policy, region};
use crate::gate::{Canary, Decision, Fallback, Manifest, Policy, Watermark, decide};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Model {
    Same,
    PreviousAllowed,
    PreviousForbidden,
    Other,
    Unresolved,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ready {
    Yes,
    No,
    CanaryLow,
    CanaryMissing,
    CanaryOfAnother,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Drift {
    None,
    Credentials,
    NetworkPolicyMissing,
    LogSink,
    Allowed,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Lag {
    Fresh,
    Review,
    Reject,
    Serve,
    Ahead,
    Missing,
}

/// One combination of differences, its expected decision and how many differences it shows.
#[derive(Clone, Copy, Debug)]
struct Case {
    contract: bool,
    model: Model,
    absent: bool,
    revision: bool,
    ready: Ready,
    drift: Drift,
    lag: Lag,
}

impl Case {
    fn build(self) -> (Manifest, Policy) {
        let (mut standby, mut policy) = (region("north"), policy());
        if self.contract {
            standby.api_contract = "receipt-v1".to_owned();
        }
        let approved = match self.model {
            Model::Same => digest('a'),
            Model::PreviousAllowed | Model::PreviousForbidden => digest('b'),
            Model::Other => digest('c'),
            Model::Unresolved => "nowhere".to_owned(),
        };
        policy.allow_rollback = self.model == Model::PreviousAllowed;
        standby.artifact.held = if self.absent { vec![] } else { vec![approved.clone()] };
        standby.artifact.aliases = map(&[("production", &approved)]);
        if self.revision {
            standby.policy_revision = "policy-30".to_owned();
        }
        match self.ready {
            Ready::Yes => {}
            Ready::No => standby.ready = false,
            Ready::CanaryLow => standby.canary = Some(Canary { success: 0.5, digest: None }),
            Ready::CanaryMissing => standby.canary = None,
            Ready::CanaryOfAnother => {
                standby.canary = Some(Canary { success: 1.0, digest: Some(digest('e')) });
            }
        }
        match self.drift {
            Drift::None => {}
            Drift::Credentials | Drift::Allowed => {
                standby.revisions.insert("credentials".to_owned(), "cred-11".to_owned());
            }
            Drift::NetworkPolicyMissing => {
                standby.revisions.remove("network-policy");
            }
            Drift::LogSink => standby.log_sink = Some("elsewhere".to_owned()),
        }
        if self.drift == Drift::Allowed {
            policy.may_differ = vec!["credentials".to_owned()];
        }
        let secs = match self.lag {
            Lag::Fresh => Some(953),
            Lag::Review | Lag::Reject | Lag::Serve => Some(952),
            Lag::Ahead => Some(1_001),
            Lag::Missing => None,
        };
        standby.features = secs
            .map(|s| ("balance".to_owned(), Watermark::from_unix_secs(s)))
            .into_iter()
            .collect();
        for feature in policy.features.values_mut() {
            feature.fallback = match self.lag {
                Lag::Reject => Fallback::Reject,
                // Serve must not let a watermark pass that is ahead or missing.
                Lag::Serve | Lag::Ahead | Lag::Missing => Fallback::Serve,
                _ => Fallback::Review,
            };
        }
        (standby, policy)
    }

    /// The decision in the order that is laid down, written without the gate's own types of comparison.
    fn expected(self) -> &'static str {
        let model_known = self.model != Model::Unresolved;
        if self.contract {
            "hold:api-contract"
        } else if matches!(self.model, Model::PreviousForbidden | Model::Other | Model::Unresolved)
        {
            "hold:model-digest"
        } else if self.absent && model_known {
            "hold:artifact-absent"
        } else if self.revision {
            "hold:policy-revision"
        } else if self.ready != Ready::Yes {
            "hold:not-ready"
        } else if !matches!(self.drift, Drift::None | Drift::Allowed) {
            "hold:config-drift"
        } else if !matches!(self.lag, Lag::Fresh | Lag::Serve) {
            "manual-review:feature-lag"
        } else if self.model == Model::PreviousAllowed {
            "serve:authorized-rollback"
        } else {
            "serve"
        }
    }

    /// What an operator must see: every subject that differs.
    fn subjects(self) -> Vec<&'static str> {
        let drift = match self.drift {
            Drift::None => None,
            Drift::Credentials | Drift::Allowed => Some("revisions.credentials"),
            Drift::NetworkPolicyMissing => Some("revisions.network-policy"),
            Drift::LogSink => Some("log_sink"),
        };
        let ready = match self.ready {
            Ready::Yes => None,
            Ready::No => Some("ready"),
            Ready::CanaryLow => Some("canary.success"),
            Ready::CanaryMissing => Some("canary"),
            Ready::CanaryOfAnother => Some("canary.digest"),
        };
        let known = self.model != Model::Unresolved;
        let mut all: Vec<&str> = [
            self.contract.then_some("api_contract"),
            (self.model != Model::Same).then_some("artifact.approved"),
            (self.absent && known).then_some("artifact.held"),
            self.revision.then_some("policy_revision"),
            ready,
            drift,
            (self.lag != Lag::Fresh).then_some("features.balance"),
        ]
        .into_iter()
        .flatten()
        .collect();
        all.sort_unstable();
        all
    }
}

fn every_case() -> Vec<Case> {
    use Model::{Other, PreviousAllowed, PreviousForbidden, Same, Unresolved};
    let models = [Same, PreviousAllowed, PreviousForbidden, Other, Unresolved];
    let readies =
        [Ready::Yes, Ready::No, Ready::CanaryLow, Ready::CanaryMissing, Ready::CanaryOfAnother];
    let drifts = [
        Drift::None,
        Drift::Credentials,
        Drift::NetworkPolicyMissing,
        Drift::LogSink,
        Drift::Allowed,
    ];
    let lags = [Lag::Fresh, Lag::Review, Lag::Reject, Lag::Serve, Lag::Ahead, Lag::Missing];
    let mut cases = Vec::new();
    for bits in 0..8_u8 {
        let [contract, absent, revision] = [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0];
        for model in models {
            for ready in readies {
                for drift in drifts {
                    let case = |lag| Case { contract, model, absent, revision, ready, drift, lag };
                    cases.extend(lags.map(case));
                }
            }
        }
    }
    cases
}

#[test]
fn the_decision_equals_a_brute_force_table_over_all_combinations() {
    let cases = every_case();
    assert_eq!(cases.len(), 6_000);
    let mut seen = std::collections::BTreeSet::new();
    for case in cases {
        let (standby, policy) = case.build();
        let answer = decide(&region("west"), &standby, &policy, None);
        assert_eq!(answer.decision.name(), case.expected(), "{case:?}");
        let mut subjects: Vec<&str> =
            answer.differences.iter().map(|difference| difference.subject.as_str()).collect();
        subjects.sort_unstable();
        assert_eq!(subjects, case.subjects(), "{case:?}");
        seen.insert(answer.decision);
    }
    assert_eq!(seen.len(), Decision::ALL.len(), "every decision occurs in the table");
}
