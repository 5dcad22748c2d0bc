//! Turns the words and numbers that recordings use for a state into checks, and keeps count of
//! what had to be mapped.

use super::Options;
use super::format::Format;

/// What one record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The check passed.
    Healthy,
    /// The check failed.
    Unhealthy,
    /// The check was due and never arrived.
    Absent,
    /// Nobody knows: maintenance, paused.
    Unknown,
}

/// The verdict on a written state: the outcome, or no check at all, and how it was mapped if it is
/// neither plainly up nor plainly down.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    /// `None`: this record is not a check.
    pub outcome: Option<Outcome>,
    /// `degraded → unhealthy`, for the report.
    pub mapped: Option<String>,
}

impl Verdict {
    /// A plain state.
    pub fn plain(outcome: Outcome) -> Self {
        Verdict { outcome: Some(outcome), mapped: None }
    }

    /// A state that was taken for another.
    pub fn mapped(outcome: Option<Outcome>, from: &str) -> Self {
        let to = match outcome {
            Some(Outcome::Healthy) => "healthy",
            Some(Outcome::Unhealthy) => "unhealthy",
            Some(Outcome::Absent) => "absent",
            Some(Outcome::Unknown) => "unknown",
            None => "no check",
        };
        Verdict { outcome, mapped: Some(format!("{from} → {to}")) }
    }
}

/// What may stand in a status column, for messages.
pub(crate) const STATES: &str = "a state is up/down, success/failed, healthy/unhealthy, true/false, \
     1/0, or an HTTP code; say which values are down with --down-values, or put a threshold on a \
     number with --down-above";

const UP: [&str; 16] = [
    "1",
    "up",
    "healthy",
    "ok",
    "success",
    "successful",
    "succeeded",
    "true",
    "pass",
    "passed",
    "passing",
    "alive",
    "online",
    "operational",
    "yes",
    "good",
];
const DOWN: [&str; 22] = [
    "0",
    "down",
    "unhealthy",
    "fail",
    "failed",
    "failing",
    "failure",
    "false",
    "error",
    "timeout",
    "timed out",
    "dead",
    "offline",
    "critical",
    "crit",
    "no",
    "bad",
    "unreachable",
    "outage",
    "major_outage",
    "unavailable",
    "ko",
];
const UNKNOWN: [&str; 6] =
    ["unknown", "maintenance", "under_maintenance", "paused", "disabled", "suspended"];
const ABSENT: [&str; 4] = ["absent", "missing", "no data", "nodata"];
const DEGRADED: [&str; 6] =
    ["degraded", "degraded_performance", "partial_outage", "pending", "warning", "warn"];
const NOTHING: [&str; 7] = ["", "null", "nan", "none", "na", "n/a", "-"];

/// As many states are remembered for a message.
const MOST_OTHERS: usize = 100;

/// Judges the states of one file.
pub(crate) struct Judge {
    down_values: Vec<String>,
    down_above: Option<f64>,
    down_below: Option<f64>,
    kuma: bool,
    /// A row was in one of the states that the user called down.
    down_seen: bool,
    /// The first states that are not, for messages.
    others: Vec<String>,
    /// A row held a number.
    number_seen: bool,
    /// The first state that is no number.
    first_word: Option<String>,
    /// Written states judged before: a file has few of them, and millions of rows.
    known: Vec<(Vec<u8>, Verdict)>,
}

impl Judge {
    /// The judge for a format, with what the user said of its states.
    pub fn new(format: Format, options: &Options) -> Self {
        let kuma = matches!(format, Format::KumaCsv | Format::KumaSqlite | Format::KumaStatusPage);
        Judge {
            down_values: options.down_values.iter().map(|v| v.trim().to_owned()).collect(),
            down_above: options.down_above,
            down_below: options.down_below,
            kuma,
            down_seen: false,
            others: Vec::new(),
            number_seen: false,
            first_word: None,
            known: Vec::new(),
        }
    }

    /// True iff the user said what is down.
    pub fn told(&self) -> bool {
        !self.down_values.is_empty() || self.has_threshold()
    }

    /// The states called down and the ones found, if there are some and no row is in one of those.
    pub fn none_down(&self) -> Option<(String, String)> {
        let asked: Vec<String> =
            self.down_values.iter().map(|value| format!("`{value}`")).collect();
        let none = !asked.is_empty() && !self.down_seen && !self.others.is_empty();
        none.then(|| {
            let present = super::error::listing(self.others.iter().map(String::as_str));
            (asked.join(" or "), present)
        })
    }

    /// What stands where numbers should, if there is a threshold and no number at all.
    pub fn no_number(&self) -> Option<&str> {
        self.first_word.as_deref().filter(|_| self.has_threshold() && !self.number_seen)
    }

    /// The verdict where the user named the states that are down.
    fn named(&mut self, down: bool, written: &str) -> Verdict {
        self.down_seen |= down;
        if !down && self.others.len() < MOST_OTHERS && !self.others.iter().any(|o| o == written) {
            self.others.push(super::error::excerpt(written.as_bytes()));
        }
        Verdict::plain(if down { Outcome::Unhealthy } else { Outcome::Healthy })
    }

    fn has_threshold(&self) -> bool {
        self.down_above.is_some() || self.down_below.is_some()
    }

    /// Judges a written state; an error says what was found.
    pub fn text(&mut self, written: &[u8]) -> Result<Verdict, String> {
        let written = written.trim_ascii();
        if let Some((_, verdict)) = self.known.iter().find(|(known, _)| known == written) {
            return Ok(verdict.clone());
        }
        let text = String::from_utf8_lossy(written);
        let verdict = self.word(text.trim_matches('"'))?;
        if self.known.len() < 32 {
            self.known.push((written.to_vec(), verdict.clone()));
        }
        Ok(verdict)
    }

