//! What `fit` and `replay` say where a recording and what they are told of it do not go together.

use std::fmt::Write as _;
use std::path::Path;

use crate::support;

/// Exit code, stdout and stderr, without the line breaks of a terminal.
fn run(place: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = support::command(arguments).current_dir(place).output().unwrap();
    let plain = |bytes: Vec<u8>| {
        String::from_utf8(bytes).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    (output.status.code(), plain(output.stdout), plain(output.stderr))
}

fn fit(place: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    run(place, &[&["fit", "--draws", "0", "--force"], arguments].concat())
}

/// Three days of checks, one each fifteen seconds; every 400th run of two fails.
fn rows() -> Vec<String> {
    (0..3 * 5_760)
        .map(|i| {
            let state = if i % 400 < 2 { "KAPUTT" } else { "OK" };
            format!("{},{state}", 1_700_000_000 + 15 * i)
        })
        .collect()
}

fn csv(rows: &[String]) -> String {
    format!("time,status\n{}\n", rows.join("\n"))
}

#[test]
fn displaced_rows_change_nothing_but_their_note() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let ordered = rows();
    std::fs::write(place.join("a.csv"), csv(&ordered)).unwrap();
    let mut swapped = ordered.clone();
    (350..swapped.len() - 3).step_by(700).for_each(|at| swapped.swap(at, at + 3));
    std::fs::create_dir(place.join("b")).unwrap();
    std::fs::write(place.join("b/a.csv"), csv(&swapped)).unwrap();
    let down = ["--down-values", "kaputt", "--format", "csv"];
    let replay = |file: &str| run(place, &[&["replay", file], &down[..]].concat());
    let ((_, right, _), (_, found, said)) = (replay("a.csv"), replay("b/a.csv"));
    assert_eq!(found, right);
    assert!(!said.contains("clock was set"), "{said}");
    assert!(said.contains("75 rows stood before an earlier one"), "{said}");
}

#[test]
fn states_that_no_row_has_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::write(place.join("a.csv"), csv(&rows())).unwrap();
    for command in ["fit", "replay"] {
        let (code, _, said) = run(place, &[command, "a.csv", "--down-values", "KAPUT"]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("no row has `KAPUT`; the states are KAPUTT, OK"), "{said}");
    }
    // One of several recordings may have none.
    std::fs::write(place.join("b.csv"), "time,status\n1,OK\n2,OK\n3,OK\n4,OK\n").unwrap();
    let (code, _, said) = fit(place, &["a.csv", "b.csv", "--down-values", "KAPUTT"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("b: no row has `KAPUTT`; the states are OK"), "{said}");
    // Numbers as states.
    std::fs::write(place.join("n.csv"), "time,status\n1,0\n2,3\n3,0\n4,0\n").unwrap();
    let (code, _, said) = fit(place, &["n.csv", "--down-values", "4"]);
    assert!(code == Some(2) && said.contains("no row has `4`; the states are 0, 3"), "{said}");
}

#[test]
fn thresholds_are_put_on_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::write(place.join("a.csv"), csv(&rows())).unwrap();
    let (code, _, said) = fit(place, &["a.csv", "--down-above", "5"]);
    assert!(code == Some(2) && said.contains("`KAPUTT` is not a number"), "{said}");
    assert!(said.contains("--status-column"), "{said}");
    for none in ["NaN", "inf", "much"] {
        let (code, _, said) = fit(place, &["a.csv", "--down-below", none]);
        assert!(code == Some(2) && said.contains("a threshold is a finite number"), "{said}");
    }
}

#[test]
fn a_history_is_not_taken_for_a_list_of_durations() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let mut text = "Wann gemessen;Zustand;ms\n".to_owned();
    for i in 0..60 {
        let state = if i % 9 == 4 { "KAPUTT" } else { "OK" };
        writeln!(text, "2026-03-01 12:{:02}:{:02};{state};{}", i / 6, 10 * (i % 6), 90 + i % 7)
            .unwrap();
    }
    std::fs::write(place.join("proben.csv"), text).unwrap();
    let (code, _, said) = fit(place, &["proben.csv"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("--time-column \"Wann gemessen\" --status-column"), "{said}");
    assert!(said.contains("--source-format durations --value-column"), "{said}");
    // Both ways out.
    let columns = ["--time-column", "Wann gemessen", "--status-column", "Zustand"];
    let down = ["proben.csv", "--down-values", "KAPUTT"];
    let (code, told, said) = fit(place, &[&down[..], &columns].concat());
    assert!(code == Some(0) && told.contains("60 checks that arrived"), "{told} {said}");
    let (code, told, said) =
        fit(place, &["proben.csv", "--source-format", "durations", "--value-column", "ms"]);
    assert!(code == Some(0) && told.contains("ms: 60 durations"), "{told} {said}");
}

