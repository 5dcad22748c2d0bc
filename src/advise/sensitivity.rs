//! What becomes of an advice if the blips are other than stated: the tail decides.

use serde::Serialize;

use super::advisor::Advisor;
use super::band::{Band, Patience};
use super::report::TargetAdvice;
use crate::estimate::Estimate;
use crate::scenario::Tier;
use crate::trigger::Spec;

/// What one case makes of the advice.
#[derive(Clone, Debug, Serialize)]
pub struct CaseRow {
    /// What the case is called.
    pub case: String,
    /// Its laws of blip lengths.
    pub laws: String,
    /// Akaike weight, where it is a law of a refit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// True iff the robust choice must keep to the limit under it.
    pub required: bool,
    /// The shortest that keeps to the limit; none where no trigger that was tried does.
    pub shortest: Option<Patience>,
    /// What that means on each target.
    pub targets: Vec<CaseTarget>,
}

/// What one case means on one target.
#[derive(Clone, Debug, Serialize)]
pub struct CaseTarget {
    /// The target.
    pub target: String,
    /// How ready it is.
    pub tier: Tier,
    /// The trigger chosen in the world as stated, if any.
    pub trigger: Option<Spec>,
    /// Its false failovers a day in this case.
    pub false_failovers_per_day: Option<Estimate>,
    /// Whether that keeps to the limit for certain.
    pub keeps_to_limit: Option<bool>,
    /// The band in this case.
    pub band: Option<Band>,
}

/// Every case, the world as stated first.
pub fn sensitivity(advisor: &mut Advisor, advices: &[TargetAdvice]) -> Vec<CaseRow> {
    let per_day = advisor.limit.per_day();
    let interval = advisor.scenario.probe.interval;
    let mut rows = Vec::new();
    for tried in &mut advisor.tried {
        let mut targets = Vec::new();
        for (advice, outlook) in advices.iter().zip(&advisor.outlooks) {
            let chosen = advice.choice.as_ref().map(|choice| choice.patience);
            // Deciding may add replications, so it comes before the figure that is shown.
            let keeps = chosen.map(|chosen| tried.rates.keeps(chosen.k, per_day));
            targets.push(CaseTarget {
                target: advice.target.clone(),
                tier: advice.tier,
                trigger: chosen.map(|chosen| chosen.trigger),
                false_failovers_per_day: chosen.map(|chosen| tried.rates.rate(chosen.k)),
                keeps_to_limit: keeps,
                band: Band::of(outlook, tried.shortest.k),
            });
        }
        rows.push(CaseRow {
            case: tried.case.name.clone(),
            laws: tried.case.laws.clone(),
            weight: tried.case.weight,
            required: tried.case.is_required,
            shortest: tried.shortest.k.map(|k| Patience::new(k, interval)),
            targets,
        });
    }
    rows
}
