//! Reading recordings named on the command line; shared by `fit` and `replay`.

mod doubts;

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::output::counted;
use super::{Failure, Global};
use crate::fit::Part;
use crate::recorded::{
    self, Durations, Format, GapMeaning, Live, Loaded, Options, Recording, SeriesChoice, Warning,
};
use crate::time::Span;

/// Which recordings, and how they are to be read.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Recordings: exports of Prometheus, Uptime Kuma, upptime, CloudWatch, Grafana, Gatus, ping
    /// logs, or any CSV, TSV or Parquet with a time and a status column.
    #[arg(value_name = "HISTORY", required_unless_present = "prometheus")]
    files: Vec<PathBuf>,
    /// The format; recognised by content when left out.
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    source_format: Option<Format>,
    /// Read this series alone, by its name or a part of it; may be repeated.
    #[arg(long, value_name = "NAME")]
    series: Vec<String>,
    /// Take everything that is read as one series, recorded in parts.
    #[arg(long)]
    together: bool,
    /// The column of times.
    #[arg(long, value_name = "COLUMN")]
    time_column: Option<String>,
    /// The column of states, or of the number that a threshold is put on.
    #[arg(long, value_name = "COLUMN")]
    status_column: Option<String>,
    /// The column that names the series.
    #[arg(long, value_name = "COLUMN")]
    series_column: Option<String>,
    /// States that are down, separated by commas; every other one is up.
    #[arg(long, value_name = "VALUES", value_delimiter = ',')]
    down_values: Vec<String>,
    /// Down where the number in the status column is above this.
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = limit)]
    down_above: Option<f64>,
    /// Down where the number in the status column is below this.
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, value_parser = limit)]
    down_below: Option<f64>,
    /// Zone of times that carry none, like Europe/Berlin; UTC when left out.
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    time_zone: Option<jiff::tz::TimeZone>,
    /// What silence means: absent, unknown or last-state; the format's own meaning when left out.
    #[arg(long, value_name = "MEANING")]
    gap: Option<GapMeaning>,
    /// The interval at which checks were due; found in the data when left out.
    #[arg(long, value_name = "TIME", value_parser = super::seconds_or_span)]
    interval: Option<Span>,
    /// Ask a Prometheus server, like http://localhost:9090, for raw samples.
    #[arg(long, value_name = "URL", requires = "query")]
    prometheus: Option<String>,
    /// What to ask it for: a plain selector like probe_success{instance="api"}.
    #[arg(long, value_name = "SELECTOR", requires = "prometheus")]
    query: Option<String>,
    /// Samples after this: a time like 2026-01-31T00:00:00Z, or how long ago, like 30d.
    #[arg(long, value_name = "WHEN", requires = "prometheus", default_value = "7d")]
    from: String,
    /// Samples up to this, written like --from.
    #[arg(long, value_name = "WHEN", requires = "prometheus", default_value = "0s")]
    to: String,
}

/// Columns of a list of durations; `fit` alone takes them.
#[derive(Debug, clap::Args)]
pub struct DurationArgs {
    /// The column of lengths in a list of durations.
    #[arg(long, value_name = "COLUMN")]
    value_column: Option<String>,
    /// The column that says whether a duration's end was seen (1) or not (0).
    #[arg(long, value_name = "COLUMN")]
    event_column: Option<String>,
}

/// The recordings of one series, and a name for it.
#[derive(Debug)]
pub struct Series {
    /// What it is called in output.
    pub name: String,
    /// Its parts, in the order they were named.
    pub recordings: Vec<Recording>,
}

impl Series {
    /// The parts, as the library takes them.
    pub fn parts(&self) -> Vec<Part<'_>> {
        self.recordings.iter().map(|r| Part { history: &r.history, epoch: r.epoch }).collect()
    }

    /// The history report: the recording's own, or the sums over the parts with each report beside.
    ///
    /// # Errors
    /// When a report cannot be written as JSON, which it always can.
    pub fn report(&self) -> Result<serde_json::Value, Failure> {
        let reports: Vec<serde_json::Value> = self
            .recordings
            .iter()
            .map(|recording| serde_json::to_value(&recording.report))
            .collect::<Result<_, _>>()
            .map_err(Failure::failed)?;
        match reports.as_slice() {
            [only] => Ok(only.clone()),
            _ => Ok(summed(&reports)),
        }
    }
}

