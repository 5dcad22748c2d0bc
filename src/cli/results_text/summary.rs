//! What a folder of results comes to: for each setting and target the triggers worth taking, and the
//! frontier, each trigger once.

use std::path::Path;

use super::columns::{Line, aligned, cut};
use crate::cli::Failure;
use crate::cli::output::paragraph;
use crate::cli::sweep::failure;
use crate::estimate::{Estimate, LEVEL};
use crate::figure::book::{Book, Cell, Measured};
use crate::figure::grid;
use crate::figure::scale::number;
use crate::figure::words;
use crate::sweep::folder;

/// Lines that either table shows at most.
const MOST_SHOWN: usize = 40;
/// Settings that the frontier is shown for at most.
const MOST_SETTINGS: usize = 10;
/// Targets that have a column in the frontier.
const MOST_TARGETS: usize = 4;
/// A trigger is in time when it meets the RTO in this share of outages.
const IN_TIME: f64 = 0.99;
/// A trigger is quiet when it fires falsely no more often, a day.
const QUIET_PER_DAY: f64 = 1.0 / 30.0;

/// The results in `folder` as text within 100 columns.
///
/// # Errors
/// When they cannot be read.
pub fn text(folder: &Path) -> Result<String, Failure> {
    let book = Book::read(folder).map_err(failure)?;
    let all: Vec<usize> = (0..book.points().len()).collect();
    let mut text = format!(
        "{}: {} in {}\n\n",
        book.sweep.name,
        words::count(book.sweep.rows() as u64, "row", "rows"),
        folder.join(folder::RESULTS).display(),
    );
    text += &paragraph(
        "",
        "In time: meets the RTO in at least 99 % of outages, as estimated. Quiet: at most one false \
         failover in 30 days. Quickest quiet: the quickest trigger that is both.",
    );
    text.push('\n');
    text += &choices(&book, &all)?;
    text += &frontier(&book, &all)?;
    Ok(text)
}

/// What a point of the grid is called.
fn setting(book: &Book, point: usize, with_names: bool) -> String {
    let mut rest = point;
    let mut places: Vec<(usize, usize)> = Vec::new();
    for (index, axis) in book.sweep.axes.iter().enumerate().rev() {
        places.push((index, rest % axis.places.len()));
        rest /= axis.places.len();
    }
    places.reverse();
    places.retain(|(axis, _)| book.sweep.axes[*axis].places.len() > 1);
    if with_names { grid::called(book, &places) } else { grid::values(book, &places) }
}

/// For each setting and target the quietest trigger in time and the quickest that is quiet and in time.
fn choices(book: &Book, points: &[usize]) -> Result<String, Failure> {
    let varied: Vec<usize> =
        (0..book.sweep.axes.len()).filter(|a| book.sweep.axes[*a].places.len() > 1).collect();
    let called = cut(&grid::names(book, &varied), 26);
    let mut lines = Vec::new();
    let mut left_out = 0;
    for point in points {
        let targets = book.points()[*point].scenario.targets.len();
        if lines.len() + targets > MOST_SHOWN && !lines.is_empty() {
            left_out += targets;
            continue;
        }
        for target in 0..targets {
            let choice = Choice::of(book, *point, target)?;
            let name = if target == 0 { setting(book, *point, false) } else { String::new() };
            let label = book.points()[*point].scenario.targets[target].label();
            let named = (!varied.is_empty()).then(|| cut(&name, 26));
            let cells = vec![
                cut(label, 16),
                choice.quietest.as_ref().map_or("none".to_owned(), |cell| cell.trigger.clone()),
                number(book.room_s(*point, target).map_err(failure)?.round()),
                choice.quietest.as_ref().map_or("-".to_owned(), |cell| shown(&cell.rate)),
                choice.quickest.map_or("none".to_owned(), |cell| cell.trigger),
            ];
            lines.push(Line::Cells(named.into_iter().chain(cells).collect()));
        }
    }
    let mut headings =
        vec!["target", "quietest in time", "room, s", "false failovers a day", "quickest quiet"];
    if !varied.is_empty() {
        headings.insert(0, &called);
    }
    let left = headings.len() - 3;
    Ok(aligned(&headings, &lines, left) + &rest(left_out) + "\n")
}

/// The triggers worth taking on one target.
#[derive(Default)]
struct Choice {
    quietest: Option<Cell>,
    quickest: Option<Cell>,
}

