//! The regions, their servers and their time to first token.

use serde::Deserialize;

use crate::law::Law;
use crate::time::Span;

/// The region that serves at the start.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Primary {
    /// Name of the region.
    pub name: String,
    /// What it says of itself, as the gate reads it. A plain one when left out.
    #[serde(default)]
    pub manifest: Option<toml::Table>,
    /// Share of full capacity that the autoscaler leaves when the traffic has gone. Default 1.
    #[serde(default = "all_of_it")]
    pub idle_capacity: f64,
    /// How long after the traffic has gone it scales down. Default 15 min.
    #[serde(default = "quarter_of_an_hour")]
    pub scale_down_after: Span,
}

fn all_of_it() -> f64 {
    1.0
}

fn quarter_of_an_hour() -> Span {
    Span::from_secs(900)
}

/// A region that may take over.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standby {
    /// Name of the region.
    pub name: String,
    /// Share of full capacity that it has ready.
    pub capacity: f64,
    /// Where its manifest differs from the primary's. The name of the region always does.
    #[serde(default)]
    pub differs: toml::Table,
    /// How long until its differences are mended, from the moment that they first hold a failover.
    /// Never when left out.
    #[serde(default)]
    pub mended_after: Option<Law>,
}

/// The servers of the model and how more of them come.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Servers {
    /// How many make full capacity. Default 10.
    pub full: u64,
    /// Capacity that the autoscaler aims at, as a multiple of the work. Default 1.25.
    pub headroom: f64,
    /// How long until it asks for servers. Default 30 s.
    pub reaction: Law,
    /// How long until they are granted and booted. Default 150 s.
    pub provision: Law,
    /// Size of the weights in gigabytes. Default 140.
    pub weights_gb: f64,
    /// What one server can load, in gigabytes a second. Default 1.
    pub load_rate_gb_per_s: f64,
    /// What the storage gives to all servers that load at once. No limit when left out.
    pub storage_gb_per_s: Option<f64>,
    /// How long the readiness checks take. Default 80 s.
    pub readiness: Law,
}

impl Default for Servers {
    fn default() -> Self {
        let constant = |secs| Law::constant_span(Span::from_secs(secs));
        Servers {
            full: 10,
            headroom: 1.25,
            reaction: constant(30),
            provision: constant(150),
            weights_gb: 140.0,
            load_rate_gb_per_s: 1.0,
            storage_gb_per_s: None,
            readiness: constant(80),
        }
    }
}

impl Servers {
    /// How long `servers` take to load the weights at once: each gets its share of the storage.
    pub fn load(&self, servers: u64) -> Span {
        let share = self.storage_gb_per_s.map_or(f64::INFINITY, |all| all / servers.max(1) as f64);
        Span::from_secs_f64(self.weights_gb / self.load_rate_gb_per_s.min(share))
    }
}

/// Time to first token, 95th percentile: inputs, not a queue model.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Latency {
    /// While the region has room. Default 0.9 s.
    pub normal: Span,
    /// While it is busier than `busy_above`. Default 2.4 s.
    pub degraded: Span,
    /// Work over ready capacity above which it is degraded. Default 0.75.
    pub busy_above: f64,
    /// What a cold cache costs.
    pub cache: Cache,
}

impl Default for Latency {
    fn default() -> Self {
        Latency {
            normal: Span::from_nanos(900_000_000),
            degraded: Span::from_nanos(2_400_000_000),
            busy_above: 0.75,
            cache: Cache::default(),
        }
    }
}

/// Prefix and KV caches: a cold one makes every request more work.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cache {
    /// How much more work a request is with a cold cache; 0.5 is half as much again. Default 0.
    pub cold_penalty: f64,
    /// Time constant of warming under the full load; a share of the load takes longer. Default 5 min.
    pub warms_in: Span,
    /// Time constant of cooling without load. Default 30 min.
    pub cools_in: Span,
}

impl Default for Cache {
    fn default() -> Self {
        Cache {
            cold_penalty: 0.0,
            warms_in: Span::from_secs(300),
            cools_in: Span::from_secs(1_800),
        }
    }
}
