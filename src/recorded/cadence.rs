//! How far apart the checks of a recording usually are, so that a gap can be told from the rhythm.
//!
//! Probers slow down or speed up with the state they see: a failing check may be logged after its
//! time-out, or be retried sooner. So the usual spacing is found by the states on either side.

use super::collect::Sample;
use super::state::Outcome;

/// Fewer spacings than this say nothing of a usual one.
const FEW: usize = 3;

/// A gap is a spacing of more than this many usual ones, in halves: one and a half.
const GAP_HALVES: i64 = 3;

/// The usual spacing of some pairs of checks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Usual {
    /// Median spacing, nanoseconds.
    pub median: i64,
    /// Beyond this a check is missing: one and a half medians, or the outer fence of the spacings
    /// (the upper quartile and three times the distance between quartiles) where they are irregular.
    pub fence: i64,
}

/// The usual spacings of one series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cadence {
    /// Of all pairs.
    pub overall: Usual,
    /// A tenth, half and nine tenths of all spacings are at most these.
    pub p10: i64,
    /// See `p10`.
    pub p50: i64,
    /// See `p10`.
    pub p90: i64,
    after: [Option<Usual>; 2],
    before: [Option<Usual>; 2],
}

/// Failing checks that were logged when they timed out, and not when they were sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LateLogging {
    /// Spacing of passing checks.
    pub interval: i64,
    /// How much later than that failing ones are logged.
    pub timeout: i64,
}

fn class(outcome: Outcome) -> Option<usize> {
    match outcome {
        Outcome::Healthy => Some(0),
        Outcome::Unhealthy => Some(1),
        Outcome::Absent | Outcome::Unknown => None,
    }
}

fn spacings(samples: &[Sample], of: impl Fn(&Sample, &Sample) -> bool) -> Vec<i64> {
    let pairs = samples.windows(2).filter(|w| of(&w[0], &w[1]));
    pairs.map(|w| w[1].at.saturating_sub(w[0].at)).collect()
}

/// The smallest spacing that at least a share of `of`/20 of them do not exceed.
fn twentieth(spacings: &mut [i64], of: usize) -> i64 {
    let place = (spacings.len() * of / 20).min(spacings.len().saturating_sub(1));
    if spacings.is_empty() { 0 } else { *spacings.select_nth_unstable(place).1 }
}

fn usual(mut spacings: Vec<i64>) -> Option<Usual> {
    if spacings.len() < FEW {
        return None;
    }
    let median = twentieth(&mut spacings, 10).max(1);
    let (low, high) = (twentieth(&mut spacings, 5), twentieth(&mut spacings, 15));
    let fence = high.saturating_add((high - low).saturating_mul(3));
    Some(Usual { median, fence: fence.max(median.saturating_mul(GAP_HALVES) / 2) })
}

impl Usual {
    /// A known interval.
    pub fn known(interval: i64) -> Self {
        let median = interval.max(1);
        Usual { median, fence: median.saturating_mul(GAP_HALVES) / 2 }
    }
}

impl Cadence {
    /// Finds the usual spacings. `interval` is what the user said it is.
    pub fn of(samples: &[Sample], interval: Option<i64>) -> Self {
        let mut all = spacings(samples, |_, _| true);
        let (p10, p90) = (twentieth(&mut all, 2), twentieth(&mut all, 18));
        let middle = twentieth(&mut all, 10);
        // With one or two spacings there is nothing to compare them with: no gap is seen.
        let fallback = Usual { median: middle.max(1), fence: i64::MAX };
        let given = interval.map(Usual::known);
        let found = given.or_else(|| usual(all)).unwrap_or(fallback);
        let mut cadence = Cadence {
            overall: found,
            p10,
            p50: middle,
            p90,
            after: [given; 2],
            before: [given; 2],
        };
        if given.is_none() {
            for state in 0..2 {
                cadence.after[state] =
                    usual(spacings(samples, |a, _| class(a.outcome) == Some(state)));
                cadence.before[state] =
                    usual(spacings(samples, |_, b| class(b.outcome) == Some(state)));
            }
        }
        cadence
    }

    /// True iff a stated interval is not that of the recording by more than a factor of three. A few
    /// checks say nothing of it.
    pub fn contradicts(&self, stated: i64, checks: usize) -> bool {
        let (less, more) = (stated.min(self.p50), stated.max(self.p50));
        checks > FEW && less.saturating_mul(3) < more
    }

    /// What is usual between two checks: the slower of what follows the one and precedes the other.
    pub fn between(&self, one: &Sample, other: &Sample) -> Usual {
        let after = class(one.outcome).and_then(|state| self.after[state]);
        let before = class(other.outcome).and_then(|state| self.before[state]);
        match (after, before) {
            (Some(after), Some(before)) if after.median >= before.median => after,
            (_, Some(before)) => before,
            (Some(after), None) => after,
            (None, None) => self.overall,
        }
    }
}

