//! Which of the fitted families is best, by Akaike's criterion, and which cannot be told from it.

use super::Options;
use super::evidence::Evidence;
use super::family::Family;
use super::fitted::{Fitted, fit};
use super::gof;
use super::recurrence::Recurrence;
use super::tail::tail;
use super::warning::Warning;
use crate::estimate::Estimate;

/// All families fitted to the same evidence.
#[derive(Clone, Debug)]
pub struct Laws {
    /// How many lengths they rest on.
    pub n: u64,
    /// The best family that converged and has a mean; `None` where there is none.
    pub selected: Option<Family>,
    /// Families whose Akaike weight is within a factor [`TIE`] of the selected one's: the data do not
    /// tell them from it.
    pub ties: Vec<Family>,
    /// Every family, in the order of [`Family::ALL`].
    pub families: Vec<Fitted>,
    /// What concerns all of them.
    pub warnings: Vec<Warning>,
}

/// Akaike weights within this factor of the best are a tie.
pub const TIE: f64 = 8.0;

/// Fewer lengths than this settle no law.
pub const FEWEST: u64 = 5;

impl Laws {
    /// Fits every family. `name` names the random numbers of the bootstrap.
    pub fn of(
        name: &str,
        evidence: &Evidence,
        recurrence: Option<&Recurrence>,
        options: &Options,
    ) -> Laws {
        let n = evidence.count();
        if n < FEWEST {
            let message = format!("too few to settle a law: {n}, and at least {FEWEST} are needed");
            let warnings = vec![Warning::statistical(message)];
            return Laws { n, selected: None, ties: Vec::new(), families: Vec::new(), warnings };
        }
        let mut families: Vec<Fitted> = Family::ALL
            .iter()
            .map(|family| fit(*family, evidence, recurrence, options.level))
            .collect();
        for fitted in families.iter_mut().filter(|fitted| fitted.converged) {
            if let Some(law) = &fitted.law {
                fitted.tail = tail(&fitted.evidence, law);
            }
            fitted.gof_p = gof::p_value(name, fitted, options);
        }
        weigh(&mut families);
        let mut laws = Laws { n, selected: None, ties: Vec::new(), families, warnings: Vec::new() };
        laws.select();
        laws
    }

    /// The selected fit.
    pub fn best(&self) -> Option<&Fitted> {
        self.families.iter().find(|fitted| Some(fitted.family) == self.selected)
    }

    fn why_none(&self) -> String {
        let exponential = self.families.iter().find(|f| f.family == Family::Exponential);
        let bound = exponential.and_then(|exponential| exponential.mean_s);
        let told = "no family could be fitted; the sample says too little about lengths";
        bound.map_or(told.to_owned(), |mean| {
            format!("{told}: an exponential mean is below {:.3} s, and no more is known; probe more often", mean.hi)
        })
    }

    /// How far apart the means are of the families that are told to be as good as the best.
    fn spread_of_means(&self) -> String {
        let alike = self.families.iter().filter(|fitted| {
            Some(fitted.family) == self.selected || self.ties.contains(&fitted.family)
        });
        let means = alike.filter_map(|fitted| fitted.mean_s).map(|mean| mean.value);
        let (least, most) =
            means.fold((f64::INFINITY, 0.0_f64), |(lo, hi), mean| (lo.min(mean), hi.max(mean)));
        if most < 1.25 * least {
            return String::new();
        }
        format!(" (their means differ {:.1}-fold)", most / least)
    }

    fn select(&mut self) {
        let best = self.families.iter().filter(|fitted| selectable(fitted)).max_by(|a, b| {
            // Of equals the simpler, which comes first, wins.
            a.weight.total_cmp(&b.weight).then(b.family.cmp(&a.family))
        });
        let Some(best) = best else {
            self.warnings.push(Warning::convergence(self.why_none()));
            return;
        };
        self.selected = Some(best.family);
        let close = |other: &&Fitted| {
            let near = other.weight * TIE >= best.weight && other.weight <= best.weight * TIE;
            other.family != best.family && other.weight > 0.0 && near
        };
        self.ties = self.families.iter().filter(close).map(|other| other.family).collect();
        let passed_over = passed_over(&self.families, best);
        if !self.ties.is_empty() {
            let others: Vec<&str> = self.ties.iter().map(|family| family.name()).collect();
            let (name, others) = (best.family.name(), others.join(", "));
            let alike = match passed_over {
                None => format!(
                    "{name} is best by a weight of {:.2}, but the data do not tell it from {others}",
                    best.weight
                ),
                Some(_) => format!("the data do not tell {name} from {others}"),
            };
            let message = format!("{alike}{}: try the scenario with each", self.spread_of_means());
            self.warnings.push(Warning::statistical(message));
        }
        self.warnings.splice(0..0, passed_over);
        if let Some(p) = best.gof_p.filter(|p| *p < 0.05) {
            let message = format!(
                "even the best family, {}, fits badly (p = {p:.3}): look at the chart, and give triggers room",
                best.family.name()
            );
            self.warnings.push(Warning::statistical(message));
        }
        let worst = best.tail.iter().min_by(|a, b| a.p.total_cmp(&b.p)).filter(|t| t.p < 0.01);
        if let Some(point) = worst {
            let message = format!(
                "in the tail {} misses: {} runs of {} failures or more were seen, {:.1} expected (p = {:.1e})",
                best.family.name(),
                point.observed,
                point.failures,
                point.expected,
                point.p
            );
            self.warnings.push(Warning::statistical(message));
        }
    }
}

/// True iff the family may be called the best: it converged, has a mean, and is settled by the data.
/// An exponential law, the plainest there is, needs no bound from below.
fn selectable(fitted: &Fitted) -> bool {
    let plain = fitted.family == Family::Exponential;
    let settled = |mean: Estimate| fitted.bounded || plain && mean.hi.is_finite();
    fitted.weight > 0.0 && fitted.mean_s.is_some_and(settled)
}

/// A word on a family that describes the data better than the selected one and may not be selected,
/// or on there being none to compare it with.
fn passed_over(families: &[Fitted], best: &Fitted) -> Option<Warning> {
    let likeliest = families.iter().max_by(|a, b| a.weight.total_cmp(&b.weight))?;
    let others = || families.iter().filter(|f| f.family != best.family);
    if likeliest.weight > TIE * best.weight {
        let why = match likeliest.mean_s {
            None => "its mean is infinite and a scenario needs a finite one",
            Some(_) => "the data do not bound its parameters",
        };
        return Some(Warning::statistical(format!(
            "{} describes the data best, by a weight of {:.3}, but {why}: {} is the best of the others",
            likeliest.family.name(),
            likeliest.weight,
            best.family.name()
        )));
    }
    let alone = best.family == Family::Exponential && !others().any(|other| other.bounded);
    alone.then(|| {
        Warning::statistical(
            "the data settle no family that has a shape: that lengths are exponential is an assumption, and what probes do not see rests on it; probe more often",
        )
    })
}

fn weigh(families: &mut [Fitted]) {
    let usable = |fitted: &Fitted| fitted.converged && fitted.aicc.is_finite();
    let least = families
        .iter()
        .filter(|fitted| usable(fitted))
        .map(|fitted| fitted.aicc)
        .fold(f64::INFINITY, f64::min);
    let relative = |fitted: &Fitted| {
        if usable(fitted) { (0.5 * (least - fitted.aicc)).exp() } else { 0.0 }
    };
    let total: f64 = families.iter().map(relative).sum();
    for fitted in families {
        fitted.weight = if total > 0.0 { relative(fitted) / total } else { 0.0 };
    }
}
