//! The answer: for each standby target the quietest trigger that meets the RTO, and how sure that is.

use serde::Serialize;

use super::choice::Verdict;
use super::scale::Scale;
use super::study::{Run, Study};
use super::table::{Column, Item, Table};
use super::words;
use super::words::seconds as number;

/// Rates below this are not told apart on a strip: once in 2,700 years.
pub(super) const FLOOR_PER_DAY: f64 = 1e-6;

/// More rows than this are shown on demand.
const MOST_OPEN_ROWS: usize = 9;

/// The answer for one target.
#[derive(Debug, Serialize)]
pub(super) struct Card {
    pub(super) target: String,
    pub(super) tier: String,
    /// `yes`, `no` or `open`.
    pub(super) class: &'static str,
    /// `✓`, `✗` or `?`.
    pub(super) sign: &'static str,
    /// The trigger, or that there is none.
    pub(super) headline: String,
    /// Terms and figures.
    pub(super) facts: Vec<(String, String)>,
    /// What the figures do not say, or why there is no trigger.
    pub(super) note: Option<String>,
}

/// One card a target, in the scenario's order.
pub(super) fn cards(study: &Study) -> Vec<Card> {
    (0..study.outlooks[study.base].len()).map(|target| card(study, target)).collect()
}

fn card(study: &Study, target: usize) -> Card {
    let everywhere = study.choice_everywhere(target);
    let at_base = study.choice(study.base, target).map(|choice| choice.trigger);
    let Some(trigger) = everywhere.or(at_base) else { return without(study, target) };
    let outlook = &study.outlooks[study.base][target];
    let run = &study.runs[study.base][trigger];
    let (class, sign) = if everywhere.is_some() { ("yes", "✓") } else { ("open", "?") };
    let mut facts = vec![("Patience".to_owned(), format!("{} s", number(run.patience_s)))];
    facts.push(recovery(study, trigger, target));
    facts.extend(rates(study, trigger, everywhere.is_some()));
    Card {
        target: outlook.plan.target.clone(),
        tier: outlook.plan.tier.to_string(),
        class,
        sign,
        headline: run.trigger.clone(),
        facts,
        note: note(study, trigger, target, everywhere.is_some()),
    }
}

/// The card of a target for which no trigger of the base point will do.
fn without(study: &Study, target: usize) -> Card {
    let outlook = &study.outlooks[study.base][target];
    let open = (0..study.runs[study.base].len())
        .any(|trigger| study.verdict(study.base, trigger, target) == Verdict::Open);
    let room = format!("{} s", number(outlook.room().as_secs_f64()));
    let too_few = || "no trigger of this sweep is shown to meet the RTO: run more replications, or sweep others";
    let (class, sign, headline) = match open {
        true => ("open", "?", "The figures do not say"),
        false => ("no", "✗", "No trigger of these"),
    };
    let why = outlook.why_not();
    let headline = if why.is_some() { "No trigger can" } else { headline };
    Card {
        target: outlook.plan.target.clone(),
        tier: outlook.plan.tier.to_string(),
        class,
        sign,
        headline: headline.to_owned(),
        facts: vec![("Room for detection".to_owned(), room)],
        note: Some(words::sentence(&why.unwrap_or_else(|| too_few().to_owned()))),
    }
}

fn recovery(study: &Study, trigger: usize, target: usize) -> (String, String) {
    let scenario = study.base_scenario();
    let outlook = &study.outlooks[study.base][target];
    let spec = &scenario.triggers[trigger];
    let recovery = outlook.recovery(spec.patience(scenario.probe.interval));
    let limit = outlook.plan.limit().as_secs_f64();
    if outlook.after.constant().is_some() {
        let (worst, spare) = (recovery.worst_case_s, limit - recovery.worst_case_s);
        let text =
            format!("{} s of {} s; {} s to spare", number(worst), number(limit), number(spare));
        return ("Recovery, worst case".to_owned(), text);
    }
    let met = study.runs[study.base][trigger].targets[target].rto_met;
    ("RTO met".to_owned(), words::percent(&met))
}

/// The rate at the base point, and where there are several points, at the loudest.
fn rates(study: &Study, trigger: usize, everywhere: bool) -> Vec<(String, String)> {
    let of = |point: usize| {
        let rate = &study.runs[point][trigger].rate;
        let often = words::how_often(study.runs[point][trigger].shown_rate());
        let often = if rate.value == 0.0 && rate.exact.is_none() {
            String::new()
        } else {
            format!(" ({often})")
        };
        format!("{} a day{often}", words::rate(rate))
    };
    let term = |point: usize| match place(study, point) {
        place if place.is_empty() => "False failovers".to_owned(),
        place => format!("False failovers, {place}"),
    };
    let mut facts = vec![(term(study.base), of(study.base))];
    if everywhere {
        let rate = |point: &usize| study.runs[*point][trigger].cautious_rate();
        let points = 0..study.points().len();
        let worst = points.max_by(|a, b| rate(a).total_cmp(&rate(b))).unwrap_or(study.base);
        if worst != study.base {
            facts.push((format!("… at the worst: {}", place(study, worst)), of(worst)));
        }
    }
    facts
}

