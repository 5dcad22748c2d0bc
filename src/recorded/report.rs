//! What a recording turned out to be: counts, spacings, what was mapped, mended or missing.
//!
//! Plain data and its wording; the figures are computed where the history is put together.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};

use super::error::Place;
use super::format::{Format, GapMeaning};
use crate::time::Span;

/// The history report of one recorded series.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The format it was read as.
    pub format: Format,
    /// The series.
    pub series: String,
    /// First and last instant of the recording.
    pub from: jiff::Timestamp,
    /// End of the recording: one interval after its last check.
    pub to: jiff::Timestamp,
    /// Due checks that are known: healthy, unhealthy and absent ones.
    pub checks: u64,
    /// Recorded healthy checks.
    pub healthy: u64,
    /// Recorded unhealthy checks.
    pub unhealthy: u64,
    /// Checks that were due and never arrived: recorded as such, or missing within a gap.
    pub absent: u64,
    /// Recorded checks that say nothing (maintenance, paused): left out of the exposure.
    pub unknown: u64,
    /// Checks written between the records of a log of changes, where the last state held.
    pub filled: u64,
    /// What silence was taken for.
    pub gap_meaning: GapMeaning,
    /// The interval at which missing checks were counted, seconds.
    pub interval_s: f64,
    /// Median spacing of the recorded checks, seconds.
    pub interval_median_s: f64,
    /// A tenth of the spacings are at most this, seconds.
    pub interval_p10_s: f64,
    /// Nine tenths of the spacings are at most this, seconds.
    pub interval_p90_s: f64,
    /// Longest spacing of recorded checks, seconds.
    pub longest_gap_s: f64,
    /// Rows dropped because another row had the same instant.
    pub duplicates: u64,
    /// Rows that stood before an earlier one.
    pub out_of_order: u64,
    /// Times the recording's clock was set back or ahead, mended.
    pub clock_steps: u64,
    /// Stretches in which checks are missing and were counted as absent (or as the last state).
    pub gaps: u64,
    /// Stretches of which nothing is known.
    pub holes: u64,
    /// Length of the holes together, seconds.
    pub holes_s: f64,
    /// Runs of unhealthy checks, absent ones between two unhealthy ones included.
    pub down_runs: u64,
    /// Down runs whose end was not seen: the recording or a hole cut them off.
    pub right_censored: u64,
    /// Down runs whose start was not seen.
    pub left_truncated: u64,
    /// States that are neither plainly up nor down, as they were taken, with their counts.
    pub mapped_states: BTreeMap<String, u64>,
    /// Share of the known time that was down. A check stands until the next one.
    pub unavailability: f64,
    /// Share of the recorded checks that were unhealthy, for comparison.
    pub unavailability_by_count: f64,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
}

