//! A trigger as it is written: `consecutive:12`, `window:300s`, `m-of-n:3/5`,
//! `success-rate:0.9/60s/180s`.
//!
//! The written form holds no rule for silence or arming; those are the controller's.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::success_rate::is_below;
use super::words::{did_you_mean, nearest};
use crate::time::{Span, SpanError};

/// The largest number of consecutive failures that is accepted.
pub const LARGEST_K: u64 = 1_000_000_000;

/// The largest N of an M-of-N trigger.
pub const LARGEST_N: u64 = 1_000_000;

/// A trigger: a family and its parameters.
///
/// The parser refuses parameters that make no trigger; so does [`Spec::checked`] for those put
/// together in code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spec {
    /// Fires at the `k`-th unhealthy check in a row.
    Consecutive {
        /// Unhealthy checks in a row, at least 1.
        k: u64,
    },
    /// Fires when every check held in the last `window` is unhealthy, and there is one.
    Window {
        /// Length of the window, positive; both ends count.
        window: Span,
    },
    /// Fires when at least `m` of the last `n` due checks are unhealthy.
    MOfN {
        /// Unhealthy checks needed, from 1 to `n`.
        m: u64,
        /// Due checks looked at.
        n: u64,
    },
    /// Fires when the healthy share has been too low without a break for `fail_after`.
    SuccessRate {
        /// The least healthy share of the window that is good enough, in `(0, 1]`.
        min_success: f64,
        /// Length of the window the share is taken over, positive.
        window: Span,
        /// How long the share must have been too low; may be zero.
        fail_after: Span,
    },
}

pub(super) const FAMILIES: [&str; 4] = ["consecutive", "window", "m-of-n", "success-rate"];

impl Spec {
    /// The family's name, as it is written before the colon.
    pub fn family(&self) -> &'static str {
        match self {
            Spec::Consecutive { .. } => "consecutive",
            Spec::Window { .. } => "window",
            Spec::MOfN { .. } => "m-of-n",
            Spec::SuccessRate { .. } => "success-rate",
        }
    }

    /// Time from the first failed probe to the firing when every check after it fails, probes come
    /// every `interval`, and the trigger held a full history of healthy checks before.
    pub fn patience(&self, interval: Span) -> Span {
        let checks = self.checks_to_fire(interval);
        interval * i64::try_from(checks.saturating_sub(1)).unwrap_or(i64::MAX)
    }

    /// How many checks in a row must fail for the trigger to fire, counted as for
    /// [`Spec::patience`]: `patience / interval + 1`.
    pub fn checks_to_fire(&self, interval: Span) -> u64 {
        match *self {
            Spec::Consecutive { k } => k.max(1),
            Spec::Window { window } => steps_down(window, interval) + 1,
            Spec::MOfN { m, n } => m.clamp(1, n.max(1)),
            Spec::SuccessRate { min_success, window, fail_after } => {
                let in_window = steps_down(window, interval) + 1;
                let whole = steps_down(fail_after, interval);
                let reached = interval * i64::try_from(whole).unwrap_or(i64::MAX);
                let waiting = whole + u64::from(interval.is_positive() && reached < fail_after);
                least_failures(in_window, min_success).saturating_add(waiting)
            }
        }
    }

    /// The spec itself, or why it is no trigger.
    pub fn checked(self) -> Result<Spec, SpecError> {
        let bad = |part, found: String, allowed| {
            Err(SpecError::OutOfRange { spec: self.to_string(), part, found, allowed })
        };
        match self {
            Spec::Consecutive { k } if !(1..=LARGEST_K).contains(&k) => {
                bad("number of checks", k.to_string(), "a whole number from 1 to 1000000000")
            }
            Spec::Window { window } if !window.is_positive() => {
                bad("window", seconds(window), "longer than 0s")
            }
            Spec::MOfN { n, .. } if !(1..=LARGEST_N).contains(&n) => {
                bad("N", n.to_string(), "a whole number from 1 to 1000000")
            }
            Spec::MOfN { m, n } if !(1..=n).contains(&m) => {
                bad("M", m.to_string(), "a whole number from 1 to N")
            }
            Spec::SuccessRate { min_success, .. } if !(min_success > 0.0 && min_success <= 1.0) => {
                bad("minimum success", min_success.to_string(), "a share above 0 and up to 1")
            }
            Spec::SuccessRate { window, .. } if !window.is_positive() => {
                bad("window", seconds(window), "longer than 0s")
            }
            Spec::SuccessRate { fail_after, .. } if fail_after < Span::ZERO => {
                bad("fail-after", seconds(fail_after), "0s or longer")
            }
            spec => Ok(spec),
        }
    }
}

