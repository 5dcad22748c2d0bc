//! The expected cost a year of every target and patience, from the prices that are given.
//!
//! A standby costs what it keeps of the fleet, an outage what the minutes until recovery cost, a false
//! failover its price. What cannot be worked out for want of a price is left out and said so.

mod axis;
mod outage;

use serde::Serialize;

use super::advisor::Advisor;
use super::band::{Band, Patience};
use super::rates::exactly;
use crate::budget::Outlook;
use crate::estimate::Estimate;
use crate::scenario::validate::Broken;
use crate::scenario::{Cost, Tier};

/// Days and hours of a year.
const DAYS: f64 = 365.25;

/// Hours of one.
const HOURS: f64 = DAYS * 24.0;

/// The cost a year of one patience on one target.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CostRow {
    /// The target.
    pub target: String,
    /// How ready it is.
    pub tier: Tier,
    /// The trigger.
    #[serde(flatten)]
    pub patience: Patience,
    /// Patience and the stages, from the first failed probe.
    pub recovery_s: f64,
    /// What the standby costs; none where it is not known.
    pub standby_cost_per_year: Option<f64>,
    /// What outages cost until recovery; none where it is not known.
    pub outage_cost_per_year: Option<Estimate>,
    /// What false failovers cost; none where it is not known.
    pub false_failover_cost_per_year: Option<Estimate>,
    /// The sum of what is known.
    pub cost_per_year: Estimate,
    /// True iff the patience is feasible.
    pub in_band: bool,
    /// True iff it is the one that the advice chooses.
    pub chosen: bool,
    /// True iff it is the cheapest of the feasible on its target.
    pub cheapest: bool,
    /// True iff nothing of any target is as cheap and recovers sooner.
    pub on_frontier: bool,
}

/// All costs, and what they leave out.
#[derive(Clone, Debug, Default)]
pub struct Costs {
    /// One a target and patience: by target, then by patience.
    pub rows: Vec<CostRow>,
    /// What is left out or taken for granted.
    pub notes: Vec<String>,
}

impl Costs {
    /// The costs over the patience axis; `chosen` are targets with the count chosen for them.
    ///
    /// # Errors
    /// When the scenario has no plan.
    pub fn of(advisor: &mut Advisor, chosen: &[(String, u64)]) -> Result<Costs, Broken> {
        let cost = advisor.scenario.cost.clone();
        if cost.is_empty() {
            return Ok(Costs::default());
        }
        let counts = axis::counts(advisor, chosen);
        let detections = axis::detections(advisor, &counts)?;
        let mut rows = Vec::new();
        for outlook in advisor.outlooks.clone() {
            let band = Band::of(&outlook, advisor.shortest().k);
            let minutes = outage::Minutes::new(&outlook, cost.outage_length.as_ref());
            for (k, detection) in counts.iter().zip(&detections) {
                let outages = cost.price_per_outage_minute.zip(cost.outages_per_year).and_then(
                    |(price, per_year)| {
                        Some(minutes.of(detection.as_ref()?)?.scaled(price * per_year))
                    },
                );
                let per_year = false_per_year(advisor, *k);
                let false_failovers = price_of_one(&cost).map(|price| per_year.scaled(price));
                rows.push(row(&outlook, &cost, *k, band.as_ref(), outages, false_failovers));
            }
        }
        mark(&mut rows, chosen);
        Ok(Costs { rows, notes: notes(advisor, &cost) })
    }

    /// The cheapest feasible count on a target.
    pub fn cheapest(&self, target: &str) -> Option<u64> {
        let row = self.rows.iter().find(|row| row.cheapest && row.target == target);
        row.map(|row| row.patience.k)
    }
}

/// False failovers a year. Over the laws that a refit leaves plausible the interval spans them all.
fn false_per_year(advisor: &mut Advisor, k: u64) -> Estimate {
    let mut rate = advisor.base().rate(k);
    for tried in advisor.tried.iter_mut().filter(|tried| tried.case.weight.is_some()) {
        let other = tried.rates.rate(k);
        (rate.lo, rate.hi) = (rate.lo.min(other.lo), rate.hi.max(other.hi));
    }
    if rate.lo < rate.hi {
        rate.exact = None;
    }
    // A rate of zero times the days of a year is zero; `scaled` asks for a positive factor.
    rate.scaled(DAYS)
}

/// The price of one false failover: the parts that are given.
fn price_of_one(cost: &Cost) -> Option<f64> {
    let one = &cost.false_failover;
    let parts = [
        one.hours_of_people.zip(one.price_per_hour).map(|(hours, price)| hours * price),
        one.cold_caches,
        one.probability_goes_wrong.zip(one.cost_when_wrong).map(|(chance, price)| chance * price),
    ];
    let known = parts.iter().any(Option::is_some);
    known.then(|| parts.into_iter().flatten().sum())
}

fn standby(cost: &Cost, target: &str, tier: Tier) -> Option<f64> {
    let share = cost.share(target, tier)?;
    Some(cost.price_per_gpu_hour? * cost.gpus? as f64 * share * HOURS)
}

