//! One family fitted to some evidence: parameters, intervals, criteria, and what went wrong.

use super::evidence::Evidence;
use super::family::{Family, Model};
use super::joins::Joins;
use super::likelihood::{self, Likelihood};
use super::optimise::{self, Optimum, Point, Trouble};
use super::recurrence::Recurrence;
use super::region::{self, Region};
use super::start;
use super::tail::TailPoint;
use super::warning::Warning;
use crate::estimate::Estimate;
use crate::law::Law;

/// A family fitted to evidence.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The family.
    pub family: Family,
    /// The law at the maximum; `None` where there is none at all.
    pub law: Option<Law>,
    /// The parameters, with profile-likelihood intervals.
    pub parameters: Vec<(&'static str, Estimate)>,
    /// The mean; `None` where it is infinite.
    pub mean_s: Option<Estimate>,
    /// Logarithm of the likelihood at the maximum.
    pub log_likelihood: f64,
    /// Akaike's criterion, corrected for small samples; infinite where the sample is too small for it.
    pub aicc: f64,
    /// The Bayesian criterion.
    pub bic: f64,
    /// Akaike weight among the families that converged; 0 for those that did not.
    pub weight: f64,
    /// Goodness of fit by parametric bootstrap; `None` where it was not asked for or did not converge.
    pub gof_p: Option<f64>,
    /// How well the tail is met.
    pub tail: Vec<TailPoint>,
    /// True iff the maximum was found and is one.
    pub converged: bool,
    /// True iff the likelihood falls far enough on every side of the maximum to bound the parameters.
    /// Where it does not, the data do not settle the family.
    pub bounded: bool,
    /// What the reader must know.
    pub warnings: Vec<Warning>,
    /// Laws on the edge of the likelihood region, for the range of any other figure.
    pub edge: Vec<Law>,
    pub(super) model: Model,
    pub(super) at: Point,
    /// The evidence with the correction for joined runs that belongs to this law.
    pub(super) evidence: Evidence,
}

impl Fitted {
    /// The profile-likelihood interval of a figure of the law. Open sides are infinite.
    pub fn range(&self, figure: impl Fn(&Law) -> f64) -> (f64, f64) {
        match &self.law {
            Some(law) if !self.edge.is_empty() => {
                region::range(figure(law), self.edge.iter().map(figure))
            }
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// The correction for joined runs that belongs to this law.
    pub fn joins(&self) -> Joins {
        match &self.evidence {
            Evidence::Windows(windows) => windows.joins().clone(),
            _ => Joins::none(),
        }
    }
}

/// Fits one family. `recurrence` tells how often runs begin, for the correction of joined ones.
pub fn fit(
    family: Family,
    evidence: &Evidence,
    recurrence: Option<&Recurrence>,
    level: f64,
) -> Fitted {
    let model = model(family, evidence);
    let mut evidence = evidence.clone();
    let mut optimum = search(&model, &evidence);
    let (mut all_joined, mut following) = (false, None);
    if let Some(recurrence) = recurrence {
        let unjoined = (evidence.clone(), optimum.clone());
        settle_joins(&model, &mut evidence, &mut optimum, recurrence);
        all_joined = family == Family::Exponential
            && optimum.trouble.is_some()
            && unjoined.1.trouble.is_none();
        if all_joined {
            (evidence, optimum) = unjoined;
        } else {
            following = follow(&model, &evidence, &mut optimum, recurrence);
        }
    }
    let mut fitted = describe(model, evidence, &optimum);
    if fitted.converged {
        let mut open = add_intervals(&mut fitted, &optimum, following, level);
        open[0] |= all_joined;
        if all_joined {
            fitted.warnings.push(Warning::statistical(JOINED));
        }
        if family == Family::Exponential {
            open_ends(&mut fitted, open);
        }
    } else if family == Family::Exponential && fitted.law.is_some() {
        add_bound(&mut fitted, &optimum, level);
    }
    fitted
}

/// Finds the maximum with the joined runs reckoned anew for every law, where that is worth it and there
/// is one.
fn follow<'a>(
    model: &Model,
    evidence: &Evidence,
    optimum: &mut Optimum,
    recurrence: &'a Recurrence,
) -> Option<&'a Recurrence> {
    let law = model.law(&optimum.at).filter(|_| optimum.trouble.is_none())?;
    if !likelihood::worth_following(evidence, recurrence, &law) {
        return None;
    }
    let likelihood = Likelihood { model: *model, evidence, following: Some(recurrence) };
    let bounds = model.bounds(evidence.typical_s());
    let found = optimise::polish(&|at| likelihood.at(at), optimum.at, model.dims(), &bounds);
    if found.trouble.is_some() {
        return None;
    }
    *optimum = found;
    Some(recurrence)
}

const JOINED: &str = "blips joined by a gap that no probe saw explain the runs of two failed probes and more as well as long blips do: the mean is taken as if none were joined, and may be anything shorter";

