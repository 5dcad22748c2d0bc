//! Which of the fitted families is best, by Akaike's criterion, and which cannot be told from it.

use super::Options;
use super::evidence::Evidence;
use super::family::Family;
use super::fitted::{Fitted, fit};
use super::gof;
use super::recurrence::Recurrence;
use super::tail::tail;
use super::warning::Warning;

/// All families fitted to the same evidence.
#[derive(Clone, Debug)]
pub struct Laws {
    /// How many lengths they rest on.
    pub n: u64,
    /// The best family that converged and has a mean; `None` where there is none.
    pub selected: Option<Family>,
    /// Families whose Akaike weight is within a factor [`TIE`] of the best one's: the data do not tell
    /// them from it.
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

    fn select(&mut self) {
        let usable = |fitted: &&Fitted| fitted.weight > 0.0 && fitted.mean_s.is_some();
        let best = self.families.iter().filter(usable).max_by(|a, b| {
            // Of equals the simpler, which comes first, wins.
            a.weight.total_cmp(&b.weight).then(b.family.cmp(&a.family))
        });
        let Some(best) = best else {
            self.warnings.push(Warning::convergence(
                "no family could be fitted; the sample says too little about lengths",
            ));
            return;
        };
        self.selected = Some(best.family);
        let close = |other: &&Fitted| {
            other.family != best.family && other.weight > 0.0 && other.weight * TIE >= best.weight
        };
        self.ties = self.families.iter().filter(close).map(|other| other.family).collect();
        if !self.ties.is_empty() {
            let others: Vec<&str> = self.ties.iter().map(|family| family.name()).collect();
            let message = format!(
                "{} is best by a weight of {:.2}, but the data do not tell it from {}: try the scenario with each",
                best.family.name(),
                best.weight,
                others.join(", ")
            );
            self.warnings.push(Warning::statistical(message));
        }
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
