//! Parquet with a time and a status column, and perhaps one that names the series. Only those
//! columns are read.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use polars::prelude::{Column, DataType, ParquetReader, SerReader, Series};

use super::Options;
use super::collect::Collector;
use super::columns::Header;
use super::error::ReadError;
use super::source::Source;

/// Reads a Parquet file.
///
/// The Parquet library gives up on some broken files by panicking; here that becomes an error.
pub(crate) fn read(
    source: &Source,
    options: &Options,
    into: &mut Collector,
) -> Result<(), ReadError> {
    let outcome = catch_unwind(AssertUnwindSafe(|| columns(source, options)));
    let broken = |why: String| ReadError::Library { file: source.name(), why };
    let parts = outcome.map_err(|_| broken("broken Parquet: its reader gave up".to_owned()))??;
    let only = source.path().file_stem().map_or_else(String::new, |s| s.to_string_lossy().into());
    for row in 0..parts.time.len() {
        let name = parts.series.as_ref().and_then(|series| series.text(row));
        let name = name.as_deref().unwrap_or(&only);
        let number = row as u64 + 1;
        let time = parts.time.text(row).unwrap_or_default();
        let state = parts.status.text(row).unwrap_or_default();
        into.push_text(name, time.as_bytes(), state.as_bytes(), number)?;
    }
    Ok(())
}

struct Parts {
    time: Cells,
    status: Cells,
    series: Option<Cells>,
}

/// The values of a column, in the plainest type that holds them.
enum Cells {
    Whole(Series),
    Real(Series),
    Truth(Series),
    Text(Series),
}

fn columns(source: &Source, options: &Options) -> Result<Parts, ReadError> {
    let broken = |why: polars::error::PolarsError| ReadError::Library {
        file: source.name(),
        why: format!("Parquet: {why}"),
    };
    let io = |error| ReadError::Io { file: source.name(), source: error };
    let mut reader = ParquetReader::new(File::open(source.path()).map_err(io)?);
    let schema = reader.schema().map_err(broken)?;
    let names: Vec<String> = schema.iter_names().map(|name| name.to_string()).collect();
    let header = Header { delimiter: b',', skip: 0, names, first: Vec::new(), headless: false };
    let file = source.name();
    let threshold = options.down_above.is_some() || options.down_below.is_some();
    let choose = |asked: &Option<String>, found, role, flag| {
        header.choose(asked.as_ref(), found, role, flag, &file)
    };
    let time = choose(&options.time_column, header.time(), "time", "--time-column")?;
    let found = header.status(threshold).filter(|found| *found != time);
    let status = choose(&options.status_column, found, "status", "--status-column")?;
    let series = match &options.series_column {
        asked @ Some(_) => Some(choose(asked, None, "series", "--series-column")?),
        None => header.series().filter(|found| *found != time && *found != status),
    };
    let mut wanted = vec![header.names[time].clone(), header.names[status].clone()];
    wanted.extend(series.map(|series| header.names[series].clone()));
    let frame = ParquetReader::new(File::open(source.path()).map_err(io)?)
        .with_columns(Some(wanted.clone()))
        .finish()
        .map_err(broken)?;
    let cells = |place: usize| {
        let column = frame.column(&wanted[place]).map_err(broken)?;
        Cells::of(column).map_err(broken)
    };
    Ok(Parts {
        time: cells(0)?,
        status: cells(1)?,
        series: if series.is_some() { Some(cells(2)?) } else { None },
    })
}

impl Cells {
    fn of(column: &Column) -> Result<Self, polars::error::PolarsError> {
        let series = column.as_materialized_series();
        Ok(match series.dtype() {
            DataType::Boolean => Cells::Truth(series.clone()),
            DataType::String => Cells::Text(series.clone()),
            DataType::Float32 | DataType::Float64 => Cells::Real(series.cast(&DataType::Float64)?),
            // Times count from 1970 in a unit that shows in their size.
            _ => Cells::Whole(series.to_physical_repr().cast(&DataType::Int64)?),
        })
    }

    fn len(&self) -> usize {
        match self {
            Cells::Whole(s) | Cells::Real(s) | Cells::Truth(s) | Cells::Text(s) => s.len(),
        }
    }

    fn text(&self, row: usize) -> Option<String> {
        match self {
            Cells::Whole(series) => series.i64().ok()?.get(row).map(|value| value.to_string()),
            Cells::Real(series) => series.f64().ok()?.get(row).map(|value| value.to_string()),
            Cells::Truth(series) => series.bool().ok()?.get(row).map(|value| value.to_string()),
            Cells::Text(series) => series.str().ok()?.get(row).map(str::to_owned),
        }
    }
}
