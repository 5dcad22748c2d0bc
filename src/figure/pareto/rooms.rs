//! The room of each standby target, as upright lines with labels above the plot.

use crate::figure::book::Book;
use crate::figure::canvas::{Anchor, Canvas, Frame, Text};
use crate::figure::grid::{self, Grid};
use crate::figure::scale::{Scale, number};
use crate::figure::style;
use crate::sweep::SweepError;

/// The most targets that get a line.
const MOST: usize = 6;
/// Height of a row of labels.
const ROW: f64 = 21.0;

/// What a target leaves for detection, over all settings of the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Room {
    /// The target.
    pub target: String,
    /// The least, in seconds.
    pub least_s: f64,
    /// The most, in seconds.
    pub most_s: f64,
}

/// The rooms at the chart's settings and at every place of the axes that move only the budget.
pub fn of(
    book: &Book,
    grid: &Grid,
    fixed: &[(usize, usize)],
    settings: &[Vec<(usize, usize)>],
) -> Result<Vec<Room>, SweepError> {
    let mut rooms: Vec<Room> = Vec::new();
    let budget = grid::combinations(&grid.budget());
    for places in settings.iter().flat_map(|setting| budget.iter().map(move |b| (setting, b))) {
        let all: Vec<(usize, usize)> =
            fixed.iter().chain(places.0).chain(places.1).copied().collect();
        let point = grid.point(&all);
        for (index, target) in book.points()[point].scenario.targets.iter().enumerate() {
            let room_s = book.room_s(point, index)?;
            match rooms.iter_mut().find(|room| room.target == target.label()) {
                Some(room) => {
                    room.least_s = room.least_s.min(room_s);
                    room.most_s = room.most_s.max(room_s);
                }
                None => rooms.push(Room {
                    target: target.label().to_owned(),
                    least_s: room_s,
                    most_s: room_s,
                }),
            }
        }
    }
    rooms.sort_by(|a, b| a.most_s.total_cmp(&b.most_s));
    rooms.truncate(MOST);
    Ok(rooms)
}

impl Room {
    fn words(&self) -> String {
        let room = number(self.most_s.round());
        if self.least_s == self.most_s {
            return format!(
                "{}: room {room} s",
                style::shortened(&self.target, style::PLAIN, 120.0)
            );
        }
        let least = number(self.least_s.round());
        format!("{}: room {least} to {room} s", style::shortened(&self.target, style::PLAIN, 120.0))
    }
}

/// A label above the plot, and the row in which it stands.
struct Placed {
    text: Text,
    row: usize,
    line: Option<f64>,
}

fn placed(rooms: &[Room], plot: (f64, f64), scale: &Scale) -> Vec<Placed> {
    let mut placed: Vec<Placed> = Vec::new();
    for room in rooms {
        let (x, words) = (scale.px(room.most_s), room.words());
        let (at, anchor, words) = if room.most_s <= 0.0 {
            (plot.0, Anchor::Start, format!("← {words}: no trigger can"))
        } else if x > plot.1 {
            (plot.1, Anchor::End, format!("{words} →"))
        } else {
            let half = style::text_width(&words, style::PLAIN, false) / 2.0;
            match x {
                x if x + half > plot.1 => (plot.1, Anchor::End, words),
                x if x - half < plot.0 => (plot.0, Anchor::Start, words),
                x => (x, Anchor::Middle, words),
            }
        };
        let text = Text::new(words, (at, 0.0), anchor, style::PLAIN);
        let frame = text.frame().grown(6.0);
        let is_free = |row: usize| {
            placed.iter().filter(|other| other.row == row).all(|o| !o.text.frame().meets(&frame))
        };
        let row = (0..).find(|row| is_free(*row)).unwrap_or(0);
        let line = (room.most_s > 0.0 && x <= plot.1).then_some(x);
        placed.push(Placed { text, row, line });
    }
    placed
}

/// How much height the labels need above the plot.
pub fn height(rooms: &[Room], plot: (f64, f64), scale: &Scale) -> f64 {
    let rows = placed(rooms, plot, scale).iter().map(|label| label.row + 1).max().unwrap_or(0);
    rows as f64 * ROW
}

/// Draws lines and labels.
pub fn draw(canvas: &mut Canvas, rooms: &[Room], plot: Frame, scale: &Scale) {
    let labels = placed(rooms, (plot.left, plot.right), scale);
    let height = |label: &Placed| plot.top - 12.0 - label.row as f64 * ROW;
    for label in &labels {
        if let Some(x) = label.line {
            let line = [(x, plot.bottom), (x, height(label) + 9.0)];
            canvas.dashed(&line, style::BLACK, 2, &[7.0, 5.0]);
        }
    }
    // After every line, so that none runs through words.
    for label in labels {
        let y = height(&label);
        let text = Text { at: (label.text.at.0, y), ..label.text };
        canvas.panel(text.frame(), style::WHITE, 1.0);
        canvas.words(text);
    }
}
