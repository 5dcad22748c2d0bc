//! The heat map: the rate of false failovers, or the probability of meeting the RTO, over two axes,
//! with the numbers in the cells.

mod draw;

use super::Chart;
use super::book::{Book, Measured};
use super::grid::{self, Axis, Grid};
use crate::sweep::SweepError;

/// The most rows and columns of a map.
const MOST_ROWS: usize = 16;
const MOST_COLUMNS: usize = 10;
/// The most targets side by side.
const MOST_PANELS: usize = 3;

/// What a map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Figure {
    /// False failovers a day.
    Rate,
    /// Probability of meeting the RTO.
    RtoMet,
}

/// One map beside others: a target's, or the only one.
struct Panel {
    name: String,
    /// Row by row.
    cells: Vec<Vec<Measured>>,
}

/// What one chart shows.
struct Map {
    name: String,
    subtitle: String,
    figure: Figure,
    rows_called: String,
    rows: Vec<String>,
    columns_called: String,
    columns: Vec<String>,
    panels: Vec<Panel>,
}

/// One direction of a map.
#[derive(Clone, Copy)]
enum Side {
    Triggers,
    Axis(usize),
}

/// The maps of a book: the rate where an axis moves it, the RTO where more than the trigger decides.
///
/// # Errors
/// When the table lacks a column.
pub fn charts(book: &Book, grid: &Grid) -> Result<Vec<Chart>, SweepError> {
    let mut maps = Vec::new();
    let has_triggers = book.triggers(0) > 1;
    let moving = grid.moving();
    let rate_sides = match (has_triggers, &moving[..]) {
        (true, [first, ..]) => Some((Side::Triggers, Side::Axis(first.index))),
        (false, [first, second, ..]) => Some((Side::Axis(first.index), Side::Axis(second.index))),
        _ => None,
    };
    if let Some(sides) = rate_sides {
        maps.push(map(book, grid, Figure::Rate, sides)?);
    }
    let mut deciding = grid.budget();
    deciding.extend(moving);
    if let Some(sides) = rto_sides(book, grid, has_triggers, &deciding)? {
        maps.push(map(book, grid, Figure::RtoMet, sides)?);
    }
    let mut charts = Vec::new();
    for (number, mut map) in maps.into_iter().enumerate() {
        map.name = if number == 0 { "heat".to_owned() } else { format!("heat-{}", number + 1) };
        charts.push(draw::chart(&map)?);
    }
    Ok(charts)
}

/// The two sides that move the probability of meeting the RTO most, where two move it.
fn rto_sides(
    book: &Book,
    grid: &Grid,
    has_triggers: bool,
    axes: &[&Axis],
) -> Result<Option<(Side, Side)>, SweepError> {
    let mut strong: Vec<(f64, Side)> = Vec::new();
    if has_triggers {
        strong.push((spread_of(book, grid, Side::Triggers, axes)?, Side::Triggers));
    }
    for axis in axes {
        let side = Side::Axis(axis.index);
        strong.push((spread_of(book, grid, side, axes)?, side));
    }
    strong.retain(|(spread, _)| *spread > 0.01);
    strong.sort_by(|a, b| b.0.total_cmp(&a.0));
    let sides = match &strong[..] {
        [(_, first), (_, second), ..] => Some((*first, *second)),
        _ => None,
    };
    Ok(sides.map(|(a, b)| match (a, b) {
        (Side::Axis(_), Side::Triggers) => (b, a),
        (Side::Axis(first), Side::Axis(second)) if second < first => (b, a),
        _ => (a, b),
    }))
}

/// How far the probability of meeting the RTO ranges along a side, on average over the others.
fn spread_of(book: &Book, grid: &Grid, side: Side, axes: &[&Axis]) -> Result<f64, SweepError> {
    let others: Vec<&Axis> = axes
        .iter()
        .filter(|axis| !matches!(side, Side::Axis(index) if index == axis.index))
        .copied()
        .collect();
    let settings = grid::combinations(&others);
    let (mut sum, mut n) = (0.0, 0.0);
    for setting in grid::spread(settings.len(), 25).into_iter().map(|place| &settings[place]) {
        let base = grid.point(setting);
        for target in 0..book.points()[base].scenario.targets.len() {
            let looked_at = match side {
                Side::Triggers => vec![0],
                Side::Axis(_) => grid::spread(book.triggers(base), 5),
            };
            for trigger in looked_at {
                let at = |place: usize| match side {
                    Side::Triggers => book.rto_met(base, place, target),
                    Side::Axis(index) => {
                        let mut places = setting.clone();
                        places.push((index, place));
                        rto_met(book, grid.point(&places), trigger, target)
                    }
                };
                let places = match side {
                    Side::Triggers => book.triggers(base),
                    Side::Axis(index) => grid.axes[index].places,
                };
                let (mut least, mut most) = (1.0_f64, 0.0_f64);
                for place in grid::spread(places, 9) {
                    let value = at(place)?.value;
                    (least, most) = (least.min(value), most.max(value));
                }
                sum += most - least;
                n += 1.0;
            }
        }
    }
    Ok(if n > 0.0 { sum / n } else { 0.0 })
}

