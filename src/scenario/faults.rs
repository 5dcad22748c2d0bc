//! What can go wrong: blips, the outage, the prober's deaths, the controller's restarts.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::law::Law;
use crate::time::Span;

/// How the starts of blips come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrivals {
    /// A healthy gap, a blip, a healthy gap …; the gap is measured from the end of a blip.
    GapRenewal,
    /// Starts at a constant rate of one per mean gap; blips that overlap are merged.
    Poisson,
}

/// One source of transient faults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BlipSource {
    /// Names the source and its random stream. Default `"blips"`.
    pub name: String,
    /// Healthy gap from the end of a blip to the next. Default exponential, mean 15 min.
    pub gap: Law,
    /// Length of a blip. Default exponential, mean 20 s.
    pub length: Law,
    /// How starts come about. Default `"gap-renewal"`.
    pub arrivals: Arrivals,
    /// Chance that a probe inside a blip fails. Default 1.
    pub fail_probability: f64,
}

impl BlipSource {
    /// Mean time from the start of one blip to that of the next, in seconds; infinite where a mean is.
    pub fn cycle_s(&self) -> f64 {
        match self.arrivals {
            Arrivals::GapRenewal => self.gap.mean() + self.length.mean(),
            Arrivals::Poisson => self.gap.mean(),
        }
    }
}

/// All sources of blips. In TOML one table `[blips]` or a list `[[blips]]` with names; an empty
/// list means none.
#[derive(Clone, Debug, PartialEq)]
pub struct Blips(pub Vec<BlipSource>);

/// What an outage does to the probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutageKind {
    /// Probes arrive and fail.
    Reported,
    /// The prober goes with the region: nothing arrives.
    Dark,
    /// Each probe fails with `fail_probability`.
    Gray,
}

/// The region failure that detection is measured on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Outage {
    /// What it does to the probes. Default `"reported"`.
    pub kind: OutageKind,
    /// How long it lasts; a trigger that has not fired by its end has missed it. Default 1 d.
    pub length: Law,
    /// Chance that a probe in a gray outage fails. Default 0.5; other kinds fail every probe.
    pub fail_probability: f64,
    /// How many outages, each at a random instant, are measured in one replication. They do not
    /// meet each other: each is laid over the same quiet run. Default 30.
    pub per_replication: u64,
    /// Where a traced run has its outage; at a random instant when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Span>,
}

/// Deaths of the prober while the region is well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Prober {
    /// Time from one repair to the next death; it never dies when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<Law>,
    /// How long it stays dead. Default 1 h.
    pub repair: Law,
}

/// Restarts of the controller: it loses its history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Restarts {
    /// Time from one restart to the next; it never restarts when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<Law>,
    /// How long the controller is away; what probes say meanwhile it never learns. Default none.
    pub down: Law,
    /// The deploy that comes with each restart, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deploy: Option<Deploy>,
}

/// A deploy that begins with a restart and makes blips more frequent while it lasts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Deploy {
    /// How long the deploy lasts. Default 10 min.
    pub length: Law,
    /// Healthy gaps pass this many times as fast while it lasts. Default 10.
    pub blip_factor: f64,
}

impl Default for BlipSource {
    fn default() -> Self {
        BlipSource {
            name: "blips".to_owned(),
            gap: Law::exponential_mean(Span::from_secs(900)),
            length: Law::exponential_mean(Span::from_secs(20)),
            arrivals: Arrivals::GapRenewal,
            fail_probability: 1.0,
        }
    }
}

impl Default for Blips {
    fn default() -> Self {
        Blips(vec![BlipSource::default()])
    }
}

impl Default for Outage {
    fn default() -> Self {
        Outage {
            kind: OutageKind::Reported,
            length: Law::constant_span(Span::from_days(1)),
            fail_probability: 0.5,
            per_replication: 30,
            at: None,
        }
    }
}

impl Default for Prober {
    fn default() -> Self {
        Prober { gap: None, repair: Law::constant_span(Span::from_secs(3_600)) }
    }
}

impl Default for Restarts {
    fn default() -> Self {
        Restarts { gap: None, down: Law::constant_span(Span::ZERO), deploy: None }
    }
}

impl Default for Deploy {
    fn default() -> Self {
        Deploy { length: Law::constant_span(Span::from_secs(600)), blip_factor: 10.0 }
    }
}

impl Serialize for Blips {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0[..] {
            [only] => only.serialize(serializer),
            all => all.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Blips {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMore;
        impl<'de> serde::de::Visitor<'de> for OneOrMore {
            type Value = Blips;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one table [blips] or a list [[blips]]")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Blips, A::Error> {
                let only = BlipSource::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Blips(vec![only]))
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, seq: A) -> Result<Blips, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Blips)
            }
        }
        deserializer.deserialize_any(OneOrMore)
    }
}
