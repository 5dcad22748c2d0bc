//! Early stopping: a point ends when its rates are known well enough, with the counts that so many
//! replications give, and with the same bytes however the work is spread.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::hardening::{ended, run};

const SPEC: &str = "name = 'stopped'\n[run]\nreplications = 5000\nlength = '5d'\n[outage]\n\
    per_replication = 1\n[[targets]]\ntier = 'hot'\n[axes]\ntriggers = ['consecutive:1..3', 'm-of-n:2/3']\n\
    blips.length.mean = ['10s', '40s']\n";
const STOP: &str = "[stop]\nrelative_width = 0.1\nbelow_per_day = 0.01\nat_least = 20\n\
    [output]\nreplications = true\n";

/// The rows of a CSV by column.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

fn swept(place: &Path, spec: &str, folder: &str) -> Vec<BTreeMap<String, String>> {
    fs::write(place.join("spec.toml"), spec).unwrap();
    let output = run(place, &["sweep", "spec.toml", "-o", folder, "--format", "csv", "-q"]);
    ended(&output, 0, "");
    rows(&String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_point_stops_when_its_rates_are_known_well_enough() {
    let place = tempfile::tempdir().unwrap();
    let stopped = swept(place.path(), &format!("{SPEC}{STOP}"), "stopped");
    assert_eq!(stopped.len(), 8);
    let number =
        |row: &BTreeMap<String, String>, column: &str| -> f64 { row[column].parse().unwrap() };
    let mean = "blips.length.mean_s";
    for row in &stopped {
        let part = |end: &str| number(row, &format!("false_failovers_per_day{end}"));
        assert!(part("_hi") - part("_lo") <= 0.1 * part(""), "{row:?}");
        let rounds = number(row, "replications") / 20.0;
        assert!(rounds.log2().fract() == 0.0 && rounds < 250.0, "each round doubles: {row:?}");
    }
    // The counts are those of a sweep that was asked for as many replications.
    for point in ["10", "40"] {
        let of = |rows: &[BTreeMap<String, String>]| -> Vec<BTreeMap<String, String>> {
            rows.iter()
                .filter(|row| row[mean].parse::<f64>().unwrap() == point.parse::<f64>().unwrap())
                .cloned()
                .collect()
        };
        let stopped = of(&stopped);
        let asked = &stopped[0]["replications"];
        let spec = SPEC.replace("5000", asked);
        assert_eq!(of(&swept(place.path(), &spec, &format!("asked-{point}"))), stopped);
    }
}

#[test]
fn stopped_points_are_the_same_bytes_by_threads_and_shards() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::write(place.join("spec.toml"), format!("{SPEC}{STOP}")).unwrap();
    for args in [
        &["sweep", "spec.toml", "-o", "whole", "--threads", "2"][..],
        &["sweep", "spec.toml", "-o", "alone", "--threads", "1"],
        &["sweep", "spec.toml", "-o", "a", "--shard", "0/2"],
        &["sweep", "spec.toml", "-o", "b", "--shard", "1/2"],
        &["merge", "a", "b", "-o", "merged"],
    ] {
        ended(&run(place, args), 0, "");
    }
    for name in ["results.parquet", "replications.parquet", "manifest.json"] {
        let bytes = |folder: &str| fs::read(place.join(folder).join(name)).unwrap();
        assert!(bytes("whole") == bytes("alone") && bytes("whole") == bytes("merged"), "{name}");
    }
}
