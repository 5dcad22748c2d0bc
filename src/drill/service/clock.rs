//! Times of day, so that a drill is written and told as an incident is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use crate::time::{Span, Time};

/// A time of day: nanoseconds since midnight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock(Span);

impl Clock {
    const DAY: Span = Span::from_days(1);

    /// The instant of a run that begins at `self` at which the clock next shows `other`.
    pub fn until(self, other: Clock) -> Time {
        let gap = other.0 - self.0;
        Time::START + if gap < Span::ZERO { gap + Self::DAY } else { gap }
    }

    /// What the clock shows at an instant of a run that begins at `self`: `09:03:00`.
    ///
    /// A run that goes past midnight says so: `00:10:00+1d`.
    pub fn show(self, at: Time) -> String {
        let since = self.0 + at.since_start();
        let (days, of_day) =
            (since.div_floor(Self::DAY), since.as_nanos().rem_euclid(Self::DAY.as_nanos()));
        let secs = of_day / crate::time::NANOS_PER_SECOND;
        let time = format!("{:02}:{:02}:{:02}", secs / 3_600, secs / 60 % 60, secs % 60);
        if days == 0 { time } else { format!("{time}+{days}d") }
    }
}

impl FromStr for Clock {
    type Err = String;

    /// Reads `"09:00"` or `"09:00:30"`.
    fn from_str(text: &str) -> Result<Self, String> {
        let refused =
            || format!("`{text}` is no time of day; write it like \"09:00\" or \"09:00:30\"");
        let parts: Vec<&str> = text.trim().split(':').collect();
        let limits = [24, 60, 60];
        if !(2..=3).contains(&parts.len()) {
            return Err(refused());
        }
        let mut secs = 0;
        for (index, limit) in limits.into_iter().enumerate() {
            let part = parts.get(index).copied().unwrap_or("00");
            let digits = part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
            let value: i64 = part.parse().map_err(|_| refused())?;
            if !digits || value >= limit {
                return Err(refused());
            }
            secs = secs * 60 + value;
        }
        Ok(Clock(Span::from_secs(secs)))
    }
}

impl<'de> Deserialize<'de> for Clock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// An instant of a run: a time of day, or a length of time since the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// `"09:00"`.
    Clock(Clock),
    /// `"5min"`.
    After(Span),
}

impl Moment {
    /// The instant in a run that begins at `start`.
    pub fn at(self, start: Clock) -> Time {
        match self {
            Moment::Clock(clock) => start.until(clock),
            Moment::After(span) => Time::START + span,
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Moment::Clock(clock) => f.write_str(&clock.show(Time::START)),
            Moment::After(span) => span.fmt(f),
        }
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.contains(':') {
            return text.parse().map(Moment::Clock).map_err(serde::de::Error::custom);
        }
        match text.parse::<Span>() {
            Ok(span) if span >= Span::ZERO => Ok(Moment::After(span)),
            Ok(span) => Err(serde::de::Error::custom(format!("{span} is before the start"))),
            Err(why) => {
                Err(serde::de::Error::custom(format!("{why}; or a time of day like \"09:00\"")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_shown_and_reckoned_across_midnight() {
        let clock = |text: &str| text.parse::<Clock>();
        let start = clock("23:50").unwrap();
        let at = start.until(clock("00:10:30").unwrap());
        assert_eq!(at.since_start(), Span::from_secs(1_230));
        assert_eq!(start.show(at), "00:10:30+1d");
        assert_eq!(start.show(Time::START), "23:50:00");
        for wrong in ["9", "24:00", "09:60", "09:00:61", "ab:cd", "+9:00", "009:00", "1:2:3:4"] {
            assert!(clock(wrong).is_err(), "{wrong}");
        }
    }
}
