//! The advice as tables for people, within 100 columns.

use comfy_table::{CellAlignment, ColumnConstraint, Table};

use super::costs;
use crate::advise::Advice;
use crate::advise::report::TargetAdvice;
use crate::advise::sensitivity::CaseRow;
use crate::budget::words::number;
use crate::cli::output::{self, paragraph, table_text};
use crate::estimate::Estimate;
use crate::trigger::Spec;

/// How many chosen triggers stand side by side in a table of cases.
const MOST_COLUMNS: usize = 2;

pub(super) fn text(advice: &Advice) -> String {
    [
        heading(advice),
        targets(advice),
        reasons(advice),
        order(advice),
        cases(advice),
        costs::text(advice),
        remarks(advice),
    ]
    .concat()
}

fn heading(advice: &Advice) -> String {
    let basis = if advice.exact { "Rates are exact." } else { "Rates are simulated." };
    let asked = format!(
        "At most {} false failovers, an RTO of {} s, a probe every {} s. {basis} All lengths are in seconds; \
         the band is of failed probes in a row.",
        advice.max_false_failovers,
        number(advice.rto_s),
        number(advice.interval_s)
    );
    paragraph("", &asked) + "\n"
}

fn targets(advice: &Advice) -> String {
    let mut table = output::table([
        "target",
        "room",
        "band",
        "chosen",
        "patience",
        "recovery",
        "worst\ncase",
        "false\nfailovers\na day",
        "RTO met",
    ]);
    for target in &advice.targets {
        table.add_row(target_row(target));
    }
    keep_figures(&mut table);
    table_text(&table)
}

fn target_row(target: &TargetAdvice) -> Vec<String> {
    let none = || "none".to_owned();
    let band = match &target.band {
        Some(band) => format!("{} to {}", band.shortest.k, band.longest.k),
        None => none(),
    };
    let mut row = vec![name(target), number(target.room_s), band];
    match &target.choice {
        Some(choice) => row.extend([
            choice.patience.trigger.to_string(),
            number(choice.patience.patience_s),
            number((choice.recovery_s * 10.0).round() / 10.0),
            number((choice.worst_case_s * 10.0).round() / 10.0),
            in_two_lines(&choice.false_failovers_per_day),
            in_two_lines(&choice.rto_met),
        ]),
        None => row.push(none()),
    }
    row
}

/// A figure with its interval below it.
fn in_two_lines(figure: &Estimate) -> String {
    figure.show(2).replace(" (", "\n(")
}

fn name(target: &TargetAdvice) -> String {
    match target.target == target.tier.name() {
        true => target.target.clone(),
        false => format!("{} ({})", target.target, target.tier),
    }
}

/// A long name wraps, the figures do not.
fn keep_figures(table: &mut Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
}

fn reasons(advice: &Advice) -> String {
    let mut text = String::new();
    for target in &advice.targets {
        text += &paragraph(&format!("{}: ", target.target), &format!("{}.", target.because));
        if target.choice.is_some() {
            continue;
        }
        let ways: Vec<&str> = target.would_fit_if.iter().map(|c| c.words.as_str()).collect();
        let words = match ways.is_empty() {
            true => "no single change would fit.".to_owned(),
            false => format!("each alone would fit: {}.", ways.join("; ")),
        };
        text += &paragraph("   ", &words);
    }
    text + "\n"
}

fn order(advice: &Advice) -> String {
    let mut text = String::new();
    if advice.ranking.len() > 1 {
        text += "Which target to use:\n";
        for ranked in &advice.ranking {
            let trigger = ranked.trigger.map_or_else(String::new, |spec| format!(", {spec}"));
            text += &paragraph(
                &format!("{:>3}. {}{trigger}: ", ranked.rank, ranked.target),
                &format!("{}.", ranked.when),
            );
        }
    }
    if let Some(one) = &advice.one_trigger {
        text += &paragraph(
            "",
            &format!(
                "One trigger for {}: {} to {}; chosen {}, or {}.",
                one.targets.join(", "),
                one.band.shortest.trigger,
                one.band.longest.trigger,
                one.choice.trigger,
                one.choice.window
            ),
        );
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn cases(advice: &Advice) -> String {
    let mut chosen: Vec<Spec> = Vec::new();
    for choice in advice.targets.iter().filter_map(|target| target.choice.as_ref()) {
        if !chosen.contains(&choice.patience.trigger) {
            chosen.push(choice.patience.trigger);
        }
    }
    let mut text =
        "If the blips are other than stated: what the limit needs, and how often the chosen \
                    trigger is false.\n\n"
            .to_owned();
    let columns: Vec<&[Spec]> = match chosen.is_empty() {
        true => vec![&[]],
        false => chosen.chunks(MOST_COLUMNS).collect(),
    };
    for shown in columns {
        text += &cases_table(advice, shown);
    }
    text
}

fn cases_table(advice: &Advice, shown: &[Spec]) -> String {
    let chosen = shown.iter().map(|spec| format!("{spec}\na day"));
    let headings = ["case", "blips", "weight", "shortest"].map(str::to_owned);
    let has_weights = advice.sensitivity.iter().any(|row| row.weight.is_some());
    let is_shown = |index: usize| has_weights || index != 2;
    let pick = |cells: Vec<String>| -> Vec<String> {
        let cells = cells.into_iter().enumerate().filter(|(index, _)| is_shown(*index));
        cells.map(|(_, cell)| cell).collect()
    };
    let mut table = output::table(pick(headings.into_iter().chain(chosen).collect()));
    for row in &advice.sensitivity {
        let shortest = match &row.shortest {
            Some(shortest) => shortest.trigger.to_string(),
            None => "none".to_owned(),
        };
        let weight = row.weight.map_or_else(String::new, |weight| format!("{weight:.2}"));
        let mut cells = vec![row.case.clone(), row.laws.clone(), weight, shortest];
        cells.extend(shown.iter().map(|spec| rate_in(row, spec)));
        table.add_row(pick(cells));
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    table_text(&table)
}

/// The rate of a chosen trigger in a case, and whether that is over the limit.
fn rate_in(row: &CaseRow, spec: &Spec) -> String {
    let target = row.targets.iter().find(|target| target.trigger == Some(*spec));
    let Some((rate, keeps)) =
        target.and_then(|target| target.false_failovers_per_day.zip(target.keeps_to_limit))
    else {
        return String::new();
    };
    if keeps { rate.show(2) } else { format!("{} over", rate.show(2)) }
}

fn remarks(advice: &Advice) -> String {
    let mut text = String::new();
    for note in advice.notes.iter().chain(&advice.cost_notes) {
        text += &paragraph("note: ", note);
    }
    if let Some(choice) = advice.targets.iter().find_map(|target| target.choice.as_ref()) {
        let trigger = match &advice.one_trigger {
            Some(one) => one.choice.trigger,
            None => choice.patience.trigger,
        };
        text += &format!(
            "As a configuration: failover-budget export --trigger {trigger} --to prometheus\n"
        );
    }
    text
}
