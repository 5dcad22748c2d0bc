//! Runs of failed probes in a history, the healthy gaps between them, and the exposure.
//!
//! An absent check tells nothing of the region's health, so runs and gaps are told by the checks that
//! arrived; absent ones only make the spacing wider. Probes that nobody knows anything of (a hole in
//! the recording) break off whatever was under way. No run is called a blip or an outage here.

mod walk;

use crate::history::History;
use crate::time::{Span, Time};
use walk::{Known, Step, walk};

/// A run of failed probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The last healthy check before it; `None` where it was under way when the recording (or what
    /// follows a hole) began.
    pub last_healthy: Option<Time>,
    /// Its first failed check.
    pub first_failed: Time,
    /// Its last failed check.
    pub last_failed: Time,
    /// The first healthy check after it; `None` where its end was not seen.
    pub first_healthy: Option<Time>,
    /// How many failed checks it has.
    pub failed: u64,
    /// Hour of the day, in UTC, of its first failed check.
    pub hour: usize,
}

impl Run {
    /// How long it lasted, as well as probes can tell: from the middle of the gap in which it began to
    /// the middle of that in which it ended, or as far as it was seen.
    pub fn length(&self) -> Span {
        let half_before = self.last_healthy.map_or(Span::ZERO, |at| (self.first_failed - at) / 2);
        let half_after = self.first_healthy.map_or(Span::ZERO, |at| (at - self.last_failed) / 2);
        half_before + (self.last_failed - self.first_failed) + half_after
    }

    /// True iff the end was not seen.
    pub fn is_censored(&self) -> bool {
        self.first_healthy.is_none()
    }
}

/// A healthy gap between two runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// From the last failed check before it to its first healthy one, seconds.
    pub before_s: f64,
    /// From its first healthy check to its last, seconds.
    pub healthy_s: f64,
    /// From its last healthy check to the next failed one, seconds; `None` where its end was not seen.
    pub after_s: Option<f64>,
    /// How many healthy checks it has.
    pub healthy: u64,
}

impl Gap {
    /// How long it was, from middle to middle of the spacings around it, seconds.
    pub fn length_s(&self) -> f64 {
        0.5 * self.before_s + self.healthy_s + 0.5 * self.after_s.unwrap_or(0.0)
    }
}

/// What a history tells of its faults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// Interval of the probes, seconds: the median spacing of checks that arrived.
    pub interval_s: f64,
    /// True iff nearly all spacings are the interval, within a tenth.
    pub regular: bool,
    /// The runs in order.
    pub runs: Vec<Run>,
    /// Healthy gaps after runs, in order.
    pub gaps: Vec<Gap>,
    /// Gaps between a healthy check and the next check that arrived, by seconds.
    pub at_risk: Vec<(f64, u64)>,
    /// Time between checks that arrived, holes left out, seconds.
    pub exposure_s: f64,
    /// How much of it was unhealthy, seconds. A check speaks for half the way to its neighbours.
    pub unhealthy_s: f64,
    /// Healthy time by hour of the day (UTC), seconds.
    pub healthy_by_hour_s: [f64; 24],
    /// Checks that were due and did not arrive.
    pub absent: u64,
    /// Stretches of which nothing is known.
    pub holes: u64,
}

/// A recorded history, and when its instant 0 was.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The history.
    pub history: &'a History,
    /// Its instant 0; hours of the day need it.
    pub epoch: jiff::Timestamp,
}

/// Share of spacings that must be the interval for a history to be regular.
const NEARLY_ALL: f64 = 0.95;

/// Spacings that are not the interval are rounded to this part of it.
const FINEST: f64 = 20.0;

/// How far off the interval a spacing may be, as a share, and still be it.
pub(super) const ABOUT: f64 = 0.1;

