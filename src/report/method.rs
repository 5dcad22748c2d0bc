//! Method, seeds, versions, and the commands that make the page again.

use serde::Serialize;

use super::study::Study;
use super::words;

/// How the figures came about.
#[derive(Debug, Serialize)]
pub(super) struct Method {
    pub(super) facts: Vec<(String, String)>,
    pub(super) paragraphs: Vec<&'static str>,
    pub(super) commands: String,
    /// The spec as it was read.
    pub(super) spec: String,
}

const PARAGRAPHS: [&str; 4] = [
    "A discrete-event simulation draws blips and outages; probes sample them on a grid with a random phase; each \
     trigger reads the checks as a controller would. One history serves every trigger, so differences between \
     triggers are paired. Time is an integer count of nanoseconds, and one seed gives the same bytes on any \
     number of threads.",
    "A false failover is a firing while no outage is in progress. Detection delay is firing minus the start of the \
     outage; outages that found the trigger fired already, or that it missed, are counted apart and not averaged in.",
    "Intervals are at the 95 % level: rates from the spread between replications, shares by the exact binomial, \
     quantiles by order statistics. Nothing seen gives an upper bound, never zero. `Exact` is the true value under \
     the scenario, where theory has one.",
    "A trigger meets the RTO where arithmetic says that it always does, counted from the outage's start at the \
     worst instant. Where chance has a say (stages with laws, gray outages, silence ignored) it must do so in 99 % \
     of recoveries by the cautious end of the interval. Among those, the quietest is the answer.",
];

/// The method of a study.
pub(super) fn method(study: &Study) -> Method {
    let manifest = &study.manifest;
    let fact = |term: &str, text: String| (term.to_owned(), text);
    Method {
        facts: vec![
            fact("Version of the results", format!("failover-budget {}", manifest.version)),
            fact("Version of this page", format!("failover-budget {}", env!("CARGO_PKG_VERSION"))),
            fact("Layout of the results", manifest.schema.clone()),
            fact("Master seed", manifest.seed.to_string()),
            fact("Rows", words::count(manifest.rows as u64, "row")),
            fact("Hash of the spec (SHA-256)", manifest.spec_hash.clone()),
        ],
        paragraphs: PARAGRAPHS.to_vec(),
        commands: format!(
            "failover-budget sweep {name}.toml -o output/{name}\nfailover-budget report output/{name}",
            name = manifest.name
        ),
        spec: manifest.spec.clone(),
    }
}
