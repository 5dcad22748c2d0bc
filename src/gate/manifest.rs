//! What a region says of itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::time::{NANOS_PER_SECOND, Span};

/// Fewest hexadecimal digits that make a digest, as in MD5.
const FEWEST_DIGITS: usize = 32;

/// What a region says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Name of the region.
    pub region: String,
    /// Version of the interface that clients speak.
    pub api_contract: String,
    /// Revision of the policy (thresholds, rules) that decides.
    pub policy_revision: String,
    /// The model.
    pub artifact: Artifact,
    /// True iff the region says that it can take traffic. Left out, it is not ready.
    #[serde(default)]
    pub ready: bool,
    /// Where the region writes its decisions.
    #[serde(default)]
    pub log_sink: Option<String>,
    /// The last scored canary.
    #[serde(default)]
    pub canary: Option<Canary>,
    /// Watermark of each feature: everything up to it has arrived.
    #[serde(default)]
    pub features: BTreeMap<String, Watermark>,
    /// Other named revisions: credentials, network policy, prompts, embedding model.
    #[serde(default)]
    pub revisions: BTreeMap<String, String>,
}

/// The model of a region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// The approved model: a digest (`sha256:…`) or a name in `aliases`.
    pub approved: String,
    /// The model approved before, the same way; what a rollback may serve.
    #[serde(default)]
    pub previous: Option<String>,
    /// Digests whose bytes are in the region and were verified there.
    #[serde(default)]
    pub held: Vec<String>,
    /// What mutable names point to in this region.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
}

/// A scored canary: requests with known answers through the whole path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Canary {
    /// Share that passed, 0 to 1.
    pub success: f64,
    /// Digest (or alias) of the model that answered, where it was recorded.
    #[serde(default)]
    pub digest: Option<String>,
}

/// Why a reference to a model could not be resolved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    /// Neither a digest nor a known alias.
    #[error("`{0}` is neither a digest (like \"sha256:…\") nor one of the region's aliases")]
    Unknown(String),
    /// Aliases that point to each other.
    #[error("alias `{0}` points back to itself")]
    Circular(String),
}

impl Artifact {
    /// The digest that `reference` stands for in this region, in lower case.
    ///
    /// # Errors
    /// When it is neither a digest nor an alias that leads to one.
    pub fn resolve(&self, reference: &str) -> Result<String, Unresolved> {
        let mut seen = BTreeSet::new();
        let mut name = reference;
        while let Some(target) = self.aliases.get(name) {
            if !seen.insert(name) {
                return Err(Unresolved::Circular(reference.to_owned()));
            }
            name = target;
        }
        if is_digest(name) {
            Ok(name.to_ascii_lowercase())
        } else {
            Err(Unresolved::Unknown(name.to_owned()))
        }
    }

    /// True iff the bytes of `digest` are in the region.
    pub fn holds(&self, digest: &str) -> bool {
        self.held.iter().any(|held| held.eq_ignore_ascii_case(digest))
    }
}

fn is_digest(text: &str) -> bool {
    let Some((algorithm, digits)) = text.split_once(':') else { return false };
    let named = |c: char| c.is_ascii_alphanumeric() || "+._-".contains(c);
    !algorithm.is_empty()
        && algorithm.chars().all(named)
        && digits.len() >= FEWEST_DIGITS
        && digits.chars().all(|c| c.is_ascii_hexdigit())
}

/// An instant in wall-clock time: nanoseconds since 1970, within the years 1678 to 2262.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Watermark(i64);

impl Watermark {
    /// The instant `secs` seconds after 1970 began.
    pub const fn from_unix_secs(secs: i64) -> Self {
        Watermark(secs.saturating_mul(NANOS_PER_SECOND))
    }

    /// The instant `nanos` nanoseconds after 1970 began.
    pub const fn from_unix_nanos(nanos: i64) -> Self {
        Watermark(nanos)
    }

    /// How far `earlier` is behind this instant; negative when it is ahead.
    pub fn since(self, earlier: Watermark) -> Span {
        Span::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// This instant, `span` earlier.
    pub fn before(self, span: Span) -> Self {
        Watermark(self.0.saturating_sub(span.as_nanos()))
    }

    fn from_secs_f64(secs: f64) -> Option<Self> {
        let nanos = secs * NANOS_PER_SECOND as f64;
        (nanos.is_finite() && nanos.abs() < i64::MAX as f64)
            .then(|| Watermark(nanos.round() as i64))
    }
}

impl FromStr for Watermark {
    type Err = String;

    /// Reads RFC 3339 (`2026-10-06T09:00:00Z`) or seconds since 1970.
    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || {
            format!(
                "`{text}` is no instant: write it like \"2026-10-06T09:00:00Z\", or as seconds since 1970"
            )
        };
        if let Ok(secs) = text.parse::<f64>() {
            return Watermark::from_secs_f64(secs).ok_or_else(refused);
        }
        let stamp: jiff::Timestamp = text.parse().map_err(|_| refused())?;
        i64::try_from(stamp.as_nanosecond()).map(Watermark).map_err(|_| refused())
    }
}

impl fmt::Display for Watermark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_nanosecond(i128::from(self.0)) {
            Ok(stamp) => stamp.fmt(f),
            Err(_) => write!(f, "{}ns", self.0),
        }
    }
}

impl Serialize for Watermark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Watermark {
    /// From a string, a number of seconds since 1970, or a TOML date-time with an offset.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl<'de> serde::de::Visitor<'de> for Written {
            type Value = Watermark;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an instant like \"2026-10-06T09:00:00Z\", or seconds since 1970")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Watermark, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_i64<E: serde::de::Error>(self, secs: i64) -> Result<Watermark, E> {
                self.visit_f64(secs as f64)
            }
            fn visit_u64<E: serde::de::Error>(self, secs: u64) -> Result<Watermark, E> {
                self.visit_f64(secs as f64)
            }
            fn visit_f64<E: serde::de::Error>(self, secs: f64) -> Result<Watermark, E> {
                Watermark::from_secs_f64(secs)
                    .ok_or_else(|| E::custom(format!("`{secs}` is no instant in reach")))
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                map: A,
            ) -> Result<Watermark, A::Error> {
                let map = serde::de::value::MapAccessDeserializer::new(map);
                let written = toml::value::Datetime::deserialize(map)?;
                written.to_string().parse().map_err(serde::de::Error::custom)
            }
        }
        deserializer.deserialize_any(Written)
    }
}