#[test]
fn lengths_beyond_a_century_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let text = format!("length\n60\n{}", "1e100\n".repeat(8));
    std::fs::write(place.join("d.csv"), text).unwrap();
    let (code, _, said) = fit(place, &["d.csv", "--value-column", "length"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("line 3: the length `1e100` is more than a hundred years"), "{said}");
    assert!(said.contains("--value-column"), "{said}");
}

#[test]
fn each_broken_row_has_its_own_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let cases = [
        ("time,status\n5,up\n-15,up\n-25,up\n", "line 3: `-15` is not a time", "--time-column"),
        ("time,status\n1,up\n2,up\n\"3,up\n4,up\n", "a row of 1 column;", "quotation mark"),
        ("length\nnan\nnan\n5\n", "line 2: the length `nan`", "--value-column"),
        ("length,event\n5,x\n6,x\n", "the event mark `x`", "--event-column"),
        ("time,status\n1,purple\n2,purple\n", "the state `purple`", "--down-values"),
    ];
    for (text, found, way_out) in cases {
        std::fs::write(place.join("c.csv"), text).unwrap();
        let durations =
            if text.starts_with("length") { &["--value-column", "length"][..] } else { &[] };
        let (code, _, said) = fit(place, &[&["c.csv"], durations].concat());
        assert!(code == Some(2) && said.contains(found) && said.contains(way_out), "{said}");
        assert_eq!(said.contains("--down-values"), way_out == "--down-values", "{said}");
    }
}

#[test]
fn a_zone_that_was_given_is_not_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let mut text = "time,status\n".to_owned();
    // Every row twice, through the hour that Berlin has twice: 01:00 to 03:55 in local time.
    for minute in (60..180).step_by(5).chain((120..240).step_by(5)) {
        let row = format!("2026-10-25 {:02}:{:02}:00,up\n", minute / 60, minute % 60);
        text.push_str(&row.repeat(2));
    }
    std::fs::write(place.join("a.csv"), text).unwrap();
    let zone = ["a.csv", "--time-zone", "Europe/Berlin", "--format", "json"];
    let output = support::command(&[&["fit", "--draws", "0", "--force"], &zone[..]].concat())
        .current_dir(place)
        .output()
        .unwrap();
    let history =
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()["history"].take();
    assert_eq!((&history["checks"], &history["duplicates"]), (&48.into(), &48.into()), "{history}");
    assert_eq!((&history["clock_steps"], &history["gaps"]), (&0.into(), &0.into()), "{history}");
    assert_eq!(history["longest_gap_s"], 300.0);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("carry no zone"));
}

#[test]
fn the_same_recording_twice_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let rows = rows();
    std::fs::write(place.join("a.csv"), csv(&rows)).unwrap();
    let down = ["--down-values", "KAPUTT"];
    let (code, _, said) = fit(place, &[&["a.csv", "a.csv"], &down[..]].concat());
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("recorded twice from 2023-11-14T22:13:20Z to 2023-11-17T22:13:20Z"),
        "{said}"
    );
    // Parts of one series, one after the other, are as they should be.
    for (part, rows) in [("x", &rows[..9_000]), ("y", &rows[9_000..])] {
        std::fs::create_dir(place.join(part)).unwrap();
        std::fs::write(place.join(part).join("a.csv"), csv(rows)).unwrap();
    }
    let (code, _, said) = fit(place, &[&["x/a.csv", "y/a.csv"], &down[..]].concat());
    assert!(code == Some(0) && !said.contains("recorded twice"), "{said}");
}

#[test]
fn checks_that_were_filled_in_did_not_arrive() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let text = "time,status\n1700000000,up\n1700006000,down\n1700006600,up\n1700012000,up\n";
    std::fs::write(place.join("a.csv"), text).unwrap();
    let (code, told, said) = fit(place, &["a.csv", "--gap", "last-state", "--interval", "60s"]);
    assert_eq!(code, Some(0), "{said}");
    // 12 000 s of minutes are 201 instants; four of them were recorded.
    assert!(told.contains("4 checks that arrived, 197 checks filled in"), "{told}");
}

#[test]
fn an_interval_that_the_recording_contradicts_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::write(place.join("a.csv"), csv(&rows())).unwrap();
    let said = |interval: &str| {
        let (code, _, said) =
            fit(place, &["a.csv", "--down-values", "KAPUTT", "--interval", interval]);
        assert_eq!(code, Some(0), "{said}");
        said.contains(&format!("--interval {interval} was given, but the checks are 15s apart"))
    };
    assert!(said("1s") && said("5min"));
    assert!(!said("15s") && !said("30s") && !said("5s"));
}
