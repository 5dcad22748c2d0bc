//! The costs of an advice as a table.

use comfy_table::CellAlignment;

use crate::advise::Advice;
use crate::advise::cost::CostRow;
use crate::budget::words::{grouped, number};
use crate::cli::output::{self, paragraph, table_text};

/// How many patiences of the frontier are shown.
const MOST_OF_FRONTIER: usize = 8;

/// Whole money with commas: `1,234,568`.
fn money(value: f64) -> String {
    let text = grouped(&format!("{:.0}", value.abs()));
    if value <= -0.5 { format!("-{text}") } else { text }
}

pub(super) fn text(advice: &Advice) -> String {
    if advice.cost.is_empty() {
        return String::new();
    }
    let currency = advice.currency.as_ref().map_or(String::new(), |unit| format!(" in {unit}"));
    let mut table = output::table([
        "target",
        "trigger",
        "recovery",
        "standby",
        "outages",
        "false\nfailovers",
        "a year",
        "interval",
        "remark",
    ]);
    let unknown = || "unknown".to_owned();
    for row in shown_costs(advice) {
        let sum = &row.cost_per_year;
        let interval = match sum.lo < sum.hi {
            true => format!("{}–{}", money(sum.lo), money(sum.hi)),
            false => String::new(),
        };
        table.add_row([
            row.target.clone(),
            row.patience.trigger.to_string(),
            number((row.recovery_s * 10.0).round() / 10.0),
            row.standby_cost_per_year.map_or_else(unknown, money),
            row.outage_cost_per_year.map_or_else(unknown, |cost| money(cost.value)),
            row.false_failover_cost_per_year.map_or_else(unknown, |cost| money(cost.value)),
            money(sum.value),
            interval,
            remark(row),
        ]);
    }
    if let Some(column) = table.column_mut(8) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    let heading = format!(
        "Expected cost a year{currency}: what is chosen, what is cheapest, and the frontier of cost against \
         recovery."
    );
    format!("{}\n{}", paragraph("", &heading), table_text(&table))
}

fn remark(row: &CostRow) -> String {
    let mut words = Vec::new();
    if row.chosen {
        words.push("chosen");
    }
    if row.cheapest {
        words.push("cheapest");
    }
    if row.on_frontier {
        words.push("frontier");
    }
    if !row.in_band {
        words.push("not feasible");
    }
    words.join(", ")
}

/// What is chosen or cheapest, and some of the feasible frontier, evenly; of a target without a band the
/// cheapest.
fn shown_costs(advice: &Advice) -> Vec<&CostRow> {
    let frontier: Vec<&CostRow> =
        advice.cost.iter().filter(|row| row.on_frontier && row.in_band).collect();
    let step = frontier.len().div_ceil(MOST_OF_FRONTIER).max(1);
    let some: Vec<&CostRow> = frontier.into_iter().step_by(step).collect();
    let without: Vec<&CostRow> = advice
        .targets
        .iter()
        .filter(|target| target.band.is_none())
        .filter_map(|target| {
            let own = advice.cost.iter().filter(|row| row.target == target.target);
            own.min_by(|a, b| a.cost_per_year.value.total_cmp(&b.cost_per_year.value))
        })
        .collect();
    let is_one =
        |list: &[&CostRow], row: &CostRow| list.iter().any(|other| std::ptr::eq(*other, row));
    let is_shown =
        |row: &&CostRow| row.chosen || row.cheapest || is_one(&some, row) || is_one(&without, row);
    advice.cost.iter().filter(is_shown).collect()
}
