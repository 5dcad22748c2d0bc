//! Refits blips, gaps and outages to a probe history, and laws to plain durations.
//!
//! ```text
//! history ─→ runs ─→ separate ─→ windows ─┐
//! durations ──────────────────────────────┴→ evidence ─→ fitted ─→ selection ─→ scenario, JSON
//! ```
//!
//! Fits are by maximum likelihood that knows how the data came about: lengths between probes, short
//! blips that no probe saw, long ones seen more easily, ends that were not seen. Nothing here reads a
//! file or the clock; what is drawn (the bootstrap) is drawn from seeded streams.

pub mod curvature;
pub mod curves;
pub mod evidence;
pub mod family;
pub mod fitted;
pub mod gaps;
mod gof;
pub mod independence;
pub mod joins;
pub mod json;
mod likelihood;
pub mod optimise;
pub mod predict;
mod quadrature;
pub mod recurrence;
pub mod region;
pub mod replay;
pub mod runs;
pub mod scenario;
pub mod selection;
pub mod separate;
pub mod side_by_side;
mod simulate;
mod start;
pub mod tail;
pub mod warning;
pub mod windows;

pub use family::Family;
pub use fitted::Fitted;
pub use runs::{Observed, Part, Run};
pub use selection::Laws;
pub use separate::Threshold;
pub use warning::Warning;

use crate::estimate::{Estimate, LEVEL};
use crate::time::Span;
use evidence::Evidence;
use recurrence::Recurrence;

/// How a fit is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Runs at least this long are outages; found from the data when left out.
    pub outage_after: Option<Span>,
    /// Confidence level of intervals.
    pub level: f64,
    /// Draws of each goodness-of-fit bootstrap; 0 for none.
    pub draws: u32,
    /// Seed of the bootstrap.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { outage_after: None, level: LEVEL, draws: 200, seed: 1 }
    }
}

/// Blips or outages of a history: how often, and how long.
#[derive(Clone, Debug)]
pub struct Faults {
    /// Runs that were seen.
    pub n: u64,
    /// How many begin in a day of watching, those that no probe saw included; by the law, so that for
    /// blips those that outlast the threshold are reckoned in.
    pub rate_per_day: Option<Estimate>,
    /// Chance that one is seen by any probe.
    pub seen: f64,
    /// How long they last.
    pub length: Laws,
}

/// A history refitted.
#[derive(Clone, Debug)]
pub struct HistoryFit {
    /// What the history tells.
    pub observed: Observed,
    /// Where blips end and outages begin.
    pub threshold: Threshold,
    /// The blips.
    pub blips: Faults,
    /// Healthy gaps between faults, unseen faults reckoned with.
    pub gap: Laws,
    /// The outages.
    pub outages: Faults,
    /// How often blips begin.
    pub recurrence: Recurrence,
    /// What concerns the history as a whole.
    pub warnings: Vec<Warning>,
}

/// Seconds in a day.
const DAY_S: f64 = 86_400.0;

