//! Parquet whose times are instants and not numbers or text: written by polars, pyarrow, pandas and
//! DuckDB, in every unit, with a zone and without.

use std::path::Path;
use std::process::Command;

use failover_budget::recorded::{Options, Recording, read};
use polars::prelude::{
    Column, DataFrame, DataType, IntoColumn, IntoSeries, NamedFrom, ParquetWriter, Series,
    TimeUnit, TimeZone,
};

use super::{checks, letters, only, warnings};

/// Seconds since 1970 of 2023-11-14T22:13:20Z.
const START: i64 = 1_700_000_000;

/// Writes counts as a column of this kind beside states, and reads the file.
fn written(counts: Vec<Option<i64>>, kind: &DataType, up: &[bool], options: &Options) -> Recording {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.parquet");
    let counts = Series::new("time".into(), counts);
    let times = match kind {
        // A cast would drop the zone.
        DataType::Datetime(unit, zone) => {
            counts.i64().unwrap().clone().into_datetime(*unit, zone.clone()).into_series()
        }
        kind => counts.cast(kind).unwrap(),
    };
    let times = times.into_column();
    assert_eq!(times.dtype(), kind);
    let states = Column::new("up".into(), up);
    let mut frame = DataFrame::new(up.len(), vec![times, states]).unwrap();
    ParquetWriter::new(std::fs::File::create(&path).unwrap()).finish(&mut frame).unwrap();
    only(read(&path, options))
}

#[test]
fn every_unit_is_the_same_instant() {
    let up = [true, true, true, false, true, true, true, true];
    let units = [
        (TimeUnit::Milliseconds, 1_000),
        (TimeUnit::Microseconds, 1_000_000),
        (TimeUnit::Nanoseconds, 1_000_000_000),
    ];
    for (unit, scale) in units {
        for zone in [None, Some(TimeZone::UTC)] {
            let kind = DataType::Datetime(unit, zone.clone());
            let counts = (0..8).map(|i| Some((START + 10 * i) * scale)).collect();
            let recording = written(counts, &kind, &up, &Options::default());
            assert_eq!(letters(&recording), "SSSFSSSS", "{kind:?}");
            assert_eq!(recording.report.from.to_string(), "2023-11-14T22:13:20Z", "{kind:?}");
            assert_eq!(warnings(&recording).contains("no zone"), zone.is_none(), "{kind:?}");
        }
    }
    // Before the unit of a number could be told by its size.
    let counts = (0..8).map(|i| Some(86_400_000 * 365 + 10_000 * i)).collect();
    let kind = DataType::Datetime(TimeUnit::Milliseconds, Some(TimeZone::UTC));
    let early = written(counts, &kind, &up, &Options::default());
    assert_eq!(early.report.from.to_string(), "1971-01-01T00:00:00Z");
    assert_eq!(checks(&early)[7].0, 70.0);
}

