//! Puts a history together: ordered samples in, spells over listed instants and a report out.
//!
//! Missing checks become absent ones, holes or the last state, as the recording's silence means.

use std::cell::Cell;

use jiff::Timestamp;

use super::cadence::{Cadence, interval_of_changes, late_logging, move_to_sending};
use super::collect::{Sample, Series, chosen};
use super::error::{Place, ReadError};
use super::format::{Format, GapMeaning};
use super::order::{Ordered, put_in_order};
use super::report::{Report, Warning};
use super::state::Outcome;
use super::{Options, Recording, judgement};
use crate::history::{Builder, Check, Due, History};
use crate::time::{LONGEST, Span, Time};

/// Checks that may be written for silence, over all series of a file.
const MOST_FILLED: i64 = 50_000_000;

/// Holes that are named one by one.
const NAMED_HOLES: usize = 5;

/// Logs of changes are filled every five minutes if nothing better is known, and down intervals
/// every minute (their edges are kept exactly).
const CHANGE_INTERVAL: i64 = 300 * 1_000_000_000;
const EDGE_INTERVAL: i64 = 60 * 1_000_000_000;

/// Makes the recordings of the wanted series of a file. All of them tell the interval of its checks.
pub(crate) fn assemble(
    file: &str,
    format: Format,
    series: Vec<Series>,
    shared: &[Warning],
    options: &Options,
) -> Result<Vec<Recording>, ReadError> {
    let meaning = options.gap.unwrap_or(format.gap());
    let mut ordered: Vec<(Series, Ordered)> = Vec::with_capacity(series.len());
    for mut one in series {
        let samples = std::mem::take(&mut one.samples);
        ordered.push((one, put_in_order(samples, format.rows_in_time())));
    }
    let interval = match options.interval {
        Some(interval) => Some(interval.as_nanos()),
        None if meaning == GapMeaning::LastState => match format {
            Format::Intervals => Some(EDGE_INTERVAL),
            Format::UpptimeCsv | Format::UpptimeLog => Some(
                interval_of_changes(ordered.iter().map(|(_, ordered)| ordered.samples.as_slice()))
                    .map_or(CHANGE_INTERVAL, |found| {
                        found.clamp(EDGE_INTERVAL, 12 * CHANGE_INTERVAL)
                    }),
            ),
            _ => None,
        },
        None => None,
    };
    let job = Job { file, format, meaning, interval, options, filled: Cell::new(0) };
    let names: Vec<&str> = ordered.iter().map(|(series, _)| series.name.as_str()).collect();
    let wanted = chosen(file, &names, &options.series)?;
    let mut ordered: Vec<Option<(Series, Ordered)>> = ordered.into_iter().map(Some).collect();
    let wanted = wanted.into_iter().filter_map(|place| ordered[place].take());
    wanted.map(|(series, ordered)| job.recording(series, ordered, shared)).collect()
}

/// What is the same for every series of a file.
struct Job<'a> {
    file: &'a str,
    format: Format,
    meaning: GapMeaning,
    interval: Option<i64>,
    options: &'a Options,
    /// Checks written for silence so far.
    filled: Cell<i64>,
}

/// The history while it is laid out.
#[derive(Default)]
struct Layout {
    instants: Vec<Time>,
    spells: Builder,
    absent: u64,
    filled: u64,
    gaps: u64,
    holes: u64,
    hole_length: Span,
    /// The longest holes and the rows after them.
    longest: Vec<(Span, u32)>,
}

impl Layout {
    fn add(&mut self, at: i64, check: Option<Check>) {
        let probe = self.instants.len() as u64;
        self.instants.push(Time::from_nanos(at));
        if let Some(check) = check {
            self.spells.add(probe, probe + 1, check);
        }
    }
}

fn check(outcome: Outcome) -> Option<Check> {
    match outcome {
        Outcome::Healthy => Some(Check::Healthy),
        Outcome::Unhealthy => Some(Check::Unhealthy),
        Outcome::Absent => Some(Check::Absent),
        Outcome::Unknown => None,
    }
}

