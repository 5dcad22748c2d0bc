//! How traffic moves out and back.

use serde::Deserialize;

use crate::law::Law;
use crate::time::Span;

/// How traffic moves.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shift {
    /// DNS records: clients follow evenly over the TTL, stragglers with an exponential tail after it.
    Dns {
        /// Time to live of the records.
        ttl: Span,
        /// Share of clients that cache beyond the TTL. Default 0.
        #[serde(default)]
        stragglers: f64,
        /// Mean time that stragglers stay beyond the TTL. Default 10 min.
        #[serde(default = "ten_minutes")]
        tail: Span,
    },
    /// A load balancer: everybody follows after `delay`.
    LoadBalancer {
        /// How long its change takes. Default 0 s.
        #[serde(default)]
        delay: Span,
    },
}

fn ten_minutes() -> Span {
    Span::from_secs(600)
}

impl Default for Shift {
    fn default() -> Self {
        Shift::Dns { ttl: Span::from_secs(60), stragglers: 0.0, tail: ten_minutes() }
    }
}

/// A step between the decision and the moving of traffic.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What is done.
    pub step: String,
    /// How long it takes. Default 0 s.
    #[serde(default = "no_time")]
    pub takes: Law,
    /// The dependencies, assets and regions without which it cannot be done.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Whether it stops the primary from deciding. Default no.
    #[serde(default)]
    pub fences: bool,
}

fn no_time() -> Law {
    Law::constant_span(Span::ZERO)
}

/// How a primary that is cut off stops deciding.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fencing {
    /// A region that is cut off stops by itself after this long. It never does when left out.
    pub lease: Option<Span>,
}

/// The way back: a planned move with its own gates.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Failback {
    /// Shares of the traffic on the primary, step by step; the last is 1. Default 5, 25, 50, 100 %.
    pub steps: Vec<f64>,
    /// How long each step is held. Default 10 min.
    pub hold: Span,
    /// How often the gates of a step are looked at. Default 1 min.
    pub check_every: Span,
    /// The longest time to first token (p95) on the primary. Default 1.5 s.
    pub max_ttft: Span,
    /// The largest share of the primary's requests that fail or are shed. Default 0.01.
    pub max_error_rate: f64,
    /// The least share of the primary's canaries that pass. Default 0.9.
    pub min_canary_success: f64,
    /// Whether the primary is scaled up before the ramp begins. Default yes.
    pub scale_up_first: bool,
    /// Time that the reconciliation of state takes apart from turns. Default 0 s.
    pub reconcile: Law,
    /// Turns that are copied back in a second. Default 100.
    pub reconcile_turns_per_s: f64,
}

impl Default for Failback {
    fn default() -> Self {
        Failback {
            steps: vec![0.05, 0.25, 0.5, 1.0],
            hold: Span::from_secs(600),
            check_every: Span::from_secs(60),
            max_ttft: Span::from_nanos(1_500_000_000),
            max_error_rate: 0.01,
            min_canary_success: 0.9,
            scale_up_first: true,
            reconcile: no_time(),
            reconcile_turns_per_s: 100.0,
        }
    }
}
