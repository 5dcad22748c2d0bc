//! Asks a Prometheus server for raw samples, in pages: an instant query on the selector with a
//! range in brackets, at the end of each page. A range query would hide gaps.

use jiff::Timestamp;

use super::collect::Collector;
use super::error::ReadError;
use super::openmetrics::Metrics;
use super::prometheus::{self, Envelope};
use super::report::Warning;
use super::{Format, Options, Recording, assemble};
use crate::time::Span;

/// The largest answer that is taken.
const LARGEST_ANSWER: u64 = 256 << 20;

/// More pages than this are a mistake in `from`, `to` or the page.
const MOST_PAGES: i64 = 100_000;

/// What to ask a server.
#[derive(Clone, Debug)]
pub struct Live {
    /// The server, like `http://localhost:9090`.
    pub url: String,
    /// A plain selector, like `probe_success{job="blackbox"}`.
    pub query: String,
    /// Samples after this.
    pub from: Timestamp,
    /// Samples up to this.
    pub to: Timestamp,
    /// How much is asked for at once; six hours are a good length.
    pub page: Span,
}

/// Reads raw samples from a server.
///
/// # Errors
/// When the server cannot be reached or refuses the query (what it said is in the error), or when
/// it has no samples of two states in that time.
pub fn read_prometheus(live: &Live, options: &Options) -> Result<Vec<Recording>, ReadError> {
    let refuse = |why: String| ReadError::Server { url: live.url.clone(), why };
    let pages = pages(live).map_err(refuse)?;
    let format = Format::PrometheusLive;
    let mut collector = Collector::new(format, options);
    let mut metrics = Metrics::default();
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(std::time::Duration::from_secs(60)))
        .build()
        .into();
    let mut samples = 0;
    for (end, length) in pages {
        let query = format!("{}[{length}ms]", live.query.trim());
        let series = ask(&agent, &live.url, &query, end).map_err(refuse)?;
        for one in &series {
            samples += one.samples();
            prometheus::take(one, &mut collector, &mut metrics)?;
        }
    }
    if samples == 0 {
        return Err(refuse(format!(
            "it has no samples of `{}` from {} to {}: is the selector spelled right, and is --from \
             long enough ago?",
            live.query, live.from, live.to
        )));
    }
    metrics.finish(&mut collector);
    let (mut series, mut warnings) = collector.finish(&live.url)?;
    for one in &mut series {
        // Two pages both have a sample on their common edge (before Prometheus 3); that is no
        // duplicate of the recording.
        one.samples.sort_by_key(|sample| sample.at);
        one.samples.dedup_by_key(|sample| sample.at);
    }
    warnings.push(Warning::Note(format!(
        "raw samples of {} from {} to {}",
        live.query, live.from, live.to
    )));
    assemble::assemble(&live.url, format, series, &warnings, options)
}

/// The end (milliseconds since 1970) and length (milliseconds) of each page.
fn pages(live: &Live) -> Result<Vec<(i64, i64)>, String> {
    if live.query.trim().ends_with(']') || live.query.trim().is_empty() {
        return Err(format!(
            "the query `{}` is not a plain selector: write it without a range, like \
             probe_success{{job=\"blackbox\"}}",
            live.query
        ));
    }
    let page = live.page.as_nanos() / 1_000_000;
    let (from, to) = (live.from.as_millisecond(), live.to.as_millisecond());
    if page < 1 || to <= from {
        return Err(format!(
            "nothing to ask for: from {} to {} in pages of {}",
            live.from, live.to, live.page
        ));
    }
    if (to - from) / page >= MOST_PAGES {
        return Err(format!("more than {MOST_PAGES} pages: ask for less, or in longer pages"));
    }
    let starts = (0..).map(|page_number| from + page_number * page).take_while(|start| *start < to);
    Ok(starts.map(|start| ((start + page).min(to), (start + page).min(to) - start)).collect())
}

fn ask(
    agent: &ureq::Agent,
    url: &str,
    query: &str,
    end: i64,
) -> Result<Vec<prometheus::Matrix>, String> {
    let address = format!("{}/api/v1/query", url.trim_end_matches('/'));
    let time = format!("{}.{:03}", end.div_euclid(1_000), end.rem_euclid(1_000));
    let asked = agent.get(&address).query("query", query).query("time", &time).call();
    let mut answer = asked.map_err(|why| format!("cannot ask {address}: {why}"))?;
    let status = answer.status();
    let body = answer
        .body_mut()
        .with_config()
        .limit(LARGEST_ANSWER)
        .read_to_vec()
        .map_err(|why| format!("the answer broke off ({why}); ask for fewer series at once"))?;
    let parsed: Result<Envelope, _> = serde_json::from_slice(&body);
    match parsed {
        Ok(envelope) => envelope.series().map_err(|why| hinted(&why, query)),
        Err(_) => Err(format!(
            "HTTP {status}, not the answer of a Prometheus server: `{}`",
            super::error::excerpt(&body)
        )),
    }
}

fn hinted(why: &str, query: &str) -> String {
    let hint = if why.contains("parse error") {
        format!(" (asked for `{query}`: give a plain selector, without functions or a range)")
    } else {
        String::new()
    };
    format!("{why}{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_cover_the_time_without_overlap() {
        let live = Live {
            url: String::new(),
            query: "up".into(),
            from: Timestamp::from_second(1_000).unwrap(),
            to: Timestamp::from_second(1_025).unwrap(),
            page: Span::from_secs(10),
        };
        assert_eq!(
            pages(&live),
            Ok(vec![(1_010_000, 10_000), (1_020_000, 10_000), (1_025_000, 5_000)])
        );
        assert!(pages(&Live { query: "up[5m]".into(), ..live.clone() }).is_err());
        assert!(pages(&Live { to: live.from, ..live }).is_err());
    }
}
