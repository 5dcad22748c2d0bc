//! Several standby targets: which to use first, which when one is not eligible, and one trigger for all.

use serde::Serialize;

use super::band::{Band, Patience};
use super::report::TargetAdvice;
use crate::budget::Outlook;
use crate::budget::words::{at_least, number};
use crate::scenario::Tier;
use crate::time::Span;
use crate::trigger::Spec;

/// One target in its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// From 1.
    pub rank: usize,
    /// The target.
    pub target: String,
    /// How ready it is.
    pub tier: Tier,
    /// Its own chosen trigger; where it has none, the shortest that keeps to the limit.
    pub trigger: Option<Spec>,
    /// Recovery with that trigger from the outage's start at the worst instant.
    pub worst_case_s: f64,
    /// How far that is over the RTO; 0 where it is within.
    pub over_by_s: f64,
    /// When to use it, and what it promises.
    pub when: String,
}

/// A trigger that serves every target which has a band.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OneTrigger {
    /// What they have in common.
    pub band: Band,
    /// The shortest of their choices.
    pub choice: Patience,
    /// Whom it serves.
    pub targets: Vec<String>,
}

/// The targets by the recovery that they promise: those within the RTO first.
pub fn rank(advices: &[TargetAdvice], outlooks: &[Outlook], shortest: Option<u64>) -> Vec<Ranked> {
    let of = |(advice, outlook): (&TargetAdvice, &Outlook)| {
        let interval = outlook.plan.interval;
        let own = advice.choice.as_ref().map(|choice| choice.patience);
        let patience = own.or_else(|| Some(Patience::new(shortest?, interval)));
        let span = patience.map_or(Span::ZERO, |patience| patience.span(interval));
        let worst_case_s = outlook.recovery(span).worst_case_s;
        // Where stages have laws, the room is what counts.
        let over = outlook.plan.worst_detection(span) - outlook.room();
        Ranked {
            rank: 0,
            target: advice.target.clone(),
            tier: advice.tier,
            trigger: patience.map(|patience| patience.trigger),
            worst_case_s,
            over_by_s: over.as_secs_f64().max(0.0),
            when: String::new(),
        }
    };
    let mut ranked: Vec<Ranked> = advices.iter().zip(outlooks).map(of).collect();
    // Stable: equals stay in the scenario's order.
    ranked.sort_by(|a, b| {
        a.over_by_s.total_cmp(&b.over_by_s).then(a.worst_case_s.total_cmp(&b.worst_case_s))
    });
    let names: Vec<String> = ranked.iter().map(|ranked| ranked.target.clone()).collect();
    for (index, ranked) in ranked.iter_mut().enumerate() {
        ranked.rank = index + 1;
        ranked.when = when(&names[..index], ranked);
    }
    ranked
}

fn when(before: &[String], ranked: &Ranked) -> String {
    let turn = match before {
        [] => String::new(),
        [only] => format!("when {only} is not eligible: "),
        [all @ .., last] => format!("when neither {} nor {last} is eligible: ", all.join(", ")),
    };
    let worst = at_least(ranked.worst_case_s);
    if ranked.over_by_s > 0.0 {
        let over = number(ranked.over_by_s);
        return format!("{turn}recovery in {worst} s in the worst case, {over} s over the RTO");
    }
    format!("{turn}recovery within {worst} s in the worst case")
}

/// One trigger for all targets that have a band; none where fewer than two have.
pub fn one_trigger(advices: &[TargetAdvice]) -> Option<OneTrigger> {
    let served: Vec<&TargetAdvice> = advices.iter().filter(|a| a.choice.is_some()).collect();
    let bands = || served.iter().filter_map(|advice| advice.band);
    let choices = served.iter().filter_map(|advice| advice.choice.as_ref());
    let by_k = |a: &Patience, b: &Patience| a.k.cmp(&b.k);
    let band = Band {
        shortest: bands().map(|band| band.shortest).max_by(by_k)?,
        longest: bands().map(|band| band.longest).min_by(by_k)?,
    };
    let choice = choices.map(|choice| choice.patience).min_by(by_k)?;
    let targets: Vec<String> = served.iter().map(|advice| advice.target.clone()).collect();
    (targets.len() > 1).then_some(OneTrigger { band, choice, targets })
}
