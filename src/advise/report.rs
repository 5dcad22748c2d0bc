//! The whole advice, as the object that scripts read: `failover-budget/advise/1`.

use serde::Serialize;

use super::advisor::Advisor;
use super::band::{Band, Patience};
use super::changes::{Change, changes, why_none};
use super::choice::{because, choose};
use super::cost::{CostRow, Costs};
use super::detection::is_plain;
use super::ranking::{OneTrigger, Ranked, one_trigger, rank};
use super::rates::exactly;
use super::sensitivity::{CaseRow, sensitivity};
use super::{Limit, Preference, Question};
use crate::budget::{Met, Outlook};
use crate::estimate::{Estimate, LEVEL};
use crate::experiment::{Environment, Figures, Setting, run};
use crate::scenario::validate::Broken;
use crate::scenario::{Arrivals, OutageKind, Scenario, Tier};

/// The schema of [`Advice`].
pub const SCHEMA: &str = "failover-budget/advise/1";

/// All that `advise` tells.
#[derive(Clone, Debug, Serialize)]
pub struct Advice {
    /// The schema of this object.
    pub schema: &'static str,
    /// The scenario's name.
    pub scenario: String,
    /// The limit as asked.
    pub max_false_failovers: Limit,
    /// The same a day.
    pub max_false_failovers_per_day: f64,
    /// The RTO.
    pub rto_s: f64,
    /// Time between probes.
    pub interval_s: f64,
    /// Which trigger of a band is chosen.
    pub preference: Preference,
    /// True iff the rates of the world as stated are exact.
    pub exact: bool,
    /// One a target, in the scenario's order.
    pub targets: Vec<TargetAdvice>,
    /// The targets by the recovery that they promise.
    pub ranking: Vec<Ranked>,
    /// One trigger for all targets that have a band.
    pub one_trigger: Option<OneTrigger>,
    /// The advice under other blips.
    pub sensitivity: Vec<CaseRow>,
    /// What the currency is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The cost a year of every target and patience; empty where no prices are given.
    pub cost: Vec<CostRow>,
    /// What the cost leaves out, and what it takes for granted.
    pub cost_notes: Vec<String>,
    /// What the figures do not hold for.
    pub notes: Vec<String>,
}

/// The advice for one target.
#[derive(Clone, Debug, Serialize)]
pub struct TargetAdvice {
    /// The target.
    pub target: String,
    /// How ready it is.
    pub tier: Tier,
    /// The longest detection that it can afford; negative where it can afford none.
    pub room_s: f64,
    /// The feasible patience; none where no trigger does.
    pub band: Option<Band>,
    /// The trigger that is chosen.
    pub choice: Option<Choice>,
    /// Why it is chosen, or why there is none.
    pub because: String,
    /// Where there is none: what each input alone would have to be.
    pub would_fit_if: Vec<Change>,
}

/// A chosen trigger and what it promises.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// It.
    #[serde(flatten)]
    pub patience: Patience,
    /// Its false failovers a day.
    pub false_failovers_per_day: Estimate,
    /// Patience and the stages (their mean, where they have laws), from the first failed probe.
    pub recovery_s: f64,
    /// The same from the outage's start at the worst instant.
    pub worst_case_s: f64,
    /// The probability of recovery within the RTO, less the reserve.
    pub rto_met: Estimate,
}

/// Works out the advice.
///
/// # Errors
/// When the scenario has no plan, or no target of a tier that was asked for; with the dotted key.
pub fn advise(scenario: &Scenario, question: &Question) -> Result<Advice, Broken> {
    let mut advisor = Advisor::new(scenario, question)?;
    // The cheapest can only be chosen once costs are known; other choices are costs of interest.
    let early = match question.preference {
        Preference::Cheap => Some(Costs::of(&mut advisor, &[])?),
        _ => None,
    };
    let targets = targets(&mut advisor, early.as_ref())?;
    let chosen: Vec<(String, u64)> = targets
        .iter()
        .filter_map(|advice| Some((advice.target.clone(), advice.choice.as_ref()?.patience.k)))
        .collect();
    let costs = Costs::of(&mut advisor, &chosen)?;
    let shortest = advisor.shortest().k;
    let scenario = &advisor.scenario;
    Ok(Advice {
        schema: SCHEMA,
        scenario: scenario.name.clone(),
        max_false_failovers: question.limit,
        max_false_failovers_per_day: question.limit.per_day(),
        rto_s: scenario.rto.as_secs_f64(),
        interval_s: scenario.probe.interval.as_secs_f64(),
        preference: question.preference,
        exact: advisor.tried[0].rates.is_exact(),
        ranking: rank(&targets, &advisor.outlooks, shortest),
        one_trigger: one_trigger(&targets),
        currency: scenario.cost.currency.clone(),
        notes: notes(&advisor, question),
        sensitivity: sensitivity(&mut advisor, &targets),
        cost: costs.rows,
        cost_notes: costs.notes,
        targets,
    })
}

