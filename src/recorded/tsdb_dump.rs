//! `promtool tsdb dump`: a line a sample, `{labels} value milliseconds`. A `NaN` is a staleness
//! marker: the series ended there, no check was made.

use super::collect::{Collector, VALUES};
use super::error::ReadError;
use super::source::Source;
use super::{labels, openmetrics};

/// Reads a dump line by line.
pub(crate) fn read(source: &Source, into: &mut Collector) -> Result<(), ReadError> {
    let mut metrics = openmetrics::Metrics::default();
    source.each_line(|number, line| {
        let text = String::from_utf8_lossy(line);
        if text.is_empty() {
            return Ok(());
        }
        let sample = labels::split(&text).and_then(|(name, series, rest)| {
            let (value, at) = rest.split_once(char::is_whitespace)?;
            let at = at.trim().parse::<i64>().ok()?.checked_mul(1_000_000)?;
            Some((name, series, labels::number(value)?, at))
        });
        let Some((name, series, value, at)) = sample.filter(|sample| sample.3 >= 0) else {
            into.unreadable(number, VALUES, || {
                format!("`{}` is not `{{labels}} value milliseconds`", super::error::excerpt(line))
            });
            return Ok(());
        };
        metrics.push(into, name, series, at, number, value)
    })?;
    metrics.finish(into);
    Ok(())
}