/// Refits the parts of one recorded series together.
pub fn history(parts: &[Part<'_>], options: &Options) -> HistoryFit {
    let observed = Observed::of(parts);
    let threshold = separate::threshold(&observed, options.outage_after);
    let (long, short): (Vec<&Run>, Vec<&Run>) =
        observed.runs.iter().partition(|run| threshold.is_outage(run));
    let (evidence, recurrence) = of_blips(&observed, &threshold, &short);
    let length = Laws::of("blips", &evidence, Some(&recurrence), options);
    let blips = faults(&observed, &recurrence, short.len(), length, options.level);
    let gap = gaps::laws(&observed, &blips, &recurrence, options);
    let evidence = separate::windows(&observed, &long);
    let seldom = Recurrence::of(&observed, &long, None);
    let length = Laws::of("outages", &evidence, None, options);
    let outages = faults(&observed, &seldom, long.len(), length, options.level);
    let mut warnings = independence::check(&observed);
    warnings.extend(doubts(&observed, &threshold, &blips));
    HistoryFit { threshold, blips, gap, outages, recurrence, warnings, observed }
}

/// What is known of blips: runs shorter than the threshold, given that they are; or all runs, followed
/// as far as to the threshold, where one law describes them all.
fn of_blips(observed: &Observed, threshold: &Threshold, short: &[&Run]) -> (Evidence, Recurrence) {
    match threshold.after {
        None => (separate::windows(observed, short), Recurrence::of(observed, short, None)),
        Some(after) if threshold.one_law => {
            let all: Vec<&Run> = observed.runs.iter().collect();
            (separate::capped(observed, &all, after), Recurrence::of(observed, &all, None))
        }
        Some(after) => {
            let cut = Some(separate::cut_s(observed, after)).filter(|cut| *cut > 0.0);
            (separate::shorter(observed, short, after), Recurrence::of(observed, short, cut))
        }
    }
}

/// Fits every family to plain durations in seconds; `censored` ones were still running when last seen.
///
/// Durations that are not positive or not finite are left out, and a warning counts them.
pub fn durations(exact: &[f64], censored: &[f64], options: &Options) -> Laws {
    let usable = |all: &[f64]| -> Vec<f64> {
        let mut kept: Vec<f64> =
            all.iter().copied().filter(|x| x.is_finite() && *x > 0.0).collect();
        kept.sort_by(f64::total_cmp);
        kept
    };
    let (kept, running) = (usable(exact), usable(censored));
    let dropped = exact.len() + censored.len() - kept.len() - running.len();
    let enough = kept.len();
    let evidence = Evidence::Durations { exact: kept, censored: running };
    let mut laws = Laws::of("durations", &evidence, None, options);
    if dropped > 0 {
        laws.warnings.push(Warning::statistical(format!(
            "{dropped} durations of zero, less or no number were left out"
        )));
    }
    if enough < 2 && laws.n >= selection::FEWEST {
        laws.warnings.push(Warning::statistical("all but one of the durations are censored"));
    }
    laws
}

fn faults(
    observed: &Observed,
    recurrence: &Recurrence,
    runs: usize,
    length: Laws,
    level: f64,
) -> Faults {
    let best = length.best();
    let law = best.and_then(|best| best.law.as_ref());
    let seen = law.map_or(1.0, |law| recurrence.seen(law));
    let rate_per_day = rate_per_day(observed, recurrence, best, level);
    Faults { n: runs as u64, rate_per_day, seen, length }
}

/// The seen rate divided by the chance to be seen. Its interval puts together the count's (Garwood)
/// and that of the chance (profile likelihood), which are independent, in quadrature of logarithms.
fn rate_per_day(
    observed: &Observed,
    recurrence: &Recurrence,
    best: Option<&Fitted>,
    level: f64,
) -> Option<Estimate> {
    let counted = Estimate::rate(recurrence.begun, observed.exposure_s / DAY_S, level)?;
    let Some((best, law)) = best.and_then(|best| Some((best, best.law.as_ref()?))) else {
        return Some(counted);
    };
    let joins = best.joins();
    let healthy: f64 = recurrence.at_risk.iter().map(|(gap, n)| gap * *n as f64).sum();
    let window = |law: &crate::law::Law| recurrence.window_s(law, &joins);
    let seen = window(law) / healthy;
    if !(seen > 0.0) || counted.value <= 0.0 {
        return Some(counted);
    }
    let chance = best.range(|law| window(law) / healthy);
    let rate = quotient(counted, seen, chance);
    // Where no mean is too short, no rate is too high.
    Some(if best.bounded { rate } else { Estimate { hi: f64::INFINITY, ..rate } })
}

/// An estimate divided by an independent figure with its own interval; both are positive.
fn quotient(counted: Estimate, by: f64, (least, most): (f64, f64)) -> Estimate {
    let value = counted.value / by;
    let down = (counted.lo / counted.value).ln().hypot((most / by).ln());
    let up = (counted.hi / counted.value).ln().hypot((by / least.max(0.0)).ln());
    let interval = (value * (-down).exp(), value * up.exp());
    fitted::interval(value, interval, counted.level, counted.n)
}

/// What the fit of the blips leaves in doubt.
fn doubts(observed: &Observed, threshold: &Threshold, blips: &Faults) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if blips.length.selected.is_some() && blips.seen < 0.5 {
        warnings.push(Warning::approximation(format!(
            "probes see only {:.0} % of the blips: the unseen ones follow from the fitted law and not from the recording; probe more often",
            100.0 * blips.seen
        )));
    }
    let best = blips.length.best();
    if let (Some(after), Some(law)) = (threshold.after, best.and_then(|best| best.law.as_ref())) {
        let longer = blips.n as f64 * law.survival(after.as_secs_f64()) / blips.seen.max(1e-9);
        if longer > 0.5 {
            warnings.push(Warning::statistical(format!(
                "by the fitted law {longer:.1} blips would outlast the threshold of {after}: blips and outages are not well apart"
            )));
        }
    }
    if !observed.regular && observed.interval_s > 0.0 {
        warnings.push(Warning::approximation(
            "probes are unevenly spaced: each run is reckoned with the probes around it, and joined runs at the median spacing",
        ));
    }
    if observed.absent > 0 {
        warnings.push(Warning::statistical(format!(
            "{} checks were due and did not arrive; they tell nothing of the region, and a dark outage among them is not fitted",
            observed.absent
        )));
    }
    warnings
}
