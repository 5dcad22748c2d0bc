//! What follows detection: stages, standby tiers and targets, as inputs.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::law::Law;
use crate::time::Span;

/// How ready a standby is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Serving the model: nothing to warm.
    Hot,
    /// Has capacity, no weights.
    Warm,
    /// Has neither.
    Cold,
}

impl Tier {
    /// Every tier, the readiest first.
    pub const ALL: [Tier; 3] = [Tier::Hot, Tier::Warm, Tier::Cold];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Hot => "hot",
            Tier::Warm => "warm",
            Tier::Cold => "cold",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What follows detection, for every target that does not say otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StageDefaults {
    /// Making the standby the one that serves. Default 60 s.
    pub promotion: Law,
    /// Moving the traffic: DNS TTL, reconnects. Default 120 s.
    pub traffic_shift: Law,
    /// Finding GPU capacity; spent by a cold standby. Default 600 s.
    pub capacity: Law,
    /// Size of the model's weights in gigabytes. Default 140.
    pub weights_gb: f64,
    /// What one replica can load, in gigabytes a second. Default 1.
    pub load_rate_gb_per_s: f64,
    /// How many replicas load at once. Default 1.
    pub replicas: u64,
    /// What the storage gives to all of them together, in gigabytes a second; no limit when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_gb_per_s: Option<f64>,
    /// Kept back from the RTO: a share (`"10%"`) or a span (`"60s"`). Default none.
    pub reserve: Reserve,
    /// Further named stages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<ExtraStage>,
}

/// A further named stage, such as approval, fencing, validation or the client-cache tail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtraStage {
    /// What it is called.
    pub name: String,
    /// How long it takes.
    pub length: Law,
    /// In sequence, just before the stage of this name; after all of them when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// At the same time as the stage of this name: both must end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
}

/// One standby, with what it does differently from [`StageDefaults`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// What it is called; the tier's name when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How ready it is.
    pub tier: Tier,
    /// As in `[stages]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promotion: Option<Law>,
    /// As in `[stages]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic_shift: Option<Law>,
    /// As in `[stages]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capacity: Option<Law>,
    /// As in `[stages]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights_gb: Option<f64>,
    /// As in `[stages]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load_rate_gb_per_s: Option<f64>,
    /// As in `[stages]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<u64>,
    /// As in `[stages]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage_gb_per_s: Option<f64>,
    /// As in `[stages]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserve: Option<Reserve>,
    /// Further stages of this target alone, after those of `[stages]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<ExtraStage>,
}

impl Target {
    /// A target of this tier with every default.
    pub fn of_tier(tier: Tier) -> Self {
        Target {
            name: None,
            tier,
            promotion: None,
            traffic_shift: None,
            capacity: None,
            weights_gb: None,
            load_rate_gb_per_s: None,
            replicas: None,
            storage_gb_per_s: None,
            reserve: None,
            extra: Vec::new(),
        }
    }

    /// What the target is called in output.
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(self.tier.name())
    }
}

impl Default for StageDefaults {
    fn default() -> Self {
        let constant = |secs| Law::constant_span(Span::from_secs(secs));
        StageDefaults {
            promotion: constant(60),
            traffic_shift: constant(120),
            capacity: constant(600),
            weights_gb: 140.0,
            load_rate_gb_per_s: 1.0,
            replicas: 1,
            storage_gb_per_s: None,
            reserve: Reserve::Span(Span::ZERO),
            extra: Vec::new(),
        }
    }
}

/// What is kept back from an RTO.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reserve {
    /// A length of time.
    Span(Span),
    /// A share of the RTO, between 0 and 1.
    Share(f64),
}

impl Reserve {
    /// How much of `rto` is kept back.
    pub fn of(self, rto: Span) -> Span {
        match self {
            Reserve::Span(span) => span,
            Reserve::Share(share) => Span::from_secs_f64(rto.as_secs_f64() * share),
        }
    }
}

impl fmt::Display for Reserve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reserve::Span(span) => span.fmt(f),
            Reserve::Share(share) => write!(f, "{}%", share * 100.0),
        }
    }
}

impl std::str::FromStr for Reserve {
    type Err = String;

    /// Reads `"10%"` or a span such as `"60s"`.
    fn from_str(text: &str) -> Result<Self, String> {
        let Some(percent) = text.trim().strip_suffix('%') else {
            return text.parse().map(Reserve::Span).map_err(|why| {
                format!("{why}; a reserve may also be a share of the RTO, like \"10%\"")
            });
        };
        match percent.trim().parse::<f64>() {
            Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(Reserve::Share(percent / 100.0)),
            _ => Err(format!("`{text}` is not a share between \"0%\" and \"100%\"")),
        }
    }
}

impl Serialize for Reserve {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Reserve {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
