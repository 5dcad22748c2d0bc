//! Down intervals, a start and an end a row: outage lists and incident traces.
//!
//! Each interval becomes a failing check at its start and a passing one at its end; overlapping
//! intervals of one series are merged. An end that is missing (or marked as censored) stays open.

use std::collections::BTreeMap;

use super::Options;
use super::collect::Collector;
use super::columns::Header;
use super::error::{Place, ReadError};
use super::report::Warning;
use super::source::Source;
use super::state::{Outcome, Verdict};
use super::table::{self, Rows};

/// One interval.
#[derive(Clone, Debug)]
pub(crate) struct Interval {
    pub series: String,
    pub start: i64,
    /// `None`: its end was not seen.
    pub end: Option<i64>,
    /// The last instant it was known to last, where the end was not seen but one is given.
    pub seen_until: Option<i64>,
    pub row: u64,
}

/// What was left out of an interval file.
#[derive(Default)]
struct Refused {
    negative: u64,
    first_negative: Option<Place>,
    /// Ends at its start: nothing was down.
    empty: u64,
}

/// Reads the rows of an interval file; rows that end before they begin are counted and left out.
pub(crate) fn rows(
    source: &Source,
    options: &Options,
    into: &mut Collector,
) -> Result<Vec<Interval>, ReadError> {
    let header = Header::of(source.text_head());
    let file = source.name();
    let Some((start, end)) = header.interval() else {
        header.choose(None, None, "start and end", "start_time and end_time", &file)?;
        return Ok(Vec::new());
    };
    let series = match &options.series_column {
        asked @ Some(_) => {
            Some(header.choose(asked.as_ref(), None, "series", "--series-column", &file)?)
        }
        None => header.series(),
    };
    let parts = Parts { start, end, series, event: header.event() };
    let mut rows = table::rows(source, &header)?;
    let mut refused = Refused::default();
    let mut found = Vec::new();
    while let Some(interval) = parts.next(&mut rows, into, &mut refused)? {
        found.push(interval);
    }
    if let Some(first) = &refused.first_negative {
        into.warnings.push(Warning::Note(format!(
            "{} intervals end before they begin and were left out, first at {first}",
            refused.negative
        )));
    }
    if refused.empty > 0 {
        into.warnings.push(Warning::Note(format!(
            "{} intervals have no length and were left out",
            refused.empty
        )));
    }
    Ok(found)
}

struct Parts {
    start: usize,
    end: usize,
    series: Option<usize>,
    event: Option<(usize, bool)>,
}

impl Parts {
    fn next<R: std::io::Read>(
        &self,
        rows: &mut Rows<R>,
        into: &mut Collector,
        refused: &mut Refused,
    ) -> Result<Option<Interval>, ReadError> {
        while let Some((row, record)) = rows.next()? {
            let cell = |column: usize| record.get(column).unwrap_or_default().trim_ascii();
            if record.iter().all(|cell| cell.trim_ascii().is_empty()) {
                continue;
            }
            let Some(start) = into.time(cell(self.start), row) else { continue };
            let open = matches!(cell(self.end), b"" | b"null" | b"NaN" | b"None" | b"-");
            let end = if open { None } else { into.time(cell(self.end), row) };
            if end.is_none() && !open {
                continue;
            }
            let censored = self.event.is_some_and(|(column, one_is_seen)| {
                let one = matches!(cell(column), b"1" | b"1.0" | b"true" | b"True" | b"TRUE");
                one != one_is_seen
            });
            if end.is_some_and(|end| end < start) {
                refused.negative += 1;
                refused.first_negative.get_or_insert(into.place(row));
                continue;
            }
            if end == Some(start) && !censored {
                refused.empty += 1;
                continue;
            }
            let series = self.series.map_or("intervals".into(), |column| {
                String::from_utf8_lossy(cell(column)).into_owned()
            });
            let seen_until = end.filter(|_| censored);
            let end = end.filter(|_| !censored);
            return Ok(Some(Interval { series, start, end, seen_until, row }));
        }
        Ok(None)
    }
}

/// Reads an interval file as a history.
pub(crate) fn read(
    source: &Source,
    options: &Options,
    into: &mut Collector,
) -> Result<(), ReadError> {
    let found = rows(source, options, into)?;
    let mut by_series: BTreeMap<String, Vec<Interval>> = BTreeMap::new();
    for interval in found {
        by_series.entry(interval.series.clone()).or_default().push(interval);
    }
    let mut merged = 0;
    for (name, mut intervals) in by_series {
        intervals.sort_by_key(|interval| (interval.start, interval.row));
        merged += push_series(into, &name, &intervals)?;
    }
    if merged > 0 {
        into.warnings.push(Warning::Note(format!(
            "{merged} intervals overlap an earlier one of their series and were merged with it"
        )));
    }
    into.warnings.push(Warning::Note(
        "a list of down intervals: the time between them is taken as healthy, and nothing is \
         known before the first and after the last"
            .to_owned(),
    ));
    Ok(())
}

/// Writes one series as changes; returns how many intervals were merged into another.
fn push_series(into: &mut Collector, name: &str, intervals: &[Interval]) -> Result<u64, ReadError> {
    const BEFORE: i64 = 60 * 1_000_000_000;
    let series = into.series(name)?;
    let mut merged = 0;
    let mut open: Option<(i64, Option<i64>, u64)> = None;
    let mut first = true;
    let mut close = |into: &mut Collector, (start, end, row): (i64, Option<i64>, u64)| {
        // The first interval's start was seen too: something was healthy just before it.
        if std::mem::take(&mut first) {
            into.push(series, start - BEFORE, row, Verdict::plain(Outcome::Healthy));
        }
        into.push(series, start, row, Verdict::plain(Outcome::Unhealthy));
        if let Some(end) = end {
            into.push(series, end, row, Verdict::plain(Outcome::Healthy));
        }
    };
    for interval in intervals {
        match &mut open {
            Some((_, end, _)) if end.is_none_or(|end| interval.start <= end) => {
                merged += 1;
                *end = match (*end, interval.end) {
                    (Some(one), Some(other)) => Some(one.max(other)),
                    _ => None,
                };
            }
            _ => {
                if let Some(done) = open.take() {
                    close(into, done);
                }
                open = Some((interval.start, interval.end, interval.row));
            }
        }
    }
    if let Some(last) = open {
        close(into, last);
        let until = intervals.iter().filter_map(|i| i.seen_until.or(i.end)).max();
        if let (None, Some(until)) = (last.1, until)
            && until > last.0
        {
            into.push(series, until, last.2, Verdict::plain(Outcome::Unhealthy));
        }
    }
    Ok(merged)
}
