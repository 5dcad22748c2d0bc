//! What one run of a drill came to. Figures and texts only; how they are shown is elsewhere.

use serde::Serialize;

use crate::time::{Span, Time};

/// What one run came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What happened, in order. Empty unless it was asked for.
    pub timeline: Vec<Entry>,
    /// Each feature, in the order of their names.
    pub features: Vec<FeatureOutcome>,
    /// What was in flight, and what became of it.
    pub in_flight: InFlight,
    /// How often the service was moved to a standby.
    pub failovers: u64,
    /// Why a move that was due was held, in order and without repeats.
    pub holds: Vec<String>,
    /// The way back.
    pub failback: FailbackOutcome,
}

/// The way back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailbackOutcome {
    /// When the controller last began it.
    pub began: Option<Time>,
    /// When the primary last had all traffic again.
    pub completed: Option<Time>,
    /// How often a step failed its gates and was taken back.
    pub step_backs: u64,
    /// How often it was abandoned because the primary failed again.
    pub abandoned: u64,
}

/// One line of the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When.
    pub at: Time,
    /// What kind of event.
    pub kind: Kind,
    /// What it concerns: a region, a feature, a dependency.
    pub subject: String,
    /// What happened.
    pub text: String,
}

/// The kinds of events in a timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Something fails or is well again.
    Fault,
    /// The controller decides, or holds.
    Decision,
    /// A person acts.
    Person,
    /// A step of the runbook.
    Runbook,
    /// Traffic moves.
    Traffic,
    /// Servers, shedding, time to first token.
    Capacity,
    /// State is lost, restored, reconciled.
    State,
    /// The ramp back.
    Failback,
}

/// What a run came to for one feature.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureOutcome {
    /// Times in which nobody was served, in order.
    pub interruptions: Vec<Interruption>,
    /// What became of its requests.
    pub requests: Requests,
    /// How much recent data was lost at the failover; none if it was not moved.
    pub rpo: Option<Span>,
    /// Why it could not be moved.
    pub stuck: Option<String>,
    /// Where it was served from, as changes. Empty unless the timeline was asked for.
    pub segments: Vec<Segment>,
}

/// A time in which a feature served nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interruption {
    /// When it began.
    pub from: Time,
    /// When the next request was served; none if that did not happen within the run.
    pub to: Option<Time>,
    /// Whether it began because the feature was shed, and not because it failed.
    pub shed: bool,
    /// Where the time went, in order; the parts add up to the whole.
    pub stages: Vec<(Stage, Span)>,
    /// What ended it.
    pub ended_by: Option<Server>,
}

impl Interruption {
    /// How long it lasted; none if it did not end.
    pub fn length(&self) -> Option<Span> {
        self.to.map(|to| to - self.from)
    }
}

/// The stages of a recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// From the start to the decision.
    Detection,
    /// The move was due, and no standby was fit.
    Held,
    /// The steps of the runbook.
    Promotion,
    /// A person confirms.
    Confirmation,
    /// An asset is restored or rebuilt.
    AssetRecovery,
    /// Until the first client has followed.
    TrafficShift,
    /// Shed until there was capacity.
    Capacity,
    /// Until a fallback of a provider was in use.
    ProviderSwitch,
    /// Nothing but waiting until the fault was over.
    UntilMended,
}

impl Stage {
    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Stage::Detection => "detection",
            Stage::Held => "held",
            Stage::Promotion => "promotion",
            Stage::Confirmation => "confirmation",
            Stage::AssetRecovery => "asset recovery",
            Stage::TrafficShift => "traffic shift",
            Stage::Capacity => "capacity",
            Stage::ProviderSwitch => "provider switch",
            Stage::UntilMended => "until mended",
        }
    }
}

/// What serves a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Server {
    /// The primary.
    Primary,
    /// The standby.
    Standby,
    /// Both, each a part.
    Both,
    /// Nobody: it fails.
    Nobody,
    /// Nobody: it is shed for want of capacity.
    Shed,
}

impl Server {
    /// True iff somebody is served.
    pub fn serves(self) -> bool {
        matches!(self, Server::Primary | Server::Standby | Server::Both)
    }
}

/// From `from` on, a feature is served like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Since when.
    pub from: Time,
    /// By whom.
    pub server: Server,
    /// Whether with a degraded time to first token, or in part.
    pub degraded: bool,
}

/// What became of requests, as expected numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Requests {
    /// Answered by the primary.
    pub by_primary: f64,
    /// Answered by the standby.
    pub by_standby: f64,
    /// Failed.
    pub lost: f64,
    /// Refused for want of capacity.
    pub shed: f64,
    /// Seconds with a degraded time to first token, weighted by the share that met it.
    pub degraded_s: f64,
}

/// What was in flight, and what became of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct InFlight {
    /// Streams that broke off.
    pub streams_lost: u64,
    /// Of these, retried under the same request id and answered from the start.
    pub streams_retried: u64,
    /// Of these, given up before anybody served them.
    pub streams_given_up: u64,
    /// Turns of conversations that replication had not copied, found by turn counters.
    pub turns_lost: u64,
    /// Of these, replayed by the client that held them.
    pub turns_replayed: u64,
    /// Of these, shown a notice that the last message was not saved.
    pub turns_notified: u64,
    /// Runs with side effects that were broken off.
    pub runs_interrupted: u64,
    /// Of these, found by idempotency key to have taken effect, and not repeated.
    pub runs_reconciled: u64,
    /// Of these, retried.
    pub runs_retried: u64,
    /// Side effects that happened twice for want of keys.
    pub runs_duplicated: u64,
    /// Decisions that both regions made under one id.
    pub duplicate_decisions: u64,
    /// Turns written in the standby and copied back.
    pub turns_copied_back: u64,
}

/// How long a feature was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rto {
    /// It never was.
    NotInterrupted,
    /// This long, at the longest.
    Recovered(Span),
    /// It was not served again within the run.
    Missed,
}

impl Rto {
    /// Whether the objective was met.
    pub fn meets(self, objective: Span) -> bool {
        match self {
            Rto::NotInterrupted => true,
            Rto::Recovered(length) => length <= objective,
            Rto::Missed => false,
        }
    }

    /// The word for it in JSON and CSV.
    pub fn word(self) -> &'static str {
        match self {
            Rto::NotInterrupted => "not-interrupted",
            Rto::Recovered(_) => "recovered",
            Rto::Missed => "missed",
        }
    }

    /// The measured time in seconds, where there is one.
    pub fn secs(self) -> Option<f64> {
        match self {
            Rto::Recovered(length) => Some(length.as_secs_f64()),
            Rto::NotInterrupted | Rto::Missed => None,
        }
    }
}

impl FeatureOutcome {
    /// The longest interruption: one that did not end outlasts all that did.
    pub fn worst(&self) -> Option<&Interruption> {
        let longest = |one: &&Interruption| one.length().unwrap_or(crate::time::LONGEST);
        // Of equals the first.
        self.interruptions.iter().rev().max_by_key(longest)
    }

    /// The measured recovery time.
    pub fn rto(&self) -> Rto {
        match self.worst().map(Interruption::length) {
            None => Rto::NotInterrupted,
            Some(None) => Rto::Missed,
            Some(Some(length)) => Rto::Recovered(length),
        }
    }
}
