//! Which stretch of a replication is shown: the one around the outage or the first firing, one asked
//! for, or all of it.

use super::{TraceError, TriggerTrace};
use crate::history::{Fault, History};
use crate::scenario::Scenario;
use crate::time::{Span, Time};

/// Probes shown before what matters and after it.
const CONTEXT: i64 = 12;

/// The stretch that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Around the outage or, without one, the first firing, or the longest run of failed checks.
    Matter,
    /// Around an instant.
    Around(Span),
    /// From an instant (the run's start when left out) to another (its end).
    Between(Option<Span>, Option<Span>),
    /// The whole run.
    All,
}

impl Frame {
    pub(super) fn check(self, length: Span) -> Result<(), TraceError> {
        let wrong =
            |option, found, allowed| Err(TraceError::NoSuchStretch { option, found, allowed });
        let inside = format!("allowed: from 0s up to the run's length of {length}");
        let is_outside = |at: &Span| *at < Span::ZERO || *at > length;
        match self {
            Frame::Around(at) if is_outside(&at) => wrong("--around", at, inside),
            Frame::Between(Some(from), _) if is_outside(&from) => wrong("--from", from, inside),
            Frame::Between(from, Some(to)) if to <= from.unwrap_or_default() => {
                let from = from.unwrap_or_default();
                wrong("--to", to, format!("allowed: later than --from, which is {from}"))
            }
            Frame::Between(Some(from), None) if from >= length => {
                wrong("--from", from, format!("allowed: before the run's end at {length}"))
            }
            _ => Ok(()),
        }
    }
}

/// The stretch that is shown, `[from, to)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Its first instant.
    pub from: Time,
    /// The first instant after it.
    pub to: Time,
}

impl View {
    /// True for an instant in it.
    pub fn contains(&self, at: Time) -> bool {
        self.from <= at && at < self.to
    }

    /// True for a stretch of which some part is in it.
    pub fn meets(&self, from: Time, until: Time) -> bool {
        from < self.to && (until > self.from || from >= self.from)
    }

    pub(super) fn of(
        frame: Frame,
        scenario: &Scenario,
        history: &History,
        outage: Option<&Fault>,
        triggers: &[TriggerTrace],
        anchor: Time,
    ) -> View {
        let lead = lead(scenario, triggers);
        let context = scenario.probe.interval * CONTEXT;
        let (from, to) = match frame {
            Frame::All => (Time::START, history.end),
            Frame::Between(from, to) => (
                Time::START + from.unwrap_or_default(),
                to.map_or(history.end, |to| Time::START + to),
            ),
            Frame::Around(at) => {
                let at = Time::START + at;
                (at - lead, at + scenario.rto.max(lead) + context)
            }
            Frame::Matter => {
                let (start, least) = match outage {
                    Some(outage) => (outage.start, outage.start + scenario.rto),
                    None => (anchor, anchor + context),
                };
                let near = start + scenario.rto.max(lead);
                let served = triggers.iter().flat_map(|trigger| &trigger.failovers);
                let ends = served.filter(|f| outage.is_some() || f.begin <= near).map(|f| f.served);
                (start - lead, ends.max().unwrap_or(start).max(least) + context)
            }
        };
        View { from: from.max(Time::START), to }
    }
}

/// The instant that matters where there is no outage, or from which firings are looked for.
pub(super) fn anchor(frame: Frame, scenario: &Scenario, triggers: &[TriggerTrace]) -> Time {
    match frame {
        Frame::All => Time::START,
        Frame::Between(from, _) => Time::START + from.unwrap_or_default(),
        Frame::Around(at) => Time::START + at - lead(scenario, triggers),
        Frame::Matter => {
            let first = triggers.iter().filter_map(|t| t.firings().next()).map(|(at, _)| at).min();
            first.or_else(|| nearest_to_firing(triggers)).unwrap_or(Time::START)
        }
    }
}

/// The end of the run that came nearest to a firing; the first of those that are alike.
fn nearest_to_firing(triggers: &[TriggerTrace]) -> Option<Time> {
    let runs = triggers.iter().flat_map(|trigger| &trigger.runs);
    let share = |peak: u64, needed: u64| peak as f64 / needed.max(1) as f64;
    let ranked = runs.map(|run| (share(run.peak, run.needed), run.until));
    ranked.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, until)| until)
}

/// How much is shown before what matters: the longest patience, and some probes more.
fn lead(scenario: &Scenario, triggers: &[TriggerTrace]) -> Span {
    let longest = triggers.iter().map(|trigger| trigger.patience).max().unwrap_or_default();
    longest.min(scenario.rto) + scenario.probe.interval * CONTEXT
}
