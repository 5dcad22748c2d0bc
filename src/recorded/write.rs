//! Writes a history as plain CSV that the importer reads back check for check: `time,status`, with
//! times in RFC 3339 UTC and the states `healthy`, `unhealthy`, `absent` and `unknown`.

use std::io::Write;

use super::error::ReadError;
use crate::history::{Check, Due, History};

/// Writes every due probe of a history; instant 0 is at `epoch`.
///
/// # Errors
/// When the writer fails, or an instant lies beyond the calendar.
pub fn write_csv(
    history: &History,
    epoch: jiff::Timestamp,
    out: &mut impl Write,
) -> Result<(), ReadError> {
    let io = |source| ReadError::Io { file: "the CSV".to_owned(), source };
    writeln!(out, "time,status").map_err(io)?;
    let listed = match &history.due {
        Due::Listed(instants) => instants.len() as u64,
        grid => grid.count_before(history.end),
    };
    let mut next = 0;
    for spell in &history.spells {
        let state = match spell.check {
            Check::Healthy => "healthy",
            Check::Unhealthy => "unhealthy",
            Check::Absent => "absent",
        };
        rows(history, epoch, next..spell.first, "unknown", out)?;
        rows(history, epoch, spell.first..spell.end(), state, out)?;
        next = spell.end();
    }
    rows(history, epoch, next..listed.max(next), "unknown", out)
}

fn rows(
    history: &History,
    epoch: jiff::Timestamp,
    probes: std::ops::Range<u64>,
    state: &str,
    out: &mut impl Write,
) -> Result<(), ReadError> {
    let io = |source| ReadError::Io { file: "the CSV".to_owned(), source };
    for probe in probes {
        let since = history.due.at(probe).as_nanos();
        let stamp = epoch
            .checked_add(jiff::SignedDuration::from_nanos(since))
            .map_err(|why| io(std::io::Error::other(why.to_string())))?;
        writeln!(out, "{stamp},{state}").map_err(io)?;
    }
    Ok(())
}