impl Choice {
    fn of(book: &Book, point: usize, target: usize) -> Result<Choice, Failure> {
        let mut choice = Choice::default();
        for trigger in 0..book.triggers(point) {
            if book.rto_met(point, trigger, target).map_err(failure)?.value < IN_TIME {
                continue;
            }
            let cell = book.cell(point, trigger).map_err(failure)?;
            let is_quiet = cell.rate.exact.unwrap_or(cell.rate.hi) <= QUIET_PER_DAY;
            if is_quiet && choice.quickest.as_ref().is_none_or(|best| delay(&cell) < delay(best)) {
                choice.quickest = Some(cell.clone());
            }
            if choice.quietest.as_ref().is_none_or(|best| loudness(&cell) < loudness(best)) {
                choice.quietest = Some(cell);
            }
        }
        Ok(choice)
    }
}

fn delay(cell: &Cell) -> f64 {
    cell.delay_s.map_or(f64::INFINITY, |delay| delay.best())
}

/// What the quietest has least of: the rate, its bound where none was seen, and then the delay.
fn loudness(cell: &Cell) -> (f64, f64, f64) {
    (cell.rate.best(), cell.rate.hi, delay(cell))
}

/// The frontier of each setting, each trigger once, with the share of outages in time on each target.
fn frontier(book: &Book, points: &[usize]) -> Result<String, Failure> {
    let labels = |point: usize| -> Vec<String> {
        let targets = book.points()[point].scenario.targets.iter().take(MOST_TARGETS);
        targets.map(|target| cut(target.label(), 12)).collect()
    };
    let settings = grid::spread(points.len(), MOST_SETTINGS);
    let per_setting = (MOST_SHOWN / settings.len().max(1)).max(3);
    let mut lines = Vec::new();
    let mut count = 0;
    for point in settings.iter().map(|place| points[*place]) {
        let mut cells = Vec::new();
        for trigger in 0..book.triggers(point) {
            let cell = book.cell(point, trigger).map_err(failure)?;
            if cell.on_frontier {
                cells.push((trigger, cell));
            }
        }
        cells.sort_by(|a, b| delay(&a.1).total_cmp(&delay(&b.1)));
        let name = setting(book, point, true);
        if !name.is_empty() {
            lines.push(Line::Heading(name));
        }
        let kept = grid::spread(cells.len(), per_setting);
        count += cells.len() - kept.len();
        for (trigger, cell) in kept.iter().map(|place| &cells[*place]) {
            let mut row = vec![cell.trigger.clone(), shown(&cell.rate)];
            row.push(cell.delay_s.map_or("-".to_owned(), |delay| shown(&delay)));
            for target in 0..labels(point).len() {
                row.push(share(&book.rto_met(point, *trigger, target).map_err(failure)?));
            }
            lines.push(Line::Cells(row));
        }
    }
    let targets = points.first().map(|point| labels(*point)).unwrap_or_default();
    let mut headings = vec![
        "trigger".to_owned(),
        "false failovers a day".to_owned(),
        "detection mean, s".to_owned(),
    ];
    headings.extend(targets.iter().map(|target| format!("{target}, %")));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut text = paragraph(
        "",
        "The frontier: no other trigger is both quieter and faster. Under each target, the share of \
         outages recovered from in time.",
    );
    text.push('\n');
    text += &aligned(&headings, &lines, 1);
    if settings.len() < points.len() {
        text += &format!("… and {} more settings\n", points.len() - settings.len());
    }
    Ok(text + &rest(count))
}

fn rest(count: usize) -> String {
    if count == 0 {
        return String::new();
    }
    format!(
        "… and {} more; --format csv prints every one\n",
        words::count(count as u64, "row", "rows")
    )
}

/// A figure with its interval.
fn shown(figure: &Measured) -> String {
    let &Measured { value, lo, hi, exact } = figure;
    let text = Estimate { value, lo, hi, level: LEVEL, n: 0, exact }.show(1);
    text.replace("(0e0–", "(0–")
}

/// A share in percent; with half the width of its interval where it is neither all nor nothing.
fn share(figure: &Measured) -> String {
    match figure.value {
        1.0 => "100".to_owned(),
        0.0 => "0".to_owned(),
        value => {
            let half = (figure.hi - figure.lo) * 50.0;
            let decimals = (-half.max(1e-6).log10().floor()).clamp(0.0, 4.0) as usize;
            format!("{:.decimals$} ±{half:.decimals$}", value * 100.0)
        }
    }
}
