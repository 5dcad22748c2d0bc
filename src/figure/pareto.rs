//! The trade-off chart: mean detection delay against false failovers a day, a series for each setting
//! of the world.

mod draw;
mod legend;
mod rooms;
mod series;

use super::Chart;
use super::book::Book;
use super::grid::{self, Axis, Grid};
use super::style::MOST_SERIES;
use crate::sweep::SweepError;
use series::Series;

/// The most charts of this kind that one sweep gets.
const MOST_CHARTS: usize = 12;

/// What one chart shows.
struct Trade<'a> {
    book: &'a Book,
    name: String,
    /// What the series differ in.
    series_called: String,
    /// What is the same in all of the chart, and differs between charts.
    fixed: String,
    /// What is not shown, if anything.
    left_out: Option<String>,
    series: Vec<Series>,
    rooms: Vec<rooms::Room>,
}

/// The trade-off charts of a book.
///
/// # Errors
/// When the table lacks a column.
pub fn charts(book: &Book, grid: &Grid) -> Result<Vec<Chart>, SweepError> {
    let (inner, outer) = split(grid);
    let inner_ids: Vec<usize> = inner.iter().map(|axis| axis.index).collect();
    let settings = grid::combinations(&inner);
    let shown = grid::spread(settings.len(), MOST_SERIES);
    let left_out = (shown.len() < settings.len())
        .then(|| format!("{} of {} settings are shown", shown.len(), settings.len()));
    let mut charts = Vec::new();
    for (number, fixed) in grid::combinations(&outer).into_iter().take(MOST_CHARTS).enumerate() {
        let mut all = Vec::new();
        for setting in shown.iter().map(|place| &settings[*place]) {
            let places: Vec<(usize, usize)> = fixed.iter().chain(setting).copied().collect();
            let point = grid.point(&places);
            all.push(Series::of(book, point, grid::values(book, setting))?);
        }
        let trade = Trade {
            book,
            name: if number == 0 { "pareto".to_owned() } else { format!("pareto-{}", number + 1) },
            series_called: grid::names(book, &inner_ids),
            fixed: grid::called(book, &fixed),
            left_out: left_out.clone(),
            rooms: rooms::of(book, grid, &fixed, &settings)?,
            series: all,
        };
        charts.push(draw::chart(&trade)?);
    }
    Ok(charts)
}

/// The axes that make the series of one chart, and those that make charts. The strongest axes come
/// first, as many as give no more series than a chart holds.
fn split(grid: &Grid) -> (Vec<&Axis>, Vec<&Axis>) {
    let moving = grid.moving();
    let (mut inner, mut outer) = (Vec::new(), Vec::new());
    let mut settings = 1;
    for axis in moving {
        if inner.is_empty() || settings * axis.places <= MOST_SERIES {
            settings *= axis.places;
            inner.push(axis);
        } else {
            outer.push(axis);
        }
    }
    inner.sort_by_key(|axis| axis.index);
    outer.sort_by_key(|axis| axis.index);
    (inner, outer)
}