/// What was read.
#[derive(Debug)]
pub enum Input {
    /// Histories, by series.
    Histories(Vec<Series>),
    /// Lists of durations.
    Durations(Vec<Durations>),
}

fn format(text: &str) -> Result<Format, String> {
    text.parse::<Format>().map_err(|why| why.to_string())
}

/// A threshold: a comparison with NaN or infinity tells nothing.
fn limit(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| "a threshold is a finite number, like 250 or 0.5".to_owned())
}

fn zone(text: &str) -> Result<jiff::tz::TimeZone, String> {
    jiff::tz::TimeZone::get(text)
        .map_err(|why| format!("{why}; write it like UTC or Europe/Berlin"))
}

impl Args {
    /// Reads everything that was named.
    ///
    /// # Errors
    /// When something cannot be read, or histories and lists of durations are mixed.
    pub fn read(
        &self,
        durations: Option<&DurationArgs>,
        global: &Global,
    ) -> Result<Input, Failure> {
        let options = self.options(durations);
        let refuse = || {
            let why = "a list of durations cannot be replayed: it has no checks; `fit` takes it";
            Err(Failure::BadInput(why.to_owned()))
        };
        if durations.is_none() && self.source_format == Some(Format::Durations) {
            return refuse();
        }
        let (mut recordings, mut lists) = (Vec::new(), Vec::new());
        if let Some(live) = self.live()? {
            recordings
                .extend(recorded::read_prometheus(&live, &options).map_err(Failure::bad_input)?);
        }
        for file in &self.files {
            match recorded::load(file, &options).map_err(Failure::bad_input)? {
                Loaded::Recordings(read) => recordings.extend(read),
                Loaded::Durations(list) => lists.push(list),
            }
        }
        if durations.is_none() && !lists.is_empty() {
            return refuse();
        }
        if !recordings.is_empty() && !lists.is_empty() {
            return Err(Failure::BadInput(
                "histories of checks and lists of durations are mixed: fit them one by one"
                    .to_owned(),
            ));
        }
        doubts::none_down(&recordings, &self.source())?;
        doubts::note_overlaps(&mut recordings);
        note_recordings(&recordings, global);
        for list in &lists {
            let durations = counted(list.values_s.len() as u64, "duration");
            global.note(&format!("{}: a list of {durations}", list.name));
            list.warnings
                .iter()
                .for_each(|warning| global.note(&format!("{}: {warning}", list.name)));
        }
        if lists.is_empty() {
            Ok(Input::Histories(self.grouped(recordings)))
        } else {
            Ok(Input::Durations(lists))
        }
    }

    /// A name for everything that was read: the first file's.
    pub fn name(&self) -> String {
        let stem = self.files.first().and_then(|file| file.file_stem());
        slug(
            &stem.map_or_else(
                || "prometheus".to_owned(),
                |stem| stem.to_string_lossy().into_owned(),
            ),
        )
    }

    /// Where it came from, in words.
    pub fn source(&self) -> String {
        let live = self
            .prometheus
            .iter()
            .map(|url| format!("{url} {}", self.query.as_deref().unwrap_or("")));
        let files = self.files.iter().map(|file| file_name(file));
        live.chain(files).collect::<Vec<_>>().join(", ")
    }

    fn options(&self, durations: Option<&DurationArgs>) -> Options {
        Options {
            format: self.source_format,
            series: match self.series.as_slice() {
                [] => SeriesChoice::All,
                named => SeriesChoice::Named(named.to_vec()),
            },
            time_column: self.time_column.clone(),
            status_column: self.status_column.clone(),
            series_column: self.series_column.clone(),
            value_column: durations.and_then(|d| d.value_column.clone()),
            event_column: durations.and_then(|d| d.event_column.clone()),
            down_values: self.down_values.clone(),
            down_above: self.down_above,
            down_below: self.down_below,
            time_zone: self.time_zone.clone(),
            gap: self.gap,
            interval: self.interval,
            ..Options::default()
        }
    }

    fn live(&self) -> Result<Option<Live>, Failure> {
        let (Some(url), Some(query)) = (&self.prometheus, &self.query) else { return Ok(None) };
        let now = Timestamp::now();
        let (from, to) = (when("--from", &self.from, now)?, when("--to", &self.to, now)?);
        if from >= to {
            return Err(Failure::BadInput(format!("--from {from} is not before --to {to}")));
        }
        let page = Span::from_secs(6 * 3_600);
        Ok(Some(Live { url: url.clone(), query: query.clone(), from, to, page }))
    }

