//! A folder of results on stdout: every row as JSON or CSV, or what they come to as text.

use std::ops::Range;
use std::path::Path;

use polars::prelude::{AnyValue, DataFrame};

use super::output;
use super::sweep::failure;
use super::{Failure, Format, Global};
use crate::estimate::LEVEL;
use crate::sweep::Manifest;

mod columns;
mod summary;

/// Rows that are printed at once as CSV or JSON.
const AT_ONCE: usize = 4_096;

/// Prints the results in `folder` in the format asked for.
///
/// # Errors
/// When they cannot be read, or stdout cannot be written.
pub fn print(folder: &Path, global: &Global) -> Result<(), Failure> {
    if global.format == Format::Table {
        return output::print(&summary::text(folder)?);
    }
    let manifest = Manifest::of_results(folder).map_err(failure)?;
    let frame = manifest.results(folder).map_err(failure)?;
    match global.format {
        Format::Csv => print_csv(&frame),
        Format::Table | Format::Json => print_json(&frame, &manifest),
    }
}

fn cells(frame: &DataFrame, row: usize) -> Result<Vec<AnyValue<'_>>, Failure> {
    let cell = |column: &'_ polars::prelude::Column| -> Result<AnyValue<'static>, Failure> {
        column.get(row).map(AnyValue::into_static).map_err(Failure::failed)
    };
    frame.columns().iter().map(cell).collect()
}

fn plain(value: &AnyValue) -> String {
    match value {
        AnyValue::Null => String::new(),
        AnyValue::String(text) => (*text).to_owned(),
        AnyValue::StringOwned(text) => text.to_string(),
        AnyValue::Float64(number) => number.to_string(),
        other => other.to_string(),
    }
}

/// Names of the columns, in order.
pub(super) fn headings(frame: &DataFrame) -> Vec<&str> {
    frame.get_column_names().into_iter().map(|name| name.as_str()).collect()
}

/// The cells of some rows as text.
pub(super) fn records(frame: &DataFrame, rows: Range<usize>) -> Result<Vec<Vec<String>>, Failure> {
    rows.map(|row| Ok(cells(frame, row)?.iter().map(plain).collect())).collect()
}

/// Prints the rows some at a time: as one text a large table would need far more memory than it does.
pub(super) fn print_csv(frame: &DataFrame) -> Result<(), Failure> {
    output::print(&output::csv_text(&headings(frame), &[])?)?;
    for first in (0..frame.height()).step_by(AT_ONCE) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for record in records(frame, first..(first + AT_ONCE).min(frame.height()))? {
            writer.write_record(&record).map_err(Failure::failed)?;
        }
        let bytes = writer.into_inner().map_err(Failure::failed)?;
        output::print(&String::from_utf8_lossy(&bytes))?;
    }
    Ok(())
}

/// Prints one JSON object, some rows at a time.
pub(super) fn print_json(frame: &DataFrame, manifest: &Manifest) -> Result<(), Failure> {
    let head = serde_json::json!({
        "schema": "failover-budget/sweep/1",
        "name": manifest.name,
        "seed": manifest.seed,
        "version": manifest.version,
        "spec_hash": manifest.spec_hash,
        "level": LEVEL,
        "axes": manifest.axes,
    });
    let head = serde_json::to_string_pretty(&head).map_err(Failure::failed)?;
    output::print(&format!("{},\n  \"rows\": [", head.trim_end_matches("\n}")))?;
    let names = frame.get_column_names();
    for first in (0..frame.height()).step_by(AT_ONCE) {
        let mut text = String::new();
        for row in first..(first + AT_ONCE).min(frame.height()) {
            let values = cells(frame, row)?;
            let object: serde_json::Map<String, serde_json::Value> = names
                .iter()
                .zip(&values)
                .map(|(name, value)| (name.to_string(), to_json(value)))
                .collect();
            text += if row == 0 { "\n    " } else { ",\n    " };
            text += &serde_json::to_string(&object).map_err(Failure::failed)?;
        }
        output::print(&text)?;
    }
    output::print("\n  ]\n}\n")
}

fn to_json(value: &AnyValue) -> serde_json::Value {
    match value {
        AnyValue::Null => serde_json::Value::Null,
        AnyValue::Boolean(yes) => (*yes).into(),
        AnyValue::Float64(number) => (*number).into(),
        AnyValue::Int64(whole) => (*whole).into(),
        AnyValue::UInt64(whole) => (*whole).into(),
        other => plain(other).into(),
    }
}
