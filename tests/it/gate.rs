//! The gate's example manifests, and the `gate` command.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use failover_budget::gate::{self, Decision};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sweeps/gate").join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(example(name)).unwrap()
}

fn command(standby: &str, more: &[&str]) -> (i32, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_failover-budget"))
        .arg("gate")
        .args([example("primary.toml"), example(standby)])
        .arg("--policy")
        .arg(example("policy.toml"))
        .args(more)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
}

#[test]
fn every_decision_has_an_example_pair_named_after_it() {
    let primary = gate::manifest("primary.toml", &read("primary.toml")).unwrap();
    let policy = gate::policy("policy.toml", &read("policy.toml")).unwrap();
    for decision in Decision::ALL {
        let name = format!("{}.toml", decision.name().replace(':', "-"));
        let standby = gate::manifest(&name, &read(&name)).unwrap();
        let answer = gate::decide(&primary, &standby, &policy, None);
        assert_eq!(answer.decision, decision, "{name}: {:#?}", answer.differences);
        if decision != Decision::Serve {
            let mine = answer.differences.iter().filter(|one| one.decision == decision);
            assert_eq!(mine.count(), 1, "{name} shows one reason and no other hold");
        }
    }
}

#[test]
fn the_same_manifest_in_json_gives_the_same_answer() {
    let json = command("serve.json", &["--format", "json"]);
    assert_eq!(json, command("serve.toml", &["--format", "json"]));
    let answer: serde_json::Value = serde_json::from_str(&json.1).unwrap();
    let keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["schema", "decision", "serves", "identity", "differences", "features"]);
    assert_eq!(answer["schema"], "failover-budget/gate/1");
    assert_eq!(answer["decision"], "serve");
    assert_eq!(answer["identity"]["region"], "eu-north");
    assert_eq!(answer["identity"]["policy_revision"], "policy-31");
    assert_eq!(answer["identity"]["feature_watermark"], "2026-10-06T08:40:00Z");
    assert!(answer["identity"]["artifact_digest"].as_str().unwrap().starts_with("sha256:5f70"));
    assert!(answer["identity"]["decision_id"].as_str().unwrap().starts_with("gate-"));
    assert_eq!(answer["features"][0]["lag_s"], 30.0);
}

#[test]
fn strict_fails_unless_the_standby_may_serve() {
    for decision in Decision::ALL {
        let name = format!("{}.toml", decision.name().replace(':', "-"));
        let (code, out, _) = command(&name, &["--strict"]);
        assert_eq!(code, i32::from(!decision.serves()), "{name}");
        assert!(out.starts_with(decision.name()), "{out}");
        assert_eq!(command(&name, &[]).0, 0, "{name} without --strict");
        assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    }
}

#[test]
fn without_a_policy_the_gate_is_strictest() {
    let out = Command::new(env!("CARGO_BIN_EXE_failover-budget"))
        .args(["--format", "json", "gate"])
        .args([example("primary.toml"), example("serve-authorized-rollback.toml")])
        .output()
        .unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(answer["decision"], "hold:model-digest");
    let decisions: Vec<&str> = answer["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|difference| difference["decision"].as_str().unwrap())
        .collect();
    // Both features lag, and no budget was given for either.
    assert_eq!(
        decisions,
        ["hold:model-digest", "manual-review:feature-lag", "manual-review:feature-lag"]
    );
}

#[test]
fn a_bad_manifest_is_told_with_file_line_and_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.toml");
    std::fs::write(&path, read("serve.toml").replace("log_sink", "logsink")).unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_failover-budget"))
        .arg("gate")
        .args([example("primary.toml"), path])
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(
        said.contains("bad.toml:5: logsink: unknown key `logsink`; did you mean `log_sink`?"),
        "{said}"
    );
    assert!(out.stdout.is_empty());
    assert_eq!(command("no-such-file.toml", &[]).0, 2);
    assert_eq!(command("serve.toml", &["--at", "yesterday"]).0, 2);
}
