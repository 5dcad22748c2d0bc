//! Every flag by which `fit` and `replay` are told how to read a recording, by the command line.

use std::path::Path;

use serde_json::Value;

use crate::support;

/// A folder with one file in it.
fn folder(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    folder
}

/// What the command says as JSON, run in a folder.
fn json(place: &Path, arguments: &[&str]) -> Value {
    let output = support::command(arguments)
        .args(["--format", "json", "-q"])
        .current_dir(place)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The history report of a fit.
fn history(place: &Path, arguments: &[&str]) -> Value {
    let all = [&["fit", "--draws", "0", "--force"], arguments].concat();
    json(place, &all)["history"].take()
}

/// Exit code and what was said, without the line breaks of a terminal.
fn said(place: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = support::command(arguments).current_dir(place).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn counts(history: &Value, keys: &[&str]) -> Vec<i64> {
    keys.iter()
        .map(|key| history[key].as_i64().unwrap_or_else(|| panic!("{key}: {history}")))
        .collect()
}

/// Two racks, a check each ten seconds, in columns that no name tells.
fn odd() -> String {
    let mut text = String::from("moment;colour;rack;load\n");
    for i in 0..12 {
        let minute = format!("2026-03-01 12:{:02}:{:02}", i / 6, 10 * (i % 6));
        let (colour, load) = match i {
            4 => ("red", 250.5),
            5 => ("amber", -7.0),
            _ => ("green", 100.0),
        };
        text.push_str(&format!("{minute};{colour};r1;{load}\n"));
        text.push_str(&format!("{minute};green;r2;100\n"));
    }
    text
}

const COLUMNS: [&str; 5] = ["odd.csv", "--time-column", "moment", "--status-column", "colour"];

#[test]
fn columns_states_and_series_are_named() {
    let place = folder("odd.csv", &odd());
    let place = place.path();
    let down = [&COLUMNS[..], &["--down-values", "red,amber", "--series-column", "rack"]].concat();
    let fit = json(place, &[&["fit"], &down[..]].concat());
    let series = fit["series"].as_array().unwrap();
    let of = |name: &str| &series.iter().find(|one| one["series"] == name).unwrap()["history"];
    assert_eq!(counts(of("r1"), &["checks", "unhealthy", "down_runs"]), [12, 2, 1]);
    assert_eq!(counts(of("r2"), &["checks", "unhealthy", "down_runs"]), [12, 0, 0]);
    // One of them, by a part of its name, and by both names.
    let one = history(place, &[&down[..], &["--series", "r1"]].concat());
    assert_eq!(counts(&one, &["checks", "unhealthy"]), [12, 2]);
    let both =
        json(place, &[&["replay"], &down[..], &["--series", "r2", "--series", "r1"]].concat());
    let names: Vec<&Value> =
        both["series"].as_array().unwrap().iter().map(|s| &s["name"]).collect();
    assert_eq!(names, ["r2", "r1"]);
    let (code, text) = said(place, &[&["fit"], &down[..], &["--series", "r3"]].concat());
    assert_eq!(code, Some(2));
    assert!(text.contains("no series `r3`") && text.contains("it has: r1, r2"), "{text}");
    // Parts of one series.
    let whole = history(place, &[&down[..], &["--together"]].concat());
    assert_eq!(counts(&whole, &["checks", "unhealthy", "down_runs"]), [24, 2, 1]);
    assert_eq!(whole["parts"].as_array().unwrap().len(), 2);
    assert_eq!(whole["interval_s"], 10.0);
    assert_eq!(whole["unavailability"], 20.0 / 240.0);
    // Without them the way out is told.
    std::fs::write(place.join("words.csv"), "moment;colour\n2026-03-01 12:00;green\n").unwrap();
    let (code, text) = said(place, &["fit", "words.csv"]);
    assert!(code == Some(2) && text.contains("--source-format"), "{text}");
    let (code, text) = said(place, &["fit", "odd.csv", "--time-column", "momnet"]);
    assert!(code == Some(2) && text.contains("did you mean `moment`?"), "{text}");
    let (code, text) = said(place, &[&["fit"], &COLUMNS[..]].concat());
    assert!(
        code == Some(2) && text.contains("the state `green`") && text.contains("--down-values"),
        "{text}"
    );
}

#[test]
fn thresholds_on_a_number() {
    let place = folder("odd.csv", &odd());
    let place = place.path();
    let load = ["odd.csv", "--time-column", "moment", "--status-column", "load"];
    let unhealthy = |limits: &[&str]| {
        let one = ["--series-column", "rack", "--series", "r1"];
        history(place, &[&load[..], &one, limits].concat())["unhealthy"].as_i64()
    };
    assert_eq!(unhealthy(&["--down-above", "250"]), Some(1));
    assert_eq!(unhealthy(&["--down-above", "250.5"]), Some(0));
    assert_eq!(unhealthy(&["--down-below", "-6.5"]), Some(1));
    assert_eq!(unhealthy(&["--down-below", "-7"]), Some(0));
    assert_eq!(unhealthy(&["--down-above", "250", "--down-below", "0"]), Some(2));
    let (code, text) = said(place, &[&["fit"], &load[..], &["--down-above", "much"]].concat());
    assert!(code == Some(2) && text.contains("--down-above"), "{text}");
}

#[test]
fn the_zone_of_times_without_one() {
    let place = folder("odd.csv", &odd());
    let place = place.path();
    let from = |zone: &[&str]| {
        let one = ["--down-values", "red", "--series-column", "rack", "--series", "r1"];
        let history = history(place, &[&COLUMNS[..], &one, zone].concat());
        let warned = history["warnings"].to_string().contains("give --time-zone");
        (history["from"].as_str().unwrap().to_owned(), warned)
    };
    assert_eq!(from(&[]), ("2026-03-01T12:00:00Z".to_owned(), true));
    assert_eq!(from(&["--time-zone", "Asia/Tokyo"]).0, "2026-03-01T03:00:00Z");
    assert_eq!(from(&["--time-zone", "America/New_York"]).0, "2026-03-01T17:00:00Z");
    let (code, text) = said(place, &["fit", "odd.csv", "--time-zone", "Mars/Olympus"]);
    assert!(code == Some(2) && text.contains("UTC or Europe/Berlin"), "{text}");
}

/// Thirty checks ten seconds apart, three of them left out.
fn gapped() -> String {
    let mut text = String::from("time,status\n");
    for i in (0..30).filter(|i| !(10..13).contains(i)) {
        let state = if (8..10).contains(&i) { "down" } else { "up" };
        text.push_str(&format!("{},{state}\n", 1_700_000_000 + 10 * i));
    }
    text
}

#[test]
fn what_silence_means() {
    let place = folder("gapped.csv", &gapped());
    let place = place.path();
    let read = |gap: &[&str]| {
        let keys = ["checks", "unhealthy", "absent", "filled", "gaps", "holes", "right_censored"];
        counts(&history(place, &[&["gapped.csv"], gap].concat()), &keys)
    };
    assert_eq!(read(&[]), [30, 2, 3, 0, 1, 0, 0]);
    assert_eq!(read(&["--gap", "absent"]), read(&[]));
    assert_eq!(read(&["--gap", "unknown"]), [27, 2, 0, 0, 0, 1, 1]);
    assert_eq!(read(&["--gap", "last-state"]), [27, 2, 0, 3, 1, 0, 0]);
    let (code, text) = said(place, &["fit", "gapped.csv", "--gap", "silent"]);
    assert!(code == Some(2) && text.contains("absent, unknown or last-state"), "{text}");
    // What a replay makes of it: the run goes on through the silence, or ends in a hole.
    let fired = |gap: &str| {
        let rule = ["--trigger", "consecutive:5", "--arming", "immediate"];
        let replay = json(place, &[&["replay", "gapped.csv", "--gap", gap], &rule[..]].concat());
        replay["triggers"][0]["firings"].as_array().unwrap().len()
    };
    assert_eq!((fired("absent"), fired("unknown"), fired("last-state")), (1, 0, 1));
}

/// The history report as people read it, within 100 columns, with only what there is.
#[test]
fn the_history_report_in_words() {
    let place = folder("gapped.csv", &gapped());
    let report = |gap: &str| {
        let fit = ["fit", "gapped.csv", "--draws", "0", "--force", "-q", "--gap", gap];
        let output = support::command(&fit).current_dir(place.path()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let absent = report("absent");
    let head = "gapped: 27 checks that arrived, one every 10 s; 4min 50s; 1 run of failed probes;";
    assert!(absent.starts_with(head), "{absent}");
    let recording = "Recording: csv from 2023-11-14T22:13:20Z to 2023-11-14T22:18:20Z; spacing 10s, \
                     four in five from 10s to 10s, the longest 40s; 3 checks did not arrive, 1 gap.";
    assert!(absent.contains(recording), "{absent}");
    let unknown = report("unknown");
    assert!(unknown.contains("1 hole of 40s; 1 run whose end was not seen."), "{unknown}");
    assert!(report("last-state").contains("3 written where the last state held."));
}

/// What concerns every series of a file is said once.
#[test]
fn notes_on_all_series_are_said_once() {
    let place = folder("odd.csv", &odd());
    let told =
        [&["fit"], &COLUMNS[..], &["--down-values", "red", "--series-column", "rack"]].concat();
    let (code, text) = said(place.path(), &told);
    assert_eq!(code, Some(0));
    assert!(text.contains("note: each of the 2 series: times carry no zone"), "{text}");
    assert_eq!(text.matches("no zone").count(), 1, "{text}");
}

#[test]
fn the_interval_that_was_due() {
    let place = folder("gapped.csv", &gapped());
    let place = place.path();
    // Every ten seconds is every other check of five, and the gap of forty lacks seven.
    let read = history(place, &["gapped.csv", "--interval", "5s"]);
    assert_eq!(counts(&read, &["healthy", "unhealthy", "absent"]), [25, 2, 25 + 7]);
    assert_eq!((&read["interval_s"], &read["interval_median_s"]), (&5.0.into(), &10.0.into()));
    let (code, text) = said(place, &["fit", "gapped.csv", "--interval", "often"]);
    assert!(code == Some(2) && text.contains("--interval"), "{text}");
}

#[test]
fn the_format_and_the_columns_of_durations() {
    let mut text = String::from("id,time,status,took_s,done\n");
    for i in 0..12 {
        text.push_str(&format!("{i},{},up,{}.5,{}\n", 1_700_000_000 + i, i + 1, u8::from(i < 9)));
    }
    let place = folder("mixed.csv", &text);
    let place = place.path();
    // Recognised as checks, or told to be lengths.
    assert_eq!(history(place, &["mixed.csv"])["checks"], 12);
    let lengths = ["mixed.csv", "--source-format", "durations", "--value-column", "took_s"];
    let fit = json(place, &[&["fit", "--draws", "0"], &lengths[..]].concat());
    assert_eq!((&fit["durations"]["name"], &fit["durations"]["n"]), (&"took_s".into(), &12.into()));
    assert_eq!(fit["durations"]["right_censored"], 0);
    let marked =
        [&["fit", "--draws", "0", "--force"], &lengths[..], &["--event-column", "done"]].concat();
    let fit = json(place, &marked);
    assert_eq!(fit["durations"]["right_censored"], 3);
    // Censored exponential lengths: the mean is the time on test by the ends that were seen.
    let exponential = &fit["durations"]["families"][0];
    let mean = exponential["mean_s"]["value"].as_f64().unwrap();
    assert!((mean - 84.0 / 9.0).abs() < 1e-3, "{exponential}");
    let (code, text) = said(place, &["fit", "mixed.csv", "--value-column", "tok_s"]);
    assert!(code == Some(2) && text.contains("did you mean `took_s`?"), "{text}");
    let (code, text) = said(place, &["fit", "mixed.csv", "--source-format", "kuma"]);
    assert!(code == Some(2) && text.contains("did you mean `kuma-"), "{text}");
    // A replay has no use for lengths and does not take their flags.
    let (code, text) = said(place, &["replay", "mixed.csv", "--value-column", "took_s"]);
    assert!(code == Some(2) && text.contains("--value-column"), "{text}");
    let (code, text) = said(place, &["replay", "mixed.csv", "--source-format", "durations"]);
    assert!(code == Some(2) && text.contains("cannot be replayed"), "{text}");
}

#[test]
fn flags_that_go_together() {
    let place = folder("gapped.csv", &gapped());
    let refused = |arguments: &[&str], words: &str| {
        let (code, text) = said(place.path(), arguments);
        assert!(code == Some(2) && text.contains(words), "{arguments:?}: {text}");
    };
    refused(&["fit", "--prometheus", "http://localhost:1"], "--query");
    refused(&["fit", "gapped.csv", "--query", "up"], "--prometheus");
    refused(&["fit", "gapped.csv", "--from", "7d"], "--prometheus");
    let live = ["fit", "--prometheus", "http://localhost:1", "--query", "up"];
    refused(&[&live[..], &["--from", "1h", "--to", "2h"]].concat(), "is not before --to");
    refused(&[&live[..], &["--from", "yesterday"]].concat(), "like 30d");
    refused(&[&live[..], &["--to", "soon"]].concat(), "--to `soon`");
    refused(&[&["fit", "--prometheus", "localhost:1"], &live[3..]].concat(), "localhost:1");
}
