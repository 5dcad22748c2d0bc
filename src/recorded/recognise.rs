//! Recognises a format by what a file begins with. Names and endings of files are not looked at.

use super::Options;
use super::columns::Header;
use super::error::{ReadError, excerpt};
use super::format::{Format, names};
use super::source::Source;
use super::{labels, ping, upptime};

/// The format of a file.
pub(crate) fn recognise(source: &Source, options: &Options) -> Result<Format, ReadError> {
    let head = source.text_head();
    let unrecognised =
        |found: String| ReadError::Unrecognised { file: source.name(), found, allowed: names() };
    if head.starts_with(b"SQLite format 3\0") {
        return Ok(Format::KumaSqlite);
    }
    if head.starts_with(b"PAR1") {
        return Ok(Format::Parquet);
    }
    if source.is_binary() {
        return Err(unrecognised("it is binary".to_owned()));
    }
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start();
    let first = text.lines().next().unwrap_or_default();
    if ping::is_log(text) {
        return Ok(Format::Ping);
    }
    if text.starts_with('{') && labels::split(first).is_some() && !first.starts_with("{\"") {
        return Ok(Format::TsdbDump);
    }
    if text.starts_with(['{', '[']) {
        return json(text).ok_or_else(|| {
            unrecognised(format!("JSON that begins with `{}`", excerpt(text.as_bytes())))
        });
    }
    if is_metrics(text) {
        return Ok(Format::OpenMetrics);
    }
    let header = Header::of(head);
    if let Some(format) = header.format(options) {
        if let Some(times) = header.instants()
            && format == Format::Durations
            && options.value_column.is_none()
        {
            return Err(unrecognised(format!(
                "`{times}` holds times, so it may be a history of checks: name its columns with \
                 --time-column \"{times}\" --status-column NAME; or, if it is a list of durations, \
                 give --source-format durations --value-column NAME"
            )));
        }
        return Ok(format);
    }
    if upptime::is_log(text) {
        return Ok(Format::UpptimeLog);
    }
    Err(unrecognised(if header.names.len() > 1 {
        format!(
            "a table with the columns {}, of which none is known as a time and a state; name them \
             with --time-column and --status-column",
            super::error::listing(header.names.iter().map(String::as_str))
        )
    } else {
        format!("it begins with `{}`", excerpt(first.as_bytes()))
    }))
}

fn json(text: &str) -> Option<Format> {
    let has = |key: &str| text.contains(key);
    if has("\"heartbeatList\"") {
        Some(Format::KumaStatusPage)
    } else if has("\"Datapoints\"") || has("\"MetricDataResults\"") {
        Some(Format::CloudWatch)
    } else if has("\"resultType\"") || has("\"errorType\"") || has("\"metric\"") {
        Some(Format::Prometheus)
    } else if has("\"results\"") && (has("\"success\"") || has("\"conditionResults\"")) {
        Some(Format::Gatus)
    } else if text.trim_end() == "[]" {
        Some(Format::Prometheus)
    } else {
        None
    }
}

/// Comments of the exposition formats, or `name{labels} value`.
fn is_metrics(text: &str) -> bool {
    let comment = |line: &&str| {
        ["# HELP ", "# TYPE ", "# UNIT ", "# EOF"].iter().any(|c| line.starts_with(c))
    };
    if text.lines().take(3).any(|line| comment(&line)) {
        return true;
    }
    let first = text.lines().next().unwrap_or_default();
    labels::split(first).is_some_and(|(_, _, rest)| {
        let numbers: Vec<bool> =
            rest.split_whitespace().map(|word| labels::number(word).is_some()).collect();
        !numbers.is_empty() && numbers.len() <= 2 && numbers.iter().all(|number| *number)
    })
}