impl Job<'_> {
    fn recording(
        &self,
        series: Series,
        mut ordered: Ordered,
        shared: &[Warning],
    ) -> Result<Recording, ReadError> {
        let mut warnings = shared.to_vec();
        warnings.extend(series.warnings.iter().cloned());
        self.note_order(&ordered, &mut warnings);
        let mut samples = std::mem::take(&mut ordered.samples);
        if self.meaning == GapMeaning::Absent
            && let Some(late) = late_logging(&samples)
        {
            let rows = move_to_sending(&mut samples, late);
            let timeout = Span::from_nanos(late.timeout);
            warnings.push(Warning::LoggedAfterTimeout { timeout, rows });
        }
        let origin = samples.first().map_or(0, |sample| sample.at);
        let last = samples.last().map_or(0, |sample| sample.at);
        if last.saturating_sub(origin) > LONGEST.as_nanos() {
            return Err(self.too_much("a recording of more than a hundred years"));
        }
        let cadence = Cadence::of(&samples, self.interval);
        let mut layout = self.lay_out(&samples, origin, &cadence)?;
        layout.longest.sort_by_key(|(_, row)| *row);
        for (length, row) in &layout.longest {
            warnings.push(Warning::Hole { place: self.place(*row), length: *length });
        }
        if layout.holes > NAMED_HOLES as u64 {
            let more = layout.holes - NAMED_HOLES as u64;
            warnings.push(Warning::MoreHoles { more });
        }
        if let Some(stated) = self.options.interval
            && self.meaning != GapMeaning::LastState
            && cadence.contradicts(stated.as_nanos(), samples.len())
        {
            let found = Span::from_nanos(cadence.p50);
            warnings.push(Warning::OtherInterval { stated, found });
        }
        if self.meaning == GapMeaning::LastState {
            let interval = Span::from_nanos(cadence.overall.median);
            warnings.push(Warning::ChangesOnly { interval });
        }
        let history = History {
            due: Due::Listed(layout.instants.into()),
            spells: layout.spells.finish(),
            restarts: Vec::new(),
            faults: Vec::new(),
            end: Time::from_nanos(last - origin) + Span::from_nanos(cadence.overall.median),
        };
        let judged = judgement::judge(&history, &mut warnings);
        let counted =
            |outcome| samples.iter().filter(|sample| sample.outcome == outcome).count() as u64;
        let (healthy, unhealthy) = (counted(Outcome::Healthy), counted(Outcome::Unhealthy));
        let absent = counted(Outcome::Absent) + layout.absent;
        let seconds = |nanos: i64| Span::from_nanos(nanos).as_secs_f64();
        let report = Report {
            format: self.format,
            series: series.name.clone(),
            from: self.instant(origin)?,
            to: self.instant(origin.saturating_add(history.end.as_nanos()))?,
            checks: healthy + unhealthy + absent,
            healthy,
            unhealthy,
            absent,
            unknown: counted(Outcome::Unknown),
            filled: layout.filled,
            gap_meaning: self.meaning,
            interval_s: seconds(cadence.overall.median),
            interval_median_s: seconds(cadence.p50),
            interval_p10_s: seconds(cadence.p10),
            interval_p90_s: seconds(cadence.p90),
            longest_gap_s: seconds(
                samples.windows(2).map(|w| w[1].at - w[0].at).max().unwrap_or(0),
            ),
            duplicates: ordered.duplicates,
            out_of_order: ordered.out_of_order,
            clock_steps: ordered.steps.len() as u64 + series.clock_steps,
            gaps: layout.gaps,
            holes: layout.holes,
            holes_s: layout.hole_length.as_secs_f64(),
            down_runs: judged.down_runs,
            right_censored: judged.right_censored,
            left_truncated: judged.left_truncated,
            mapped_states: series.mapped,
            unavailability: judged.unavailability,
            unavailability_by_count: unhealthy as f64 / (healthy + unhealthy).max(1) as f64,
            warnings,
        };
        let epoch = report.from;
        Ok(Recording { series: series.name, format: self.format, history, epoch, report })
    }

    fn instant(&self, nanos: i64) -> Result<Timestamp, ReadError> {
        Timestamp::from_nanosecond(i128::from(nanos))
            .map_err(|_| self.too_much("instants beyond the calendar"))
    }

    fn too_much(&self, what: &str) -> ReadError {
        ReadError::TooMuch {
            file: self.file.to_owned(),
            what: what.to_owned(),
            remedy: "is the time column the right one? name it with --time-column; or cut the file",
        }
    }

    fn place(&self, row: u32) -> Place {
        Place { unit: self.format.place_unit(), number: u64::from(row) }
    }

    fn note_order(&self, ordered: &Ordered, warnings: &mut Vec<Warning>) {
        if ordered.out_of_order > 0 {
            let first = self.place(ordered.first_out_of_order);
            warnings.push(Warning::OutOfOrder { rows: ordered.out_of_order, first });
        }
        if ordered.conflicting > 0 {
            let first = self.place(ordered.first_conflict);
            warnings.push(Warning::Conflicting { rows: ordered.conflicting, first });
        }
        for step in ordered.steps.iter().take(NAMED_HOLES) {
            let by = Span::from_nanos(step.by);
            warnings.push(Warning::ClockStep { place: self.place(step.row), by });
        }
        if ordered.steps.len() > NAMED_HOLES {
            let more = (ordered.steps.len() - NAMED_HOLES) as u64;
            warnings.push(Warning::MoreClockSteps { more });
        }
    }

    /// Lays the samples out on instants since the first, with what stands for silence between them.
    fn lay_out(
        &self,
        samples: &[Sample],
        origin: i64,
        cadence: &Cadence,
    ) -> Result<Layout, ReadError> {
        let mut layout = Layout::default();
        layout.instants.reserve(samples.len());
        for (place, sample) in samples.iter().enumerate() {
            if place > 0 {
                self.between(&mut layout, &samples[place - 1], sample, origin, cadence)?;
            }
            layout.add(sample.at - origin, check(sample.outcome));
        }
        Ok(layout)
    }

    fn between(
        &self,
        layout: &mut Layout,
        one: &Sample,
        other: &Sample,
        origin: i64,
        cadence: &Cadence,
    ) -> Result<(), ReadError> {
        let spacing = other.at - one.at;
        let usual = cadence.between(one, other);
        // What lies next to a stretch of which nothing is known is unknown too.
        let known = one.outcome != Outcome::Unknown;
        if spacing <= usual.fence || (!known && self.meaning != GapMeaning::LastState) {
            return Ok(());
        }
        let missing = (spacing + usual.median / 2) / usual.median - 1;
        let beyond = missing >= i64::from(self.options.hole_intervals);
        let state = match self.meaning {
            GapMeaning::Absent if !beyond => Some(Check::Absent),
            GapMeaning::LastState => check(one.outcome),
            _ => None,
        };
        let Some(state) = state else {
            self.hole(layout, one, other, origin, usual.median);
            return Ok(());
        };
        if missing < 1 {
            return Ok(());
        }
        let filled = self.filled.get().saturating_add(missing);
        self.filled.set(filled);
        if filled > MOST_FILLED {
            return Err(ReadError::TooMuch {
                file: self.file.to_owned(),
                what: format!("more than {MOST_FILLED} checks would stand for silence"),
                remedy: "give a longer --interval, or --gap unknown",
            });
        }
        layout.gaps += 1;
        for number in 1..=missing {
            let share = i128::from(spacing) * i128::from(number) / i128::from(missing + 1);
            layout.add(one.at - origin + share as i64, Some(state));
        }
        match self.meaning {
            GapMeaning::LastState => layout.filled += missing as u64,
            _ => layout.absent += missing as u64,
        }
        Ok(())
    }

    /// Two due probes that nobody knows of mark the ends of a hole, so that the checks on either
    /// side stand for one interval only.
    fn hole(&self, layout: &mut Layout, one: &Sample, other: &Sample, origin: i64, usual: i64) {
        let (from, to) = (one.at + usual, other.at - usual);
        if from < to {
            layout.add(from - origin, None);
            layout.add(to - origin, None);
        } else {
            layout.add(one.at + (other.at - one.at) / 2 - origin, None);
        }
        layout.holes += 1;
        let length = Span::from_nanos(other.at - one.at);
        layout.hole_length += length;
        layout.longest.push((length, other.row));
        if layout.longest.len() > NAMED_HOLES {
            layout.longest.sort_by_key(|(length, row)| (-*length, *row));
            layout.longest.truncate(NAMED_HOLES);
        }
    }
}
