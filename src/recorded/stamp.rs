//! Reads the instants of a recording: RFC 3339, civil times in a zone, and epoch counts in any unit.
//!
//! Instants are nanoseconds since 1970 in an `i64`. Local hours that exist twice are told apart by
//! the row before; this module never reads the clock of the machine.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::error::excerpt;

/// 1970-01-02 and 2200-01-01: a written time outside these is a sentinel or a mistake.
const EARLIEST: i64 = 86_400 * 1_000_000_000;
const LATEST: i64 = 7_258_118_400 * 1_000_000_000;

const HOUR: u64 = 3_600 * 1_000_000_000;

/// How far a row may stand behind the one before it and still belong to the same hour.
const BACKWARD: i64 = 120 * 1_000_000_000;

/// Why a time was not taken.
#[derive(Debug, PartialEq)]
pub(crate) enum StampError {
    /// A zero time or another sentinel: there is no time in this row.
    Unreal,
    /// Not a time at all.
    Unreadable(String),
}

/// Reads times of one file and remembers what it had to assume.
pub(crate) struct Clock {
    zone: TimeZone,
    previous: i64,
    /// The last time between two rows that was not nothing.
    spacing: u64,
    falling: bool,
    /// The zone was given, not assumed.
    pub zone_given: bool,
    /// Some time had no zone of its own.
    pub zoneless: bool,
    /// Some number was too small to count from 1970.
    pub relative: bool,
    /// Every written time so far was to the minute.
    pub to_the_minute: bool,
    /// How many local times existed twice or not at all.
    pub ambiguous: u64,
}

impl Clock {
    /// A clock that reads zoneless times in `zone`.
    pub fn new(zone: Option<TimeZone>) -> Self {
        Clock {
            zone_given: zone.is_some(),
            zone: zone.unwrap_or(TimeZone::UTC),
            previous: i64::MIN,
            spacing: 0,
            falling: false,
            zoneless: false,
            relative: false,
            to_the_minute: true,
            ambiguous: 0,
        }
    }

    /// The zone's name, for messages.
    pub fn zone_name(&self) -> String {
        self.zone.iana_name().unwrap_or("a fixed offset").to_owned()
    }

    /// Reads one time.
    pub fn read(&mut self, written: &[u8]) -> Result<i64, StampError> {
        let text = std::str::from_utf8(written.trim_ascii())
            .map_err(|_| unreadable(written, "is not text"))?;
        let text = text.trim_matches(['"', '[', ']', '@', '\'']).trim();
        if text.is_empty() {
            return Err(StampError::Unreadable("the time is missing".to_owned()));
        }
        let at = if text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'))
            && text.bytes().skip(1).filter(|b| *b == b'-').count() < 2
        {
            self.number(text)?
        } else {
            self.civil_or_zoned(text)?
        };
        Ok(self.followed(at))
    }

    /// Takes an instant of a typed column: nanoseconds since 1970, or since 1970 on the clock of the
    /// zone where the column has none of its own.
    pub fn typed(&mut self, nanos: i128, has_zone: bool) -> Result<i64, StampError> {
        self.to_the_minute &= nanos % 60_000_000_000 == 0;
        let stamp = jiff::Timestamp::from_nanosecond(nanos).map_err(|_| StampError::Unreal)?;
        let at = if has_zone {
            within(stamp)?
        } else {
            self.in_zone(stamp.to_zoned(TimeZone::UTC).datetime())?
        };
        Ok(self.followed(at))
    }

    /// Remembers an instant as the one before the next.
    fn followed(&mut self, at: i64) -> i64 {
        if self.previous != i64::MIN && at.abs_diff(self.previous) > BACKWARD.unsigned_abs() {
            self.falling = at < self.previous;
        }
        if self.previous != i64::MIN && at != self.previous {
            self.spacing = at.abs_diff(self.previous);
        }
        self.previous = at;
        at
    }

    /// A count since 1970; its size tells the unit.
    pub fn number(&mut self, text: &str) -> Result<i64, StampError> {
        self.to_the_minute = false;
        let at = match text.parse::<i64>() {
            Ok(whole) => scaled(i128::from(whole) * 1_000_000_000, whole.unsigned_abs() as f64),
            // Milliseconds and microseconds survive; a float of this size has no nanoseconds.
            Err(_) => match text.parse::<f64>() {
                Ok(number) if number.abs() < 1e19 => {
                    scaled((number * 1e6).round() as i128 * 1_000, number.abs())
                }
                _ => return Err(unreadable(text.as_bytes(), "is not a time")),
            },
        };
        match i64::try_from(at) {
            Ok(at) if (0..LATEST).contains(&at) => {
                self.relative |= at < EARLIEST * 365;
                Ok(at)
            }
            _ => Err(unreadable(text.as_bytes(), "is not a time between 1970 and 2200")),
        }
    }

    fn civil_or_zoned(&mut self, text: &str) -> Result<i64, StampError> {
        // `2023-02-07 10:11:12 +0100` and `… UTC`, as git and databases write them.
        let joined;
        let mut plain = text;
        if let Some(bare) = text.strip_suffix(" UTC").or_else(|| text.strip_suffix(" GMT")) {
            joined = format!("{bare}Z");
            plain = &joined;
        } else if let Some((left, offset)) = text.rsplit_once(' ')
            && offset.starts_with(['+', '-'])
        {
            joined = format!("{left}{offset}");
            plain = &joined;
        }
        let bytes = plain.as_bytes();
        self.to_the_minute &= bytes.len() <= 16 || bytes.get(17..19) == Some(b"00");
        let zoned = plain.ends_with(['Z', 'z'])
            || bytes.get(16..).is_some_and(|tail| tail.iter().any(|b| matches!(b, b'+' | b'-')));
        let stamp = if zoned {
            plain.parse::<jiff::Timestamp>().map_err(|_| not_a_time(text))?
        } else {
            let civil = plain.parse::<DateTime>().map_err(|_| not_a_time(text))?;
            return self.in_zone(civil);
        };
        within(stamp)
    }

