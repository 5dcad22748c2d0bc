//! Recorded probe histories: other people's recordings in, a [`History`] and a report out.
//!
//! One file a format does nothing but map records to checks; putting them in order, telling gaps
//! from the rhythm and reporting what was found is common to all. What silence means is explicit
//! ([`GapMeaning`]). This room reads files (and, when asked, a Prometheus server); it never prints,
//! never reads the clock, and never decides what is a blip and what an outage.

mod assemble;
mod cadence;
mod cloudwatch;
mod collect;
mod columns;
pub mod durations;
pub mod error;
pub mod format;
mod gatus;
mod grafana;
mod intervals;
mod judgement;
mod kuma;
mod labels;
mod openmetrics;
mod order;
mod parquet;
mod ping;
mod prometheus;
pub mod prometheus_live;
mod recognise;
pub mod report;
mod source;
mod stamp;
mod state;
mod table;
mod tsdb_dump;
mod upptime;
pub mod write;

use std::path::Path;

pub use durations::{Durations, durations};
pub use error::{Place, ReadError};
pub use format::{Format, GapMeaning};
pub use prometheus_live::{Live, read_prometheus};
pub use report::{Report, Warning};
pub use write::write_csv;

use crate::history::History;
use crate::time::Span;
use collect::Collector;
use source::Source;

/// Which series of a file are wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SeriesChoice {
    /// Every series.
    #[default]
    All,
    /// These, by name or by a part of the name that only one series has.
    Named(Vec<String>),
}

/// What the reader is told about a recording. The default tells nothing: the format is recognised,
/// columns are found by their names, and silence means what it means in that format.
#[derive(Clone, Debug)]
pub struct Options {
    /// The format; recognised by content if not given.
    pub format: Option<Format>,
    /// The series wanted.
    pub series: SeriesChoice,
    /// The column of times.
    pub time_column: Option<String>,
    /// The column of states, or of the number that a threshold is put on.
    pub status_column: Option<String>,
    /// The column that names the series.
    pub series_column: Option<String>,
    /// The column of lengths in a list of durations.
    pub value_column: Option<String>,
    /// The column that says whether a duration's end was seen (1) or not (0).
    pub event_column: Option<String>,
    /// States that are down; every other one is up.
    pub down_values: Vec<String>,
    /// Down iff the number is greater.
    pub down_above: Option<f64>,
    /// Down iff the number is smaller.
    pub down_below: Option<f64>,
    /// The zone of times that carry none; UTC (with a warning) if not given.
    pub time_zone: Option<jiff::tz::TimeZone>,
    /// What silence means; the format's own meaning if not given.
    pub gap: Option<GapMeaning>,
    /// The interval at which checks were due; found in the data if not given.
    pub interval: Option<Span>,
    /// A stretch in which this many checks or more are missing is a hole, not a gap.
    pub hole_intervals: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            format: None,
            series: SeriesChoice::All,
            time_column: None,
            status_column: None,
            series_column: None,
            value_column: None,
            event_column: None,
            down_values: Vec::new(),
            down_above: None,
            down_below: None,
            time_zone: None,
            gap: None,
            interval: None,
            hole_intervals: 60,
        }
    }
}

/// One recorded series as a history.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The series.
    pub series: String,
    /// The format it was read as.
    pub format: Format,
    /// The checks, on listed instants. Its `faults` are empty: only checks were recorded.
    pub history: History,
    /// When instant 0 of the history was.
    pub epoch: jiff::Timestamp,
    /// What the recording turned out to be.
    pub report: Report,
}

/// What a file holds.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// Histories of checks, one a series.
    Recordings(Vec<Recording>),
    /// A list of durations.
    Durations(Durations),
}

/// Says which format a file has, by its content.
///
/// # Errors
/// When the file cannot be read, or is none of the known formats.
pub fn recognise(path: &Path, options: &Options) -> Result<Format, ReadError> {
    format_of(&Source::open(path)?, options)
}

fn format_of(source: &Source, options: &Options) -> Result<Format, ReadError> {
    match options.format {
        Some(Format::PrometheusLive) => Ok(Format::Prometheus),
        Some(format) => Ok(format),
        None => recognise::recognise(source, options),
    }
}

/// Reads a recording: one [`Recording`] a series, in the order of the file.
///
/// # Errors
/// When the file cannot be read, is no recording, or is a list of durations.
pub fn read(path: &Path, options: &Options) -> Result<Vec<Recording>, ReadError> {
    let source = Source::open(path)?;
    let format = format_of(&source, options)?;
    let mut collector = Collector::new(format, options);
    collect(&source, options, format, &mut collector).map_err(|e| collect::named(e, &source))?;
    let (series, warnings) = collector.finish(&source.name())?;
    assemble::assemble(&source.name(), format, series, &warnings, options)
}

/// Reads a file as what it is: a history, or a list of durations.
///
/// # Errors
/// As [`read`] and [`durations()`].
pub fn load(path: &Path, options: &Options) -> Result<Loaded, ReadError> {
    match recognise(path, options)? {
        Format::Durations => durations(path, options).map(Loaded::Durations),
        _ => read(path, options).map(Loaded::Recordings),
    }
}

fn collect(
    source: &Source,
    options: &Options,
    format: Format,
    into: &mut Collector,
) -> Result<(), ReadError> {
    match format {
        Format::Prometheus | Format::PrometheusLive => prometheus::read(source, into),
        Format::TsdbDump => tsdb_dump::read(source, into),
        Format::OpenMetrics => openmetrics::read(source, into),
        Format::KumaSqlite => kuma::read_database(source, into),
        Format::KumaStatusPage => kuma::read_status_page(source, into),
        Format::UpptimeLog => upptime::read(source, into),
        Format::Intervals => intervals::read(source, options, into),
        Format::CloudWatch => cloudwatch::read(source, into),
        Format::Grafana => grafana::read(source, into),
        Format::Gatus => gatus::read(source, into),
        Format::Ping => ping::read(source, into),
        Format::KumaCsv | Format::UpptimeCsv | Format::MinuteLog | Format::Csv => {
            table::read(source, options, into)
        }
        Format::Parquet => parquet::read(source, options, into),
        Format::Durations => Err(ReadError::IsDurations { file: source.name() }),
    }
}
