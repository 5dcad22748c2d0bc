//! Puts the samples of a series in order: rows that stand elsewhere, recordings written newest
//! first, clocks that were set, duplicates.
//!
//! Works on instants alone; it invents no sample and drops only duplicates.

use super::collect::Sample;
use super::state::Outcome;

const HOUR: i64 = 3_600 * 1_000_000_000;

/// A clock that was set, by nanoseconds, first seen at a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    pub row: u32,
    pub by: i64,
}

/// Samples whose instants rise strictly, and what it took.
#[derive(Debug, Default)]
pub(crate) struct Ordered {
    pub samples: Vec<Sample>,
    pub duplicates: u64,
    /// Duplicates with another outcome than the one kept, and the row of the first.
    pub conflicting: u64,
    pub first_conflict: u32,
    pub out_of_order: u64,
    pub first_out_of_order: u32,
    pub steps: Vec<Step>,
}

/// Puts samples in order. `rows_in_time`: rows were written as time went by, so that a stamp that
/// steps back can be the clock's doing.
pub(crate) fn put_in_order(mut samples: Vec<Sample>, rows_in_time: bool) -> Ordered {
    let mut ordered = Ordered::default();
    let (mut back, ahead) = turns(&samples);
    if back > ahead {
        samples.reverse();
        back = ahead;
    }
    if back > 0 {
        let few = back <= 3 + samples.len() / 50 && back <= 1_000;
        if rows_in_time && few {
            mend(&mut samples, &mut ordered);
        }
        note_disorder(&samples, &mut ordered);
        samples.sort_by_key(|sample| sample.at);
    }
    drop_duplicates(samples, &mut ordered);
    ordered
}

fn turns(samples: &[Sample]) -> (usize, usize) {
    let back = samples.windows(2).filter(|w| w[1].at < w[0].at).count();
    let ahead = samples.windows(2).filter(|w| w[1].at > w[0].at).count();
    (back, ahead)
}

fn note_disorder(samples: &[Sample], ordered: &mut Ordered) {
    let mut latest = i64::MIN;
    for sample in samples {
        if sample.at < latest {
            if ordered.out_of_order == 0 {
                ordered.first_out_of_order = sample.row;
            }
            ordered.out_of_order += 1;
        }
        latest = latest.max(sample.at);
    }
}

/// Of several samples at one instant the worst is kept: a failing check was seen.
fn drop_duplicates(samples: Vec<Sample>, ordered: &mut Ordered) {
    let severity = |outcome: Outcome| match outcome {
        Outcome::Unhealthy => 3,
        Outcome::Healthy => 2,
        Outcome::Absent => 1,
        Outcome::Unknown => 0,
    };
    let mut kept: Vec<Sample> = samples;
    kept.dedup_by(|sample, before| {
        if sample.at != before.at {
            return false;
        }
        ordered.duplicates += 1;
        if sample.outcome != before.outcome {
            if ordered.conflicting == 0 {
                ordered.first_conflict = sample.row;
            }
            ordered.conflicting += 1;
            if severity(sample.outcome) > severity(before.outcome) {
                before.outcome = sample.outcome;
            }
        }
        true
    });
    ordered.samples = kept;
}

/// Finds where the clock was set and takes that back. What steps back without overlapping earlier
/// rows, or fits where its time belongs, is a row (or a block) in the wrong place, and is left for
/// sorting.
fn mend(samples: &mut [Sample], ordered: &mut Ordered) {
    let usual = usual_spacing(samples);
    if usual <= 0 {
        return;
    }
    let mut instants: Vec<i64> = samples.iter().map(|sample| sample.at).collect();
    instants.sort_unstable();
    let mut starts: Vec<usize> = vec![0];
    starts.extend((1..samples.len()).filter(|i| samples[*i].at < samples[i - 1].at));
    starts.push(samples.len());
    for run in 1..starts.len() - 1 {
        let (start, end) = (starts[run], starts[run + 1]);
        if let Some(glitch) = excursion(&samples[..end], starts[run - 1], start, usual)
            .filter(|glitch| !displaced(&samples[*glitch..start], &instants, usual))
        {
            let by = samples[glitch].at - samples[glitch - 1].at - usual;
            ordered.steps.push(Step { row: samples[glitch].row, by });
            ordered.steps.push(Step { row: samples[start].row, by: -by });
            samples[glitch..start]
                .iter_mut()
                .for_each(|sample| sample.at = sample.at.saturating_sub(by));
        } else if stepped_back(samples, &starts, run, usual) {
            let by = samples[start - 1].at - samples[start].at + usual;
            ordered.steps.push(Step { row: samples[start].row, by: -by });
            // The later clock is the right one, as clocks are set by those who know better: the
            // earlier rows move.
            samples[..start].iter_mut().for_each(|sample| sample.at = sample.at.saturating_sub(by));
        }
    }
}

