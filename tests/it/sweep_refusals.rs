//! What `sweep` and `merge` refuse, each with the way out, and what they do when there is nothing to do.

use std::fs;
use std::path::Path;

use crate::hardening::{ended, place, run};

/// Two shards of the small sweep.
fn shards(place: &Path) {
    for shard in ["0/2", "1/2"] {
        let folder = shard.replace('/', "-of-");
        ended(&run(place, &["sweep", "small.toml", "--shard", shard, "-o", &folder]), 0, "is done");
    }
}

#[test]
fn shards_that_do_not_belong_together_are_not_merged() {
    let place = place();
    let place = place.path();
    shards(place);
    ended(&run(place, &["sweep", "small.toml", "--shard", "1/3", "-o", "1-of-3"]), 0, "is done");
    let merge = |shards: [&str; 2]| run(place, &["merge", shards[0], shards[1], "-o", "merged"]);
    ended(&merge(["0-of-2", "1-of-3"]), 2, "1-of-3: is one of 3 shards, the first one of 2");
    ended(&run(place, &["sweep", "small.toml", "-o", "whole"]), 0, "");
    ended(&merge(["0-of-2", "whole"]), 2, "whole: these results are whole already");

    // Written by another version: the manifest says so, or only a part.
    let version = |file: &str| {
        let path = place.join(file);
        let bytes = fs::read(&path).unwrap();
        let head = format!(
            "\"version\":{}\"{}\"",
            if file.ends_with("json") { " " } else { "" },
            env!("CARGO_PKG_VERSION")
        );
        let at = bytes.windows(head.len()).position(|some| some == head.as_bytes()).unwrap();
        let other = head.replace(env!("CARGO_PKG_VERSION"), "0.0.9");
        fs::write(&path, [&bytes[..at], other.as_bytes(), &bytes[at + head.len()..]].concat())
            .unwrap();
    };
    version("1-of-2/manifest.json");
    ended(&merge(["0-of-2", "1-of-2"]), 2, "1-of-2: was written by version 0.0.9, the first by");
    let again = run(place, &["sweep", "small.toml", "--shard", "1/2", "-o", "1-of-2"]);
    ended(&again, 2, "was written by version 0.0.9 and this is version");
    version("0-of-2/parts/000000.part");
    let again = run(place, &["sweep", "small.toml", "--shard", "0/2", "-o", "0-of-2"]);
    ended(&again, 2, "000000.part: was written by version 0.0.9");
    assert!(!place.join("merged").exists());
}

#[test]
fn a_shard_into_whole_results_has_nothing_to_do() {
    let place = place();
    let place = place.path();
    ended(&run(place, &["sweep", "small.toml", "-o", "whole"]), 0, "");
    let before = fs::read(place.join("whole/results.parquet")).unwrap();
    let shard = run(place, &["sweep", "small.toml", "--shard", "0/2", "-o", "whole"]);
    ended(&shard, 0, "holds the whole sweep already; nothing is to do");
    assert!(fs::read(place.join("whole/results.parquet")).unwrap() == before);
}

#[test]
fn the_cells_of_a_sweep_are_told_as_json() {
    let place = place();
    let args = ["sweep", "long.toml", "--dry-run", "--format", "json"];
    let output = run(place.path(), &args);
    ended(&output, 0, "4 points");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["schema"], "failover-budget/sweep-cells/1");
    assert_eq!(told["points"].as_array().unwrap().len(), 4);
    assert_eq!(told["points"][3]["blips.length.mean"], "60s");
    assert!(told["cost_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_sweep_over_a_drill_has_a_folder_and_no_shards() {
    let place = place();
    let place = place.path();
    let sweeps = Path::new(env!("CARGO_MANIFEST_DIR")).join("sweeps");
    let spec = sweeps.join("drilled/capacity.toml");
    let spec = spec.to_str().unwrap();
    let sweep = |more: &[&str]| run(place, &[&["sweep", spec][..], more].concat());
    ended(&sweep(&["--shard", "0/2"]), 2, "is not cut into shards; leave --shard out");
    ended(&sweep(&["-o", "s3://results/drill"]), 2, "results are written into a folder");
    ended(&sweep(&["--dry-run"]), 0, "points of a drill");
    assert!(!place.join("output").exists());
    ended(&run(place, &["sweep", "small.toml", "-o", "small"]), 0, "");
    ended(&sweep(&["-o", "small"]), 2, "belongs to another spec");
    let table = sweep(&["-o", "drill", "--format", "csv", "-q"]);
    ended(&table, 0, "");
    assert!(String::from_utf8_lossy(&table.stdout).lines().next().unwrap().contains("rto_mean_s"));
}

#[test]
fn files_of_others_are_not_written_over() {
    let place = place();
    let place = place.path();
    let folder = place.join("mine");
    fs::create_dir_all(folder.join("parts")).unwrap();
    fs::write(folder.join("notes.txt"), "kept").unwrap();
    for file in ["results.parquet", "replications.parquet", "pareto.svg", "parts/mine.txt"] {
        let file = folder.join(file);
        fs::write(&file, "mine").unwrap();
        let told = format!("{}: is there already", file.strip_prefix(place).unwrap().display());
        ended(&run(place, &["sweep", "small.toml", "-o", "mine"]), 2, &told);
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        fs::remove_file(&file).unwrap();
    }
    ended(&run(place, &["sweep", "small.toml", "-o", "mine"]), 0, "");
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), "kept");
}

#[test]
fn a_drill_s_results_have_no_charts_and_no_page() {
    let place = place();
    let place = place.path();
    let drill = concat!(env!("CARGO_MANIFEST_DIR"), "/sweeps/drilled");
    let spec = format!("{drill}/capacity.toml");
    ended(&run(place, &["sweep", &spec, "-o", "drilled"]), 0, "");
    for command in ["plot", "report"] {
        ended(&run(place, &[command, "drilled"]), 2, "these are the results of a drill");
    }
}
