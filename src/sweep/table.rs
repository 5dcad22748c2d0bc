//! Results as a table of typed columns, written to and read from Parquet.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use polars::io::SerReader;
use polars::prelude::{
    Column, DataFrame, IntoColumn, KeyValueMetadata, NamedFrom, ParquetCompression, ParquetReader,
    ParquetWriter, Series,
};
use toml::Value;

use super::error::SweepError;
use super::results::{Row, TargetCell};
use super::spec::Sweep;
use crate::estimate::Estimate;
use crate::time::Span;

/// Columns that every result has; an axis may not take their names.
const OWN_COLUMNS: [&str; 9] = [
    "trigger",
    "family",
    "patience_s",
    "target",
    "tier",
    "replications",
    "days",
    "room_s",
    "on_frontier",
];

/// The result table of a sweep: one row for each point, trigger and target, in that order.
///
/// # Errors
/// When an axis has the name of another column.
pub fn frame(sweep: &Sweep, rows: &[Vec<Row>]) -> Result<DataFrame, SweepError> {
    let cells: Vec<(&Row, usize)> = rows
        .iter()
        .flatten()
        .flat_map(|row| (0..row.targets.len()).map(move |target| (row, target)))
        .collect();
    let (names, labels) = axes_of(sweep);
    let mut columns = axis_columns(&names, &labels, cells.iter().map(|(row, _)| row.point));
    let target = |(row, target): &(&Row, usize)| -> TargetCell { row.targets[*target].clone() };
    let text = |name: &str, pick: &dyn Fn(&(&Row, usize)) -> String| {
        let values: Vec<String> = cells.iter().map(pick).collect();
        Series::new(name.into(), values).into_column()
    };
    let number = |name: &str, pick: &dyn Fn(&(&Row, usize)) -> Option<f64>| {
        let values: Vec<Option<f64>> = cells.iter().map(pick).collect();
        Series::new(name.into(), values).into_column()
    };
    let whole = |name: &str, pick: &dyn Fn(&(&Row, usize)) -> u64| {
        let values: Vec<u64> = cells.iter().map(pick).collect();
        Series::new(name.into(), values).into_column()
    };
    columns.push(text("trigger", &|(row, _)| row.trigger.clone()));
    columns.push(text("family", &|(row, _)| row.family.to_owned()));
    columns.push(number("patience_s", &|(row, _)| Some(row.patience_s)));
    columns.push(text("target", &|cell| target(cell).target));
    columns.push(text("tier", &|cell| target(cell).tier.to_string()));
    columns.push(whole("replications", &|(row, _)| row.replications));
    columns.push(number("days", &|(row, _)| Some(row.days)));
    columns.push(whole("false_failovers", &|(row, _)| row.false_failovers));
    for (name, exact, pick) in ESTIMATES {
        let part = |of: fn(&Estimate) -> f64| {
            move |(row, target): &(&Row, usize)| {
                pick(row, *target).map(|e| of(&e)).filter(|x| x.is_finite())
            }
        };
        columns.push(number(name, &part(|e| e.value)));
        columns.push(number(&format!("{name}_lo"), &part(|e| e.lo)));
        columns.push(number(&format!("{name}_hi"), &part(|e| e.hi)));
        if exact {
            let exact = |(row, target): &(&Row, usize)| pick(row, *target).and_then(|e| e.exact);
            columns.push(number(&format!("{name}_exact"), &exact));
        }
    }
    columns.push(number("detection_max_s", &|(row, _)| row.figures.detection_max_s));
    columns.push(number("room_s", &|cell| Some(target(cell).room_s)));
    let on_frontier: Vec<bool> = cells.iter().map(|cell| target(cell).on_frontier).collect();
    columns.push(Series::new("on_frontier".into(), on_frontier).into_column());
    Ok(DataFrame::new_infer_height(columns)?)
}

type Pick = fn(&Row, usize) -> Option<Estimate>;

/// The estimates: column, whether exact values may stand beside them, and where they come from.
const ESTIMATES: [(&str, bool, Pick); 13] = [
    ("false_failovers_per_day", true, |row, _| Some(row.figures.false_failovers_per_day)),
    ("false_failovers_less_next_per_day", false, |row, _| row.less_next),
    ("detection_mean_s", true, |row, _| row.figures.detection_mean_s),
    ("detection_p50_s", true, |row, _| row.figures.detection_p50_s),
    ("detection_p99_s", true, |row, _| row.figures.detection_p99_s),
    ("already_fired", true, |row, _| Some(row.figures.already_fired)),
    ("missed", true, |row, _| Some(row.figures.missed)),
    ("dark_caught", true, |row, _| Some(row.figures.dark_caught)),
    ("restart_fires", true, |row, _| Some(row.figures.restart_fires)),
    ("prober_death_fires", true, |row, _| Some(row.figures.prober_death_fires)),
    ("recovery_p50_s", false, |row, target| row.figures.targets[target].recovery_p50_s),
    ("recovery_p99_s", false, |row, target| row.figures.targets[target].recovery_p99_s),
    ("rto_met", false, |row, target| Some(row.figures.targets[target].rto_met)),
];

