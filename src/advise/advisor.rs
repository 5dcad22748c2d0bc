//! What every part of an advice works with: the scenario, its outlooks, and each case with its rates.

use super::cases::{Case, cases};
use super::rates::{Rates, Shortest};
use super::{Limit, Preference, Question};
use crate::budget::{Outlook, outlooks};
use crate::scenario::Scenario;
use crate::scenario::validate::Broken;

/// A case with its rates, and the shortest count that keeps to the limit under it.
#[derive(Debug)]
pub struct Tried {
    /// The case.
    pub case: Case,
    /// Its rates.
    pub rates: Rates,
    /// What keeps to the limit.
    pub shortest: Shortest,
}

/// An advice in the making.
#[derive(Debug)]
pub struct Advisor {
    /// The scenario: the targets that were asked for, and the blips of the first case.
    pub scenario: Scenario,
    /// The limit.
    pub limit: Limit,
    /// What is preferred.
    pub preference: Preference,
    /// One a target.
    pub outlooks: Vec<Outlook>,
    /// The cases, the world as stated first.
    pub tried: Vec<Tried>,
}

/// In cases other than the first, counts this many times as long as needed in the first are tried.
const FURTHER: u64 = 4;

impl Advisor {
    /// Works out what the limit needs in every case.
    ///
    /// # Errors
    /// When the scenario has no plan, or no target is of a tier that was asked for; with the key.
    pub fn new(scenario: &Scenario, question: &Question) -> Result<Self, Broken> {
        let mut scenario = scenario.clone();
        if !question.tiers.is_empty() {
            scenario.targets.retain(|target| question.tiers.contains(&target.tier));
        }
        if scenario.targets.is_empty() {
            let message =
                "no target of the scenario is of such a tier; leave the flag out to see all";
            return Err(Broken { key: "tier".to_owned(), message: message.to_owned() });
        }
        let cases = cases(&scenario, question.plausible.as_ref());
        scenario.blips = cases[0].scenario.blips.clone();
        let outlooks = outlooks(&scenario)?;
        let longest = outlooks.iter().filter_map(Outlook::largest_consecutive).max().unwrap_or(1);
        let per_day = question.limit.per_day();
        let mut tried: Vec<Tried> = Vec::new();
        for case in cases {
            let mut rates = Rates::new(&case.scenario)?;
            let shortest = match tried.first().map(|first| first.shortest.k) {
                None => rates.shortest_of_all(per_day),
                Some(needed) => {
                    let further = needed.unwrap_or(longest).saturating_mul(FURTHER);
                    rates
                        .shortest(per_day, longest.max(further).min(super::rates::DEEPEST_SEARCHED))
                }
            };
            tried.push(Tried { case, rates, shortest });
        }
        let (limit, preference) = (question.limit, question.preference);
        Ok(Advisor { scenario, limit, preference, outlooks, tried })
    }

    /// The rates of the world as stated.
    pub fn base(&mut self) -> &mut Rates {
        &mut self.tried[0].rates
    }

    /// What keeps to the limit in the world as stated.
    pub fn shortest(&self) -> &Shortest {
        &self.tried[0].shortest
    }

    /// The cases under which the robust choice keeps to the limit.
    pub fn required(&self) -> impl Iterator<Item = &Tried> {
        self.tried.iter().filter(|tried| tried.case.is_required)
    }

    /// How the shortest was decided, where that is not exact: `; the upper end …`.
    pub fn decided(&self) -> String {
        self.shortest().replications.map_or_else(String::new, |replications| {
            format!("; the upper end of the interval decides, over {replications} replications")
        })
    }
}
