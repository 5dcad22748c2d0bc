//! OpenMetrics text (`promtool tsdb dump-openmetrics`) and the older exposition format, with
//! timestamps: `name{labels} value seconds`.

use std::collections::BTreeMap;

use super::collect::{Collector, VALUES};
use super::error::ReadError;
use super::labels;
use super::report::Warning;
use super::source::Source;

/// The metrics met so far, and which series is of which.
#[derive(Default)]
pub(crate) struct Metrics {
    by_series: BTreeMap<String, String>,
    last: String,
}

impl Metrics {
    /// Adds a sample of a metric.
    pub fn push(
        &mut self,
        into: &mut Collector,
        name: &str,
        series: &str,
        at: i64,
        row: u64,
        value: f64,
    ) -> Result<(), ReadError> {
        if self.last != series {
            self.by_series.entry(series.to_owned()).or_insert_with(|| name.to_owned());
            series.clone_into(&mut self.last);
        }
        let series = into.series(series)?;
        into.push_number(series, at, row, value);
        Ok(())
    }

    /// Leaves out the other metrics where one of them tells of health.
    pub fn finish(&self, into: &mut Collector) {
        let names = self.by_series.values().map(String::as_str);
        let Some(kept) = labels::health_metric(names) else { return };
        let mut dropped = 0;
        for (series, name) in &self.by_series {
            if name != kept {
                dropped += into.drop_series(series);
            }
        }
        if dropped > 0 {
            into.warnings.push(Warning::OtherMetrics { series: dropped, kept: kept.to_owned() });
        }
    }
}

/// Reads the text line by line.
pub(crate) fn read(source: &Source, into: &mut Collector) -> Result<(), ReadError> {
    let mut metrics = Metrics::default();
    let mut ended = false;
    let mut bare = 0u64;
    let mut open = false;
    source.each_line(|number, line| {
        let text = String::from_utf8_lossy(line);
        if text.starts_with('#') || text.is_empty() {
            open |= text.starts_with("# EOF") || text.starts_with("# UNIT");
            ended |= text.starts_with("# EOF");
            return Ok(());
        }
        let parts = labels::split(&text).map(|(name, series, rest)| {
            // An exemplar may follow: `value time # {…} …`.
            let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
            let mut words = rest.split_whitespace();
            (name, series, words.next().and_then(labels::number), words.next())
        });
        match parts {
            Some((_, _, Some(_), None)) => bare += 1,
            Some((name, series, Some(value), Some(at))) => {
                if let Some(at) = into.time(at.as_bytes(), number) {
                    return metrics.push(into, name, series, at, number, value);
                }
            }
            _ => into.unreadable(number, VALUES, || {
                format!("`{}` is not `name{{labels}} value time`", super::error::excerpt(line))
            }),
        }
        Ok(())
    })?;
    if bare > 0 {
        into.warnings.push(Warning::Note(format!(
            "{bare} samples carry no time (a single scrape?) and were left out"
        )));
    }
    if open && !ended {
        into.warnings.push(Warning::Note("no `# EOF` at the end: the text is cut off".to_owned()));
    }
    metrics.finish(into);
    Ok(())
}