/// Without a zone the instants are those of a wall clock: in Berlin the hour from 2 to 3 comes twice.
#[test]
fn times_without_a_zone_are_read_in_the_one_that_is_given() {
    let civil: jiff::Timestamp = "2023-10-29T01:30:00Z".parse().unwrap();
    // 1:30, 2:00, 2:30, 2:00, 2:30, 3:00 on the wall.
    let minutes = [0, 30, 60, 30, 60, 90];
    let counts = minutes.map(|m| Some((civil.as_second() + 60 * m) * 1_000)).to_vec();
    let zone = jiff::tz::TimeZone::get("Europe/Berlin").unwrap();
    let options = Options { time_zone: Some(zone), ..Options::default() };
    let up = [true, true, false, true, true, true];
    let kind = DataType::Datetime(TimeUnit::Milliseconds, None);
    let recording = written(counts.clone(), &kind, &up, &options);
    assert_eq!(recording.report.from.to_string(), "2023-10-28T23:30:00Z");
    let at: Vec<f64> = checks(&recording).iter().map(|check| check.0 / 1_800.0).collect();
    assert_eq!(at, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(letters(&recording), "SSFSSS");
    // A column with a zone of its own does not ask for one.
    let kind = DataType::Datetime(TimeUnit::Milliseconds, Some(TimeZone::UTC));
    let ordered = (0..6).map(|i| Some((civil.as_second() + 1_800 * i) * 1_000)).collect();
    let recording = written(ordered, &kind, &up, &options);
    assert_eq!(recording.report.from.to_string(), "2023-10-29T01:30:00Z");
}

#[test]
fn days_missing_times_and_sentinels() {
    // 2023-11-14 is day 19,675.
    let days = (0..6).map(|i| Some(19_675 + i)).collect();
    let up = [true, true, false, true, true, true];
    let daily = written(days, &DataType::Date, &up, &Options::default());
    assert_eq!(daily.report.from.to_string(), "2023-11-14T00:00:00Z");
    assert_eq!((daily.report.interval_s, letters(&daily).as_str()), (86_400.0, "SSFSSS"));
    // One of two hundred has no time, and one has the zero time of a program.
    let mut counts: Vec<Option<i64>> = (0..200).map(|i| Some((START + 10 * i) * 1_000)).collect();
    (counts[50], counts[60]) = (None, Some(0));
    let kind = DataType::Datetime(TimeUnit::Milliseconds, Some(TimeZone::UTC));
    let holed = written(counts, &kind, &[true; 200], &Options::default());
    assert_eq!((holed.report.healthy, holed.report.absent), (198, 2));
    let said = warnings(&holed);
    assert!(said.contains("first at row 51: the time is missing"), "{said}");
    assert!(said.contains("first at row 61 (`1970-01-01T00:00:00Z`)"), "{said}");
}

#[test]
fn durations_and_intervals_are_sent_to_csv() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.parquet");
    let refused = |names: &[&str], options: &Options| {
        let column = |name: &&str| Column::new((*name).into(), [1.5, 2.0, 8.0]);
        let mut frame = DataFrame::new(3, names.iter().map(column).collect()).unwrap();
        ParquetWriter::new(std::fs::File::create(&path).unwrap()).finish(&mut frame).unwrap();
        read(&path, options).unwrap_err().to_string()
    };
    let lengths = Options { value_column: Some("hours".into()), ..Options::default() };
    assert!(refused(&["hours"], &lengths).contains("write it as CSV"));
    assert!(refused(&["start", "end"], &Options::default()).contains("write it as CSV"));
    assert!(refused(&["hours"], &Options::default()).contains("--time-column"));
}

/// Runs where `target/venv` has the writers, as continuous integration makes sure of.
#[test]
fn python_writes_what_is_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("target/venv/bin/python");
    let has_writers = Command::new(&python)
        .args(["-c", "import pyarrow, pandas, duckdb"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !has_writers {
        let missing = "target/venv lacks pyarrow, pandas or duckdb; .ci/run installs them";
        assert!(std::env::var_os("CI").is_none(), "{missing}");
        eprintln!("skipped: {missing}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = root.join("tests/typed_times.py");
    let output = Command::new(&python).arg(script).arg(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let named = |key: &str| -> Vec<String> {
        let names = files[key].as_array().unwrap();
        names.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    };
    for (key, zoneless) in [("zoned", false), ("naive", true)] {
        for name in named(key) {
            let read = read(&folder.path().join(&name), &Options::default());
            let recording = only(read.map_err(|why| panic!("{name}: {why}")));
            assert_eq!(letters(&recording), "SSSFSSSS", "{name}");
            assert_eq!(recording.report.from.to_string(), "2023-11-14T22:13:20Z", "{name}");
            assert_eq!(recording.report.interval_s, 10.0, "{name}");
            let said = warnings(&recording);
            assert_eq!(said.contains("no zone"), zoneless, "{name}: {said}");
        }
    }
    for name in named("refused") {
        let why = read(&folder.path().join(&name), &Options::default()).unwrap_err().to_string();
        assert!(why.contains("`status` is a category: write it as text"), "{why}");
    }
}
