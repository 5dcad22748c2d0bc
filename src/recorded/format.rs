//! The formats of recordings: their names on the command line, and what silence means in each.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::error::{ReadError, nearest};

/// A kind of recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// The Prometheus HTTP API's JSON (a range query or a raw range vector), or promtool's bare array.
    Prometheus,
    /// Asked of a Prometheus server over HTTP, as raw samples.
    PrometheusLive,
    /// `promtool tsdb dump`: `{labels} value milliseconds`.
    TsdbDump,
    /// OpenMetrics or Prometheus exposition text with timestamps.
    OpenMetrics,
    /// Uptime Kuma's SQLite database.
    KumaSqlite,
    /// Uptime Kuma's heartbeat table as CSV.
    KumaCsv,
    /// The JSON of an Uptime Kuma status page.
    KumaStatusPage,
    /// The commit log of an upptime repository.
    UpptimeLog,
    /// Upptime status records as CSV.
    UpptimeCsv,
    /// Down intervals: a start and an end a row (outages, incidents).
    Intervals,
    /// `YYYY-MM-DD HH:MM, success|failed`, a line a check.
    MinuteLog,
    /// CloudWatch `get-metric-statistics` or `get-metric-data` JSON.
    CloudWatch,
    /// A CSV download of a Grafana panel, wide or with series as rows.
    Grafana,
    /// Gatus endpoint statuses JSON.
    Gatus,
    /// The output of `ping -D`, with or without `-O`.
    Ping,
    /// CSV or TSV with a time and a status column.
    Csv,
    /// Parquet with a time and a status column.
    Parquet,
    /// A list of durations, one a row.
    Durations,
}

/// What it means that a recording says nothing where a check was to be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GapMeaning {
    /// Checks were due and never arrived.
    Absent,
    /// Nobody knows: the stretch is a hole, left out of the exposure.
    Unknown,
    /// The last state held: only changes are recorded.
    LastState,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 18] = [
        Format::Prometheus,
        Format::PrometheusLive,
        Format::TsdbDump,
        Format::OpenMetrics,
        Format::KumaSqlite,
        Format::KumaCsv,
        Format::KumaStatusPage,
        Format::UpptimeLog,
        Format::UpptimeCsv,
        Format::Intervals,
        Format::MinuteLog,
        Format::CloudWatch,
        Format::Grafana,
        Format::Gatus,
        Format::Ping,
        Format::Csv,
        Format::Parquet,
        Format::Durations,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Prometheus => "prometheus",
            Format::PrometheusLive => "prometheus-live",
            Format::TsdbDump => "tsdb-dump",
            Format::OpenMetrics => "open-metrics",
            Format::KumaSqlite => "kuma-sqlite",
            Format::KumaCsv => "kuma-csv",
            Format::KumaStatusPage => "kuma-status-page",
            Format::UpptimeLog => "upptime-log",
            Format::UpptimeCsv => "upptime-csv",
            Format::Intervals => "intervals",
            Format::MinuteLog => "minute-log",
            Format::CloudWatch => "cloud-watch",
            Format::Grafana => "grafana",
            Format::Gatus => "gatus",
            Format::Ping => "ping",
            Format::Csv => "csv",
            Format::Parquet => "parquet",
            Format::Durations => "durations",
        }
    }

    /// What silence means in this format unless the user says otherwise.
    ///
    /// Logs of changes hold the last state; everything else was sampled, so a missing sample is a
    /// check that never arrived (within a modest gap; beyond it the recording has a hole).
    pub fn gap(self) -> GapMeaning {
        match self {
            Format::UpptimeLog | Format::UpptimeCsv | Format::Intervals => GapMeaning::LastState,
            _ => GapMeaning::Absent,
        }
    }

    /// True where the order of the rows is the order in which they were written, so that a time
    /// that steps back says something of the clock.
    pub(crate) fn rows_in_time(self) -> bool {
        matches!(self, Format::MinuteLog | Format::Ping | Format::Csv | Format::Parquet)
            || matches!(self, Format::KumaSqlite | Format::KumaCsv | Format::UpptimeCsv)
    }

    /// True where the format itself says that times are UTC although they carry no zone.
    pub(crate) fn utc_by_contract(self) -> bool {
        matches!(self, Format::KumaSqlite | Format::KumaCsv | Format::KumaStatusPage)
    }

    /// What rows are called in messages.
    pub(crate) fn place_unit(self) -> &'static str {
        match self {
            Format::Prometheus
            | Format::PrometheusLive
            | Format::KumaStatusPage
            | Format::CloudWatch
            | Format::Gatus => "sample",
            Format::KumaSqlite | Format::Parquet => "row",
            _ => "line",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The names that `--source-format` takes, for messages.
pub(crate) fn names() -> String {
    let named = Format::ALL.iter().filter(|format| **format != Format::PrometheusLive);
    named.map(|format| format.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Format {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Self, ReadError> {
        let plain = |word: &str| word.to_lowercase().replace(['-', '_', ' '], "");
        let found = Format::ALL
            .into_iter()
            .find(|f| *f != Format::PrometheusLive && plain(f.name()) == plain(text));
        found.ok_or_else(|| ReadError::UnknownFormat {
            found: text.to_owned(),
            nearest: nearest(text, Format::ALL.iter().map(|format| format.name())),
            allowed: names(),
        })
    }
}

impl fmt::Display for GapMeaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            GapMeaning::Absent => "absent",
            GapMeaning::Unknown => "unknown",
            GapMeaning::LastState => "last-state",
        })
    }
}

impl FromStr for GapMeaning {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_lowercase().replace('_', "-").as_str() {
            "absent" => Ok(GapMeaning::Absent),
            "unknown" => Ok(GapMeaning::Unknown),
            "last-state" => Ok(GapMeaning::LastState),
            _ => {
                Err(format!("`{text}` is not a meaning of silence: absent, unknown or last-state"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_near_misses_are_suggested() {
        for format in Format::ALL.into_iter().filter(|f| *f != Format::PrometheusLive) {
            assert_eq!(format.name().parse::<Format>().unwrap(), format);
            let written = serde_json::to_value(format).unwrap();
            assert_eq!(written, format.name());
        }
        assert_eq!("cloudwatch".parse::<Format>().unwrap(), Format::CloudWatch);
        assert!("kuma".parse::<Format>().unwrap_err().to_string().contains("did you mean `kuma-"));
    }
}