    /// A time without zone. Where it exists twice, the one nearer to the row before it.
    fn in_zone(&mut self, civil: DateTime) -> Result<i64, StampError> {
        self.zoneless = true;
        let ambiguous = self.zone.to_ambiguous_timestamp(civil);
        if !ambiguous.is_ambiguous() {
            return within(ambiguous.compatible().map_err(|_| StampError::Unreal)?);
        }
        self.ambiguous += 1;
        let one = within(ambiguous.earlier().map_err(|_| StampError::Unreal)?)?;
        let other = within(ambiguous.later().map_err(|_| StampError::Unreal)?)?;
        // Against the direction of the rows by more than a little: it is the other one.
        let against = |at: i64| {
            let ahead = at.saturating_sub(self.previous);
            let ahead = if self.falling { -ahead } else { ahead };
            // The same time again is the same row again, or another series; or, with an hour or more
            // between rows, the next one.
            ahead < -BACKWARD || ahead == 0 && self.spacing >= HOUR
        };
        let far = |at: i64| (against(at), at.abs_diff(self.previous));
        let first = self.previous == i64::MIN;
        Ok(if first || far(one) <= far(other) { one } else { other })
    }
}

/// Nanoseconds from a number read as seconds times 10⁹, by the size of the number.
fn scaled(as_seconds: i128, size: f64) -> i128 {
    match size {
        s if s < 1e11 => as_seconds,
        s if s < 1e14 => as_seconds / 1_000,
        s if s < 1e17 => as_seconds / 1_000_000,
        _ => as_seconds / 1_000_000_000,
    }
}

fn within(stamp: jiff::Timestamp) -> Result<i64, StampError> {
    match i64::try_from(stamp.as_nanosecond()) {
        Ok(at) if (EARLIEST..LATEST).contains(&at) => Ok(at),
        _ => Err(StampError::Unreal),
    }
}

fn not_a_time(text: &str) -> StampError {
    unreadable(
        text.as_bytes(),
        "is not a time like 2024-05-01T12:00:00Z, 2024-05-01 12:00:00 or 1714564800",
    )
}

fn unreadable(text: &[u8], why: &str) -> StampError {
    StampError::Unreadable(format!("`{}` {why}", excerpt(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> f64 {
        Clock::new(None).read(text.as_bytes()).unwrap() as f64 / 1e9
    }

    #[test]
    fn the_usual_ways_to_write_a_time_agree() {
        for text in [
            "2023-11-14T22:13:20Z",
            "2023-11-14T23:13:20+01:00",
            "2023-11-14 23:13:20 +0100",
            "2023-11-14 22:13:20",
            "2023-11-14 22:13:20 UTC",
            "2023-11-14T22:13:20.000Z",
            "1700000000",
            "1700000000.000",
            "1700000000000",
            "1700000000000000000",
            "1.7e9",
        ] {
            assert_eq!(seconds(text), 1.7e9, "{text}");
        }
        assert_eq!(seconds("2023-11-14 22:13"), 1.7e9 - 20.0);
        assert_eq!(seconds("2023-11-14"), 1_699_920_000.0);
        assert_eq!(Clock::new(None).read(b"1796012943.845"), Ok(1_796_012_943_845_000_000));
    }

    #[test]
    fn sentinels_are_told_from_nonsense() {
        let read = |text: &str| Clock::new(None).read(text.as_bytes());
        assert_eq!(read("0001-01-01T00:00:00Z"), Err(StampError::Unreal));
        assert_eq!(read("1970-01-01 00:00:00"), Err(StampError::Unreal));
        for text in ["", "yesterday", "2023-13-45 00:00", "1e400", "-5", "99/99/99", "12:00"] {
            assert!(matches!(read(text), Err(StampError::Unreadable(_))), "{text}");
        }
    }

    #[test]
    fn rows_written_twice_in_the_hour_that_local_time_has_twice() {
        let read = |local: &[&str]| -> Vec<i64> {
            let mut clock = Clock::new(Some(TimeZone::get("Europe/Berlin").unwrap()));
            let minute = |t: &&str| {
                clock.read(format!("2023-10-29 {t}").as_bytes()).unwrap() / 60_000_000_000
            };
            let minutes: Vec<i64> = local.iter().map(minute).collect();
            minutes.iter().map(|minute| minute - minutes[0]).collect()
        };
        let twice =
            ["01:30", "02:00", "02:00", "02:30", "02:30", "02:00", "02:00", "02:30", "03:00"];
        assert_eq!(read(&twice), [0, 30, 30, 60, 60, 90, 90, 120, 150]);
        // A row an hour: the same time again is the next row.
        assert_eq!(read(&["00:00", "01:00", "02:00", "02:00", "03:00"]), [0, 60, 120, 180, 240]);
    }

    #[test]
    fn the_hour_that_local_time_has_twice_is_told_apart_by_order() {
        let mut clock = Clock::new(Some(TimeZone::get("Europe/Berlin").unwrap()));
        let local = ["01:45", "02:15", "02:45", "02:15", "02:45", "03:15"];
        let read: Vec<i64> = local
            .iter()
            .map(|t| clock.read(format!("2023-10-29 {t}").as_bytes()).unwrap() / 60_000_000_000)
            .collect();
        assert!(read.windows(2).all(|w| w[1] - w[0] == 30), "{read:?}");
        assert_eq!(clock.ambiguous, 4);
    }
}
