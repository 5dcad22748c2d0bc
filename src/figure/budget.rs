//! The budget chart: for each standby target and trigger the stages of a recovery end to end, against
//! the RTO.
//!
//! Everything in it is arithmetic on the scenario: patience, and the stages after it.

mod bars;
mod draw;

use super::Chart;
use super::book::Book;
use super::grid::{self, Grid};
use crate::scenario::Scenario;
use crate::sweep::SweepError;
use bars::Group;

/// The most charts of this kind that one sweep gets.
const MOST_CHARTS: usize = 6;
/// The most targets in one chart.
const MOST_TARGETS: usize = 6;
/// The most bars in one chart.
const MOST_BARS: usize = 21;

/// What one chart shows.
struct Stack {
    name: String,
    subtitle: String,
    rto_s: f64,
    groups: Vec<Group>,
}

/// The budget charts of a book: one for each setting in which stages, targets, RTO or probe differ.
///
/// # Errors
/// When a stage has no place, which a sweep that has run cannot have.
pub fn charts(book: &Book, grid: &Grid) -> Result<Vec<Chart>, SweepError> {
    let matters: Vec<&grid::Axis> =
        grid.axes.iter().filter(|axis| axis.places > 1 && is_budget(book, grid, axis)).collect();
    let settings = grid::combinations(&matters);
    let shown = grid::spread(settings.len(), MOST_CHARTS);
    let mut charts = Vec::new();
    for (number, setting) in shown.iter().map(|place| &settings[*place]).enumerate() {
        let scenario = &book.points()[grid.point(setting)].scenario;
        let mut subtitle = vec![book.sweep.name.clone()];
        subtitle.push(grid::called(book, setting));
        if shown.len() < settings.len() {
            subtitle.push(format!("{} of {} settings are drawn", shown.len(), settings.len()));
        }
        let targets = scenario.targets.len();
        if targets > MOST_TARGETS {
            subtitle.push(format!("{MOST_TARGETS} of {targets} targets"));
        }
        subtitle.retain(|part| !part.is_empty());
        let per_target = MOST_BARS / targets.clamp(1, MOST_TARGETS);
        let stack = Stack {
            name: if number == 0 { "budget".to_owned() } else { format!("budget-{}", number + 1) },
            subtitle: subtitle.join("; "),
            rto_s: scenario.rto.as_secs_f64(),
            groups: bars::groups(scenario, per_target, MOST_TARGETS)?,
        };
        charts.push(draw::chart(&stack)?);
    }
    Ok(charts)
}

/// Whether the axis moves anything that stands in the chart.
fn is_budget(book: &Book, grid: &Grid, axis: &grid::Axis) -> bool {
    let shown = |place: usize| {
        let s: &Scenario = &book.points()[grid.point(&[(axis.index, place)])].scenario;
        (s.rto, s.stages.clone(), s.targets.clone(), s.probe.interval, s.triggers.clone())
    };
    (1..axis.places).any(|place| shown(place) != shown(0))
}
