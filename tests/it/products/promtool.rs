//! The exported rules, checked and run by the real promtool.

use std::path::{Path, PathBuf};
use std::process::Command;

use failover_budget::advise::products::{ConfigFile, Names, Product, export};
use failover_budget::engine::Streams;
use failover_budget::history::Check;
use failover_budget::time::{Span, Time};
use failover_budget::trigger::{Arming, Silence, Spec, Trigger};
use rand::RngExt;

use super::{asked, nasty};

/// promtool, or none where it is not installed; in CI it has to be.
fn promtool() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).map(|dir| dir.join("promtool")).find(|file| file.is_file());
    if found.is_none() {
        let missing = "promtool is not on PATH; it comes with Debian's package `prometheus`";
        assert!(std::env::var_os("CI").is_none(), "{missing}");
        eprintln!("skipped: {missing}");
    }
    found
}

fn run(promtool: &Path, folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(promtool).args(arguments).current_dir(folder).output().unwrap();
    let told = [output.stdout, output.stderr].concat();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&told).into_owned()) }
}

fn written(files: &[ConfigFile]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        std::fs::write(folder.path().join(&file.name), &file.text).unwrap();
    }
    folder
}

const TRIGGERS: [&str; 8] = [
    "consecutive:1",
    "consecutive:2",
    "consecutive:12",
    "window:300s",
    "m-of-n:3/5",
    "m-of-n:5/5",
    "success-rate:0.9/60s/180s",
    "success-rate:0.5/60s/0s",
];

/// Every rule file is accepted, and its unit tests pass: both rules fire exactly at their patience.
#[test]
fn promtool_accepts_every_export_and_its_unit_tests() {
    let Some(promtool) = promtool() else { return };
    for trigger in TRIGGERS {
        for silence in Silence::ALL {
            for evaluation_s in [10, 15, 7] {
                for names in if evaluation_s == 10 {
                    vec![Names::default(), nasty()]
                } else {
                    vec![Names::default()]
                } {
                    let mut asked = asked(trigger);
                    asked.silence = silence;
                    asked.evaluation = Some(Span::from_secs(evaluation_s));
                    let export = export(Product::Prometheus, &asked, &names).unwrap();
                    assert_eq!(export.files.len(), 2, "{trigger}: {:?}", export.notes);
                    let folder = written(&export.files);
                    let case =
                        format!("{trigger}, silence {silence}, evaluated every {evaluation_s} s");
                    for arguments in [
                        ["check", "rules", export.files[0].name.as_str()],
                        ["test", "rules", export.files[1].name.as_str()],
                    ] {
                        if let Err(told) = run(&promtool, folder.path(), &arguments) {
                            panic!(
                                "{case}: {told}\n{}\n{}",
                                export.files[0].text, export.files[1].text
                            );
                        }
                    }
                }
            }
        }
    }
}

/// The unit tests have power: a rule that fires one check early or late fails them.
#[test]
fn a_rule_that_is_off_by_one_check_fails_its_unit_test() {
    let Some(promtool) = promtool() else { return };
    for (right, wrong) in [
        ("for: 1m50s", "for: 1m40s"),
        ("for: 1m50s", "for: 2m"),
        ("[1m49s999ms]", "[1m39s999ms]"),
        ("[1m49s999ms]", "[1m59s999ms]"),
        ("(max(probe_success) or vector(0)) == 0", "max(probe_success) == 0"),
    ] {
        let mut export =
            export(Product::Prometheus, &asked("consecutive:12"), &Names::default()).unwrap();
        assert!(export.files[0].text.contains(right), "{}", export.files[0].text);
        export.files[0].text = export.files[0].text.replace(right, wrong);
        let folder = written(&export.files);
        let told = run(&promtool, folder.path(), &["test", "rules", &export.files[1].name]);
        assert!(told.is_err(), "{wrong} passes");
    }
}

