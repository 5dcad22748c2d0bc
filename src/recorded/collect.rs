//! Collects the samples of a file, by series, with everything that was noticed on the way.
//!
//! Format readers push into a [`Collector`]; it knows nothing of formats and makes no history.

use std::collections::BTreeMap;

use super::error::{Place, ReadError, excerpt, nearest};
use super::format::Format;
use super::report::Warning;
use super::source::Source;
use super::stamp::{Clock, StampError};
use super::state::{Judge, Outcome, STATES, Verdict};
use super::{Options, SeriesChoice};

/// More series than this are a wrong column, not a recording.
const MOST_SERIES: usize = 100_000;

/// What helps where times cannot be read.
pub(crate) const TIMES: &str = "mend the row, or name the column of times with --time-column";

/// What helps where a row is shorter than the header.
pub(crate) const COLUMNS: &str = "every row has the columns of the first line: mend the row; a \
     quotation mark that is never closed swallows the lines after it";

/// What helps where a sample holds no number.
pub(crate) const VALUES: &str = "a sample is a number and a time: mend it, or export it again";

/// One recorded check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// Nanoseconds since 1970.
    pub at: i64,
    /// The line, row or sample it came from.
    pub row: u32,
    /// What it says.
    pub outcome: Outcome,
}

/// The samples of one series, in the order of the file.
#[derive(Default)]
pub(crate) struct Series {
    pub name: String,
    pub samples: Vec<Sample>,
    pub mapped: BTreeMap<String, u64>,
    pub warnings: Vec<Warning>,
    /// Clock steps that the format's reader mended itself.
    pub clock_steps: u64,
    /// The first value that is neither of two states, where values are numbers of a metric.
    pub not_two_states: Option<String>,
}

/// Rows of one kind that were skipped.
#[derive(Default)]
struct Skipped {
    rows: u64,
    first: Option<(Place, String, &'static str)>,
}

impl Skipped {
    fn add(&mut self, place: Place, way_out: &'static str, found: impl FnOnce() -> String) {
        self.rows += 1;
        if self.first.is_none() {
            self.first = Some((place, found(), way_out));
        }
    }
}

/// Takes what a format reader finds.
pub(crate) struct Collector {
    pub format: Format,
    pub clock: Clock,
    pub judge: Judge,
    pub warnings: Vec<Warning>,
    unit: &'static str,
    series: Vec<Series>,
    index: BTreeMap<String, usize>,
    last: usize,
    rows: u64,
    unreadable: Skipped,
    unreal: Skipped,
}

impl Collector {
    /// An empty collector for a format.
    pub fn new(format: Format, options: &Options) -> Self {
        Collector {
            format,
            clock: Clock::new(options.time_zone.clone()),
            judge: Judge::new(format, options),
            warnings: Vec::new(),
            unit: format.place_unit(),
            series: Vec::new(),
            index: BTreeMap::new(),
            last: 0,
            rows: 0,
            unreadable: Skipped::default(),
            unreal: Skipped::default(),
        }
    }

    /// Where row `number` is.
    pub fn place(&self, number: u64) -> Place {
        Place { unit: self.unit, number }
    }

    /// The series of this name, made if it is new.
    pub fn series(&mut self, name: &str) -> Result<usize, ReadError> {
        if self.series.get(self.last).is_some_and(|series| series.name == name) {
            return Ok(self.last);
        }
        if let Some(found) = self.index.get(name) {
            self.last = *found;
            return Ok(self.last);
        }
        if self.series.len() >= MOST_SERIES {
            return Err(ReadError::TooMuch {
                file: "the recording".to_owned(),
                what: format!("more than {MOST_SERIES} series"),
                remedy: "is the series column the right one? name it with --series-column",
            });
        }
        self.last = self.series.len();
        self.index.insert(name.to_owned(), self.last);
        self.series.push(Series { name: name.to_owned(), ..Series::default() });
        Ok(self.last)
    }

    /// A series by its place.
    pub fn series_mut(&mut self, series: usize) -> Option<&mut Series> {
        self.series.get_mut(series)
    }