    /// Recordings of the same series are parts of one history.
    fn grouped(&self, recordings: Vec<Recording>) -> Vec<Series> {
        let mut series: Vec<Series> = Vec::new();
        for recording in recordings {
            let same = |s: &&mut Series| self.together || s.name == recording.series;
            match series.iter_mut().find(same) {
                Some(found) => found.recordings.push(recording),
                None => {
                    let name = recording.series.clone();
                    series.push(Series { name, recordings: vec![recording] });
                }
            }
        }
        series
    }
}

/// What was read, and what there is to know of it; once, where it concerns every series.
fn note_recordings(recordings: &[Recording], global: &Global) {
    let all = |warning: &Warning| {
        recordings.len() > 1 && recordings.iter().all(|r| r.report.warnings.contains(warning))
    };
    for recording in recordings {
        let (name, report) = (&recording.series, &recording.report);
        let checks = counted(report.checks, "check");
        global.note(&format!("{name}: read as {}, {checks}", recording.format));
        for warning in report.warnings.iter().filter(|warning| !all(warning)) {
            global.note(&format!("{name}: {warning}"));
        }
    }
    let shared = recordings.first().map_or(&[][..], |first| &first.report.warnings);
    for warning in shared.iter().filter(|warning| all(warning)) {
        global.note(&format!("each of the {} series: {warning}", recordings.len()));
    }
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

/// An instant, or how long before now.
fn when(flag: &str, text: &str, now: Timestamp) -> Result<Timestamp, Failure> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Ok(at);
    }
    let ago: Span = text.parse().map_err(|_| {
        Failure::BadInput(format!(
            "{flag} `{text}` is no time like 2026-01-31T00:00:00Z, nor a length of time like 30d"
        ))
    })?;
    let ago = jiff::SignedDuration::from_nanos(ago.as_nanos());
    now.checked_sub(ago).map_err(|why| Failure::BadInput(format!("{flag} {text}: {why}")))
}

/// The sums of several reports, with the reports themselves as `parts`.
fn summed(reports: &[serde_json::Value]) -> serde_json::Value {
    let total = |key: &str| reports.iter().filter_map(|r| r[key].as_u64()).sum::<u64>();
    let texts = |key: &'static str| reports.iter().filter_map(move |r| r[key].as_str());
    let checks = total("checks").max(1) as f64;
    let weighted = |key: &str| {
        let part = |r: &serde_json::Value| {
            r[key].as_f64().unwrap_or(0.0) * r["checks"].as_f64().unwrap_or(0.0) / checks
        };
        reports.iter().map(part).sum::<f64>()
    };
    let warnings: Vec<&serde_json::Value> =
        reports.iter().filter_map(|r| r["warnings"].as_array()).flatten().collect();
    serde_json::json!({
        "checks": total("checks"),
        "healthy": total("healthy"),
        "unhealthy": total("unhealthy"),
        "absent": total("absent"),
        "interval_s": weighted("interval_s"),
        "from": texts("from").min(),
        "to": texts("to").max(),
        "down_runs": total("down_runs"),
        "right_censored": total("right_censored"),
        "unavailability": weighted("unavailability"),
        "warnings": warnings,
        "parts": reports,
    })
}

/// A name that is safe as the name of a folder.
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        if c.is_alphanumeric() {
            slug.extend(c.to_lowercase());
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
        if slug.len() >= 80 {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "recording".to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_are_tame() {
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("API (eu-west)"), "api-eu-west");
        assert_eq!(slug("///"), "recording");
        assert!(slug(&"x".repeat(500)).len() <= 80);
    }

    #[test]
    fn instants_and_spans_before_now() {
        let now: Timestamp = "2026-02-01T00:00:00Z".parse().unwrap();
        assert_eq!(when("--from", "7d", now).unwrap().to_string(), "2026-01-25T00:00:00Z");
        let at = "2025-12-31T23:00:00Z";
        assert_eq!(when("--from", at, now).unwrap().to_string(), at);
        let Err(Failure::BadInput(said)) = when("--from", "yesterday", now) else { panic!() };
        assert!(said.contains("like 30d"));
    }
}
