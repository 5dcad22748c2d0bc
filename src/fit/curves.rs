//! The survival that was seen and the fitted ones, as points to draw. Nothing is drawn here.

use super::Laws;
use super::evidence::Evidence;
use super::fitted::Fitted;
use super::windows::Seen;
use crate::estimate::{Estimate, LEVEL};
use crate::law::Law;

/// A step of the survival that was seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Length, seconds.
    pub secs: f64,
    /// Share that lasted at least so long.
    pub share: f64,
    /// Its interval.
    pub lo: f64,
    /// Its interval.
    pub hi: f64,
}

/// A fitted survival.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The family.
    pub family: &'static str,
    /// Its Akaike weight.
    pub weight: f64,
    /// True for the selected one.
    pub selected: bool,
    /// Length in seconds, share that lasts at least so long.
    pub points: Vec<(f64, f64)>,
}

/// What a survival chart shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// What lasts, such as `blips of api`.
    pub what: String,
    /// What the horizontal axis is.
    pub axis: &'static str,
    /// How many lengths there are.
    pub n: u64,
    /// The survival that was seen.
    pub seen: Vec<Step>,
    /// The fitted ones, those that converged.
    pub fitted: Vec<Curve>,
    /// Length, least and greatest share over the likelihood region of the selected law.
    pub band: Vec<(f64, f64, f64)>,
}

/// Steps of the seen survival are no closer on the logarithmic axis than this part of it.
const MOST_STEPS: f64 = 90.0;

/// Points of a fitted curve.
const POINTS: usize = 120;

/// The curves of some laws; `None` where nothing was fitted.
pub fn curves(what: &str, laws: &Laws) -> Option<Curves> {
    let any = laws.families.first()?;
    let seen = seen(&any.evidence);
    let (first, last) = (seen.first()?.secs, seen.last()?.secs);
    let at: Vec<f64> =
        (0..=POINTS).map(|i| first * (1.6 * last / first).powf(i as f64 / POINTS as f64)).collect();
    let converged = laws.families.iter().filter(|fitted| fitted.converged);
    let fitted = converged
        .filter_map(|fitted| {
            let law = fitted.law.as_ref()?;
            let points = at.iter().map(|x| (*x, share(fitted, law, *x))).collect();
            let selected = Some(fitted.family) == laws.selected;
            Some(Curve { family: fitted.family.name(), weight: fitted.weight, selected, points })
        })
        .collect();
    let band = laws.best().map_or_else(Vec::new, |best| {
        at.iter()
            .map(|x| {
                let (lo, hi) = best.range(|law| share(best, law, *x));
                (*x, lo.max(0.0), hi.min(1.0))
            })
            .collect()
    });
    let axis = match any.evidence {
        Evidence::Windows(_) => "failed probes × interval, seconds",
        _ => "seconds",
    };
    Some(Curves { what: what.to_owned(), axis, n: laws.n, seen, fitted, band })
}

/// What the fitted law says of a length on the chart. For runs that is the share of seen blips which
/// show so many failed probes, averaged over where the probes fall.
fn share(fitted: &Fitted, law: &Law, secs: f64) -> f64 {
    match &fitted.evidence {
        Evidence::Windows(windows) => {
            let Some(run) = windows.typical() else { return f64::NAN };
            windows.chance_to_last(law, &run, (secs - run.step_s).max(0.0))
        }
        _ => law.survival(secs),
    }
}

/// Kaplan and Meier's estimate from lengths that ended and those that were cut off.
fn seen(evidence: &Evidence) -> Vec<Step> {
    // Length, how many, whether they ended.
    let mut lengths: Vec<(f64, u64, bool)> = match evidence {
        Evidence::Durations { exact, censored } => {
            let ended = exact.iter().map(|x| (*x, 1, true));
            ended.chain(censored.iter().map(|x| (*x, 1, false))).collect()
        }
        Evidence::Windows(windows) => {
            let step = windows.typical().map_or(0.0, |run| run.step_s);
            let run = |s: &Seen| (s.to_last_failed_s + step, s.count, s.to_healthy_s.is_some());
            windows.seen().iter().map(run).collect()
        }
    };
    lengths.sort_by(|a, b| a.0.total_cmp(&b.0));
    let range = match (lengths.first(), lengths.last()) {
        (Some(first), Some(last)) => (last.0 / first.0).ln(),
        _ => return Vec::new(),
    };
    let apart = (range / MOST_STEPS).exp();
    let total: u64 = lengths.iter().map(|(_, count, _)| count).sum();
    let (mut at_risk, mut share) = (total, 1.0);
    let mut steps: Vec<Step> = Vec::new();
    for (secs, count, ended) in lengths {
        // A point says how many last at least so long: it stands before those that end there.
        let next = |last: &Step| secs >= last.secs * apart && secs > last.secs;
        if steps.last().is_none_or(next) {
            let lasting = (share * total as f64).round() as u64;
            let bounds = Estimate::wilson(lasting.min(total), total, LEVEL);
            let (lo, hi) = bounds.map_or((0.0, 1.0), |e| (e.lo, e.hi));
            steps.push(Step { secs, share, lo, hi });
        }
        if ended && at_risk > 0 {
            share *= 1.0 - count as f64 / at_risk as f64;
        }
        at_risk = at_risk.saturating_sub(count);
    }
    steps
}
