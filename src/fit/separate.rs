//! Tells blips from outages: the stated threshold, or one that the data give, with its reason.
//!
//! One law through all runs is compared with two, blips below a threshold and outages above it, by
//! the Bayesian criterion, and by the widest gap between run lengths that one law could leave. A heavy tail of blips is one law and stays whole up to an hour; a few runs of
//! many minutes among thousands of seconds are not, and are set apart.

use super::evidence::Evidence;
use super::family::Family;
use super::fitted::highest;
use super::runs::{Observed, Run};
use super::windows::{Seen, Windows};
use crate::law::Law;
use crate::time::Span;

/// Runs shorter than this are never called outages unless the user says so.
pub const SHORTEST: Span = Span::from_secs(600);

/// Nor are runs of no more than so many intervals.
const INTERVALS: i64 = 3;

/// Runs at least this long are outages even where one law describes all runs: what lasts an hour is
/// worth a failover, wherever it came from.
pub const LONGEST: Span = Span::from_secs(3_600);

/// Fewer runs than this say nothing of a threshold.
const FEW: usize = 8;

/// How much better two laws must be than one: strong evidence on the usual scale.
const STRONG: f64 = 6.0;

/// A gap less likely than this under one law is no part of it.
const IMPOSSIBLE: f64 = 0.005;

/// Thresholds that are tried: the widest gaps between run lengths.
const TRIED: usize = 8;

/// Where blips end and outages begin.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// Runs at least this long are outages; `None` where all runs are blips.
    pub after: Option<Span>,
    /// True iff one law describes all runs, outages too, and the line is drawn by convention.
    pub one_law: bool,
    /// Why.
    pub reason: String,
}

impl Threshold {
    /// True iff the run is an outage.
    pub fn is_outage(&self, run: &Run) -> bool {
        self.after.is_some_and(|after| run.length() >= after)
    }
}

/// The threshold that the user states, or else the one that the data give.
pub fn threshold(observed: &Observed, stated: Option<Span>) -> Threshold {
    if let Some(after) = stated {
        let reason = format!("--outage-after {after} was given");
        return Threshold { after: Some(after), one_law: false, reason };
    }
    let interval = Span::from_secs_f64(observed.interval_s);
    let least = SHORTEST.max(interval * INTERVALS);
    let long = observed.runs.iter().filter(|run| run.length() >= least).count();
    if long == 0 {
        let reason = format!("no run lasted {least} or longer");
        return Threshold { after: None, one_law: false, reason };
    }
    if observed.runs.len() < FEW {
        let reason = format!(
            "too few runs to tell ({}); {least} is taken (the longer of {SHORTEST} and {INTERVALS} intervals)",
            observed.runs.len()
        );
        return Threshold { after: Some(least), one_law: false, reason };
    }
    by_evidence(observed, least)
}

/// A gap between run lengths, where the line might be drawn.
#[derive(Clone, Copy, Debug)]
struct Divide {
    /// The longest run below it, seconds.
    below: f64,
    /// The shortest run above it, seconds.
    above: f64,
    /// How many runs lie above it.
    outages: usize,
    /// Where the line would be.
    after: Span,
}

fn by_evidence(observed: &Observed, least: Span) -> Threshold {
    let all: Vec<&Run> = observed.runs.iter().collect();
    let count = all.len();
    let (one, law) = bayes(&windows(observed, &all), count as f64);
    let most = LONGEST.max(least);
    let divides = divides(observed, least, most);
    if let Some((divide, two)) = two_better(observed, &divides, one) {
        let reason = format!(
            "{} of {count} runs are set apart: two laws, split there, describe them better than one (Bayesian criterion {two:.1} against {one:.1})",
            divide.outages
        );
        return Threshold { after: Some(divide.after), one_law: false, reason };
    }
    if let Some((divide, p)) = law.and_then(|law| widest(&divides, &law)) {
        let reason = format!(
            "{} of {count} runs are set apart: under one law, the gap from {:.0} s to {:.0} s would come up with chance {p:.1e}",
            divide.outages, divide.below, divide.above
        );
        return Threshold { after: Some(divide.after), one_law: false, reason };
    }
    if all.iter().any(|run| run.length() >= most) {
        let reason = format!(
            "one law describes all {count} runs (Bayesian criterion {one:.1}), but what lasts {most} is worth a failover; state --outage-after to draw the line elsewhere"
        );
        return Threshold { after: Some(most), one_law: true, reason };
    }
    let reason = format!(
        "one law describes all {count} runs, the longest too (Bayesian criterion {one:.1}), and none lasted {most}; state --outage-after to draw a line"
    );
    Threshold { after: None, one_law: false, reason }
}

/// The divide at which two laws are best, if they are strongly better than one, and their criterion.
fn two_better(observed: &Observed, divides: &[Divide], one: f64) -> Option<(Divide, f64)> {
    let two = divides.iter().map(|divide| (*divide, two_laws(observed, divide.after)));
    two.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, two)| two + STRONG < one)
}

/// The divide that is least likely under the law that fits all runs, if it is as good as impossible.
///
/// Given that `m` runs outlast the one below the gap, all of them outlast the gap with the `m`-th power
/// of a ratio of survivals; several divides were tried, so the chance counts that often. A few outages
/// can pull a heavy-tailed law over, which the criterion alone does not notice; the gap does.
fn widest(divides: &[Divide], law: &Law) -> Option<(Divide, f64)> {
    let chance = |divide: &Divide| {
        let ratio = law.survival(divide.above) / law.survival(divide.below);
        ratio.powi(i32::try_from(divide.outages).unwrap_or(i32::MAX)) * divides.len() as f64
    };
    let all = divides.iter().map(|divide| (*divide, chance(divide)));
    all.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, p)| *p < IMPOSSIBLE)
}

