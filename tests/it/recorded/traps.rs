//! Traps that recordings of each kind have, made up one by one.

use std::fmt::Write as _;

use super::{checks, letters, only, read_text, warnings};
use failover_budget::recorded::{Format, GapMeaning, Options, SeriesChoice, durations};

fn csv(rows: &[(i64, &str)]) -> String {
    let mut text = "time,status\n".to_owned();
    for (at, state) in rows {
        writeln!(text, "{},{state}", 1_700_000_000 + at).unwrap();
    }
    text
}

/// `S` up and `F` down every ten seconds from `from`.
fn run(from: i64, states: &str) -> Vec<(i64, &'static str)> {
    let state = |c| if c == 'S' { "up" } else { "down" };
    states.chars().enumerate().map(|(i, c)| (from + 10 * i as i64, state(c))).collect()
}

fn plain(rows: &[(i64, &str)]) -> failover_budget::recorded::Recording {
    only(read_text("a.csv", csv(rows), &Options::default()))
}

#[test]
fn samples_logged_after_their_timeout_are_weighed_by_time() {
    let (mut at, mut rows) = (0, vec![]);
    for i in 0..2_000 {
        let down = i % 55 == 7;
        at += if down { 11 } else { 1 };
        rows.push((at, if down { "down" } else { "up" }));
    }
    let read = plain(&rows);
    assert!(read.report.unavailability_by_count < 0.02);
    assert!((read.report.unavailability - 37.0 * 11.0 / (2_000.0 + 370.0)).abs() < 0.01);
    assert_eq!((read.report.absent, read.report.holes), (0, 0));
    assert!(warnings(&read).contains("a time-out"));
}

#[test]
fn missing_samples_are_absent_a_long_silence_is_unknown() {
    let mut rows = run(0, "SSSSSFSSSS");
    rows.extend(run(130, "SSSSSSSSSS"));
    rows.extend(run(100_000, "SSSSS"));
    let read = plain(&rows);
    assert_eq!(letters(&read), "SSSSSFSSSS---SSSSSSSSSS??SSSSS");
    assert_eq!((read.report.gaps, read.report.holes, read.report.absent), (1, 1, 3));
    assert!(warnings(&read).contains("before line 22"));
    let meaning = |gap| Options { gap: Some(gap), ..Options::default() };
    let read = only(read_text("a.csv", csv(&rows[..20]), &meaning(GapMeaning::Unknown)));
    assert_eq!(letters(&read), "SSSSSFSSSS??SSSSSSSSSS");
    let read = only(read_text("a.csv", csv(&rows[..20]), &meaning(GapMeaning::LastState)));
    assert_eq!(letters(&read), "SSSSSFSSSSSSSSSSSSSSSSS");
    assert_eq!(read.report.filled, 3);
}

#[test]
fn a_clock_set_back_is_told_with_its_line_and_makes_no_outage() {
    let mut rows = run(0, "SSSSSFFSSSSSSSSSSSSS");
    rows.extend(run(143, "SSSSSSSSSS"));
    let read = plain(&rows);
    assert_eq!(read.report.clock_steps, 1);
    assert!(warnings(&read).contains("set back by 57s at line 22"), "{}", warnings(&read));
    assert_eq!(letters(&read), "SSSSSFFSSSSSSSSSSSSSSSSSSSSSSS");
    assert_eq!((read.report.holes, read.report.absent, read.report.down_runs), (0, 0, 1));
}

#[test]
fn a_clock_that_jumps_ahead_and_back_is_mended() {
    let mut rows = run(0, "SSSSSSSSSS");
    rows.extend(run(4_000, "SSSSS"));
    rows.extend(run(150, "SSSSSSSSSS"));
    let read = plain(&rows);
    assert_eq!(letters(&read), "S".repeat(25));
    assert_eq!(read.report.clock_steps, 2);
    assert!(warnings(&read).contains("set ahead by"));
}

#[test]
fn disorder_and_duplicates_are_counted() {
    let mut rows = run(0, "SSSSSSSSSSSSSSSSSSSS");
    rows.swap(4, 5);
    rows.insert(10, rows[9]);
    rows.insert(12, (rows[11].0, "down"));
    let read = plain(&rows);
    assert_eq!((read.report.duplicates, read.report.out_of_order), (2, 1));
    assert_eq!(read.report.unhealthy, 1, "of two outcomes the failing one is kept");
    assert!(warnings(&read).contains("1 instant with both"));
}

#[test]
fn cut_runs_are_counted() {
    let read = plain(&run(0, "FFSSSSFFF"));
    let report = &read.report;
    assert_eq!((report.down_runs, report.left_truncated, report.right_censored), (2, 1, 1));
    assert!(warnings(&read).contains("retired"));
    assert!(warnings(&read).contains("begins inside a down run"));
}