/// Finds failing checks logged after their time-out: they come late after a passing check and the
/// next passing one follows soon, again and again.
pub(crate) fn late_logging(samples: &[Sample]) -> Option<LateLogging> {
    let pair = |from, to| {
        let mut found = spacings(samples, |a, b| {
            class(a.outcome) == Some(from) && class(b.outcome) == Some(to)
        });
        (found.len(), twentieth(&mut found, 10))
    };
    let (passing, interval) = pair(0, 0);
    let (first, to_down) = pair(0, 1);
    let (_, to_up) = pair(1, 0);
    let mut down = spacings(samples, |_, b| class(b.outcome) == Some(1));
    let before_down = twentieth(&mut down, 10);
    let long = |spacing: i64| 2 * spacing > GAP_HALVES * interval && spacing <= 120 * interval;
    let late = passing >= FEW
        && down.len() >= FEW
        && first >= 1
        && long(to_down)
        && long(before_down)
        && 2 * to_up <= GAP_HALVES * interval;
    late.then(|| LateLogging { interval, timeout: before_down - interval })
}

/// Moves late-logged failing checks to the instant they were sent; returns how many.
pub(crate) fn move_to_sending(samples: &mut [Sample], late: LateLogging) -> u64 {
    let mut moved = 0;
    let mut logged_before = samples.first().map_or(0, |sample| sample.at);
    for sample in samples.iter_mut().skip(1) {
        let logged = sample.at;
        let spacing = logged - logged_before;
        let usual = spacing <= (late.interval + late.timeout).saturating_mul(GAP_HALVES) / 2;
        if sample.outcome == Outcome::Unhealthy && usual && 2 * spacing > GAP_HALVES * late.interval
        {
            sample.at = logged_before + late.interval;
            moved += 1;
        }
        logged_before = logged;
    }
    moved
}

/// The interval at which a log of changes was probably checked: the shortest times between changes
/// (the twentieth part of them), as no state can be seen to last less. `None` with too few changes.
pub(crate) fn interval_of_changes<'a>(series: impl Iterator<Item = &'a [Sample]>) -> Option<i64> {
    let mut changes: Vec<i64> =
        series.flat_map(|samples| spacings(samples, |a, b| a.outcome != b.outcome)).collect();
    (changes.len() >= 8).then(|| twentieth(&mut changes, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: i64 = 1_000_000_000;

    fn samples(checks: &[(i64, bool)]) -> Vec<Sample> {
        let outcome = |up| if up { Outcome::Healthy } else { Outcome::Unhealthy };
        checks.iter().map(|(at, up)| Sample { at: at * S, row: 0, outcome: outcome(*up) }).collect()
    }

    #[test]
    fn checks_logged_after_their_timeout_are_moved_to_their_sending() {
        let mut at = 0;
        let mut checks = vec![];
        for up in [true, true, true, false, true, true, true, false, false, false, true, true] {
            at += if up { 1 } else { 11 };
            checks.push((at, up));
        }
        let mut samples = samples(&checks);
        let late = late_logging(&samples).unwrap();
        assert_eq!(late, LateLogging { interval: S, timeout: 10 * S });
        assert_eq!(move_to_sending(&mut samples, late), 4);
        let sent: Vec<i64> = samples.iter().map(|sample| sample.at / S).collect();
        assert_eq!(sent, [1, 2, 3, 4, 15, 16, 17, 18, 29, 40, 51, 52]);
        // And the slow rhythm of a failing stretch is not a gap.
        let cadence = Cadence::of(&samples, None);
        assert!(
            samples.windows(2).all(|w| w[1].at - w[0].at <= cadence.between(&w[0], &w[1]).fence)
        );
    }

    #[test]
    fn a_steady_rhythm_is_left_alone() {
        let checks: Vec<(i64, bool)> = (0..50).map(|i| (i * 10, i % 7 != 0)).collect();
        assert_eq!(late_logging(&samples(&checks)), None);
        let cadence = Cadence::of(&samples(&checks), None);
        assert_eq!(cadence.overall, Usual { median: 10 * S, fence: 15 * S });
    }

    #[test]
    fn an_irregular_schedule_has_a_wide_fence() {
        let mut at = 0;
        let checks: Vec<(i64, bool)> = (0..200)
            .map(|i| {
                at += [20, 21, 33, 35, 42, 60][i % 6] * 60;
                (at, true)
            })
            .collect();
        let cadence = Cadence::of(&samples(&checks), None);
        assert!(cadence.overall.fence > 100 * 60 * S && cadence.overall.fence < 140 * 60 * S);
    }
}