/// As [`Book::rto_met`]; nothing where the point has fewer triggers or targets.
fn rto_met(
    book: &Book,
    point: usize,
    trigger: usize,
    target: usize,
) -> Result<Measured, SweepError> {
    let is_there =
        trigger < book.triggers(point) && target < book.points()[point].scenario.targets.len();
    if is_there {
        book.rto_met(point, trigger, target)
    } else {
        Ok(Measured { value: 0.0, lo: 0.0, hi: 0.0, exact: None })
    }
}

/// The place that stands for an axis that is not in the map: the middle one.
fn standing(axis: &Axis) -> (usize, usize) {
    (axis.index, axis.places / 2)
}

fn map(
    book: &Book,
    grid: &Grid,
    figure: Figure,
    (rows, columns): (Side, Side),
) -> Result<Map, SweepError> {
    let triggers = book.triggers(0);
    let length = |side: Side| match side {
        Side::Triggers => triggers,
        Side::Axis(index) => grid.axes[index].places,
    };
    let (row_places, column_places) =
        (grid::spread(length(rows), MOST_ROWS), grid::spread(length(columns), MOST_COLUMNS));
    let in_map = |axis: &Axis| {
        [rows, columns].iter().any(|side| matches!(side, Side::Axis(index) if *index == axis.index))
    };
    let fixed: Vec<(usize, usize)> =
        grid.axes.iter().filter(|a| a.places > 1 && !in_map(a)).map(standing).collect();
    let middle = triggers / 2;
    let has_triggers = [rows, columns].iter().any(|side| matches!(side, Side::Triggers));
    let at = |row: usize, column: usize| {
        let (mut places, mut trigger) = (fixed.clone(), middle);
        for (side, place) in [(rows, row), (columns, column)] {
            match side {
                Side::Triggers => trigger = place,
                Side::Axis(index) => places.push((index, place)),
            }
        }
        (grid.point(&places), trigger)
    };
    let label = |side: Side, place: usize| match side {
        Side::Triggers => book.points()[0].scenario.triggers[place].to_string(),
        Side::Axis(index) => grid::values(book, &[(index, place)]),
    };
    let called = |side: Side| match side {
        Side::Triggers => "trigger".to_owned(),
        Side::Axis(index) => grid::names(book, &[index]),
    };
    let mut subtitle = vec![book.sweep.name.clone(), grid::called(book, &fixed)];
    if !has_triggers {
        subtitle.push(book.points()[0].scenario.triggers[middle].to_string());
    }
    if row_places.len() < length(rows) {
        subtitle.push(format!("{} of {} rows are shown", row_places.len(), length(rows)));
    }
    if column_places.len() < length(columns) {
        subtitle.push(format!("{} of {} columns are shown", column_places.len(), length(columns)));
    }
    subtitle.retain(|part| !part.is_empty());
    Ok(Map {
        name: String::new(),
        subtitle: subtitle.join("; "),
        figure,
        rows_called: called(rows),
        rows: row_places.iter().map(|place| label(rows, *place)).collect(),
        columns_called: called(columns),
        columns: column_places.iter().map(|place| label(columns, *place)).collect(),
        panels: panels(book, figure, &row_places, &column_places, &at)?,
    })
}

fn panels(
    book: &Book,
    figure: Figure,
    rows: &[usize],
    columns: &[usize],
    at: &dyn Fn(usize, usize) -> (usize, usize),
) -> Result<Vec<Panel>, SweepError> {
    let cells = |pick: &dyn Fn(usize, usize) -> Result<Measured, SweepError>| {
        let row = |row: &usize| -> Result<Vec<Measured>, SweepError> {
            let cell = |column: &usize| {
                let (point, trigger) = at(*row, *column);
                pick(point, trigger)
            };
            columns.iter().map(cell).collect()
        };
        rows.iter().map(row).collect::<Result<Vec<_>, _>>()
    };
    if figure == Figure::Rate {
        let rate = |point: usize, trigger: usize| {
            let is_there = trigger < book.triggers(point);
            if is_there {
                Ok(book.cell(point, trigger)?.rate)
            } else {
                rto_met(book, point, trigger, 0)
            }
        };
        return Ok(vec![Panel { name: String::new(), cells: cells(&rate)? }]);
    }
    let targets = &book.points()[0].scenario.targets;
    let mut panels = Vec::new();
    for (index, target) in targets.iter().enumerate().take(MOST_PANELS) {
        let met = |point: usize, trigger: usize| rto_met(book, point, trigger, index);
        panels.push(Panel { name: target.label().to_owned(), cells: cells(&met)? });
    }
    Ok(panels)
}