    /// Judges a number.
    pub fn number(&mut self, number: f64) -> Result<Verdict, String> {
        if number.is_nan() {
            return Ok(Verdict::mapped(None, "NaN"));
        }
        self.number_seen = true;
        if self.has_threshold() {
            let down = self.down_above.is_some_and(|limit| number > limit)
                || self.down_below.is_some_and(|limit| number < limit);
            return Ok(Verdict::plain(if down { Outcome::Unhealthy } else { Outcome::Healthy }));
        }
        if !self.down_values.is_empty() {
            let down = self.down_values.iter().any(|v| v.parse::<f64>() == Ok(number));
            return Ok(self.named(down, &number.to_string()));
        }
        match number {
            1.0 => Ok(Verdict::plain(Outcome::Healthy)),
            0.0 => Ok(Verdict::plain(Outcome::Unhealthy)),
            2.0 if self.kuma => Ok(Verdict::mapped(Some(Outcome::Unhealthy), "pending")),
            3.0 if self.kuma => Ok(Verdict::mapped(Some(Outcome::Unknown), "maintenance")),
            _ => Err(number.to_string()),
        }
    }

    fn word(&mut self, written: &str) -> Result<Verdict, String> {
        let lower = written.to_lowercase();
        let text = lower.as_str();
        if NOTHING.contains(&text) {
            return Ok(Verdict::mapped(None, if text.is_empty() { "(empty)" } else { text }));
        }
        if let Ok(number) = text.trim_end_matches('%').parse::<f64>() {
            return match self.number(number) {
                Err(_) if (100.0..600.0).contains(&number) && number.fract() == 0.0 => {
                    let outcome =
                        if number < 400.0 { Outcome::Healthy } else { Outcome::Unhealthy };
                    Ok(Verdict::mapped(Some(outcome), &format!("HTTP {text}")))
                }
                judged => judged,
            };
        }
        if self.first_word.is_none() {
            self.first_word = Some(super::error::excerpt(written.as_bytes()));
        }
        if !self.down_values.is_empty() {
            let down = self.down_values.iter().any(|value| value.to_lowercase() == text);
            return Ok(self.named(down, written));
        }
        if UP.contains(&text) {
            Ok(Verdict::plain(Outcome::Healthy))
        } else if DOWN.contains(&text) {
            Ok(Verdict::plain(Outcome::Unhealthy))
        } else if UNKNOWN.contains(&text) {
            Ok(Verdict::mapped(Some(Outcome::Unknown), text))
        } else if ABSENT.contains(&text) {
            Ok(Verdict::plain(Outcome::Absent))
        } else if DEGRADED.contains(&text) {
            Ok(Verdict::mapped(Some(Outcome::Unhealthy), text))
        } else {
            Err(super::error::excerpt(written.as_bytes()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(format: Format, options: &Options, text: &str) -> Result<Verdict, String> {
        Judge::new(format, options).text(text.as_bytes())
    }

    #[test]
    fn words_numbers_and_codes_are_understood() {
        let plain = Options::default();
        let outcome = |text| judged(Format::Csv, &plain, text).map(|v| v.outcome);
        for up in ["up", " UP ", "1", "1.0", "true", "Success", "200", "301"] {
            assert_eq!(outcome(up), Ok(Some(Outcome::Healthy)), "{up}");
        }
        for down in ["down", "0", "0.0", "FAILED", "503", "degraded", "pending"] {
            assert_eq!(outcome(down), Ok(Some(Outcome::Unhealthy)), "{down}");
        }
        assert_eq!(outcome("NaN"), Ok(None));
        assert_eq!(outcome("null"), Ok(None));
        assert_eq!(outcome("maintenance"), Ok(Some(Outcome::Unknown)));
        assert_eq!(outcome("45.868"), Err("45.868".to_owned()));
        assert_eq!(outcome("perhaps"), Err("perhaps".to_owned()));
    }

    #[test]
    fn kuma_counts_its_states_and_mapping_is_told() {
        let plain = Options::default();
        let pending = judged(Format::KumaCsv, &plain, "2").unwrap();
        assert_eq!(pending.outcome, Some(Outcome::Unhealthy));
        assert_eq!(pending.mapped.as_deref(), Some("pending → unhealthy"));
        assert_eq!(judged(Format::KumaCsv, &plain, "3").unwrap().outcome, Some(Outcome::Unknown));
        assert!(judged(Format::Csv, &plain, "2").is_err());
    }

    #[test]
    fn what_the_user_says_is_down_is_down() {
        let down = Options { down_values: vec!["Rot".into(), "2".into()], ..Options::default() };
        let outcome = |text| judged(Format::Csv, &down, text).map(|v| v.outcome);
        assert_eq!(outcome("rot"), Ok(Some(Outcome::Unhealthy)));
        assert_eq!(outcome("2.0"), Ok(Some(Outcome::Unhealthy)));
        assert_eq!(outcome("0"), Ok(Some(Outcome::Healthy)));
        let slow = Options { down_above: Some(60.0), ..Options::default() };
        let outcome = |text| judged(Format::Csv, &slow, text).map(|v| v.outcome);
        assert_eq!(outcome("60.0"), Ok(Some(Outcome::Healthy)));
        assert_eq!(outcome("60.1"), Ok(Some(Outcome::Unhealthy)));
        assert_eq!(outcome(""), Ok(None));
    }
}