    /// Gives a series up; returns how many were (one, or none if there is none of this name).
    pub fn drop_series(&mut self, name: &str) -> u64 {
        let Some(series) = self.index.get(name).and_then(|at| self.series.get_mut(*at)) else {
            return 0;
        };
        series.samples = Vec::new();
        series.not_two_states = None;
        1
    }

    /// Adds a check.
    pub fn push(&mut self, series: usize, at: i64, row: u64, verdict: Verdict) {
        self.rows += 1;
        let Some(series) = self.series.get_mut(series) else { return };
        if let Some(mapped) = verdict.mapped {
            *series.mapped.entry(mapped).or_default() += 1;
        }
        if let Some(outcome) = verdict.outcome {
            let row = u32::try_from(row).unwrap_or(u32::MAX);
            series.samples.push(Sample { at, row, outcome });
        }
    }

    /// Adds the number of a metric. A series whose values are not two states is given up.
    pub fn push_number(&mut self, series: usize, at: i64, row: u64, number: f64) {
        if self.series.get(series).is_none_or(|series| series.not_two_states.is_some()) {
            return;
        }
        match self.judge.number(number) {
            Ok(verdict) => self.push(series, at, row, verdict),
            Err(found) => {
                if let Some(series) = self.series.get_mut(series) {
                    series.not_two_states = Some(found);
                    series.samples = Vec::new();
                }
            }
        }
    }

    /// Adds a row of text: a time and a state. Rows that cannot be read are skipped and counted.
    pub fn push_text(
        &mut self,
        series: &str,
        at: &[u8],
        state: &[u8],
        row: u64,
    ) -> Result<(), ReadError> {
        let Some(at) = self.time(at, row) else { return Ok(()) };
        self.push_state(series, at, state, row)
    }

    /// Adds a row whose time is known.
    pub fn push_state(
        &mut self,
        series: &str,
        at: i64,
        state: &[u8],
        row: u64,
    ) -> Result<(), ReadError> {
        match self.judge.text(state) {
            Ok(verdict) => {
                let series = self.series(series)?;
                self.push(series, at, row, verdict);
            }
            Err(found) => self.unreadable(row, STATES, || format!("the state `{found}`")),
        }
        Ok(())
    }

    /// Reads a time; `None` when the row has to be skipped, which is counted.
    pub fn time(&mut self, written: &[u8], row: u64) -> Option<i64> {
        let read = self.clock.read(written);
        self.real(read, row, || excerpt(written))
    }

    /// The same for the nanoseconds of a typed column.
    pub fn typed_time(&mut self, nanos: Option<i128>, has_zone: bool, row: u64) -> Option<i64> {
        let Some(nanos) = nanos else {
            self.unreadable(row, TIMES, || "the time is missing".to_owned());
            return None;
        };
        let read = self.clock.typed(nanos, has_zone);
        let written = || jiff::Timestamp::from_nanosecond(nanos).map(|at| at.to_string());
        self.real(read, row, || written().unwrap_or_else(|_| format!("{nanos} ns since 1970")))
    }

    fn real(
        &mut self,
        read: Result<i64, StampError>,
        row: u64,
        written: impl FnOnce() -> String,
    ) -> Option<i64> {
        match read {
            Ok(at) => Some(at),
            Err(StampError::Unreal) => {
                self.rows += 1;
                let place = self.place(row);
                self.unreal.add(place, TIMES, written);
                None
            }
            Err(StampError::Unreadable(why)) => {
                self.unreadable(row, TIMES, || why);
                None
            }
        }
    }

    /// Counts a row that cannot be read. `way_out`: what is allowed there, and what helps.
    pub fn unreadable(&mut self, row: u64, way_out: &'static str, found: impl FnOnce() -> String) {
        self.rows += 1;
        let place = self.place(row);
        self.unreadable.add(place, way_out, found);
    }

    /// Counts a row that was read into something else than a check.
    pub fn count_row(&mut self) {
        self.rows += 1;
    }

    /// Ends a collection that is not about series of checks.
    pub fn finish_without_series(mut self, source: &str) -> Result<Vec<Warning>, ReadError> {
        self.check_skipped(source)?;
        self.note_times();
        Ok(self.warnings)
    }