/// A point in words: `mean blip 20 s, weights (GB) 140`.
pub(super) fn place(study: &Study, point: usize) -> String {
    let column = |column: &super::study::AxisColumn| {
        let value = &column.values[column.at[point]];
        format!("{} {}", words::axis(&column.name), words::value(value))
    };
    study.columns.iter().map(column).collect::<Vec<_>>().join(", ")
}

fn note(study: &Study, trigger: usize, target: usize, everywhere: bool) -> Option<String> {
    if !everywhere {
        let all = study.points().len();
        let met = (0..all).filter(|point| study.choice(*point, target).is_some()).count();
        return Some(format!(
            "No one trigger meets the RTO at all {all} points of the grid; one does at {met} of them. This is \
             the answer for {}.",
            place(study, study.base)
        ));
    }
    let scenario = study.base_scenario();
    let longest = study.runs[study.base].iter().map(|run| run.patience_s).fold(0.0, f64::max);
    let fits = study.outlooks[study.base][target].largest_consecutive()?;
    let room = crate::trigger::Spec::Consecutive { k: fits }.patience(scenario.probe.interval);
    let here = study.runs[study.base][trigger].patience_s;
    (here >= longest && room.as_secs_f64() > longest).then(|| {
        format!("The sweep ends here; the room would take up to consecutive:{fits}, which is quieter still.")
    })
}

/// The answer at every point of the grid.
pub(super) fn table(study: &Study, id: &str) -> Table {
    let most = study.outlooks.iter().map(Vec::len).max().unwrap_or(0);
    let at_points = |target: usize| {
        let has = move |point: &usize| target < study.outlooks[*point].len();
        let points = (0..study.points().len()).filter(has);
        points.map(move |point| (point, target, study.choice(point, target)))
    };
    let all: Vec<_> = (0..most).flat_map(at_points).collect();
    let rates = all
        .iter()
        .filter_map(|(point, _, choice)| Some(&study.runs[*point][choice.as_ref()?.trigger].rate));
    let rates: Vec<f64> = rates.flat_map(|rate| [rate.lo, rate.hi]).collect();
    let scale = Scale::decades(rates.into_iter(), FLOOR_PER_DAY);
    let rows: Vec<Vec<Item>> = all
        .iter()
        .map(|(point, target, choice)| {
            let plan = &study.outlooks[*point][*target].plan;
            let mut row = vec![Item::text(&plan.target)];
            row.extend(axis_items(study, *point));
            row.push(room_item(study, *point, *target));
            match choice {
                Some(choice) => {
                    row.extend(chosen_items(study, (*point, *target), choice.trigger, &scale))
                }
                None => {
                    let none = Item { text: "✗ none".to_owned(), class: "no", ..Item::default() };
                    row.extend([
                        none,
                        Item::text("–"),
                        Item::text("–"),
                        Item::default(),
                        Item::text("–"),
                    ]);
                }
            }
            row
        })
        .collect();
    let mut columns = vec![Column::text("Target")];
    columns.extend(study.columns.iter().map(|column| Column::text(words::axis(&column.name))));
    columns.extend([
        Column::number("Room, s"),
        Column::text("Quietest trigger that meets the RTO"),
        Column::number("Patience, s"),
        Column::number("False failovers a day"),
        Column::strip(format!("{} a day, log", scale.ends())),
        Column::number("RTO met, %"),
    ]);
    Table {
        id: format!("{id}-answers"),
        caption: "The answer for each target at each point of the grid".to_owned(),
        note: Some(
            "Bars are 95 % intervals of what was counted; the dot is the exact value where theory has one, else \
             the count. RTO met is the share of simulated outages, those missed included."
                .to_owned(),
        ),
        folded: rows.len() > MOST_OPEN_ROWS,
        columns,
        rows,
    }
}

pub(super) fn axis_items(study: &Study, point: usize) -> Vec<Item> {
    let item = |column: &super::study::AxisColumn| {
        let place = column.at[point];
        Item::number(words::value(&column.values[place]), place as f64)
    };
    study.columns.iter().map(item).collect()
}

fn room_item(study: &Study, point: usize, target: usize) -> Item {
    let room = study.runs[point].first().map_or(0.0, |run| run.targets[target].room_s);
    Item::number(number(room), room)
}

fn chosen_items(
    study: &Study,
    (point, target): (usize, usize),
    trigger: usize,
    scale: &Scale,
) -> Vec<Item> {
    let run: &Run = &study.runs[point][trigger];
    let met = &run.targets[target].rto_met;
    let verdict = study.verdict(point, trigger, target);
    vec![
        Item { text: run.trigger.clone(), class: verdict.class(), ..Item::default() },
        Item::number(number(run.patience_s), run.patience_s),
        Item::number(words::rate(&run.rate), run.shown_rate()),
        Item::strip(&run.rate, scale),
        Item::number(words::percent(met), met.value),
    ]
}

/// The answer for all targets in one sentence.
pub(super) fn headline(cards: &[Card]) -> String {
    let of = |card: &Card| match card.class {
        "no" => format!("{}: none", card.target),
        "open" => format!("{}: {}, with reservations", card.target, card.headline),
        _ => format!("{}: {}", card.target, card.headline),
    };
    cards.iter().map(of).collect::<Vec<_>>().join("; ")
}
