//! The rules of the gate one by one; the brute-force table stands beside.

mod table;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::time::Span;

fn digest(digit: char) -> String {
    format!("sha256:{}", digit.to_string().repeat(64))
}

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn region(name: &str) -> Manifest {
    Manifest {
        region: name.to_owned(),
        api_contract: "receipt-v2".to_owned(),
        policy_revision: "policy-31".to_owned(),
        artifact: Artifact {
            approved: "production".to_owned(),
            previous: Some(digest('b')),
            held: vec![digest('a')],
            aliases: map(&[("production", &digest('a'))]),
        },
        ready: true,
        log_sink: Some("decisions".to_owned()),
        canary: Some(Canary { success: 1.0, digest: None }),
        features: [("balance".to_owned(), Watermark::from_unix_secs(1_000))].into(),
        revisions: map(&[("credentials", "cred-12"), ("network-policy", "net-7")]),
    }
}

fn policy() -> Policy {
    let balance =
        FeaturePolicy { max_lag: Span::from_secs(47), max_age: None, fallback: Fallback::Review };
    Policy { features: [("balance".to_owned(), balance)].into(), ..Policy::default() }
}

fn decided(change: impl FnOnce(&mut Manifest, &mut Policy)) -> Answer {
    let (mut standby, mut policy) = (region("north"), policy());
    change(&mut standby, &mut policy);
    decide(&region("west"), &standby, &policy, None)
}

#[test]
fn equal_regions_serve_and_show_who_serves() {
    let answer = decided(|_, _| {});
    assert_eq!(answer.decision, Decision::Serve);
    assert!(answer.differences.is_empty());
    assert_eq!(answer.identity.region, "north");
    assert_eq!(answer.identity.artifact_digest, Some(digest('a')));
    assert_eq!(answer.identity.feature_watermark, Some(Watermark::from_unix_secs(1_000)));
    let again = decided(|_, _| {});
    assert_eq!(answer.identity.decision_id, again.identity.decision_id);
    let other = decided(|standby, _| standby.policy_revision.push('x'));
    assert_ne!(answer.identity.decision_id, other.identity.decision_id);
}

#[test]
fn one_alias_over_two_digests_is_a_hold_and_two_aliases_over_one_digest_is_not() {
    let moved = decided(|standby, _| {
        standby.artifact.aliases = map(&[("production", &digest('c'))]);
        standby.artifact.held = vec![digest('c')];
    });
    assert_eq!(moved.decision, Decision::HoldModelDigest);
    let renamed = decided(|standby, _| {
        standby.artifact.approved = "stable".to_owned();
        standby.artifact.aliases = map(&[("stable", "blessed"), ("blessed", &digest('a'))]);
    });
    assert_eq!(renamed.decision, Decision::Serve);
    let circular = decided(|standby, _| {
        standby.artifact.approved = "one".to_owned();
        standby.artifact.aliases = map(&[("one", "two"), ("two", "one")]);
    });
    assert_eq!(circular.decision, Decision::HoldModelDigest);
    assert!(circular.differences[0].why.contains("points back to itself"));
}

#[test]
fn digests_are_compared_without_regard_to_case() {
    let answer = decided(|standby, _| {
        standby.artifact.approved = digest('a').replace("aaaa", "AAAA");
    });
    assert_eq!(answer.decision, Decision::Serve);
}

#[test]
fn the_budget_of_a_feature_is_its_own_and_its_edge_is_inside() {
    let lagging = |secs| {
        decided(|standby, _| {
            standby.features.insert("balance".to_owned(), Watermark::from_unix_secs(secs));
        })
    };
    assert_eq!(lagging(953).decision, Decision::Serve);
    assert_eq!(lagging(952).decision, Decision::ReviewFeatureLag);
    let unbudgeted = decided(|standby, policy| {
        policy.features.clear();
        standby.features.insert("balance".to_owned(), Watermark::from_unix_secs(999));
    });
    assert_eq!(unbudgeted.decision, Decision::ReviewFeatureLag);
}

