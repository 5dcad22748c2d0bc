//! The JSON of the Prometheus HTTP API (a range query, or an instant query on a range vector) and
//! promtool's bare array of the same series.
//!
//! A range query's times are evaluation steps and hide gaps; this is told apart from raw samples by
//! the times, as the JSON does not say it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::collect::{Collector, VALUES};
use super::error::ReadError;
use super::report::Warning;
use super::source::Source;
use super::{labels, openmetrics::Metrics};
use crate::time::Span;

/// Either shape.
#[derive(Deserialize)]
#[serde(untagged)]
enum Document {
    Bare(Vec<Matrix>),
    Envelope(Envelope),
}

/// An answer of the HTTP API.
#[derive(Deserialize)]
pub(crate) struct Envelope {
    status: String,
    data: Option<Data>,
    #[serde(default, rename = "errorType")]
    error_type: String,
    #[serde(default)]
    error: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    result_type: String,
    #[serde(default)]
    result: serde_json::Value,
}

/// One series.
#[derive(Deserialize)]
pub(crate) struct Matrix {
    #[serde(default)]
    metric: BTreeMap<String, String>,
    #[serde(default)]
    values: Vec<(f64, Value)>,
}

impl Matrix {
    /// How many samples it has.
    pub fn samples(&self) -> usize {
        self.values.len()
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Number(f64),
}

impl Envelope {
    /// The series of an answer, or what the server said instead.
    pub fn series(self) -> Result<Vec<Matrix>, String> {
        if self.status != "success" {
            let kind = if self.error_type.is_empty() { "error" } else { &self.error_type };
            return Err(format!("the server answered {kind}: {}", self.error));
        }
        let Some(data) = self.data else { return Err("an answer without data".to_owned()) };
        if data.result_type != "matrix" {
            return Err(format!(
                "a result of type `{}`: one value in time. Ask for samples over time, with a range \
                 in brackets (probe_success[1d]) or query_range",
                data.result_type
            ));
        }
        serde_json::from_value(data.result).map_err(|why| why.to_string())
    }
}

/// Reads a file of either shape.
pub(crate) fn read(source: &Source, into: &mut Collector) -> Result<(), ReadError> {
    let broken = |why: String| ReadError::Json { file: source.name(), why };
    let series = match source.json::<Document>()? {
        Document::Bare(series) => series,
        Document::Envelope(envelope) => envelope.series().map_err(broken)?,
    };
    let mut metrics = Metrics::default();
    for one in &series {
        take(one, into, &mut metrics)?;
    }
    metrics.finish(into);
    Ok(())
}

/// Takes one series.
pub(crate) fn take(
    one: &Matrix,
    into: &mut Collector,
    metrics: &mut Metrics,
) -> Result<(), ReadError> {
    let name = one.metric.get("__name__").map_or("", String::as_str);
    let series = name_of(&one.metric);
    for (number, (seconds, value)) in one.values.iter().enumerate() {
        let row = number as u64 + 1;
        let value = match value {
            Value::Text(text) => labels::number(text),
            Value::Number(number) => Some(*number),
        };
        // The server keeps milliseconds; anything finer is noise of the float.
        let millis = (seconds * 1e3).round();
        match value {
            Some(value) if (0.0..7.2e12).contains(&millis) => {
                metrics.push(into, name, &series, millis as i64 * 1_000_000, row, value)?;
            }
            Some(_) => into.unreadable(row, VALUES, || format!("the time {seconds}")),
            None => into.unreadable(row, VALUES, || "a value that is not a number".to_owned()),
        }
    }
    if let Some(step) = evaluation_step(&one.values)
        && into.format == super::Format::Prometheus
    {
        let series = into.series(&series)?;
        if let Some(series) = into.series_mut(series) {
            series.warnings.push(Warning::EvaluationSteps { step });
        }
    }
    Ok(())
}

/// `name{label="value",…}`.
fn name_of(metric: &BTreeMap<String, String>) -> String {
    let name = metric.get("__name__").map_or("", String::as_str);
    let labels = metric.iter().filter(|(label, _)| *label != "__name__");
    let labels: Vec<String> = labels.map(|(label, value)| format!("{label}={value:?}")).collect();
    format!("{name}{{{}}}", labels.join(","))
}

/// The step of a range query, if the times look like one: exact multiples of one step, on whole
/// seconds, or too many to be scrapes without any jitter.
fn evaluation_step(values: &[(f64, Value)]) -> Option<Span> {
    let millis = |place: usize| (values[place].0 * 1e3).round() as i64;
    let spacing = |place: usize| millis(place).saturating_sub(millis(place - 1));
    let step = (1..values.len()).map(spacing).filter(|spacing| *spacing > 0).min()?;
    let exact = (1..values.len()).all(|place| spacing(place) % step == 0);
    let whole = values.iter().all(|(seconds, _)| seconds.fract() == 0.0);
    (exact && values.len() > 3 && (whole || values.len() > 100))
        .then(|| Span::from_nanos(step.saturating_mul(1_000_000)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(times: &[f64]) -> Vec<(f64, Value)> {
        times.iter().map(|at| (*at, Value::Number(1.0))).collect()
    }

    #[test]
    fn steps_are_told_from_scrapes() {
        let steps = values(&[1000.0, 1015.0, 1030.0, 1060.0]);
        assert_eq!(evaluation_step(&steps), Some(Span::from_secs(15)));
        assert_eq!(evaluation_step(&values(&[1000.1, 1015.1, 1030.103, 1045.1])), None);
        assert_eq!(evaluation_step(&values(&[1000.845, 1002.845, 1004.845, 1006.845])), None);
        assert_eq!(evaluation_step(&values(&[])), None);
    }
}
