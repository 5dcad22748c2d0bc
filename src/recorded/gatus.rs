//! Gatus endpoint statuses JSON: `success`, an RFC 3339 `timestamp`, `duration` in nanoseconds.

use serde::Deserialize;

use super::collect::Collector;
use super::error::ReadError;
use super::source::Source;
use super::state::{Outcome, Verdict};

#[derive(Deserialize)]
#[serde(untagged)]
enum Document {
    Many(Vec<Endpoint>),
    One(Endpoint),
}

#[derive(Deserialize)]
struct Endpoint {
    #[serde(default)]
    name: String,
    #[serde(default)]
    group: String,
    #[serde(default)]
    results: Vec<Outcomes>,
}

#[derive(Deserialize)]
struct Outcomes {
    success: bool,
    timestamp: String,
    #[serde(default)]
    duration: f64,
}

/// Reads the statuses of one endpoint or of all.
pub(crate) fn read(source: &Source, into: &mut Collector) -> Result<(), ReadError> {
    let endpoints = match source.json::<Document>()? {
        Document::Many(endpoints) => endpoints,
        Document::One(endpoint) => vec![endpoint],
    };
    for endpoint in &endpoints {
        let name = match (endpoint.group.as_str(), endpoint.name.as_str()) {
            ("", name) => name.to_owned(),
            (group, name) => format!("{group}/{name}"),
        };
        let series = into.series(&name)?;
        for (number, result) in endpoint.results.iter().enumerate() {
            let row = number as u64 + 1;
            let Some(at) = into.time(result.timestamp.as_bytes(), row) else { continue };
            let slow = into.judge.told() && result.success;
            let verdict = match into.judge.number(result.duration / 1e6) {
                Ok(verdict) if slow => verdict,
                _ if result.success => Verdict::plain(Outcome::Healthy),
                _ => Verdict::plain(Outcome::Unhealthy),
            };
            into.push(series, at, row, verdict);
        }
    }
    Ok(())
}
