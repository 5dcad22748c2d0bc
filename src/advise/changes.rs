//! Which decision is really open when a band is empty: what each input alone would have to be.

use serde::Serialize;

use super::advisor::Advisor;
use super::band::Patience;
use super::choice::said;
use super::rates::{Rates, Shortest};
use crate::budget::Outlook;
use crate::budget::words::{at_most, number, seconds};
use crate::scenario::validate::Broken;
use crate::time::Span;

/// One input and the last value with which, alone, there is a band.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The input, with its unit.
    pub change: String,
    /// What it would have to be.
    pub value: serde_json::Value,
    /// The same in words.
    pub words: String,
}

impl Change {
    fn new(change: &str, value: impl Into<serde_json::Value>, words: String) -> Self {
        Change { change: change.to_owned(), value: value.into(), words }
    }
}

/// With shorter intervals than one in so many of a room, nothing more is gained.
const MOST_PROBES: u64 = 512;

/// What each input alone would have to be for the target to have a band; empty where none can do it.
///
/// # Errors
/// When a changed scenario has no plan.
pub(super) fn changes(advisor: &mut Advisor, outlook: &Outlook) -> Result<Vec<Change>, Broken> {
    let mut changes = Vec::new();
    if let Some(k) = advisor.shortest().k {
        let patience = Patience::new(k, outlook.plan.interval).span(outlook.plan.interval);
        let fit = outlook.would_fit(outlook.plan.worst_detection(patience));
        if let serde_json::Value::Object(values) = fit.to_json() {
            let pairs = values.into_iter().zip(fit.in_words());
            changes.extend(pairs.map(|((change, value), words)| Change { change, value, words }));
        }
    }
    changes.extend(longest_interval(advisor, outlook)?);
    if let Some(k) = outlook.largest_consecutive() {
        let rate = advisor.base().rate(k);
        if rate.hi.is_finite() {
            let words =
                format!("a limit of {} or more", said(&crate::advise::rates::exactly(rate.hi)));
            let words = words.replace(", exact", "");
            changes.push(Change::new("max_false_failovers_per_day", rate.hi, words));
        }
    }
    Ok(changes)
}

/// The longest probe interval with which some count fits the room and keeps to the limit. More and
/// shorter intervals spend the same room on more probes, so the fewest that do are bisected.
fn longest_interval(advisor: &Advisor, outlook: &Outlook) -> Result<Option<Change>, Broken> {
    let per_day = advisor.limit.per_day();
    let keeps = |k: u64| -> Result<Option<Span>, Broken> {
        let Some(interval) = outlook.longest_interval(k) else { return Ok(None) };
        if interval >= outlook.plan.interval || interval < advisor.scenario.probe.jitter {
            return Ok(None);
        }
        let mut scenario = advisor.scenario.clone();
        scenario.probe.interval = interval;
        scenario.probe.phase = None;
        if scenario.validate().is_err() {
            return Ok(None);
        }
        Ok(Rates::new(&scenario)?.keeps(k, per_day).then_some(interval))
    };
    let (mut few, mut many) = (outlook.largest_consecutive().unwrap_or(0), MOST_PROBES);
    let Some(mut found) = keeps(many)? else { return Ok(None) };
    while many - few > 1 {
        let middle = few + (many - few) / 2;
        match keeps(middle)? {
            Some(interval) => (found, many) = (interval, middle),
            None => few = middle,
        }
    }
    let secs = found.as_secs_f64();
    let words = format!("a probe every {} s (then consecutive:{many} fits)", at_most(secs));
    Ok(Some(Change::new("probe_interval_s", secs, words)))
}

/// Why the target has no band.
pub(super) fn why_none(advisor: &mut Advisor, outlook: &Outlook) -> String {
    let needs = needs(advisor);
    let Some(longest) = outlook.largest_consecutive() else {
        let why = outlook.why_not().unwrap_or_default();
        return format!("{why}; {needs}");
    };
    let interval = outlook.plan.interval;
    let rate = said(&advisor.base().rate(longest));
    let room = seconds(outlook.room());
    format!(
        "the room of {room} s allows {} at most ({rate}), and {needs}",
        Patience::new(longest, interval).trigger
    )
}

/// What the limit needs.
fn needs(advisor: &mut Advisor) -> String {
    let limit = advisor.limit;
    let interval = advisor.scenario.probe.interval;
    let Shortest { k, searched, undecided, replications } = advisor.shortest().clone();
    if let Some(k) = k {
        let rate = said(&advisor.base().rate(k));
        let secs = number(Patience::new(k, interval).patience_s);
        let decided = advisor.decided();
        return format!(
            "the limit of {limit} needs consecutive:{k} at least ({secs} s; {rate}{decided})"
        );
    }
    let mut text =
        format!("no trigger up to consecutive:{searched} is sure to keep to the limit of {limit}");
    if let (Some((k, rate)), Some(replications)) = (undecided, replications) {
        text += &format!(
            "; consecutive:{k} may, but {replications} replications do not decide it ({}): raise \
             run.replications",
            said(&rate)
        );
    }
    text
}