/// The rule on failures decides as the trigger does, check by check, on random histories.
#[test]
fn promtool_and_the_trigger_decide_alike() {
    let Some(promtool) = promtool() else { return };
    const CHECKS: usize = 80;
    let mut rng = Streams::new(1, 0).named("promtool");
    let (mut fired, mut quiet) = (0, 0);
    for trigger in ["consecutive:3", "m-of-n:3/5", "window:40s"] {
        let asked = asked(trigger);
        let export = export(Product::Prometheus, &asked, &Names::default()).unwrap();
        let mut tests =
            format!("rule_files: [{}]\nevaluation_interval: 10s\ntests:\n", export.files[0].name);
        for _ in 0..20 {
            // Healthy to begin with, so that both hold a full history; then blips, gaps and health.
            let checks: Vec<Check> = (0..CHECKS)
                .map(|i| match rng.random_range(0..10) {
                    _ if i < 6 => Check::Healthy,
                    0..=3 => Check::Unhealthy,
                    4 => Check::Absent,
                    _ => Check::Healthy,
                })
                .collect();
            let (first, text) = one_history(asked.trigger, asked.interval, &checks);
            if first.is_some() {
                fired += 1
            } else {
                quiet += 1
            }
            tests.push_str(&text);
        }
        let folder = written(&export.files[..1]);
        std::fs::write(folder.path().join("random.yaml"), &tests).unwrap();
        if let Err(told) = run(&promtool, folder.path(), &["test", "rules", "random.yaml"]) {
            panic!("{trigger}: {told}\n{tests}");
        }
    }
    assert!(
        fired >= 20 && quiet + fired == 60,
        "the histories exercise the rule: {fired} fire, {quiet} do not"
    );
}

/// Where the trigger first fires, and a promtool test that says just that.
fn one_history(trigger: Spec, interval: Span, checks: &[Check]) -> (Option<usize>, String) {
    let mut machine = Trigger::new(&trigger, interval, Silence::Failure, Arming::Immediate);
    let at = |i: usize| Time::START + interval * i64::try_from(i).unwrap();
    let first = checks.iter().enumerate().position(|(i, check)| machine.observe(at(i), *check));
    let values: Vec<&str> = checks
        .iter()
        .map(|check| match check {
            Check::Healthy => "1",
            Check::Unhealthy => "0",
            Check::Absent => "stale",
        })
        .collect();
    let mut text = format!(
        "- interval: 10s\n  input_series: [{{series: probe_success, values: '{}'}}]\n  alert_rule_test:\n",
        values.join(" ")
    );
    let labels = "{region: primary, severity: page, action: failover}";
    let last = first.unwrap_or(checks.len() - 1);
    for i in 0..=last {
        let fires = if Some(i) == first {
            format!(
                "[{{exp_labels: {labels}, exp_annotations: {{summary: 'primary: {trigger} has fired'}}}}]"
            )
        } else {
            "[]".to_owned()
        };
        text.push_str(&format!(
            "  - {{eval_time: {}s, alertname: RegionUnhealthy, exp_alerts: {fires}}}\n",
            i * 10
        ));
    }
    (first, text)
}

/// A metric that has just begun has no history: the checks before its first sample are no failures.
#[test]
fn a_metric_that_has_just_begun_does_not_fire() {
    let Some(promtool) = promtool() else { return };
    for trigger in ["m-of-n:3/5", "m-of-n:1/5", "success-rate:0.9/60s/0s", "consecutive:3"] {
        let export = export(Product::Prometheus, &asked(trigger), &Names::default()).unwrap();
        let mut tests = format!(
            "rule_files: [{}]\nevaluation_interval: 10s\ntests:\n- interval: 10s\n  \
             input_series: [{{series: probe_success, values: '1+0x40'}}]\n  alert_rule_test:\n",
            export.files[0].name
        );
        for i in 0..40 {
            for alert in ["RegionUnhealthy", "RegionSilent"] {
                tests.push_str(&format!(
                    "  - {{eval_time: {}s, alertname: {alert}, exp_alerts: []}}\n",
                    i * 10
                ));
            }
        }
        let folder = written(&export.files[..1]);
        std::fs::write(folder.path().join("start.yaml"), &tests).unwrap();
        if let Err(told) = run(&promtool, folder.path(), &["test", "rules", "start.yaml"]) {
            panic!("{trigger}: {told}");
        }
    }
}