fn row(
    outlook: &Outlook,
    cost: &Cost,
    k: u64,
    band: Option<&Band>,
    outages: Option<Estimate>,
    false_failovers: Option<Estimate>,
) -> CostRow {
    let plan = &outlook.plan;
    let patience = Patience::new(k, plan.interval);
    let standby = standby(cost, &plan.target, plan.tier);
    let parts = [standby.map(exactly), outages, false_failovers];
    CostRow {
        target: plan.target.clone(),
        tier: plan.tier,
        patience,
        recovery_s: outlook.recovery(patience.span(plan.interval)).recovery_s,
        standby_cost_per_year: standby,
        outage_cost_per_year: outages,
        false_failover_cost_per_year: false_failovers,
        cost_per_year: sum(parts.into_iter().flatten()),
        in_band: band.is_some_and(|band| band.holds(k)),
        chosen: false,
        cheapest: false,
        on_frontier: false,
    }
}

/// The sum, with the sums of the ends. Each uncertain part takes its own chance to be wrong off the level.
fn sum(parts: impl Iterator<Item = Estimate>) -> Estimate {
    let mut sum = Estimate { level: 1.0, ..exactly(0.0) };
    for part in parts {
        sum.value += part.value;
        sum.lo += part.lo;
        sum.hi += part.hi;
        sum.n = sum.n.max(part.n);
        if part.lo < part.hi {
            sum.level -= 1.0 - part.level;
        }
    }
    let certain = sum.lo == sum.hi;
    Estimate { exact: certain.then_some(sum.value), ..sum }
}

fn mark(rows: &mut [CostRow], chosen: &[(String, u64)]) {
    for (target, k) in chosen {
        let is_it = |row: &&mut CostRow| row.target == *target && row.patience.k == *k;
        rows.iter_mut().filter(is_it).for_each(|row| row.chosen = true);
    }
    let targets: std::collections::BTreeSet<String> =
        rows.iter().map(|row| row.target.clone()).collect();
    for target in targets {
        let feasible = |(_, row): &(usize, &CostRow)| row.in_band && row.target == target;
        let by_cost = |a: &(usize, &CostRow), b: &(usize, &CostRow)| {
            a.1.cost_per_year.value.total_cmp(&b.1.cost_per_year.value)
        };
        let cheapest = rows.iter().enumerate().filter(feasible).min_by(by_cost);
        if let Some(index) = cheapest.map(|(index, _)| index) {
            rows[index].cheapest = true;
        }
    }
    let mut by_recovery: Vec<usize> = (0..rows.len()).collect();
    by_recovery.sort_by(|a, b| {
        let key = |index: &usize| (rows[*index].recovery_s, rows[*index].cost_per_year.value);
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let mut least = f64::INFINITY;
    for index in by_recovery {
        if rows[index].cost_per_year.value < least {
            least = rows[index].cost_per_year.value;
            rows[index].on_frontier = true;
        }
    }
}

/// What the sum leaves out for want of an input, and what it takes for granted.
fn notes(advisor: &Advisor, cost: &Cost) -> Vec<String> {
    let mut notes = Vec::new();
    let mut missing = |what: &str, keys: &[(&str, bool)]| {
        let absent: Vec<String> =
            keys.iter().filter(|(_, given)| !given).map(|(key, _)| format!("cost.{key}")).collect();
        if !absent.is_empty() {
            notes.push(format!("left out is {what}: {} is not given", absent.join(", ")));
        }
    };
    for plan in advisor.outlooks.iter().map(|outlook| &outlook.plan) {
        missing(
            &format!("the standby {}", plan.target),
            &[
                ("price_per_gpu_hour", cost.price_per_gpu_hour.is_some()),
                ("gpus", cost.gpus.is_some()),
                ("standby_share", cost.share(&plan.target, plan.tier).is_some()),
            ],
        );
    }
    missing(
        "what outages cost",
        &[
            ("price_per_outage_minute", cost.price_per_outage_minute.is_some()),
            ("outages_per_year", cost.outages_per_year.is_some()),
        ],
    );
    let one = &cost.false_failover;
    missing(
        "people's time in a false failover",
        &[
            ("false_failover.hours_of_people", one.hours_of_people.is_some()),
            ("false_failover.price_per_hour", one.price_per_hour.is_some()),
        ],
    );
    missing("cold caches", &[("false_failover.cold_caches", one.cold_caches.is_some())]);
    missing(
        "a false failover that goes wrong",
        &[
            ("false_failover.probability_goes_wrong", one.probability_goes_wrong.is_some()),
            ("false_failover.cost_when_wrong", one.cost_when_wrong.is_some()),
        ],
    );
    if cost.outage_length.is_none() && cost.price_per_outage_minute.is_some() {
        notes.push(
            "cost.outage_length is not given: every outage is taken to outlast the recovery, and one that is \
             never detected has no price"
                .to_owned(),
        );
    }
    if advisor.tried.iter().filter(|tried| tried.case.weight.is_some()).count() > 1 {
        notes.push(
            "the intervals span every law that the refit leaves plausible; the value is that of the \
             weightiest"
                .to_owned(),
        );
    }
    notes.push("a year has 365.25 days; detection is the mean over random starts".to_owned());
    notes
}

#[cfg(test)]
mod tests;
