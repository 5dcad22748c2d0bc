//! A folder of results on stdout: a table of the frontier, or every row as JSON or CSV.

use std::path::Path;

use polars::prelude::{AnyValue, DataFrame};

use super::output::{self, table, table_text};
use super::sweep::failure;
use super::{Failure, Format, Global};
use crate::estimate::{Estimate, LEVEL};
use crate::sweep::{Manifest, SweepError, folder, table as results};

/// Rows that a table on a terminal shows at most.
const MOST_SHOWN: usize = 40;

/// Rows that are printed at once as CSV or JSON.
const AT_ONCE: usize = 4_096;

/// Prints the results in `folder` in the format asked for.
///
/// # Errors
/// When they cannot be read, or stdout cannot be written.
pub fn print(folder: &Path, global: &Global) -> Result<(), Failure> {
    let frame = results::read_parquet(&folder.join(folder::RESULTS)).map_err(failure)?;
    let manifest = Manifest::read(folder).map_err(failure)?.ok_or_else(|| {
        failure(SweepError::read(folder, "there is no manifest.json: not a folder of results"))
    })?;
    match global.format {
        Format::Table => output::print(&text(folder, &frame, &manifest)?),
        Format::Csv => print_csv(&frame),
        Format::Json => print_json(&frame, &manifest),
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

/// Prints the rows some at a time: as one text a large table would need far more memory than it does.
fn print_csv(frame: &DataFrame) -> Result<(), Failure> {
    let headings: Vec<&str> = frame.get_column_names().into_iter().map(|n| n.as_str()).collect();
    output::print(&output::csv_text(&headings, &[])?)?;
    for first in (0..frame.height()).step_by(AT_ONCE) {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in first..(first + AT_ONCE).min(frame.height()) {
            let row: Vec<String> = cells(frame, row)?.iter().map(plain).collect();
            writer.write_record(&row).map_err(Failure::failed)?;
        }
        let bytes = writer.into_inner().map_err(Failure::failed)?;
        output::print(&String::from_utf8_lossy(&bytes))?;
    }
    Ok(())
}

/// Prints one JSON object, some rows at a time.
fn print_json(frame: &DataFrame, manifest: &Manifest) -> Result<(), Failure> {
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

/// The frontier, at most [`MOST_SHOWN`] rows of it, each trigger once a point.
fn text(folder: &Path, frame: &DataFrame, manifest: &Manifest) -> Result<String, Failure> {
    let column = |name: &str| frame.column(name).map_err(Failure::failed);
    let number = |name: &str, row: usize| -> Result<Option<f64>, Failure> {
        Ok(column(name)?.get(row).map_err(Failure::failed)?.extract::<f64>())
    };
    let estimate = |name: &str, row: usize| -> Result<Option<Estimate>, Failure> {
        let bound = |suffix: &str| number(&format!("{name}{suffix}"), row);
        let (value, lo, hi) = (number(name, row)?, bound("_lo")?, bound("_hi")?);
        Ok(value.map(|value| Estimate {
            value,
            lo: lo.unwrap_or(f64::NEG_INFINITY),
            hi: hi.unwrap_or(f64::INFINITY),
            level: LEVEL,
            n: 0,
            exact: None,
        }))
    };
    let shown = |estimate: Option<Estimate>| estimate.map_or("-".to_owned(), |e| e.show(1));
    let mut headings: Vec<String> = manifest.axes.clone();
    headings.extend(
        ["trigger", "target", "false failovers a day", "detection mean, s", "RTO met, %"]
            .map(str::to_owned),
    );
    let mut rows = table(headings);
    let on_frontier = column("on_frontier")?.bool().map_err(Failure::failed)?;
    let frontier: Vec<usize> =
        (0..frame.height()).filter(|row| on_frontier.get(*row) == Some(true)).collect();
    for row in frontier.iter().take(MOST_SHOWN) {
        let mut line = Vec::new();
        for name in manifest.axes.iter().map(String::as_str).chain(["trigger", "target"]) {
            line.push(plain(&column(name)?.get(*row).map_err(Failure::failed)?));
        }
        line.push(shown(estimate("false_failovers_per_day", *row)?));
        line.push(shown(estimate("detection_mean_s", *row)?));
        line.push(shown(estimate("rto_met", *row)?.map(|share| share.scaled(100.0))));
        rows.add_row(line);
    }
    let more = frontier.len().saturating_sub(MOST_SHOWN);
    let rest = if more > 0 {
        format!("… and {more} more rows on the frontier\n")
    } else {
        String::new()
    };
    Ok(format!(
        "{}: {} rows in {}; those on the frontier of false failovers and detection:\n\n{}{rest}",
        manifest.name,
        frame.height(),
        folder.join(folder::RESULTS).display(),
        table_text(&rows)
    ))
}
