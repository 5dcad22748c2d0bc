//! A folder of results on stdout: every row as JSON or CSV, or what they come to as text.

use std::path::Path;

use polars::prelude::{AnyValue, DataFrame};

use super::output;
use super::sweep::failure;
use super::{Failure, Format, Global};
use crate::estimate::LEVEL;
use crate::sweep::{Manifest, SweepError, folder, table as results};

mod columns;
mod summary;

/// Prints the results in `folder` in the format asked for.
///
/// # Errors
/// When they cannot be read, or stdout cannot be written.
pub fn print(folder: &Path, global: &Global) -> Result<(), Failure> {
    if global.format == Format::Table {
        return output::print(&summary::text(folder)?);
    }
    let frame = results::read_parquet(&folder.join(folder::RESULTS)).map_err(failure)?;
    let manifest = Manifest::read(folder).map_err(failure)?.ok_or_else(|| {
        failure(SweepError::read(folder, "there is no manifest.json: not a folder of results"))
    })?;
    match global.format {
        Format::Csv => output::print(&csv(&frame)?),
        Format::Table | Format::Json => output::print_json(&json(&frame, &manifest)?),
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

pub(super) fn csv(frame: &DataFrame) -> Result<String, Failure> {
    let headings: Vec<&str> = frame.get_column_names().into_iter().map(|n| n.as_str()).collect();
    let rows: Result<Vec<Vec<String>>, Failure> =
        (0..frame.height()).map(|row| Ok(cells(frame, row)?.iter().map(plain).collect())).collect();
    output::csv_text(&headings, &rows?)
}

pub(super) fn json(frame: &DataFrame, manifest: &Manifest) -> Result<serde_json::Value, Failure> {
    let names = frame.get_column_names();
    let mut rows = Vec::with_capacity(frame.height());
    for row in 0..frame.height() {
        let values = cells(frame, row)?;
        let object: serde_json::Map<String, serde_json::Value> = names
            .iter()
            .zip(&values)
            .map(|(name, value)| (name.to_string(), to_json(value)))
            .collect();
        rows.push(object);
    }
    Ok(serde_json::json!({
        "schema": "failover-budget/sweep/1",
        "name": manifest.name,
        "seed": manifest.seed,
        "version": manifest.version,
        "spec_hash": manifest.spec_hash,
        "level": LEVEL,
        "axes": manifest.axes,
        "rows": rows,
    }))
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