/// One row per (cell, replication): the axes, the trigger, the replication and its false failovers.
///
/// # Errors
/// As [`frame`].
pub fn replications_frame(sweep: &Sweep, rows: &[Vec<Row>]) -> Result<DataFrame, SweepError> {
    let runs: Vec<(&Row, usize)> = rows
        .iter()
        .flatten()
        .flat_map(|row| (0..row.replication_counts.len()).map(move |run| (row, run)))
        .collect();
    let (names, labels) = axes_of(sweep);
    let mut columns = axis_columns(&names, &labels, runs.iter().map(|(row, _)| row.point));
    let triggers: Vec<&str> = runs.iter().map(|(row, _)| row.trigger.as_str()).collect();
    let replications: Vec<u64> = runs.iter().map(|(_, run)| *run as u64).collect();
    let counts: Vec<i64> = runs.iter().map(|(row, run)| row.replication_counts[*run]).collect();
    columns.push(Series::new("trigger".into(), triggers).into_column());
    columns.push(Series::new("replication".into(), replications).into_column());
    columns.push(Series::new("false_failovers".into(), counts).into_column());
    Ok(DataFrame::new_infer_height(columns)?)
}

/// The axes as typed columns: for each row its point, for each point what stands in the columns `names`.
/// Spans are in seconds and their columns end in `_s`.
pub(super) fn axis_columns(
    names: &[String],
    labels: &[&[Value]],
    points: impl Iterator<Item = usize> + Clone,
) -> Vec<Column> {
    let column = |(axis, name): (usize, &String)| {
        let values = points.clone().map(|point| &labels[point][axis]);
        let all: Vec<&Value> = labels.iter().map(|labels| &labels[axis]).collect();
        axis_column(name, &all, values)
    };
    names.iter().enumerate().map(column).collect()
}

/// Names of axis columns as they stand in the table.
pub(super) fn column_names(names: &[String], labels: &[&[Value]]) -> Vec<String> {
    let name = |(axis, name): (usize, &String)| {
        let all: Vec<&Value> = labels.iter().map(|labels| &labels[axis]).collect();
        column_name(name, &all)
    };
    names.iter().enumerate().map(name).collect()
}

fn axes_of(sweep: &Sweep) -> (Vec<String>, Vec<&[Value]>) {
    let names = sweep.axis_columns().map(str::to_owned).collect();
    (names, sweep.points.iter().map(|point| &point.labels[..]).collect())
}

fn axis_column<'v>(name: &str, all: &[&Value], values: impl Iterator<Item = &'v Value>) -> Column {
    let span_s = |value: &Value| {
        value.as_str().and_then(|text| text.parse::<Span>().ok()).map(Span::as_secs_f64)
    };
    let number = |value: &Value| value.as_float().or(value.as_integer().map(|whole| whole as f64));
    let series = if all.iter().all(|value| span_s(value).is_some()) {
        let seconds: Vec<Option<f64>> = values.map(span_s).collect();
        Series::new(column_name(name, all).as_str().into(), seconds)
    } else if all.iter().all(|value| value.is_integer()) {
        Series::new(name.into(), values.map(Value::as_integer).collect::<Vec<_>>())
    } else if all.iter().all(|value| number(value).is_some()) {
        Series::new(name.into(), values.map(number).collect::<Vec<_>>())
    } else if all.iter().all(|value| value.is_bool()) {
        Series::new(name.into(), values.map(Value::as_bool).collect::<Vec<_>>())
    } else {
        let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
        Series::new(name.into(), values.map(text).collect::<Vec<String>>())
    };
    series.into_column()
}

fn column_name(name: &str, all: &[&Value]) -> String {
    let is_span = |value: &&Value| value.as_str().is_some_and(|text| text.parse::<Span>().is_ok());
    if all.iter().all(is_span) { format!("{name}_s") } else { name.to_owned() }
}

/// Names of a sweep's axis columns as they stand in the table.
pub fn axis_column_names(sweep: &Sweep) -> Vec<String> {
    let (names, labels) = axes_of(sweep);
    column_names(&names, &labels)
}

/// True iff an axis column of this name would stand beside another of the same name.
pub fn is_taken(name: &str) -> bool {
    OWN_COLUMNS.contains(&name) || ESTIMATES.iter().any(|(own, _, _)| name.starts_with(own))
}

/// The table as the bytes of a Parquet file; the same table always gives the same bytes.
///
/// # Errors
/// When the table cannot be encoded.
pub fn parquet_bytes(
    frame: &mut DataFrame,
    metadata: Vec<(String, String)>,
) -> Result<Vec<u8>, SweepError> {
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes)
        .with_compression(ParquetCompression::Zstd(None))
        .with_row_group_size(Some(1 << 18))
        .set_parallel(false)
        .with_key_value_metadata(Some(KeyValueMetadata::from_static(metadata)))
        .finish(frame)?;
    Ok(bytes)
}

/// Reads a table from the bytes of the Parquet file at `path`.
///
/// The Parquet library gives up on some broken files by panicking; here that becomes an error.
///
/// # Errors
/// When they are no Parquet; names the file.
pub(super) fn from_parquet(path: &Path, bytes: Vec<u8>) -> Result<DataFrame, SweepError> {
    let broken = |why: &str| SweepError::read(path, &format!("not a table of results: {why}"));
    catch_unwind(AssertUnwindSafe(|| ParquetReader::new(Cursor::new(bytes)).finish()))
        .map_err(|_| broken("broken Parquet: its reader gave up"))?
        .map_err(|why| broken(&why.to_string()))
}
