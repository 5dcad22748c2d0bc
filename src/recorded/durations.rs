//! Lists of durations: a column of lengths with an optional censoring column, or the lengths of
//! down intervals. They can be fitted, not replayed.

use std::path::Path;

use super::collect::Collector;
use super::columns::Header;
use super::error::ReadError;
use super::report::Warning;
use super::source::Source;
use super::{Format, Options, collect, intervals, table};
use crate::time::LONGEST;

/// What helps where a length cannot be read.
const LENGTHS: &str = "a length is a number of seconds: mend the row, or name the column of lengths \
     with --value-column";

/// What helps where a mark of the end cannot be read.
const MARKS: &str = "mend the row, or name the column that says whether the end was seen with \
     --event-column";

/// A list of durations.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Durations {
    /// The format: a list, or intervals.
    pub format: Format,
    /// The column of lengths, or of what the intervals are.
    pub name: String,
    /// The lengths as they are written, taken as seconds; positive.
    pub values_s: Vec<f64>,
    /// For each, whether it is right-censored: it lasted at least this long.
    pub censored: Vec<bool>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
}

/// Reads a list of durations, or the lengths of down intervals.
///
/// # Errors
/// When the file cannot be read, is a history of checks, or holds no positive length.
pub fn durations(path: &Path, options: &Options) -> Result<Durations, ReadError> {
    let source = Source::open(path)?;
    let format = super::format_of(&source, options)?;
    let mut into = Collector::new(format, options);
    let found = match format {
        Format::Durations => lengths(&source, options, &mut into),
        Format::Intervals => of_intervals(&source, options, &mut into),
        other => Err(ReadError::NotDurations { file: source.name(), format: other.to_string() }),
    };
    let (name, pairs) = found.map_err(|error| collect::named(error, &source))?;
    let warnings = into.finish_without_series(&source.name())?;
    checked(&source, format, name, pairs, warnings)
}

/// A length and whether it is censored.
type Pair = (f64, bool);

/// Leaves out what is not positive, and says so.
fn checked(
    source: &Source,
    format: Format,
    name: String,
    pairs: Vec<Pair>,
    mut warnings: Vec<Warning>,
) -> Result<Durations, ReadError> {
    let all = pairs.len();
    let kept: Vec<Pair> = pairs.into_iter().filter(|(value, _)| *value > 0.0).collect();
    if kept.len() < all {
        warnings.push(Warning::Note(format!(
            "{} durations are zero or negative and were left out",
            all - kept.len()
        )));
    }
    if kept.is_empty() {
        return Err(ReadError::NoChecks {
            file: source.name(),
            format: format.to_string(),
            why: "no positive duration is in it".to_owned(),
        });
    }
    let (values_s, censored) = kept.into_iter().unzip();
    Ok(Durations { format, name, values_s, censored, warnings })
}

fn lengths(
    source: &Source,
    options: &Options,
    into: &mut Collector,
) -> Result<(String, Vec<Pair>), ReadError> {
    let header = Header::of(source.text_head());
    let file = source.name();
    let value = header.choose(
        options.value_column.as_ref(),
        header.lengths(),
        "duration",
        "--value-column",
        &file,
    )?;
    let event = match &options.event_column {
        asked @ Some(_) => {
            let flag = "--event-column";
            Some((header.choose(asked.as_ref(), None, "event", flag, &file)?, true))
        }
        None => header.event().filter(|(column, _)| *column != value),
    };
    let mut rows = table::rows(source, &header)?;
    let mut pairs = Vec::new();
    while let Some((line, record)) = rows.next()? {
        let cell = |column: usize| String::from_utf8_lossy(record.get(column).unwrap_or_default());
        if record.iter().all(|cell| cell.trim_ascii().is_empty()) {
            continue;
        }
        let number = cell(value).trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let Some(number) = number else {
            into.unreadable(line, LENGTHS, || format!("the length `{}`", cell(value).trim()));
            continue;
        };
        if number > LONGEST.as_secs_f64() {
            return Err(ReadError::Row {
                file,
                place: into.place(line),
                found: format!("the length `{}` is more than a hundred years", cell(value).trim()),
                allowed: "lengths are in seconds: name the column of lengths with --value-column, \
                          or write them in seconds"
                    .to_owned(),
            });
        }
        let mark = event.map(|(column, one_is_seen)| (cell(column), one_is_seen));
        let censored = match mark.as_ref().map(|(mark, seen)| (mark.trim(), *seen)) {
            None => false,
            Some(("1" | "1.0" | "true" | "True" | "TRUE", one_is_seen)) => !one_is_seen,
            Some(("0" | "0.0" | "false" | "False" | "FALSE", one_is_seen)) => one_is_seen,
            Some((other, _)) => {
                into.unreadable(line, MARKS, || format!("the event mark `{other}`, not 0 or 1"));
                continue;
            }
        };
        into.count_row();
        pairs.push((number, censored));
    }
    let name = header.names.get(value).cloned().unwrap_or_default();
    note_unit(&name, into);
    Ok((name, pairs))
}

fn note_unit(name: &str, into: &mut Collector) {
    let unit = ["hours", "hour", "_h", "minutes", "_min", "days", "_ms", "millis"];
    let lower = name.to_lowercase();
    if unit.iter().any(|unit| lower.ends_with(unit)) {
        into.warnings.push(Warning::Note(format!(
            "the column `{name}` names a unit; its numbers were taken as they are, as seconds"
        )));
    }
}

fn of_intervals(
    source: &Source,
    options: &Options,
    into: &mut Collector,
) -> Result<(String, Vec<Pair>), ReadError> {
    let found = intervals::rows(source, options, into)?;
    let mut pairs = Vec::new();
    let mut open = 0;
    for interval in found {
        match interval.end.or(interval.seen_until) {
            Some(end) => {
                into.count_row();
                pairs.push(((end - interval.start) as f64 / 1e9, interval.end.is_none()));
            }
            None => open += 1,
        }
    }
    if open > 0 {
        into.warnings.push(Warning::Note(format!(
            "{open} intervals have no end and no time until which they were seen: left out"
        )));
    }
    Ok(("intervals".to_owned(), pairs))
}