fn targets(advisor: &mut Advisor, costs: Option<&Costs>) -> Result<Vec<TargetAdvice>, Broken> {
    let mut advices = Vec::new();
    for outlook in advisor.outlooks.clone() {
        let band = Band::of(&outlook, advisor.shortest().k);
        let chosen = band.map(|band| (band, choose(advisor, &band, &outlook.plan.target, costs)));
        let (because, would_fit_if) = match chosen {
            Some((band, k)) => (because(advisor, &outlook, &band, k), Vec::new()),
            None => (why_none(advisor, &outlook), changes(advisor, &outlook)?),
        };
        let choice = chosen.map(|(_, k)| choice(advisor, &outlook, k));
        advices.push(TargetAdvice {
            target: outlook.plan.target.clone(),
            tier: outlook.plan.tier,
            room_s: outlook.room().as_secs_f64(),
            band,
            choice,
            because,
            would_fit_if,
        });
    }
    promise(advisor, &mut advices)?;
    Ok(advices)
}

fn choice(advisor: &mut Advisor, outlook: &Outlook, k: u64) -> Choice {
    let patience = Patience::new(k, outlook.plan.interval);
    let recovery = outlook.recovery(patience.span(outlook.plan.interval));
    Choice {
        patience,
        false_failovers_per_day: advisor.base().rate(k),
        recovery_s: recovery.recovery_s,
        worst_case_s: recovery.worst_case_s,
        rto_met: exactly(1.0),
    }
}

/// Fills in the probability of meeting the RTO: certain where the worst case bounds every detection
/// and always fits, else simulated.
fn promise(advisor: &mut Advisor, advices: &mut [TargetAdvice]) -> Result<(), Broken> {
    let interval = advisor.scenario.probe.interval;
    let controller = advisor.scenario.controller.clone();
    let mut asked: Vec<(usize, Setting)> = Vec::new();
    for (index, advice) in advices.iter().enumerate() {
        let Some(choice) = &advice.choice else { continue };
        let outlook = &advisor.outlooks[index];
        let span = choice.patience.span(interval);
        let worst = outlook.plan.worst_detection(span);
        let bounded = is_plain(&advisor.scenario, worst)
            && advisor.scenario.prober.gap.is_none()
            && advisor.scenario.restarts.gap.is_none();
        if !(bounded && outlook.recovery(span).worst_case_met == Met::Always) {
            let (silence, arming) = (controller.silence, controller.arming);
            asked.push((index, Setting { spec: choice.patience.trigger, silence, arming }));
        }
    }
    if asked.is_empty() {
        return Ok(());
    }
    let environment = Environment::new(advisor.scenario.clone())?;
    let settings: Vec<Setting> = asked.iter().map(|(_, setting)| setting.clone()).collect();
    let tallies = run(&environment, &settings, |_| {});
    for ((index, setting), tally) in asked.iter().zip(&tallies) {
        let figures = Figures::of(&environment, setting, tally, None, LEVEL);
        let advice = &mut advices[*index];
        let met = figures.targets[*index].rto_met;
        if met.hi < 0.99 {
            advice.because += &format!(
                ". But of the outages that this scenario has, it recovers from a share of only {} in time",
                met.show(2)
            );
        }
        if let Some(choice) = &mut advice.choice {
            choice.rto_met = met;
        }
    }
    Ok(())
}

/// What the figures do not hold for.
fn notes(advisor: &Advisor, question: &Question) -> Vec<String> {
    let scenario = &advisor.scenario;
    let mut notes = Vec::new();
    if let Some(plausible) = &question.plausible {
        notes.push("the laws of the refit stand in place of the scenario's blips".to_owned());
        let left_out = plausible.left_out.iter().map(|why| format!("left out of the refit: {why}"));
        notes.extend(left_out);
    }
    if scenario.outage.kind == OutageKind::Gray {
        notes.push(
            "this outage is gray: no count of failures in a row bounds its detection, so the room is that of \
             an outage that fails every probe, and the chance to meet the RTO is simulated; try m-of-n"
                .to_owned(),
        );
    }
    if scenario.outage.kind == OutageKind::Dark
        && scenario.controller.silence == crate::trigger::Silence::Ignored
    {
        notes.push(
            "with silence ignored a dark outage is hardly ever detected, whatever the patience: set \
             `controller.silence = \"failure\"`"
                .to_owned(),
        );
    }
    if advisor.tried[0].rates.is_exact() {
        return notes;
    }
    let (replications, length) = (scenario.run.replications, scenario.run.length);
    notes.push(format!(
        "these rates have no exact form and are simulated from {replications} replications of {length}, \
         more where that does not decide; whatever is decided is decided on the upper end of an interval"
    ));
    if scenario.blips.0.iter().any(|source| source.arrivals == Arrivals::Poisson) {
        notes.push("blips that overlap are merged".to_owned());
    }
    notes
}