/// Whole intervals in a span; none where there is no interval.
pub(super) fn steps_down(span: Span, interval: Span) -> u64 {
    if !interval.is_positive() {
        return 0;
    }
    u64::try_from(span.div_floor(interval)).unwrap_or(0)
}

/// The least number of failures among `checks` that brings the healthy share below `min_success`.
fn least_failures(checks: u64, min_success: f64) -> u64 {
    let guess = ((1.0 - min_success) * checks as f64) as u64;
    let mut failures = guess.clamp(1, checks);
    while failures > 1 && is_below(checks - (failures - 1), checks, min_success) {
        failures -= 1;
    }
    while failures < checks && !is_below(checks - failures, checks, min_success) {
        failures += 1;
    }
    failures
}

/// A span in seconds, exactly, as triggers are written: `300s`, `292.5s`.
pub(super) fn seconds(span: Span) -> String {
    let nanos = span.as_nanos().unsigned_abs();
    let sign = if span < Span::ZERO { "-" } else { "" };
    let (whole, rest) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
    if rest == 0 {
        return format!("{sign}{whole}s");
    }
    let decimals = format!("{rest:09}");
    format!("{sign}{whole}.{}s", decimals.trim_end_matches('0'))
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Spec::Consecutive { k } => format!("consecutive:{k}"),
            Spec::Window { window } => format!("window:{}", seconds(*window)),
            Spec::MOfN { m, n } => format!("m-of-n:{m}/{n}"),
            Spec::SuccessRate { min_success, window, fail_after } => {
                format!("success-rate:{min_success}/{}/{}", seconds(*window), seconds(*fail_after))
            }
        };
        f.pad(&text)
    }
}

/// Why a written trigger was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// No colon, or nothing before it.
    #[error(
        "`{0}` is no trigger: write family and parameters, like `consecutive:12`, `window:300s`, `m-of-n:3/5` or `success-rate:0.9/60s/180s`"
    )]
    NoFamily(String),
    /// A family there is not.
    #[error(
        "`{spec}`: there is no trigger family `{found}`; there are `consecutive`, `window`, `m-of-n` and `success-rate`{}",
        did_you_mean(.nearest)
    )]
    UnknownFamily {
        /// The trigger as written.
        spec: String,
        /// The family as written.
        found: String,
        /// The family nearest to it.
        nearest: Option<&'static str>,
    },
    /// Too few or too many parameters.
    #[error("`{spec}` has {found} parameters after the colon; write it like `{like}`")]
    Parameters {
        /// The trigger as written.
        spec: String,
        /// How many there are.
        found: usize,
        /// An example of the family.
        like: &'static str,
    },
    /// A parameter that should be a number and is not.
    #[error("`{spec}`: the {part} `{found}` is no number; it must be {allowed}")]
    NotANumber {
        /// The trigger as written.
        spec: String,
        /// Which parameter.
        part: &'static str,
        /// What was written.
        found: String,
        /// What may be written.
        allowed: &'static str,
    },
    /// A parameter that should be a length of time and is not.
    #[error("`{spec}`: the {part} cannot be read: {why}")]
    NotASpan {
        /// The trigger as written.
        spec: String,
        /// Which parameter.
        part: &'static str,
        /// Why not, and the way out.
        why: SpanError,
    },
    /// A parameter outside its range.
    #[error("`{spec}`: the {part} is {found}; it must be {allowed}")]
    OutOfRange {
        /// The trigger.
        spec: String,
        /// Which parameter.
        part: &'static str,
        /// Its value.
        found: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A range where one trigger is wanted, or where none can be.
    #[error("`{spec}`: {why}")]
    Range {
        /// The trigger as written.
        spec: String,
        /// What is wrong, and the way out.
        why: String,
    },
}

