//! How large a sweep may be: bounds on what one process can hold and on what anybody would wait for.
//!
//! Every bound is known before the work begins, and its error says what to leave out.

use toml::Value;

use super::error::SweepError;
use super::spec::{OutputOptions, Point};
use crate::scenario::InputError;
use crate::scenario::document::Document;

/// The most rows that a sweep may have: points × triggers × targets. A row takes about 1.5 kB while the
/// table is made.
pub const MOST_ROWS: u128 = 3_000_000;

/// The most points of a grid. A point takes about 9 kB.
pub const MOST_POINTS: u128 = 200_000;

/// The most triggers of a point.
pub const MOST_TRIGGERS: usize = 100_000;

/// The most text that the points may hold in all, in bytes: each has a copy of the spec's lists.
const MOST_TEXT: u128 = 2 << 30;

/// The most rows of the table by replication.
const MOST_REPLICATION_ROWS: u128 = 20_000_000;

/// The longest that one thread may be busy with a sweep, in years by the estimate.
const MOST_YEARS: f64 = 100.0;

/// Checks the size of a grid of so many points before it is made.
pub(super) fn check_grid(document: &Document, points: u128) -> Result<(), InputError> {
    let number = |key: &str| document.table.get(key).and_then(Value::as_array).map_or(1, Vec::len);
    let (triggers, targets) = (number("triggers"), number("targets"));
    let text = document.text();
    let rows = points.saturating_mul(triggers as u128).saturating_mul(targets as u128);
    let way_out = "leave values out, or split the sweep";
    if rows > MOST_ROWS {
        let message = format!(
            "the grid has {points} points × {triggers} triggers × {targets} targets = {rows} rows; \
             allowed: up to {MOST_ROWS}; {way_out}"
        );
        return Err(document.error("axes", &message));
    }
    if points > MOST_POINTS {
        let message =
            format!("the grid has {points} points; allowed: up to {MOST_POINTS}; {way_out}");
        return Err(document.error("axes", &message));
    }
    let held = points.saturating_mul(text.len() as u128);
    if held > MOST_TEXT {
        let message = format!(
            "a spec of {} bytes at {points} points is {held} bytes to hold; allowed: up to {MOST_TEXT}; \
             shorten its lists, or {way_out}",
            text.len()
        );
        return Err(document.error("axes", &message));
    }
    Ok(())
}

/// Checks the size of the table by replication, where it is asked for.
pub(super) fn check_replications(
    document: &Document,
    points: &[Point],
    output: &OutputOptions,
) -> Result<(), InputError> {
    let rows = |point: &Point| {
        let scenario = &point.scenario;
        u128::from(scenario.run.replications).saturating_mul(scenario.triggers.len() as u128)
    };
    let rows = points.iter().map(rows).fold(0_u128, u128::saturating_add);
    if !output.replications || rows <= MOST_REPLICATION_ROWS {
        return Ok(());
    }
    let message = format!(
        "one row for each trigger and replication is {rows} rows; allowed: up to \
         {MOST_REPLICATION_ROWS}; ask for fewer replications, or leave this out"
    );
    Err(document.error("output.replications", &message))
}

/// Checks that the estimated work, in nanoseconds of one thread, ends in somebody's lifetime.
pub(super) fn check_cost(cost_ns: f64) -> Result<(), SweepError> {
    let years = cost_ns / 1e9 / (365.25 * 86_400.0);
    if years <= MOST_YEARS { Ok(()) } else { Err(SweepError::TooLong { years, most: MOST_YEARS }) }
}