fn usual_spacing(samples: &[Sample]) -> i64 {
    let mut spacings: Vec<i64> =
        samples.windows(2).map(|w| w[1].at - w[0].at).filter(|spacing| *spacing > 0).collect();
    let middle = spacings.len() / 2;
    if spacings.is_empty() { 0 } else { *spacings.select_nth_unstable(middle).1 }
}

/// True iff these rows, up to one after which times step back, are in the right time and it is a
/// later row that is in the wrong place, or one of these: there is room for the last of them where
/// their times belong among all instants. Rows of a clock that was set ahead fall between other rows,
/// on top of them, or beyond their end.
fn displaced(rows: &[Sample], instants: &[i64], usual: i64) -> bool {
    let room = |sample: &Sample| {
        let place = instants.partition_point(|at| *at < sample.at);
        let before = place.checked_sub(1).and_then(|before| instants.get(before));
        let after = instants.get(place + 1);
        (
            before.map(|at| sample.at.saturating_sub(*at)),
            after.map(|at| at.saturating_sub(sample.at)),
        )
    };
    let roomy = |spacing: Option<i64>| spacing.is_none_or(|spacing| spacing > usual * 3 / 5);
    let near = |spacing: Option<i64>| spacing.is_none_or(|spacing| spacing < usual * 8 / 5);
    let beyond = rows.last().is_none_or(|last| room(last).1.is_none());
    let judged = if beyond { rows } else { &rows[rows.len().saturating_sub(3)..] };
    judged.iter().map(room).all(|(before, after)| {
        roomy(before) && roomy(after) && (!beyond || near(before) && near(after))
    })
}

/// The row at which the clock jumped ahead, if the run that ends before `start` did so and the
/// clock came back to where it would have been.
fn excursion(samples: &[Sample], run: usize, start: usize, usual: i64) -> Option<usize> {
    let jump = (run + 1..start).rev().find(|i| samples[*i].at - samples[i - 1].at > 3 * usual)?;
    let elapsed = samples[start].at - samples[jump - 1].at;
    let expected = (start - jump + 1) as i64 * usual;
    let slack = usual / 2 + (start - jump) as i64 * usual / 10;
    ((elapsed - expected).abs() <= slack).then_some(jump)
}