/// No exponential mean is too short where a few joined blips explain every run of two and more, and
/// none is too long where longer runs would not be in the sample.
fn open_ends(fitted: &mut Fitted, [below, above]: [bool; 2]) {
    let bounds = fitted.model.bounds(fitted.evidence.typical_s());
    let sides = [(below, bounds.low, "above"), (above, bounds.high, "below")];
    for (_, end, side) in sides.into_iter().filter(|(open, ..)| *open) {
        fitted.edge.extend(fitted.model.law(&end));
        fitted
            .warnings
            .push(Warning::statistical(format!("the data bound the mean from {side} only")));
    }
    let parameters = fitted.parameters.iter_mut().map(|(_, estimate)| estimate);
    for mean in parameters.chain(&mut fitted.mean_s) {
        mean.lo = if below { 0.0 } else { mean.lo };
        mean.hi = if above { f64::INFINITY } else { mean.hi };
    }
    fitted.bounded = !below && !above;
}

/// Where no exponential mean is too short for the data (a run of one probe each), the longest that
/// is not too long.
fn add_bound(fitted: &mut Fitted, optimum: &Optimum, level: f64) {
    let (model, n) = (fitted.model, fitted.evidence.count());
    let function = |at: &Point| value(&model, &fitted.evidence, at);
    let bounds = model.bounds(fitted.evidence.typical_s());
    let most = region::upper_bound(&function, &optimum.at, optimum.value, &bounds, drop(level));
    let Some(most) = most else { return };
    let mean = interval(optimum.at[0].exp(), (0.0, most.exp()), level, n);
    fitted.parameters = vec![("mean_s", mean)];
    fitted.mean_s = Some(mean);
    fitted.warnings.push(Warning::statistical(
        "the data bound the mean from above only; its value is no estimate",
    ));
}

/// The maximum of the log-likelihood and the law there, joined runs left out; minus infinity where there
/// is none.
pub(super) fn highest(family: Family, evidence: &Evidence) -> (f64, Option<Law>) {
    let model = model(family, evidence);
    let optimum = search(&model, evidence);
    (optimum.value, model.law(&optimum.at))
}

/// Exact Pareto lengths have their likeliest minimum at the smallest of them, whatever the index.
fn model(family: Family, evidence: &Evidence) -> Model {
    match (family, evidence) {
        (Family::Pareto, Evidence::Durations { exact, .. }) if !exact.is_empty() => {
            Model { family, minimum_s: exact.first().copied() }
        }
        _ => Model::free(family),
    }
}

fn search(model: &Model, evidence: &Evidence) -> Optimum {
    let function = |at: &Point| value(model, evidence, at);
    let mut starts: Vec<(Point, f64)> =
        start::starts(model, evidence).into_iter().map(|at| (at, function(&at))).collect();
    starts.retain(|(_, value)| value.is_finite());
    starts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let bounds = model.bounds(evidence.typical_s());
    let from = |at: Point| optimise::maximise(&function, at, model.dims(), &bounds);
    let Some((first, _)) = starts.first() else { return from([0.0, evidence.typical_s().ln()]) };
    let found = from(*first);
    match starts.get(1) {
        Some((second, _)) if found.trouble.is_some() => {
            let other = from(*second);
            if other.trouble.is_none() || other.value > found.value { other } else { found }
        }
        _ => found,
    }
}

/// Log-likelihood at a point, joined runs held.
fn value(model: &Model, evidence: &Evidence, at: &Point) -> f64 {
    Likelihood { model: *model, evidence, following: None }.at(at)
}

/// Simplices of a fit that starts near its end.
const SIMPLICES: usize = 2;

/// The fit again from a point near by: Newton's steps, and a short search where they fail.
pub(super) fn refit(model: &Model, evidence: &Evidence, at: Point) -> Optimum {
    let function = |at: &Point| value(model, evidence, at);
    let bounds = model.bounds(evidence.typical_s());
    let quick = optimise::polish(&function, at, model.dims(), &bounds);
    match quick.trouble {
        None => quick,
        Some(_) => optimise::climb(&function, at, model.dims(), &bounds, SIMPLICES),
    }
}

/// Finds law and joined runs in turn, until neither moves.
fn settle_joins(
    model: &Model,
    evidence: &mut Evidence,
    optimum: &mut Optimum,
    recurrence: &Recurrence,
) {
    for _ in 0..6 {
        let Evidence::Windows(windows) = &*evidence else { return };
        let Some(law) = model.law(&optimum.at) else { return };
        let rate = recurrence.rate(&law, windows.joins());
        let joins = Joins::of(&law, rate, recurrence.step_s, recurrence.longest);
        *evidence = Evidence::Windows(windows.clone().with_joins(joins));
        let before = optimum.at;
        *optimum = refit(model, evidence, before);
        let moved = (optimum.at[0] - before[0]).abs().max((optimum.at[1] - before[1]).abs());
        if moved < 1e-3 {
            return;
        }
    }
}