/// Something in a recording that changes how far its figures can be trusted.
#[derive(Clone, Debug, PartialEq)]
pub enum Warning {
    /// Times carry no zone.
    NoZone {
        /// The zone they were read in.
        zone: String,
    },
    /// Local times that exist twice or not at all, where the clock changed.
    ClockChange {
        /// How many rows.
        rows: u64,
    },
    /// Times are counts from an unknown start.
    RelativeTimes,
    /// Rows without a real time (zero times of a programming language, the epoch).
    UnrealTimes {
        /// How many rows.
        rows: u64,
        /// The first of them.
        first: Place,
        /// What stood there.
        found: String,
    },
    /// Rows that could not be read and were skipped.
    Unreadable {
        /// How many rows.
        rows: u64,
        /// The first of them.
        first: Place,
        /// What stood there.
        found: String,
    },
    /// The same instant with different outcomes.
    Conflicting {
        /// How many instants.
        rows: u64,
        /// The first of them.
        first: Place,
    },
    /// Rows stood in another order than their times.
    OutOfOrder {
        /// How many rows.
        rows: u64,
        /// The first of them.
        first: Place,
    },
    /// The clock was set back or ahead.
    ClockStep {
        /// Where.
        place: Place,
        /// By how much; negative for back.
        by: Span,
    },
    /// More clock steps than are listed.
    MoreClockSteps {
        /// How many more.
        more: u64,
    },
    /// No row is in any of the states that the user called down.
    NoneDown {
        /// Those states.
        asked: String,
        /// The states that were found.
        present: String,
    },
    /// The interval that the user states is not that of the recording.
    OtherInterval {
        /// The stated one.
        stated: Span,
        /// The median spacing.
        found: Span,
    },
    /// A stretch of which nothing is known.
    Hole {
        /// The row after it.
        place: Place,
        /// How long.
        length: Span,
    },
    /// More holes than are listed.
    MoreHoles {
        /// How many more.
        more: u64,
    },
    /// Failing checks were logged after their time-out.
    LoggedAfterTimeout {
        /// The time-out, as the spacings show it.
        timeout: Span,
        /// How many checks were moved to the instant they were sent.
        rows: u64,
    },
    /// Values of a range query: evaluation steps, not scrapes.
    EvaluationSteps {
        /// The step.
        step: Span,
    },
    /// A log of changes was filled with its last state.
    ChangesOnly {
        /// The interval of the filling.
        interval: Span,
    },
    /// Series left out because their values are not two states.
    NotTwoStates {
        /// How many.
        series: u64,
        /// The first of them.
        first: String,
    },
    /// Other metrics left out.
    OtherMetrics {
        /// How many series.
        series: u64,
        /// The metric that was read.
        kept: String,
    },
    /// The last down run never recovers.
    NeverRecovers {
        /// How long it lasted.
        length: Span,
    },
    /// The recording begins inside a down run.
    BeginsDown,
    /// Checks are logged to the minute only.
    MinuteResolution,
    /// Anything a single format has to say.
    Note(String),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::NoZone { zone } => {
                write!(
                    f,
                    "times carry no zone and were read as {zone}: give --time-zone if they are local"
                )
            }
            Warning::ClockChange { rows } => write!(
                f,
                "{} in an hour that local time has twice or not at all: their order decided, or they were moved",
                counted(*rows, "row")
            ),
            Warning::RelativeTimes => {
                f.write_str("times are counts from an unknown start, taken as seconds")
            }
            Warning::UnrealTimes { rows, first, found } => {
                write!(
                    f,
                    "{} left out, without a real time, first at {first} (`{found}`)",
                    counted(*rows, "row")
                )
            }
            Warning::Unreadable { rows, first, found } => {
                write!(
                    f,
                    "{} left out that could not be read, first at {first}: {found}",
                    counted(*rows, "row")
                )
            }
            Warning::Conflicting { rows, first } => write!(
                f,
                "{} with both a passing and a failing check, first at {first}: the failing one was kept",
                counted(*rows, "instant")
            ),
            Warning::OutOfOrder { rows, first } => {
                write!(
                    f,
                    "{} stood before an earlier one, first at {first}: sorted by time",
                    counted(*rows, "row")
                )
            }
            Warning::ClockStep { place, by } => {
                let (way, size) = if by.is_positive() { ("ahead", *by) } else { ("back", -*by) };
                write!(
                    f,
                    "the clock was set {way} by {size} at {place}: times were mended, no outage was made of it"
                )?;
                if size == Span::from_secs(3_600) {
                    f.write_str("; one hour may be local time: give --time-zone")?;
                }
                Ok(())
            }
            Warning::MoreClockSteps { more } => {
                write!(f, "and {}", counted(*more, "more clock step"))
            }
            Warning::NoneDown { asked, present } => write!(
                f,
                "no row has {asked}; the states are {present}: name those that are down with \
                 --down-values"
            ),
            Warning::OtherInterval { stated, found } => write!(
                f,
                "--interval {stated} was given, but the checks are {found} apart: what is missing \
                 was counted by the given one; leave it out to go by the recording"
            ),
            Warning::Hole { place, length } => write!(
                f,
                "nothing is known of the {} before {place} (a hole, or a clock set ahead): left out of the exposure",
                rounded(*length)
            ),
            Warning::MoreHoles { more } => write!(f, "and {}", counted(*more, "shorter hole")),
            Warning::LoggedAfterTimeout { timeout, rows } => write!(
                f,
                "failing checks were logged {timeout} after they were sent (a time-out), and moved back ({rows}); count by time, not by rows"
            ),
            Warning::EvaluationSteps { step } => write!(
                f,
                "values of a range query, one each {step}: times are evaluation steps, and the last value is repeated for \
                 five minutes after samples stop, which hides gaps; prefer raw samples (an instant query on the series with a \
                 range in brackets, or --prometheus)"
            ),
            Warning::ChangesOnly { interval } => write!(
                f,
                "a log of changes: silence means the last state, written every {interval}; give --interval for the real one"
            ),
            Warning::NotTwoStates { series, first } => {
                write!(
                    f,
                    "{series} series left out whose values are not two states, first `{first}`"
                )
            }
            Warning::OtherMetrics { series, kept } => {
                write!(
                    f,
                    "{series} series of other metrics left out beside {kept}: choose with --series"
                )
            }
            Warning::NeverRecovers { length } => write!(
                f,
                "the last down run ({length}) has not ended when the recording does: it is right-censored, or the target was retired"
            ),
            Warning::BeginsDown => {
                f.write_str("the recording begins inside a down run: its start was not seen")
            }
            Warning::MinuteResolution => {
                f.write_str("times are to the minute: shorter blips and their order are not seen")
            }
            Warning::Note(text) => f.write_str(text),
        }
    }
}

/// `1 row`, `2 rows`.
pub(super) fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// To the second where it is minutes.
fn rounded(length: Span) -> Span {
    if length < Span::from_secs(60) {
        length
    } else {
        Span::from_secs(length.as_nanos() / 1_000_000_000)
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