/// Reads the parameters of one trigger, for messages that quote it whole.
pub(super) struct Reader<'a> {
    pub(super) spec: &'a str,
}

impl Reader<'_> {
    pub(super) fn count(&self, part: &'static str, text: &str) -> Result<u64, SpecError> {
        let text = text.trim();
        text.parse().map_err(|_| SpecError::NotANumber {
            spec: self.spec.to_owned(),
            part,
            found: text.to_owned(),
            allowed: "a whole number like 12",
        })
    }

    fn share(&self, part: &'static str, text: &str) -> Result<f64, SpecError> {
        let text = text.trim();
        text.parse().map_err(|_| SpecError::NotANumber {
            spec: self.spec.to_owned(),
            part,
            found: text.to_owned(),
            allowed: "a share like 0.9",
        })
    }

    pub(super) fn span(&self, part: &'static str, text: &str) -> Result<Span, SpecError> {
        text.parse().map_err(|why| SpecError::NotASpan { spec: self.spec.to_owned(), part, why })
    }

    fn parts<'t, const N: usize>(
        &self,
        parameters: &'t str,
        like: &'static str,
    ) -> Result<[&'t str; N], SpecError> {
        let parts: Vec<&str> = parameters.split('/').collect();
        let found = if parameters.trim().is_empty() { 0 } else { parts.len() };
        parts.try_into().ok().filter(|_| found == N).ok_or_else(|| SpecError::Parameters {
            spec: self.spec.to_owned(),
            found,
            like,
        })
    }
}

/// Splits a written trigger into its family (a known one) and the text of its parameters.
pub(super) fn split(text: &str) -> Result<(&'static str, &str), SpecError> {
    let spec = text.trim();
    let (family, parameters) = match spec.split_once(':') {
        Some((family, parameters)) if !family.trim().is_empty() => (family.trim(), parameters),
        // A family without parameters is a known thing half said.
        _ if FAMILIES.contains(&spec) => (spec, ""),
        _ => return Err(SpecError::NoFamily(spec.to_owned())),
    };
    match FAMILIES.into_iter().find(|known| *known == family) {
        Some(family) => Ok((family, parameters)),
        None => Err(SpecError::UnknownFamily {
            spec: spec.to_owned(),
            found: family.to_owned(),
            nearest: nearest(family, &FAMILIES),
        }),
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (family, parameters) = split(text)?;
        let spec = text.trim();
        if parameters.contains("..") {
            let why = "this is a range, which names many triggers; one is wanted here (ranges are for \
                       the axes of a sweep)";
            return Err(SpecError::Range { spec: spec.to_owned(), why: why.to_owned() });
        }
        let read = Reader { spec };
        match family {
            "consecutive" => {
                let [k] = read.parts(parameters, "consecutive:12")?;
                Spec::Consecutive { k: read.count("number of checks", k)? }
            }
            "window" => {
                let [window] = read.parts(parameters, "window:300s")?;
                Spec::Window { window: read.span("window", window)? }
            }
            "m-of-n" => {
                let [m, n] = read.parts(parameters, "m-of-n:3/5")?;
                Spec::MOfN { m: read.count("M", m)?, n: read.count("N", n)? }
            }
            _ => {
                let [share, window, after] = read.parts(parameters, "success-rate:0.9/60s/180s")?;
                Spec::SuccessRate {
                    min_success: read.share("minimum success", share)?,
                    window: read.span("window", window)?,
                    fail_after: read.span("fail-after", after)?,
                }
            }
        }
        .checked()
    }
}

impl Serialize for Spec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Spec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
