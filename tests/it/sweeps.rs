//! Every sweep that is checked in runs, says what it is for, and prints a table that fits a page.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support;

/// The specs under `sweeps/`.
pub fn specs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sweeps");
    let mut specs: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    specs.sort();
    specs
}

/// Runs a spec with few replications into a folder of its own; gives that folder and what was printed.
pub fn scaled_down(spec: &Path) -> (tempfile::TempDir, PathBuf, String) {
    let mut table: toml::Table = fs::read_to_string(spec).unwrap().parse().unwrap();
    let run = table.entry("run").or_insert_with(|| toml::Table::new().into());
    run.as_table_mut().unwrap().insert("replications".to_owned(), 4.into());
    let place = tempfile::tempdir().unwrap();
    let small = place.path().join("small.toml");
    fs::write(&small, table.to_string()).unwrap();
    let folder = place.path().join("results");
    let printed =
        support::printed(&["sweep", small.to_str().unwrap(), "-o", folder.to_str().unwrap()]);
    (place, folder, printed)
}

#[test]
fn all_of_the_issue_are_there() {
    let names: Vec<String> =
        specs().iter().map(|s| s.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    let expected = ["interval", "lab", "laws", "patience", "restarts", "silence", "warmup"];
    for name in expected {
        assert!(names.iter().any(|found| found == name), "sweeps/{name}.toml is missing");
    }
}

#[test]
fn each_runs_and_prints_a_page_that_fits() {
    for spec in specs() {
        let (_place, folder, printed) = scaled_down(&spec);
        let name = spec.display();
        for file in ["results.parquet", "manifest.json", "pareto.svg", "budget.svg"] {
            assert!(folder.join(file).is_file(), "{name}: {file}");
        }
        for line in printed.lines() {
            // The path of the folder is as long as it is.
            let is_path = line.contains("results.parquet");
            assert!(is_path || line.chars().count() <= 100, "{name}: too wide:\n{line}");
        }
        assert!(printed.contains("quietest in time") && printed.contains("The frontier"), "{name}");
    }
}

#[test]
fn each_says_what_it_asks_and_how_to_read_the_answer() {
    for spec in specs() {
        let text = fs::read_to_string(&spec).unwrap();
        let comment: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
        let comment = comment.join("\n");
        assert!(comment.contains('?'), "{}: no question", spec.display());
        assert!(comment.contains("How to read the answer:"), "{}", spec.display());
    }
}

/// The table names each trigger once a setting, whatever the number of targets.
#[test]
fn the_frontier_names_a_trigger_once() {
    let spec = specs().into_iter().find(|path| path.ends_with("lab.toml")).unwrap();
    let (_place, _folder, printed) = scaled_down(&spec);
    let frontier = printed.split("The frontier").nth(1).unwrap();
    assert_eq!(frontier.matches("consecutive:12").count(), 1, "{printed}");
    // The budget of the cold target is spent before detection begins.
    assert!(printed.lines().any(|l| l.contains("cold") && l.contains("none") && l.contains("−20")));
}