fn describe(model: Model, evidence: Evidence, optimum: &Optimum) -> Fitted {
    let (n, k) = (evidence.count() as f64, model.family.parameters() as f64);
    let log_likelihood = optimum.value;
    let room = n - k - 1.0;
    let correction = if room > 0.0 { 2.0 * k * (k + 1.0) / room } else { f64::INFINITY };
    let mut warnings = Vec::new();
    if let Some(trouble) = optimum.trouble {
        warnings.push(Warning::convergence(words(trouble)));
    } else if room <= 0.0 {
        warnings.push(Warning::statistical(format!(
            "{n} lengths are too few for {k} parameters; record for longer"
        )));
    }
    let law = model.law(&optimum.at).filter(|_| log_likelihood.is_finite());
    let converged = optimum.trouble.is_none() && law.is_some();
    if converged && model.minimum_s.is_some() {
        warnings.push(Warning::approximation(
            "the minimum is the smallest length seen; its interval is one-sided, and criteria that count parameters are rough",
        ));
    }
    Fitted {
        family: model.family,
        parameters: open(&model.named(&optimum.at), evidence.count()),
        mean_s: None,
        log_likelihood,
        aicc: 2.0 * k - 2.0 * log_likelihood + correction,
        bic: k * n.ln() - 2.0 * log_likelihood,
        weight: 0.0,
        gof_p: None,
        tail: Vec::new(),
        converged,
        bounded: false,
        warnings,
        edge: Vec::new(),
        law,
        model,
        at: optimum.at,
        evidence,
    }
}

fn words(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::NoStart => "the data are impossible under this family",
        Trouble::AtTheEdge => {
            "the likelihood still rises where the parameters leave all reason: the data do not settle this family (a probe more often than blips are long would)"
        }
        Trouble::Flat => "the likelihood is flat: the data do not settle the parameters",
        Trouble::NotSettled => "the search ended on a slope",
    }
}

const UNSETTLED: &str = "the likelihood does not bound the parameters on every side, so that their intervals are cut off: the data do not settle this family, and it is not selected";

/// Values without bounds.
fn open(named: &[(&'static str, f64)], n: u64) -> Vec<(&'static str, Estimate)> {
    let (lo, hi) = (f64::NEG_INFINITY, f64::INFINITY);
    named.iter().map(|(name, value)| (*name, interval(*value, (lo, hi), 0.95, n))).collect()
}

pub(super) fn interval(value: f64, (lo, hi): (f64, f64), level: f64, n: u64) -> Estimate {
    Estimate { value, lo: lo.min(value), hi: hi.max(value), level, n, exact: None }
}

/// Adds the intervals of parameters and mean; says on which sides that of a single parameter is open.
fn add_intervals(
    fitted: &mut Fitted,
    optimum: &Optimum,
    following: Option<&Recurrence>,
    level: f64,
) -> [bool; 2] {
    let (model, n) = (fitted.model, fitted.evidence.count());
    let region = edge(fitted, optimum, following, level);
    fitted.edge = region.edge.iter().filter_map(|at| model.law(at)).collect();
    let at_edge: Vec<_> = region.edge.iter().map(|at| model.named(at)).collect();
    for (i, (name, estimate)) in fitted.parameters.iter_mut().enumerate() {
        let values = at_edge.iter().map(|named| named[i].1);
        let mut bounds = region::range(estimate.value, values);
        if let (Some(minimum), "minimum_s") = (model.minimum_s, *name) {
            // The likelihood falls with the minimum as its (index × count)-th power.
            let index = optimum.at[0].exp() * n as f64;
            bounds = (minimum * (1.0 - level).powf(1.0 / index), minimum);
        }
        *estimate = interval(estimate.value, bounds, level, n);
    }
    fitted.bounded = region.closed;
    if !region.closed && model.family != Family::Exponential {
        fitted.warnings.push(Warning::statistical(UNSETTLED));
    }
    let mean = fitted.law.as_ref().map_or(f64::INFINITY, Law::mean);
    if mean.is_finite() {
        fitted.mean_s = Some(interval(mean, fitted.range(Law::mean), level, n));
    } else {
        fitted.warnings.push(Warning::statistical(
            "this law has an infinite mean; a scenario needs a finite one, so it is not selected",
        ));
    }
    region.open
}

fn edge(fitted: &Fitted, optimum: &Optimum, following: Option<&Recurrence>, level: f64) -> Region {
    let model = fitted.model;
    let likelihood = Likelihood { model, evidence: &fitted.evidence, following };
    let bounds = model.bounds(fitted.evidence.typical_s());
    let searched = (model.dims(), &bounds);
    let function = |at: &Point| likelihood.at(at);
    let drop = drop(level);
    region::region(&function, &optimum.at, optimum.value, &optimum.curvature, searched, drop)
}

/// Half the chi-square quantile with one degree of freedom.
fn drop(level: f64) -> f64 {
    let z =
        std::f64::consts::SQRT_2 * statrs::function::erf::erf_inv(level.clamp(0.0, 1.0 - 1e-12));
    0.5 * z * z
}
