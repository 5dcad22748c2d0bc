//! Sweeps on a cluster: a real Slurm with a node that fails, and the manifests of Kubernetes.
//!
//! Both need programs from outside. Where they are not there the tests say so and pass, but for CI,
//! where they must be.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn in_ci() -> bool {
    std::env::var_os("CI").is_some()
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn a_sweep_on_slurm_outlives_a_node_and_gives_the_bytes_of_one_process() {
    if !in_ci() && std::env::var_os("FAILOVER_BUDGET_SLURM").is_none() {
        println!("not run: it starts a cluster; set FAILOVER_BUDGET_SLURM=1 to run it");
        return;
    }
    let script = root().join("tests/cluster/slurm.sh");
    let output = Command::new(script).arg(env!("CARGO_BIN_EXE_failover-budget")).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    println!("{}", said(&output));
}

#[test]
fn the_kubernetes_manifests_fit_the_schema() {
    let python = root().join("target/venv/bin/python");
    let there = Command::new(&python)
        .args(["-c", "import kubernetes_validate"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !there {
        assert!(!in_ci(), "{} has no kubernetes-validate", python.display());
        println!("not run: target/venv/bin/pip install kubernetes-validate");
        return;
    }
    let script = "
import sys, yaml, kubernetes_validate
for path in sys.argv[1:]:
    kinds = [document for document in yaml.safe_load_all(open(path)) if document]
    assert kinds, path
    for document in kinds:
        kubernetes_validate.validate(document, '1.29', strict=True)
        print(path, document['kind'])
";
    let manifests = ["sweep.yaml", "merge.yaml", "volume.yaml"];
    let paths = manifests.map(|name| root().join("deploy/kubernetes").join(name));
    let output = Command::new(&python).args(["-c", script]).args(&paths).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    for kind in ["Job", "ConfigMap", "PersistentVolumeClaim"] {
        assert!(said(&output).contains(kind), "{kind} is not there:\n{}", said(&output));
    }
    // The check itself can fail.
    let broken = tempfile::NamedTempFile::new().unwrap();
    let text = fs::read_to_string(&paths[0]).unwrap().replace("completionMode", "completionModus");
    fs::write(broken.path(), text).unwrap();
    let refused = Command::new(&python).args(["-c", script]).arg(broken.path()).output().unwrap();
    assert!(!refused.status.success());
}

/// What the manifest of the Indexed Job must hold for `--shard auto` to find its place.
#[test]
fn the_indexed_job_tells_its_pods_how_many_they_are() {
    let text = fs::read_to_string(root().join("deploy/kubernetes/sweep.yaml")).unwrap();
    let value = |line: &str| -> String {
        let found = text.lines().find(|other| other.trim().starts_with(line));
        found.and_then(|line| line.split_once(':')).unwrap().1.trim().trim_matches('"').to_owned()
    };
    let completions = value("completions:");
    let after = text.split("name: JOB_COMPLETIONS").nth(1).unwrap();
    let told = after.lines().nth(1).unwrap().split_once(':').unwrap().1;
    assert_eq!(told.trim().trim_matches('"'), completions);
    assert_eq!(value("completionMode:"), "Indexed");
}

const SPEC: &str = "
name = \"array\"
[run]
replications = 40
[axes]
triggers = [\"consecutive:1..3\", \"m-of-n:3/5\"]
blips.length.mean = [\"10s\", \"40s\"]
";

fn shard(place: &Path, variables: &[(&str, &str)], folder: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_failover-budget"))
        .args(["sweep", "spec.toml", "--shard", "auto", "--progress", "none", "-o", folder])
        .current_dir(place)
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let read = |entry: fs::DirEntry| {
        (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap())
    };
    entries
        .filter(|entry| entry.path().is_file() && entry.file_name() != ".lock")
        .map(read)
        .collect()
}

#[test]
fn shards_of_every_scheduler_merge_into_the_bytes_of_one_run() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("spec.toml"), SPEC).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_failover-budget"));
        let output = command.args(args).current_dir(place.path()).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", said(&output));
    };
    run(&["sweep", "spec.toml", "-o", "alone", "-q"]);
    let slurm = [
        ("SLURM_ARRAY_TASK_COUNT", "2"),
        ("SLURM_ARRAY_TASK_MIN", "1"),
        ("SLURM_ARRAY_TASK_MAX", "2"),
    ];
    type Variables = [(&'static str, &'static str)];
    let arrays: [(&str, u64, &Variables); 3] = [
        ("SLURM_ARRAY_TASK_ID", 1, &slurm),
        ("JOB_COMPLETION_INDEX", 0, &[("JOB_COMPLETIONS", "2")]),
        ("AWS_BATCH_JOB_ARRAY_INDEX", 0, &[("AWS_BATCH_JOB_ARRAY_SIZE", "2")]),
    ];
    for (variable, first, others) in arrays {
        let mut folders = Vec::new();
        for index in [first, first + 1] {
            let (folder, index) = (format!("{variable}-{index}"), index.to_string());
            let mut variables = others.to_vec();
            variables.push((variable, &index));
            let output = shard(place.path(), &variables, &folder);
            assert!(output.status.success(), "{}", said(&output));
            let shown = index.parse::<u64>().unwrap() - first;
            assert!(
                said(&output).contains(&format!("note: shard {shown} of 2 by {variable}\n")),
                "{}",
                said(&output)
            );
            folders.push(folder);
        }
        let whole = format!("{variable}-whole");
        run(&["merge", &folders[0], &folders[1], "-o", &whole, "-q"]);
        assert_eq!(files(&place.path().join(whole)), files(&place.path().join("alone")));
    }
}

#[test]
fn a_shard_may_be_run_again_and_beside_itself_but_not_as_another() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("spec.toml"), SPEC).unwrap();
    let first = [("JOB_COMPLETION_INDEX", "0"), ("JOB_COMPLETIONS", "2")];
    let start = || {
        Command::new(env!("CARGO_BIN_EXE_failover-budget"))
            .args(["sweep", "spec.toml", "--shard", "auto", "-o", "shard"])
            .current_dir(place.path())
            .envs(first)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    // Four of the same at once, and once more when they are done.
    let running = [start(), start(), start(), start()];
    for child in running {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }
    let folder = place.path().join("shard");
    let written = files(&folder.join("parts"));
    assert!(!written.is_empty());
    let again = shard(place.path(), &first, "shard");
    assert!(again.status.success(), "{}", said(&again));
    assert_eq!(files(&folder.join("parts")), written);

    // One task of the array submitted alone is another array, and would be the whole sweep.
    let alone = [("JOB_COMPLETION_INDEX", "0"), ("JOB_COMPLETIONS", "1")];
    let refused = shard(place.path(), &alone, "shard");
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("one of 2 shards, and this is one of 1"), "{}", said(&refused));

    let none = shard(place.path(), &[], "other");
    assert_eq!(none.status.code(), Some(2));
    assert!(said(&none).contains("no array job was found"), "{}", said(&none));
    assert!(!place.path().join("other").exists());
}
