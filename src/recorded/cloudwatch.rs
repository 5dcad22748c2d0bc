//! CloudWatch JSON: `get-metric-statistics` (datapoints, in no order) and `get-metric-data`.
//!
//! Which value is good depends on the metric: `StatusCheckFailed` counts failures,
//! `HealthCheckStatus` is 1 when healthy. Missing periods are absent.

use serde::Deserialize;

use super::collect::{Collector, VALUES};
use super::error::ReadError;
use super::source::Source;
use super::state::{Outcome, Verdict};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Document {
    #[serde(default)]
    label: String,
    datapoints: Option<Vec<Datapoint>>,
    metric_data_results: Option<Vec<Results>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Datapoint {
    timestamp: Stamp,
    maximum: Option<f64>,
    minimum: Option<f64>,
    average: Option<f64>,
    sum: Option<f64>,
    sample_count: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Results {
    #[serde(default)]
    id: String,
    #[serde(default)]
    label: String,
    #[serde(default)]
    timestamps: Vec<Stamp>,
    #[serde(default)]
    values: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Stamp {
    Text(String),
    Number(f64),
}

/// What the numbers of a metric count.
#[derive(Clone, Copy, PartialEq)]
enum Counts {
    Failures,
    Successes,
    Percent,
}

/// Reads either answer.
pub(crate) fn read(source: &Source, into: &mut Collector) -> Result<(), ReadError> {
    let document: Document = source.json()?;
    let mut row = 0;
    for point in document.datapoints.iter().flatten() {
        row += 1;
        let counts = meaning(source, &document.label, into)?;
        let value = statistic(point, counts);
        take(into, &document.label, &point.timestamp, value, counts, row)?;
    }
    for results in document.metric_data_results.iter().flatten() {
        let name = if results.label.is_empty() { &results.id } else { &results.label };
        for (at, value) in results.timestamps.iter().zip(&results.values) {
            row += 1;
            let counts = meaning(source, name, into)?;
            take(into, name, at, Some(*value), counts, row)?;
        }
    }
    Ok(())
}

fn meaning(source: &Source, metric: &str, into: &Collector) -> Result<Option<Counts>, ReadError> {
    if into.judge.told() {
        return Ok(None);
    }
    let name = metric.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["fail", "unhealthy", "error", "down"]) {
        Ok(Some(Counts::Failures))
    } else if has(&["percent"]) {
        Ok(Some(Counts::Percent))
    } else if has(&["health", "success", "up", "available", "status"]) {
        Ok(Some(Counts::Successes))
    } else {
        Err(ReadError::NotTwoStates {
            file: source.name(),
            found: metric.to_owned(),
            what: "`Label`: whether a high value of this metric is good or bad is not known, so it"
                .to_owned(),
        })
    }
}

/// The statistic in which a single bad sample of a period shows.
fn statistic(point: &Datapoint, counts: Option<Counts>) -> Option<f64> {
    match counts {
        Some(Counts::Successes) | Some(Counts::Percent) => {
            let mean = match (point.sum, point.sample_count) {
                (Some(sum), Some(count)) if count > 0.0 => Some(sum / count),
                _ => None,
            };
            point.minimum.or(point.average).or(mean).or(point.maximum).or(point.sum)
        }
        _ => point.maximum.or(point.sum).or(point.average).or(point.minimum),
    }
}

fn take(
    into: &mut Collector,
    name: &str,
    at: &Stamp,
    value: Option<f64>,
    counts: Option<Counts>,
    row: u64,
) -> Result<(), ReadError> {
    let at = match at {
        Stamp::Text(text) => into.time(text.as_bytes(), row),
        Stamp::Number(number) => into.time(number.to_string().as_bytes(), row),
    };
    let (Some(at), Some(value)) = (at, value) else {
        if at.is_some() {
            into.unreadable(row, VALUES, || "a datapoint without a statistic".to_owned());
        }
        return Ok(());
    };
    let series = into.series(name)?;
    let down = match counts {
        None => {
            into.push_number(series, at, row, value);
            return Ok(());
        }
        Some(Counts::Failures) => value > 0.0,
        Some(Counts::Successes) => value < 1.0,
        Some(Counts::Percent) => value < 100.0,
    };
    let outcome = if down { Outcome::Unhealthy } else { Outcome::Healthy };
    let whole = value == 0.0 || value == 1.0 || value == 100.0;
    let verdict = if whole {
        Verdict::plain(outcome)
    } else {
        Verdict::mapped(Some(outcome), &format!("{name} neither all nor nothing"))
    };
    into.push(series, at, row, verdict);
    Ok(())
}
