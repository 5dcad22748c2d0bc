//! Draws the heat map.

use super::{Figure, Map, Panel};
use crate::figure::book::Measured;
use crate::figure::canvas::{Anchor, Canvas, Frame, Text};
use crate::figure::scale::number;
use crate::figure::style::{self, Ink};
use crate::figure::{Chart, paper};
use crate::sweep::SweepError;

const BOTTOM: f64 = 724.0;
const RIGHT: f64 = 1120.0;
const GAP: f64 = 26.0;
const LONGEST_NAME: f64 = 190.0;

/// Light to dark, of one hue at each end and steadily darker, so that grey print keeps the order and
/// colour-blind readers see it.
const RAMP: [Ink; 5] = [
    Ink(0xfd, 0xf3, 0xd8),
    Ink(0xf2, 0xc9, 0x7d),
    Ink(0xd9, 0x8a, 0x4e),
    Ink(0x93, 0x4a, 0x5c),
    Ink(0x2e, 0x1e, 0x4f),
];

/// The chart of a map.
pub(super) fn chart(map: &Map) -> Result<Chart, SweepError> {
    let mut canvas = Canvas::default();
    let title = match map.figure {
        Figure::Rate => "False failovers a day",
        Figure::RtoMet => "Probability of meeting the RTO",
    };
    let below = paper::title(&mut canvas, title, &map.subtitle);
    let shade = Shade::of(map);
    let widest = map.rows.iter().map(|row| style::text_width(row, style::PLAIN, false));
    let left = paper::MARGIN + 36.0 + widest.fold(20.0, f64::max).min(LONGEST_NAME);
    let is_named = map.panels.iter().any(|panel| !panel.name.is_empty());
    let top = below + if is_named { 44.0 } else { 18.0 };
    let count = map.panels.len().max(1) as f64;
    let width = (RIGHT - left - GAP * (count - 1.0)) / count;
    let height = ((BOTTOM - top) / map.rows.len().max(1) as f64).min(130.0);
    let bottom = top + height * map.rows.len() as f64;
    for (index, panel) in map.panels.iter().enumerate() {
        let start = left + index as f64 * (width + GAP);
        let frame = Frame { left: start, top, right: start + width, bottom };
        draw_panel(&mut canvas, map, panel, frame, &shade);
    }
    row_names(&mut canvas, map, (left, top), height);
    let middle = ((left + RIGHT) / 2.0, bottom + 48.0);
    canvas.words(Text::new(&map.columns_called, middle, Anchor::Middle, style::HEADING));
    let beside = (paper::MARGIN + 6.0, (top + bottom) / 2.0);
    let name = Text::new(&map.rows_called, beside, Anchor::Middle, style::HEADING);
    canvas.words(Text { upwards: true, ..name });
    shade.key(&mut canvas, (RIGHT + 36.0, top, bottom));
    Chart::new(&map.name, canvas, title, &description(map, title))
}

fn row_names(canvas: &mut Canvas, map: &Map, (left, top): (f64, f64), height: f64) {
    for (index, row) in map.rows.iter().enumerate() {
        let y = top + (index as f64 + 0.5) * height;
        let words = style::shortened(row, style::PLAIN, LONGEST_NAME);
        canvas.words(Text::new(words, (left - 10.0, y), Anchor::End, style::PLAIN));
    }
}

fn draw_panel(canvas: &mut Canvas, map: &Map, panel: &Panel, frame: Frame, shade: &Shade) {
    let width = frame.width() / map.columns.len().max(1) as f64;
    let height = frame.height() / map.rows.len().max(1) as f64;
    if !panel.name.is_empty() {
        let words = style::shortened(&panel.name, style::HEADING * 1.13, frame.width());
        let at = ((frame.left + frame.right) / 2.0, frame.top - 16.0);
        canvas.words(Text::new(words, at, Anchor::Middle, style::HEADING).bold());
    }
    for (row, cells) in panel.cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let (left, top) = (frame.left + column as f64 * width, frame.top + row as f64 * height);
            let square = Frame { left, top, right: left + width, bottom: top + height };
            let depth = shade.depth(cell);
            canvas.panel(square, ramp(depth), 1.0);
            canvas.outline(square, style::WHITE, 1);
            let words = shade.words(cell);
            let fits =
                style::text_width(&words, style::PLAIN, false) + 4.0 <= width && height > 17.0;
            if fits {
                let ink = if depth > 0.55 { style::WHITE } else { style::BLACK };
                let at = (left + width / 2.0, top + height / 2.0);
                canvas.words(Text::new(words, at, Anchor::Middle, style::PLAIN).ink(ink));
            }
        }
    }
    for (index, column) in map.columns.iter().enumerate() {
        let at = (frame.left + (index as f64 + 0.5) * width, frame.bottom + 18.0);
        let words = style::shortened(column, style::PLAIN, width - 6.0);
        canvas.words(Text::new(words, at, Anchor::Middle, style::PLAIN));
    }
}