#[test]
fn the_age_at_the_request_is_judged_where_the_policy_asks() {
    let judged = |at: Option<i64>| {
        let mut policy = policy();
        for feature in policy.features.values_mut() {
            feature.max_age = Some(Span::from_secs(60));
        }
        decide(&region("west"), &region("north"), &policy, at.map(Watermark::from_unix_secs))
    };
    assert_eq!(judged(Some(1_060)).decision, Decision::Serve);
    assert_eq!(judged(Some(1_061)).features[0].freshness, Freshness::TooOld);
    assert_eq!(judged(Some(1_061)).decision, Decision::ReviewFeatureLag);
    assert_eq!(judged(None).features[0].freshness, Freshness::Unknown);
    assert_eq!(judged(None).decision, Decision::ReviewFeatureLag);
}

#[test]
fn two_manifests_of_one_region_are_no_failover() {
    let answer = decide(&region("west"), &region("west"), &policy(), None);
    assert_eq!(answer.decision, Decision::HoldConfigDrift);
}

#[test]
fn log_sinks_of_their_own_pass_only_where_the_policy_says_so() {
    let with = |rule| {
        decided(move |standby, policy| {
            standby.log_sink = Some("decisions-north".to_owned());
            policy.log_sink = rule;
        })
    };
    assert_eq!(with(LogSink::Same).decision, Decision::HoldConfigDrift);
    assert_eq!(with(LogSink::PerRegion).decision, Decision::Serve);
    let none = decided(|standby, policy| {
        standby.log_sink = None;
        policy.log_sink = LogSink::PerRegion;
    });
    assert_eq!(none.decision, Decision::HoldConfigDrift);
}

#[test]
fn a_success_that_is_no_number_does_not_pass() {
    let answer = decided(|standby, _| {
        standby.canary = Some(Canary { success: f64::NAN, digest: None });
    });
    assert_eq!(answer.decision, Decision::HoldNotReady);
    assert_eq!(answer.to_json()["decision"], "hold:not-ready");
}

#[test]
fn watermarks_are_read_as_people_write_them() {
    let read = |text: &str| text.parse::<Watermark>();
    assert_eq!(read("1000"), Ok(Watermark::from_unix_secs(1_000)));
    assert_eq!(read("1970-01-01T00:16:40Z"), Ok(Watermark::from_unix_secs(1_000)));
    assert_eq!(read("1970-01-01T01:16:40+01:00"), Ok(Watermark::from_unix_secs(1_000)));
    assert!(read("yesterday").unwrap_err().contains("2026-10-06T09:00:00Z"));
    assert!(read("1e30").is_err() && read("NaN").is_err());
}

#[test]
fn toml_and_json_say_the_same() {
    let toml = toml::to_string(&region("west")).unwrap();
    let json = serde_json::to_string(&region("west")).unwrap();
    assert_eq!(manifest("a.toml", &toml).unwrap(), region("west"));
    assert_eq!(manifest("a.json", &json).unwrap(), region("west"));
    let native = toml.replace("\"1970-01-01T00:16:40Z\"", "1970-01-01T00:16:40Z");
    assert_ne!(native, toml);
    assert_eq!(manifest("a.toml", &native).unwrap(), region("west"));
}

#[test]
fn what_is_wrong_in_a_manifest_is_told_with_its_place() {
    let said = |text: &str| manifest("m", text).unwrap_err().to_string();
    assert!(
        said("region = \"west\"\nreddy = true\n").starts_with("m:2: reddy: unknown key `reddy`")
    );
    assert!(said("region = \"west\"\nreddy = true\n").contains("did you mean `ready`"));
    let json = said("{\"region\": \"west\",\n\"reddy\": true}");
    assert!(json.starts_with("m:2: reddy: unknown key"), "{json}");
    assert!(said("{").contains("this is not JSON"));
    assert!(said("= 3").contains("this is not TOML"));
    assert!(said("{}").contains("is missing"));
}

proptest! {
    /// Whatever the text, reading it ends with a manifest or an error.
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}") {
        let _ = manifest("m", &text);
        let _ = policy_of(&text);
    }
}

fn policy_of(text: &str) -> Result<Policy, crate::scenario::InputError> {
    super::policy("p", text)
}