/// True iff run `run` goes over times that earlier rows already cover, at the usual spacing, with
/// other instants than theirs.
fn stepped_back(samples: &[Sample], starts: &[usize], run: usize, usual: i64) -> bool {
    let (start, end) = (starts[run], starts[run + 1]);
    let latest = samples[start - 1].at;
    let rows = &samples[start..end];
    let overlap = rows.partition_point(|sample| sample.at <= latest);
    let covered = &rows[..overlap];
    let last = covered.last().map_or(rows[0].at, |sample| sample.at);
    let earlier = |run: usize| &samples[starts[run]..starts[run + 1]];
    let between = |run: usize| {
        let rows = earlier(run);
        rows.partition_point(|s| s.at <= last) > rows.partition_point(|s| s.at <= covered[0].at)
    };
    if covered.is_empty() || !(0..run).any(between) {
        return false;
    }
    let known =
        |at: i64| (0..run).any(|run| earlier(run).binary_search_by_key(&at, |s| s.at).is_ok());
    let repeated = covered.iter().filter(|sample| known(sample.at)).count();
    let regular = rows[..(overlap + 1).min(rows.len())]
        .windows(2)
        .filter(|w| w[1].at - w[0].at <= usual * 3 / 2 && w[1].at - w[0].at >= usual / 2)
        .count();
    // By an hour exactly, at the same minutes: local time in autumn, not the same rows again.
    let an_hour = latest.saturating_sub(rows[0].at).saturating_add(usual) == HOUR;
    (an_hour || 2 * repeated < covered.len()) && 2 * regular >= covered.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: i64 = 1_000_000_000;

    fn samples(seconds: &[i64]) -> Vec<Sample> {
        let sample = |(row, at): (usize, &i64)| Sample {
            at: at * S,
            row: row as u32 + 1,
            outcome: Outcome::Healthy,
        };
        seconds.iter().enumerate().map(sample).collect()
    }

    fn seconds(ordered: &Ordered) -> Vec<i64> {
        ordered.samples.iter().map(|sample| sample.at / S).collect()
    }

    #[test]
    fn a_row_in_the_wrong_place_is_sorted() {
        let ordered = put_in_order(samples(&[10, 20, 40, 30, 50, 60]), true);
        assert_eq!(seconds(&ordered), [10, 20, 30, 40, 50, 60]);
        assert_eq!((ordered.out_of_order, ordered.steps.len()), (1, 0));
        assert_eq!(ordered.first_out_of_order, 4);
    }

    #[test]
    fn newest_first_is_not_disorder() {
        let ordered = put_in_order(samples(&[60, 50, 40, 30]), false);
        assert_eq!(seconds(&ordered), [30, 40, 50, 60]);
        assert_eq!(ordered.out_of_order, 0);
    }

    #[test]
    fn a_clock_set_back_costs_no_time_and_keeps_the_order() {
        let ordered = put_in_order(samples(&[100, 110, 120, 130, 93, 103, 113, 123, 133]), true);
        assert_eq!(seconds(&ordered), [53, 63, 73, 83, 93, 103, 113, 123, 133]);
        assert_eq!(ordered.steps, [Step { row: 5, by: -47 * S }]);
        assert_eq!(ordered.out_of_order, 0);
    }

    #[test]
    fn a_clock_that_jumps_ahead_and_comes_back_is_mended() {
        let ordered = put_in_order(samples(&[10, 20, 30, 3_640, 3_650, 60, 70, 80]), true);
        assert_eq!(seconds(&ordered), [10, 20, 30, 40, 50, 60, 70, 80]);
        assert_eq!(ordered.steps.len(), 2);
        assert_eq!(ordered.steps[0], Step { row: 4, by: 3_600 * S });
    }

    #[test]
    fn rows_displaced_by_any_few_places_are_sorted() {
        let jitter = |i: i64| [0, 3, -2, 1, -3, 2, 0][(i % 7) as usize];
        for wobble in [0, 1] {
            let regular: Vec<i64> = (0..2_100).map(|i| 100 * i + wobble * jitter(i)).collect();
            for by in 1..=12 {
                for way in ["swapped", "later", "earlier"] {
                    let mut rows = regular.clone();
                    for at in [300, 1_000, 1_700] {
                        match way {
                            "swapped" => rows.swap(at, at + by),
                            "later" => rows[at..=at + by].rotate_left(1),
                            _ => rows[at..=at + by].rotate_right(1),
                        }
                    }
                    let ordered = put_in_order(samples(&rows), true);
                    assert_eq!(ordered.steps, [], "{way} by {by}");
                    assert_eq!(seconds(&ordered), regular);
                    assert!(ordered.out_of_order >= 3);
                }
            }
        }
    }

    #[test]
    fn a_late_row_after_a_gap_is_no_clock_step() {
        // Four are missing after the tenth row; much later one stands three places late. Another is
        // swapped beside one that is missing.
        let mut rows: Vec<i64> = (0..2_000).map(|i| 10 * i).collect();
        rows.remove(1_504);
        rows.swap(1_500, 1_503);
        rows[600..=603].rotate_left(1);
        rows.drain(10..14);
        let mut sorted = rows.clone();
        sorted.sort();
        let ordered = put_in_order(samples(&rows), true);
        assert_eq!(ordered.steps, []);
        assert_eq!(seconds(&ordered), sorted);
    }

    #[test]
    fn a_clock_ahead_amid_the_recording_is_still_a_step() {
        // Ahead by a whole number of spacings, where later rows stand at the same times.
        let mut rows: Vec<i64> = (0..200).map(|i| 10 * i).collect();
        rows[50..53].iter_mut().for_each(|at| *at += 600);
        let ordered = put_in_order(samples(&rows), true);
        assert_eq!(seconds(&ordered), (0..200).map(|i| 10 * i).collect::<Vec<_>>());
        assert_eq!(ordered.steps[0], Step { row: 51, by: 600 * S });
        assert_eq!((ordered.steps.len(), ordered.duplicates), (2, 0));
    }

    #[test]
    fn a_block_in_the_wrong_place_is_no_clock_step() {
        let ordered = put_in_order(samples(&[100, 110, 120, 130, 60, 70, 80, 90]), true);
        assert_eq!(seconds(&ordered), [60, 70, 80, 90, 100, 110, 120, 130]);
        assert!(ordered.steps.is_empty());
        assert_eq!(ordered.out_of_order, 4);
    }

    #[test]
    fn the_same_rows_again_are_duplicates() {
        let ordered = put_in_order(samples(&[10, 20, 30, 40, 20, 30, 40, 50]), true);
        assert_eq!(seconds(&ordered), [10, 20, 30, 40, 50]);
        assert_eq!((ordered.duplicates, ordered.conflicting), (3, 0));
        assert!(ordered.steps.is_empty());
    }

    #[test]
    fn of_two_outcomes_at_one_instant_the_failing_one_is_kept() {
        let mut both = samples(&[10, 20, 20, 30]);
        both[1].outcome = Outcome::Unhealthy;
        let ordered = put_in_order(both, true);
        assert_eq!(ordered.samples[1].outcome, Outcome::Unhealthy);
        assert_eq!((ordered.conflicting, ordered.first_conflict), (1, 3));
    }

    #[test]
    fn shuffled_rows_are_sorted() {
        let ordered = put_in_order(samples(&[50, 10, 40, 20, 30, 90, 60, 80, 70, 100]), true);
        assert_eq!(seconds(&ordered), [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    }
}
