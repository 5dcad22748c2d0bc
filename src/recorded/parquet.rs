//! Parquet with a time and a status column, and perhaps one that names the series. Only those
//! columns are read.
//!
//! A column of instants needs no guess at its unit, and tells whether its times are UTC or those of a
//! clock on some wall.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use polars::error::PolarsError;
use polars::prelude::{
    ArrowDataType, Column, DataType, Int64Chunked, ParquetReader, SerReader, Series, TimeUnit,
};

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
        let state = parts.status.text(row).unwrap_or_default();
        let at = match &parts.time {
            Times::Typed { counts, unit, has_zone } => {
                let nanos = counts.get(row).map(|count| i128::from(count) * unit);
                into.typed_time(nanos, *has_zone, number)
            }
            Times::Written(cells) => {
                into.time(cells.text(row).unwrap_or_default().as_bytes(), number)
            }
        };
        if let Some(at) = at {
            into.push_state(name, at, state.as_bytes(), number)?;
        }
    }
    Ok(())
}

struct Parts {
    time: Times,
    status: Cells,
    series: Option<Cells>,
}

/// A column of times.
enum Times {
    /// Instants: counts since 1970, of a unit in nanoseconds.
    Typed { counts: Int64Chunked, unit: i128, has_zone: bool },
    /// Text, or numbers whose size tells their unit.
    Written(Cells),
}

/// The values of a column, in the plainest type that holds them.
enum Cells {
    Whole(Series),
    Real(Series),
    Truth(Series),
    Text(Series),
}

fn columns(source: &Source, options: &Options) -> Result<Parts, ReadError> {
    let broken = |why: PolarsError| ReadError::Library {
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
    // A frame's index may have no name; among columns of instants an only one is the time.
    let is_instant = |place: &usize| {
        let kind = schema.get_at_index(*place).map(|(_, field)| &field.dtype);
        matches!(kind, Some(ArrowDataType::Timestamp(..) | ArrowDataType::Date32))
    };
    let mut instants = (0..header.names.len()).filter(is_instant);
    let only_instant = instants.next().filter(|_| instants.next().is_none());
    let found = header.time().or(only_instant);
    let no_checks = options.value_column.is_some() || header.interval().is_some();
    if no_checks && options.time_column.is_none() && header.time().is_none() {
        let why =
            "Parquet: lists of durations and of down intervals are read from CSV: write it as CSV";
        return Err(ReadError::Library { file, why: why.to_owned() });
    }
    let time = choose(&options.time_column, found, "time", "--time-column")?;
    let found = header.status(threshold).filter(|found| *found != time);
    let status = choose(&options.status_column, found, "status", "--status-column")?;
    let series = match &options.series_column {
        asked @ Some(_) => Some(choose(asked, None, "series", "--series-column")?),
        None => header.series().filter(|found| *found != time && *found != status),
    };
    let mut wanted = vec![header.names[time].clone(), header.names[status].clone()];
    wanted.extend(series.map(|series| header.names[series].clone()));
    for name in &wanted {
        if let Some(why) = schema.get(name).and_then(|field| unreadable(&field.dtype)) {
            return Err(broken_column(&file, name, &why));
        }
    }
    let frame = ParquetReader::new(File::open(source.path()).map_err(io)?)
        .with_columns(Some(wanted.clone()))
        .finish()
        .map_err(broken)?;
    let cells = |place: usize| {
        let column = frame.column(&wanted[place]).map_err(broken)?;
        Cells::of(column).map_err(broken)
    };
    Ok(Parts {
        time: Times::of(frame.column(&wanted[0]).map_err(broken)?).map_err(broken)?,
        status: cells(1)?,
        series: if series.is_some() { Some(cells(2)?) } else { None },
    })
}

/// Why a column of this kind holds neither times nor states nor names, and what to do.
fn unreadable(kind: &ArrowDataType) -> Option<String> {
    use ArrowDataType as Kind;
    match kind {
        Kind::Int8 | Kind::Int16 | Kind::Int32 | Kind::Int64 | Kind::Float32 | Kind::Float64 => {
            None
        }
        Kind::UInt8 | Kind::UInt16 | Kind::UInt32 | Kind::UInt64 | Kind::Boolean => None,
        Kind::Utf8 | Kind::LargeUtf8 | Kind::Utf8View => None,
        Kind::Binary | Kind::LargeBinary | Kind::BinaryView => None,
        Kind::Timestamp(..) | Kind::Date32 | Kind::Date64 => None,
        Kind::Dictionary(..) => {
            Some("is a category: write it as text (in pandas, column.astype(str))".to_owned())
        }
        other => Some(format!(
            "is of the kind {other:?}: write instants, text, plain numbers or booleans"
        )),
    }
}

fn broken_column(file: &str, name: &str, why: &str) -> ReadError {
    ReadError::Library { file: file.to_owned(), why: format!("Parquet: column `{name}` {why}") }
}

impl Times {
    fn of(column: &Column) -> Result<Self, PolarsError> {
        let series = column.as_materialized_series();
        let (unit, has_zone) = match series.dtype() {
            DataType::Datetime(TimeUnit::Nanoseconds, zone) => (1, zone.is_some()),
            DataType::Datetime(TimeUnit::Microseconds, zone) => (1_000, zone.is_some()),
            DataType::Datetime(TimeUnit::Milliseconds, zone) => (1_000_000, zone.is_some()),
            DataType::Date => (86_400_000_000_000, false),
            _ => return Cells::of(column).map(Times::Written),
        };
        let counts = series.to_physical_repr().cast(&DataType::Int64)?.i64()?.clone();
        Ok(Times::Typed { counts, unit, has_zone })
    }

    fn len(&self) -> usize {
        match self {
            Times::Typed { counts, .. } => counts.len(),
            Times::Written(cells) => cells.len(),
        }
    }
}

impl Cells {
    fn of(column: &Column) -> Result<Self, PolarsError> {
        let series = column.as_materialized_series();
        Ok(match series.dtype() {
            DataType::Boolean => Cells::Truth(series.clone()),
            DataType::String => Cells::Text(series.clone()),
            DataType::Float32 | DataType::Float64 => Cells::Real(series.cast(&DataType::Float64)?),
            // Text without a mark that it is text.
            DataType::Binary => Cells::Text(series.cast(&DataType::String)?),
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
