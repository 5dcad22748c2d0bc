//! The answer under a limit of false failovers: what `advise` says of the base scenario.

use super::ReportError;
use super::answer::Card;
use super::study::Study;
use super::words;
use super::words::seconds as number;
use crate::advise::report::TargetAdvice;
use crate::advise::{Advice, Limit, Preference, Question, advise};

/// The advice as cards, with what it is advice for.
#[derive(Debug, serde::Serialize)]
pub(super) struct Advised {
    pub(super) lead: String,
    pub(super) cards: Vec<Card>,
    pub(super) notes: Vec<String>,
}

/// The advice, where a limit is given or the scenario states one.
///
/// # Errors
/// When a stage is misplaced.
pub(super) fn advised(study: &Study, asked: Option<Limit>) -> Result<Option<Advised>, ReportError> {
    let scenario = study.base_scenario();
    let stated = || scenario.ownership.max_false_failovers.as_deref()?.parse().ok();
    let Some(limit) = asked.or_else(stated) else { return Ok(None) };
    let preference = Preference::Robust;
    let question = Question { limit, preference, tiers: Vec::new(), plausible: None };
    let advice = advise(scenario, &question).map_err(ReportError::Plan)?;
    Ok(Some(Advised {
        lead: lead(&advice, limit),
        cards: advice.targets.iter().map(card).collect(),
        notes: advice.notes,
    }))
}

fn lead(advice: &Advice, limit: Limit) -> String {
    let kind = if advice.exact { "exact rates" } else { "the cautious end of simulated rates" };
    format!(
        "With at most {limit} false failovers: the shortest patience that also keeps to the limit if blips last \
         twice as long, or the longest that the room allows where none does; by {kind}, for the scenario as stated."
    )
}

fn card(advice: &TargetAdvice) -> Card {
    let mut facts = vec![("Room for detection".to_owned(), format!("{} s", number(advice.room_s)))];
    if let Some(band) = &advice.band {
        let text = format!(
            "from {} ({} s) to {} ({} s)",
            band.shortest.trigger,
            number(band.shortest.patience_s),
            band.longest.trigger,
            number(band.longest.patience_s)
        );
        facts.push(("Feasible patience".to_owned(), text));
    }
    let Some(choice) = &advice.choice else {
        let would: Vec<&str> =
            advice.would_fit_if.iter().map(|change| change.words.as_str()).collect();
        let would = match would.is_empty() {
            true => String::new(),
            false => format!(". Any one of these alone would do: {}", would.join("; ")),
        };
        let note = Some(words::sentence(&format!("{}{would}", advice.because)));
        return of(advice, ("no", "✗", "No trigger does".to_owned()), facts, note);
    };
    let rate = &choice.false_failovers_per_day;
    let often = words::how_often(rate.exact.unwrap_or(rate.hi));
    facts.push(("Patience".to_owned(), format!("{} s", number(choice.patience.patience_s))));
    facts.push(("False failovers".to_owned(), format!("{} a day ({often})", words::rate(rate))));
    facts.push(("Recovery, worst case".to_owned(), format!("{} s", number(choice.worst_case_s))));
    facts.push(("RTO met".to_owned(), words::percent(&choice.rto_met)));
    let headline = choice.patience.trigger.to_string();
    of(advice, ("yes", "✓", headline), facts, Some(words::sentence(&advice.because)))
}

fn of(
    advice: &TargetAdvice,
    (class, sign, headline): (&'static str, &'static str, String),
    facts: Vec<(String, String)>,
    note: Option<String>,
) -> Card {
    Card {
        target: advice.target.clone(),
        tier: advice.tier.to_string(),
        class,
        sign,
        headline,
        facts,
        note,
    }
}