#[test]
fn several_series_are_told_apart_and_chosen() {
    let mut text = "site,time,state\n".to_owned();
    for i in 0..20 {
        writeln!(text, "north,{},up", 1_700_000_000 + 10 * i).unwrap();
        writeln!(text, "south,{},{}", 1_700_000_001 + 10 * i, if i == 9 { "down" } else { "up" })
            .unwrap();
    }
    let all = read_text("a.csv", &text, &Options::default()).unwrap();
    assert_eq!(all.iter().map(|r| r.report.unhealthy).collect::<Vec<_>>(), [0, 1]);
    let named = |name: &str| Options {
        series: SeriesChoice::Named(vec![name.to_owned()]),
        ..Options::default()
    };
    assert_eq!(only(read_text("a.csv", &text, &named("south"))).series, "south");
    let said = read_text("a.csv", &text, &named("soth")).unwrap_err().to_string();
    assert!(said.contains("did you mean `south`?"), "{said}");
}

#[test]
fn local_hours_that_exist_twice_are_told_apart() {
    let zone = jiff::tz::TimeZone::get("America/New_York").unwrap();
    let start: jiff::Timestamp = "2024-11-03T04:00:00Z".parse().unwrap();
    let mut text = "time,status\n".to_owned();
    for i in 0..60 {
        let at = start + jiff::SignedDuration::from_mins(5 * i);
        writeln!(text, "{},up", at.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M:%S")).unwrap();
    }
    let options = Options { time_zone: Some(zone), ..Options::default() };
    let local = only(read_text("a.csv", &text, &options));
    assert_eq!(letters(&local), "S".repeat(60));
    assert_eq!((local.epoch, local.report.clock_steps), (start, 0));
    // Read as UTC the hour looks like a clock set back: said, and no time is lost or made.
    let utc = only(read_text("a.csv", &text, &Options::default()));
    assert_eq!(letters(&utc), "S".repeat(60));
    assert!(warnings(&utc).contains("--time-zone"));
    assert_eq!(utc.report.holes, 0);
}

#[test]
fn pings_lost_without_a_word_are_failed_checks() {
    let mut text = "PING example.org (192.0.2.1) 56(84) bytes of data.\n".to_owned();
    let reply = |seq: i64, at: i64| {
        format!(
            "[{at}.250000] 64 bytes from 192.0.2.1: icmp_seq={} ttl=57 time=250 ms\n",
            seq % 65_536
        )
    };
    let mut expected = String::new();
    for i in 0..30 {
        let seq = 65_520 + i;
        match i {
            5..=7 => expected.push('F'),
            12 => {
                writeln!(
                    text,
                    "[{}.0] no answer yet for icmp_seq={}",
                    1_700_000_001 + i,
                    seq % 65_536
                )
                .unwrap();
                expected.push('F');
            }
            20 => {
                writeln!(
                    text,
                    "[{}.1] From 192.0.2.9 icmp_seq={} Destination Host Unreachable",
                    1_700_000_000 + i,
                    seq % 65_536
                )
                .unwrap();
                expected.push('F');
            }
            _ => {
                text.push_str(&reply(seq, 1_700_000_000 + i));
                expected.push('S');
            }
        }
    }
    // Started anew a little later: the numbers begin again.
    for i in 0..10 {
        text.push_str(&reply(1 + i, 1_700_000_033 + i));
    }
    let read = only(read_text("ping.log", &text, &Options::default()));
    assert_eq!(read.format, Format::Ping);
    expected.push_str("---SSSSSSSSSS");
    assert_eq!(letters(&read), expected);
    assert_eq!(checks(&read)[5].0, 5.0, "a lost request is placed when it was sent");
    let bare = "PING a (192.0.2.1)\n64 bytes from 192.0.2.1: icmp_seq=1 ttl=57 time=1 ms\n";
    let said = read_text("ping.log", bare, &Options::default()).unwrap_err().to_string();
    assert!(said.contains("ping -D"), "{said}");
}

#[test]
fn semicolons_marks_and_nulls_of_grafana() {
    let mut text = "\u{feff}sep=;\r\n\"Time\";\"a\";\"b\"\r\n".to_owned();
    for i in 0..12 {
        let state = if i == 4 { "0" } else { "1" };
        let other = if i % 2 == 0 { "1" } else { "null" };
        write!(text, "2024-01-01 00:00:{:02};{state};{other}\r\n", 5 * i).unwrap();
    }
    let all = read_text("g.csv", &text, &Options::default()).unwrap();
    assert_eq!(letters(&all[0]), "SSSSFSSSSSSS");
    assert_eq!(letters(&all[1]), "SSSSSS", "a null among several series is no check");
    let one = "\"Time\",\"a\"\n1700000000,1\n1700000010,null\n1700000020,1\n";
    assert_eq!(letters(&only(read_text("g.csv", one, &Options::default()))), "S-S");
}

#[test]
fn maintenance_is_a_hole() {
    let mut text = "monitor_id,status,time\n".to_owned();
    for (i, state) in "1111133331111".chars().enumerate() {
        writeln!(text, "1,{state},2024-01-01 00:{i:02}:00.000").unwrap();
    }
    let read = only(read_text("k.csv", &text, &Options::default()));
    assert_eq!(letters(&read), "SSSSS????SSSS");
    assert_eq!(read.report.unknown, 4);
    assert!(!warnings(&read).contains("no zone"), "Kuma writes UTC");
}

#[test]
fn a_kuma_database_is_read_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kuma #1.db");
    let database = rusqlite::Connection::open(&path).unwrap();
    database
        .execute_batch(
            "CREATE TABLE monitor (id INTEGER PRIMARY KEY, name TEXT);
             INSERT INTO monitor VALUES (1, 'front door');
             CREATE TABLE heartbeat (id INTEGER PRIMARY KEY, monitor_id INTEGER, status INTEGER,
                                     msg TEXT, time DATETIME, duration INTEGER);",
        )
        .unwrap();
    for (second, status) in [(0, 1), (20, 1), (60, 1), (40, 0), (80, 1), (100, 1)] {
        let time = format!("2024-01-01 00:{:02}:{:02}.500", second / 60, second % 60);
        let msg = vec![b'\xff', b'\n'];
        database
            .execute(
                "INSERT INTO heartbeat (monitor_id, status, msg, time, duration) VALUES (1, ?, ?, ?, 0)",
                rusqlite::params![status, msg, time],
            )
            .unwrap();
    }
    drop(database);
    let before = std::fs::read(&path).unwrap();
    let read = only(failover_budget::recorded::read(&path, &Options::default()));
    assert_eq!((read.series.as_str(), read.format), ("front door", Format::KumaSqlite));
    assert_eq!(letters(&read), "SSFSSS");
    assert_eq!(read.report.out_of_order, 1, "ids are not in the order of time");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn cloudwatch_metrics_are_good_or_bad_by_their_name() {
    let text = |label: &str| {
        let point = |hour: u8, value: u8| {
            format!(
                r#"{{"Timestamp":"2024-01-01T0{hour}:00:00Z","Maximum":{value},"Unit":"Count"}}"#
            )
        };
        let points = [point(3, 0), point(1, 0), point(2, 1), point(0, 0)].join(",");
        format!(r#"{{"Label":"{label}","Datapoints":[{points}]}}"#)
    };
    let read = |label: &str| read_text("c.json", text(label), &Options::default());
    assert_eq!(letters(&only(read("StatusCheckFailed"))), "SSFS");
    assert_eq!(letters(&only(read("HealthCheckStatus"))), "FFSF");
    assert!(read("Bananas").unwrap_err().to_string().contains("--down-above"));
}

#[test]
fn open_metrics_takes_the_health_metric_and_says_what_it_left() {
    let mut text = "# HELP probe_success ok\n# TYPE probe_success gauge\n".to_owned();
    for i in 0..6 {
        let at = 1_700_000_000 + 15 * i;
        writeln!(text, "probe_success{{instance=\"a}}b\"}} {} {at}.5", u8::from(i != 2)).unwrap();
        writeln!(text, "probe_duration_seconds{{instance=\"a}}b\"}} 0.2{i} {at}.5").unwrap();
    }
    text.push_str("# EOF\n");
    let read = only(read_text("m.txt", &text, &Options::default()));
    assert_eq!((read.format, letters(&read).as_str()), (Format::OpenMetrics, "SSFSSS"));
    assert!(warnings(&read).contains("other metrics"), "{}", warnings(&read));
}

#[test]
fn censoring_marks_of_durations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("d.csv");
    std::fs::write(&path, "length_s,event\n10,1\n20.5,0\n0,1\n-3,1\n7,1\n").unwrap();
    let read = durations(&path, &Options::default()).unwrap();
    assert_eq!(read.values_s, [10.0, 20.5, 7.0]);
    assert_eq!(read.censored, [false, true, false]);
    assert!(read.warnings[0].to_string().contains("2 durations are zero or negative"));
    std::fs::write(&path, "start,end\n100,110\n200,\n300,330\n").unwrap();
    let read = durations(&path, &Options::default()).unwrap();
    assert_eq!(read.values_s, [10.0, 30.0]);
}

#[test]
fn parquet_columns_are_read_by_name() {
    use polars::prelude::{Column, DataFrame, ParquetWriter};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.parquet");
    let times: Vec<i64> = (0..8).map(|i| 1_700_000_000_000 + 10_000 * i).collect();
    let up: Vec<bool> = (0..8).map(|i| i != 3).collect();
    let sites: Vec<&str> = (0..8).map(|_| "north").collect();
    let columns = vec![
        Column::new("checked_at".into(), times),
        Column::new("is_up".into(), up),
        Column::new("site".into(), sites),
    ];
    let mut frame = DataFrame::new(8, columns).unwrap();
    ParquetWriter::new(std::fs::File::create(&path).unwrap()).finish(&mut frame).unwrap();
    let read = only(failover_budget::recorded::read(&path, &Options::default()));
    assert_eq!((read.format, read.series.as_str()), (Format::Parquet, "north"));
    assert_eq!(letters(&read), "SSSFSSSS");
    assert_eq!(read.report.from.to_string(), "2023-11-14T22:13:20Z");
}