impl Observed {
    /// What the parts of one recording tell together.
    pub fn of(parts: &[Part<'_>]) -> Observed {
        let mut spacings = Vec::new();
        for part in parts {
            walk(part.history, |step| {
                if let Step::Next { before, after } = step {
                    spacings.push((after.at - before.at).as_nanos());
                }
            });
        }
        let mut observed = Observed::default();
        if spacings.is_empty() {
            return observed;
        }
        let middle = spacings.len() / 2;
        let interval = *spacings.select_nth_unstable(middle).1 as f64;
        let near = |spacing: &&i64| (**spacing as f64 / interval - 1.0).abs() <= ABOUT;
        let share = spacings.iter().filter(near).count() as f64 / spacings.len() as f64;
        observed.interval_s = interval * 1e-9;
        observed.regular = share >= NEARLY_ALL;
        for part in parts {
            observed.add(part);
        }
        observed.at_risk = together(std::mem::take(&mut observed.at_risk));
        observed
    }

    /// Share of the time that was unhealthy.
    pub fn unavailability(&self) -> f64 {
        if self.exposure_s > 0.0 { self.unhealthy_s / self.exposure_s } else { 0.0 }
    }

    /// The spacing, or the interval itself where the history is regular and the spacing is about it.
    pub fn snapped(&self, spacing_s: f64) -> f64 {
        let near = (spacing_s / self.interval_s - 1.0).abs() <= ABOUT;
        if self.regular && near { self.interval_s } else { spacing_s }
    }

    /// The spacing as evidence has it: snapped, or to a `FINEST` of the interval, which is far finer
    /// than what a probe can know and keeps the number of different ones low.
    pub fn spacing(&self, spacing_s: f64) -> f64 {
        let snapped = self.snapped(spacing_s);
        if snapped == self.interval_s {
            return snapped;
        }
        let unit = self.interval_s / FINEST;
        (snapped / unit).round().max(1.0) * unit
    }

    /// The length of so many spacings that are `spacing_s` on average; many are rounded to three digits.
    pub fn run_of(&self, spaces: f64, spacing_s: f64) -> f64 {
        let spaces = coarse(spaces);
        let snapped = self.snapped(spacing_s);
        if snapped == self.interval_s { spaces * snapped } else { self.spacing(spaces * spacing_s) }
    }

    fn add(&mut self, part: &Part<'_>) {
        let hour = |at: Time| {
            let secs =
                part.epoch.as_second().saturating_add(at.as_nanos().div_euclid(1_000_000_000));
            (secs.div_euclid(3_600).rem_euclid(24)) as usize
        };
        let mut open: Option<Run> = None;
        let mut gap: Option<Gap> = None;
        let (mut absent, mut holes) = (0, 0);
        walk(part.history, |step| match step {
            Step::First(known) => {
                if !known.healthy {
                    open = Some(begun(None, known.at, hour(known.at)));
                }
            }
            Step::Next { before, after } => {
                self.expose(&before, &after, hour(before.at));
                let spacing_s = (after.at - before.at).as_secs_f64();
                match (before.healthy, after.healthy) {
                    (true, true) => {
                        if let Some(gap) = &mut gap {
                            gap.healthy += 1;
                            gap.healthy_s += spacing_s;
                        }
                    }
                    (true, false) => {
                        let ended = gap.take().map(|gap| Gap { after_s: Some(spacing_s), ..gap });
                        self.gaps.extend(ended);
                        open = Some(begun(Some(before.at), after.at, hour(after.at)));
                    }
                    (false, false) => {
                        if let Some(run) = &mut open {
                            run.last_failed = after.at;
                            run.failed += 1;
                        }
                    }
                    (false, true) => {
                        let before_s = spacing_s;
                        gap = Some(Gap { before_s, healthy_s: 0.0, after_s: None, healthy: 1 });
                        if let Some(run) = open.take() {
                            self.runs.push(Run { first_healthy: Some(after.at), ..run });
                        }
                    }
                }
            }
            Step::Absent(count) => absent += count,
            Step::Hole => {
                holes += 1;
                self.runs.extend(open.take());
                self.gaps.extend(gap.take());
            }
        });
        self.absent += absent;
        self.holes += holes;
        self.runs.extend(open);
        self.gaps.extend(gap);
    }

    fn expose(&mut self, before: &Known, after: &Known, hour: usize) {
        let spacing = (after.at - before.at).as_secs_f64();
        self.exposure_s += spacing;
        let unhealthy = u8::from(!before.healthy) + u8::from(!after.healthy);
        self.unhealthy_s += spacing * 0.5 * f64::from(unhealthy);
        if before.healthy {
            self.healthy_by_hour_s[hour] += spacing;
            let width = self.snapped(spacing);
            match self.at_risk.last_mut() {
                Some((last, count)) if *last == width => *count += 1,
                _ => self.at_risk.push((width, 1)),
            }
        }
    }
}

/// A whole number to three digits: enough for a length of which the probes tell no more.
fn coarse(number: f64) -> f64 {
    if number < 1_000.0 {
        return number;
    }
    let unit = 10_f64.powf(number.log10().floor() - 2.0).round();
    (number / unit).round() * unit
}

fn begun(last_healthy: Option<Time>, at: Time, hour: usize) -> Run {
    Run { last_healthy, first_failed: at, last_failed: at, first_healthy: None, failed: 1, hour }
}

/// Spacings with their counts, those within two per cent of each other put together at their mean.
fn together(mut spacings: Vec<(f64, u64)>) -> Vec<(f64, u64)> {
    spacings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut put: Vec<(f64, f64, u64)> = Vec::new();
    for (spacing, count) in spacings {
        match put.last_mut() {
            Some((first, sum, total)) if spacing <= *first * 1.02 => {
                *sum += spacing * count as f64;
                *total += count;
            }
            _ => put.push((spacing, spacing * count as f64, count)),
        }
    }
    put.into_iter().map(|(_, sum, count)| (sum / count as f64, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Builder, Check, Due};

    /// One character a probe, ten seconds apart: S healthy, F failed, – absent, ? unknown.
    fn observed(checks: &str) -> Observed {
        let mut builder = Builder::new();
        for (i, check) in checks.chars().enumerate() {
            let check = match check {
                'S' => Check::Healthy,
                'F' => Check::Unhealthy,
                '–' => Check::Absent,
                _ => continue,
            };
            builder.add(i as u64, i as u64 + 1, check);
        }
        let count = checks.chars().count() as i64;
        let history = History {
            due: Due::grid(Time::START, Span::from_secs(10)),
            spells: builder.finish(),
            restarts: Vec::new(),
            faults: Vec::new(),
            end: Time::START + Span::from_secs(10 * count),
        };
        Observed::of(&[Part { history: &history, epoch: jiff::Timestamp::UNIX_EPOCH }])
    }

    #[test]
    fn runs_gaps_and_exposure() {
        let found = observed("SSFFSSSSFSS");
        assert_eq!(found.runs.iter().map(|run| run.failed).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(found.runs[0].length(), Span::from_secs(20));
        let gap = Gap { before_s: 10.0, healthy_s: 30.0, after_s: Some(10.0), healthy: 4 };
        assert_eq!((found.gaps[0], gap.length_s()), (gap, 40.0));
        assert_eq!(found.gaps[1].after_s, None);
        assert_eq!((found.exposure_s, found.unhealthy_s), (100.0, 30.0));
        assert_eq!(found.at_risk, [(10.0, 7)]);
        assert!(found.regular);
    }

    #[test]
    fn ends_that_were_not_seen() {
        let found = observed("FFSSFFF");
        assert_eq!(found.runs[0].last_healthy, None);
        assert!(found.runs[1].is_censored());
        assert_eq!(found.runs[1].length(), Span::from_secs(25));
    }

    #[test]
    fn absent_checks_widen_and_holes_break() {
        let found = observed("SSF–FSS–F?FSS");
        let runs: Vec<_> = found.runs.iter().map(|run| (run.failed, run.is_censored())).collect();
        assert_eq!(runs, [(2, false), (1, true), (1, false)]);
        assert_eq!(found.runs[1].last_healthy, Some(Time::START + Span::from_secs(60)));
        assert_eq!(found.runs[2].last_healthy, None);
        assert_eq!((found.absent, found.holes), (2, 1));
        assert_eq!(found.exposure_s, 100.0);
    }

    #[test]
    fn nothing_at_all() {
        assert_eq!(observed("").runs, []);
        assert_eq!(observed("–––").exposure_s, 0.0);
        assert_eq!(observed("S").exposure_s, 0.0);
    }
}
