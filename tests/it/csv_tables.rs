//! `--format csv` of commands that print one table: headings, rows as long as they are, and the figures that
//! are known or that the JSON says.

use std::collections::BTreeMap;

use crate::support::{json, printed};

type Row = BTreeMap<String, String>;

/// The rows that a command prints as CSV; a row of another length than the headings is an error.
fn rows(args: &[&str]) -> Vec<Row> {
    let text = printed(&[args, &["--format", "csv", "-q"]].concat());
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<Row> = reader.deserialize().map(Result::unwrap).collect();
    assert!(!rows.is_empty(), "{args:?}: {text}");
    rows
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("`{column}` in {row:?}"))
}

#[test]
fn an_export_in_one_row() {
    let args = ["export", "--trigger", "consecutive:33", "--to", "kubernetes"];
    let row = &rows(&args)[0];
    let said = json(&args);
    assert_eq!(row["trigger"], said["amounts_to"]["trigger"].as_str().unwrap());
    assert_eq!(number(row, "patience_s"), said["amounts_to"]["patience_s"].as_f64().unwrap());
    assert_eq!((number(row, "asked_patience_s"), row["as_asked"].as_str()), (320.0, "false"));
}

#[test]
fn rare_rates_in_rows() {
    let args = [
        "rare",
        "--trigger",
        "consecutive:12",
        "--trigger",
        "m-of-n:9/12",
        "--most-replications",
        "100",
    ];
    let (rows, said) = (rows(&args), json(&args));
    assert_eq!(rows.len(), 2);
    for (row, said) in rows.iter().zip(said["triggers"].as_array().unwrap()) {
        let rate = &said["false_failovers_per_day"];
        for (end, key) in [("", "value"), ("_lo", "lo"), ("_hi", "hi")] {
            let column = format!("false_failovers_per_day{end}");
            assert_eq!(number(row, &column), rate[key].as_f64().unwrap());
        }
        assert_eq!(number(row, "replications"), said["replications"].as_f64().unwrap());
    }
    // The exact value of the defaults, by the chain of probes.
    let exact = number(&rows[0], "false_failovers_per_day_exact");
    assert!((exact - 0.3116).abs() < 5e-5, "{exact}");
    assert_eq!(rows[1]["false_failovers_per_day_exact"], "");
}

#[test]
fn a_drill_in_a_row_for_each_feature_and_figure() {
    let one = rows(&["drill", "sweeps/drills/assistant.toml"]);
    assert_eq!((one[0]["feature"].as_str(), number(&one[0], "rto_s")), ("answers", 180.0));
    assert!(one.iter().all(|row| {
        (number(row, "rto_s") <= number(row, "rto_objective_s")).to_string() == row["rto_met"]
    }));
    let many = rows(&["drill", "sweeps/drills/distributions.toml", "--replications", "20"]);
    for row in many.iter().filter(|row| row["figure"] == "rto_mean_s") {
        assert!(
            number(row, "lo") <= number(row, "value") && number(row, "value") <= number(row, "hi")
        );
        assert_eq!(number(row, "n"), 20.0);
    }
}

/// Bearings of Lieblein and Zelen (1956): fitted by Lawless, Statistical Models and Methods for Lifetime
/// Data: exponential mean 72.2, Weibull shape 2.10 and scale 81.9.
#[test]
fn fitted_laws_in_rows() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("fit");
    let fit = |recording: &str| rows(&["fit", recording, "-o", out.to_str().unwrap(), "--force"]);
    let laws = fit("tests/data/recorded/bearings.csv");
    let law = |name: &str| laws.iter().find(|row| row["family"] == name).unwrap();
    assert!((number(law("exponential"), "mean_s") - 72.2).abs() < 0.05);
    let weibull = &law("weibull")["parameters"];
    assert!(weibull.starts_with("shape=2.10") && weibull.contains("scale_s=81.8"), "{weibull}");
    assert_eq!(laws.iter().filter(|row| row["selected"] == "true").count(), 1);
    assert!(laws.iter().all(|row| row["of"] == "duration" && row["n"] == "23"));

    let checks = fit("tests/data/refit/portfolio.csv");
    assert!(checks.iter().any(|row| row["of"] == "blip length"));
    assert!(checks.iter().any(|row| row["of"] == "gap"));
}