/// How values become shades.
struct Shade {
    figure: Figure,
    /// Ends of the scale: decades of the rate, or probabilities.
    from: f64,
    to: f64,
}

impl Shade {
    fn of(map: &Map) -> Self {
        if map.figure == Figure::RtoMet {
            return Shade { figure: map.figure, from: 0.0, to: 1.0 };
        }
        let rates = || map.panels.iter().flat_map(|p| &p.cells).flatten().map(|cell| cell.value);
        let known = || rates().filter(|rate| *rate > 0.0).map(f64::log10);
        let least = known().fold(f64::INFINITY, f64::min).floor();
        let most = known().fold(f64::NEG_INFINITY, f64::max).ceil();
        if !least.is_finite() {
            return Shade { figure: map.figure, from: -1.0, to: 0.0 };
        }
        Shade { figure: map.figure, from: least, to: most.max(least + 1.0) }
    }

    /// 0 for the lightest, 1 for the darkest: bad is dark. An upper bound is as light as can be.
    fn depth(&self, cell: &Measured) -> f64 {
        match self.figure {
            Figure::RtoMet => 1.0 - cell.value.clamp(0.0, 1.0),
            Figure::Rate => {
                let rate = cell.value.max(1e-300).log10();
                ((rate - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
            }
        }
    }

    fn words(&self, cell: &Measured) -> String {
        match (self.figure, cell.value) {
            (Figure::Rate, 0.0) if cell.hi > 0.0 => format!("< {}", short(cell.hi)),
            (Figure::Rate, value) => short(value),
            (Figure::RtoMet, 0.0) => "0".to_owned(),
            (Figure::RtoMet, 1.0) => "1".to_owned(),
            (Figure::RtoMet, value) if value < 0.01 => "< 0.01".to_owned(),
            (Figure::RtoMet, value) if value > 0.99 => "> 0.99".to_owned(),
            (Figure::RtoMet, value) => format!("{value:.2}"),
        }
    }

    /// The scale right of the maps.
    fn key(&self, canvas: &mut Canvas, (left, top, bottom): (f64, f64, f64)) {
        let steps = 60;
        let (height, bottom) = ((bottom - top).min(360.0), top + (bottom - top).min(360.0));
        for step in 0..steps {
            let depth = f64::from(step) / f64::from(steps - 1);
            let low = bottom - height * f64::from(step) / f64::from(steps);
            let high = bottom - height * f64::from(step + 1) / f64::from(steps);
            let piece = Frame { left, right: left + 22.0, top: high, bottom: low };
            canvas.panel(piece, ramp(depth), 1.0);
        }
        canvas.outline(Frame { left, right: left + 22.0, top, bottom }, style::GREY, 1);
        let ends = match self.figure {
            Figure::Rate => [
                short(10_f64.powf(self.from)),
                short(10_f64.powf((self.from + self.to) / 2.0)),
                short(10_f64.powf(self.to)),
            ],
            Figure::RtoMet => ["1".to_owned(), "0.5".to_owned(), "0".to_owned()],
        };
        for (place, words) in ends.into_iter().enumerate() {
            let y = bottom - height * place as f64 / 2.0;
            canvas.line(vec![(left + 22.0, y), (left + 28.0, y)], style::BLACK, 1);
            canvas.words(Text::new(words, (left + 33.0, y), Anchor::Start, style::PLAIN));
        }
    }
}

/// Two digits.
fn short(value: f64) -> String {
    let digits = format!("{value:.1e}");
    digits.parse().map_or(digits, number)
}

fn ramp(depth: f64) -> Ink {
    let place = depth.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let index = (place.floor() as usize).min(RAMP.len() - 2);
    let part = place - index as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u8;
    let (Ink(r, g, b), Ink(to_r, to_g, to_b)) = (RAMP[index], RAMP[index + 1]);
    Ink(mix(r, to_r), mix(g, to_g), mix(b, to_b))
}

/// The map in words.
fn description(map: &Map, title: &str) -> String {
    let shade = Shade::of(map);
    let mut text = format!(
        "{title}; {}. Rows: {}; columns: {}. ",
        map.subtitle, map.rows_called, map.columns_called
    );
    for panel in &map.panels {
        for (row, cells) in map.rows.iter().zip(&panel.cells) {
            let values: Vec<String> = map
                .columns
                .iter()
                .zip(cells)
                .map(|(column, cell)| format!("{column}: {}", shade.words(cell)))
                .collect();
            text += &format!("{} {row}: {}. ", panel.name, values.join(", "));
        }
    }
    text.trim_end().to_owned()
}