/// The widest gaps, on a logarithmic scale, between neighbouring run lengths.
fn divides(observed: &Observed, least: Span, most: Span) -> Vec<Divide> {
    let mut lengths: Vec<f64> =
        observed.runs.iter().map(|run| run.length().as_secs_f64()).filter(|s| *s > 0.0).collect();
    lengths.sort_by(f64::total_cmp);
    let (least, most) = (least.as_secs_f64(), most.as_secs_f64());
    let count = lengths.len();
    let mut divides: Vec<Divide> = lengths
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[1] >= least && pair[0] < most && pair[1] > 1.05 * pair[0])
        .map(|(i, pair)| {
            let middle = (pair[0] * pair[1]).sqrt().clamp(least, most);
            let after = Span::from_secs(middle.ceil() as i64);
            Divide { below: pair[0], above: pair[1], outages: count - i - 1, after }
        })
        .collect();
    divides.sort_by(|a, b| (b.above / b.below).total_cmp(&(a.above / a.below)));
    divides.truncate(TRIED);
    divides
}

/// Bayesian criterion of a law below the threshold, an exponential excess above it, and the split.
fn two_laws(observed: &Observed, after: Span) -> f64 {
    let (above, below): (Vec<&Run>, Vec<&Run>) =
        observed.runs.iter().partition(|run| run.length() >= after);
    let (m, n) = (above.len() as f64, below.len() as f64);
    if above.is_empty() || below.len() < FEW / 2 {
        return f64::INFINITY;
    }
    let total = m + n;
    let cut = cut_s(observed, after);
    let excess: Vec<Seen> = above
        .iter()
        .map(|run| seen(observed, run))
        .map(|run| Seen {
            to_last_failed_s: (run.to_last_failed_s - cut).max(0.0),
            to_healthy_s: run.to_healthy_s.map(|secs| (secs - cut).max(run.step_s)),
            ..run
        })
        .collect();
    let excess = Evidence::Windows(Windows::new(excess));
    let (above, _) = highest(Family::Exponential, &excess);
    let split = m * (m / total).ln() + n * (n / total).ln();
    // The excess has one parameter, and the share and the place of the split are two more.
    let (below, _) = bayes(&shorter(observed, &below, after), total);
    below - 2.0 * (above + split) + 3.0 * total.ln()
}

/// The least Bayesian criterion of the families, and the law that has it.
fn bayes(evidence: &Evidence, count: f64) -> (f64, Option<Law>) {
    let fits = Family::ALL.iter().map(|family| {
        let (height, law) = highest(*family, evidence);
        (family.parameters() as f64 * count.ln() - 2.0 * height, law)
    });
    fits.filter(|(criterion, _)| criterion.is_finite())
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .unwrap_or((f64::INFINITY, None))
}

/// Seconds from the first failed probe on at which a run becomes an outage: on a grid the first probe
/// that makes the run's length reach the threshold.
pub fn cut_s(observed: &Observed, after: Span) -> f64 {
    let step = observed.interval_s;
    if step > 0.0 { ((after.as_secs_f64() / step).ceil() - 1.0).max(0.0) * step } else { 0.0 }
}

/// Runs as evidence of one law.
pub fn windows(observed: &Observed, runs: &[&Run]) -> Evidence {
    Evidence::Windows(Windows::new(runs.iter().map(|run| seen(observed, run)).collect()))
}

/// Runs as evidence of one law, of which longer ones than the threshold are not in the sample. A run
/// cut off by the end of the recording might have become longer: it is not conditioned on.
pub fn shorter(observed: &Observed, runs: &[&Run], after: Span) -> Evidence {
    let cut = cut_s(observed, after);
    let truncated = |run: Seen| {
        let applies = cut > 0.0 && run.to_healthy_s.is_some() && run.to_last_failed_s < cut;
        Seen { cut_s: applies.then_some(cut), ..run }
    };
    let seen = runs.iter().map(|run| truncated(seen(observed, run))).collect();
    Evidence::Windows(Windows::new(seen))
}

/// Runs as evidence of one law, followed no longer than to the threshold.
pub fn capped(observed: &Observed, runs: &[&Run], after: Span) -> Evidence {
    let cap = cut_s(observed, after);
    let followed = |run: Seen| {
        if cap <= 0.0 {
            run
        } else if run.to_last_failed_s < cap {
            Seen { cap_s: Some(cap), ..run }
        } else {
            Seen { to_last_failed_s: cap, to_healthy_s: None, cap_s: Some(cap), ..run }
        }
    };
    let seen = runs.iter().map(|run| followed(seen(observed, run))).collect();
    Evidence::Windows(Windows::new(seen))
}

/// A run as the probes around it have it; on a regular grid, to whole intervals.
fn seen(observed: &Observed, run: &Run) -> Seen {
    let gap_s = run
        .last_healthy
        .map_or(f64::INFINITY, |at| observed.spacing((run.first_failed - at).as_secs_f64()));
    let spaces = run.failed.saturating_sub(1) as f64;
    let lasted = (run.last_failed - run.first_failed).as_secs_f64();
    let to_last_failed_s =
        if spaces > 0.0 { observed.run_of(spaces, lasted / spaces) } else { 0.0 };
    let to_healthy_s = run
        .first_healthy
        .map(|at| to_last_failed_s + observed.spacing((at - run.last_failed).as_secs_f64()));
    let step_s = match to_healthy_s {
        Some(healthy) => healthy / run.failed.max(1) as f64,
        None if spaces > 0.0 => to_last_failed_s / spaces,
        None => observed.interval_s,
    };
    Seen {
        gap_s,
        to_last_failed_s,
        to_healthy_s,
        cut_s: None,
        cap_s: None,
        step_s: observed.spacing(step_s),
        count: 1,
    }
}