    /// Ends the collection: every series with a check in it, and what is to be said of all of them.
    pub fn finish(mut self, source: &str) -> Result<(Vec<Series>, Vec<Warning>), ReadError> {
        if let Some(found) = self.judge.no_number() {
            return Err(ReadError::NotNumbers { file: source.to_owned(), found: found.to_owned() });
        }
        self.check_skipped(source)?;
        let mut series = std::mem::take(&mut self.series);
        let gone = series.iter().filter(|series| series.not_two_states.is_some()).count() as u64;
        if let Some(first) = series.iter().find(|series| series.not_two_states.is_some()) {
            if gone as usize == series.len() {
                return Err(ReadError::NotTwoStates {
                    file: source.to_owned(),
                    found: first.not_two_states.clone().unwrap_or_default(),
                    what: format!("series `{}`", first.name),
                });
            }
            let first = first.name.clone();
            self.warnings.push(Warning::NotTwoStates { series: gone, first });
        }
        series.retain(|series| !series.samples.is_empty());
        if series.is_empty() {
            return Err(ReadError::NoChecks {
                file: source.to_owned(),
                format: self.format.to_string(),
                why: self.nothing(),
            });
        }
        if let Some((asked, present)) = self.judge.none_down() {
            self.warnings.push(Warning::NoneDown { asked, present });
        }
        self.note_times();
        Ok((series, self.warnings))
    }

    /// A few broken rows are skipped with a warning; more mean that the file is something else.
    fn check_skipped(&mut self, source: &str) -> Result<(), ReadError> {
        if let Some((first, found, _)) = self.unreal.first.take() {
            self.warnings.push(Warning::UnrealTimes { rows: self.unreal.rows, first, found });
        }
        let Some((first, found, way_out)) = self.unreadable.first.take() else { return Ok(()) };
        if self.unreadable.rows > 1 + self.rows / 100 || self.unreadable.rows == self.rows {
            return Err(ReadError::Row {
                file: source.to_owned(),
                place: first,
                found,
                allowed: way_out.to_owned(),
            });
        }
        self.warnings.push(Warning::Unreadable { rows: self.unreadable.rows, first, found });
        Ok(())
    }

    fn nothing(&self) -> String {
        let said: Vec<String> = self.warnings.iter().map(|warning| warning.to_string()).collect();
        if said.is_empty() { "no row has a time and a state".to_owned() } else { said.join("; ") }
    }

    fn note_times(&mut self) {
        if self.clock.zoneless && !self.clock.zone_given && !self.format.utc_by_contract() {
            self.warnings.push(Warning::NoZone { zone: self.clock.zone_name() });
        }
        if self.clock.ambiguous > 0 {
            self.warnings.push(Warning::ClockChange { rows: self.clock.ambiguous });
        }
        if self.clock.relative {
            self.warnings.push(Warning::RelativeTimes);
        }
    }
}

/// The places of the series that are wanted, in the order in which they are.
pub(crate) fn chosen(
    source: &str,
    present: &[&str],
    choice: &SeriesChoice,
) -> Result<Vec<usize>, ReadError> {
    let SeriesChoice::Named(wanted) = choice else { return Ok((0..present.len()).collect()) };
    let place = |name: &String| {
        let exact = present.iter().position(|series| series == name);
        let mut within = (0..present.len()).filter(|i| present[*i].contains(name.as_str()));
        let only = within.next().filter(|_| within.next().is_none());
        exact.or(only).ok_or_else(|| ReadError::UnknownSeries {
            file: source.to_owned(),
            found: name.clone(),
            nearest: nearest(name, present.iter().copied()),
            present: super::error::listing(present.iter().copied()),
        })
    };
    wanted.iter().map(place).collect()
}

/// Keeps `source`'s name in errors made where no file is at hand.
pub(crate) fn named(error: ReadError, source: &Source) -> ReadError {
    match error {
        ReadError::TooMuch { what, remedy, .. } => {
            ReadError::TooMuch { file: source.name(), what, remedy }
        }
        other => other,
    }
}
