//! What charts have in common: the title, the frame, the axes with their grid.

use super::canvas::{Anchor, Canvas, Frame, Text};
use super::scale::Scale;
use super::style;

/// Left edge of titles.
pub const MARGIN: f64 = 28.0;

/// Writes title and subtitle; returns the lower edge of both.
pub fn title(canvas: &mut Canvas, title: &str, subtitle: &str) -> f64 {
    let width = f64::from(style::SIZE.0) - 2.0 * MARGIN;
    let words = style::shortened(title, style::TITLE * 1.13, width);
    canvas.words(Text::new(words, (MARGIN, 32.0), Anchor::Start, style::TITLE).bold());
    let mut y = 61.0;
    for line in style::wrapped(subtitle, style::HEADING, width).into_iter().take(2) {
        canvas.words(Text::new(line, (MARGIN, y), Anchor::Start, style::HEADING).ink(style::GREY));
        y += 23.0;
    }
    y - 11.0
}

/// Draws the horizontal axis below the plot, with faint lines through it.
pub fn x_axis(canvas: &mut Canvas, plot: Frame, scale: &Scale, name: &str) {
    for (value, words) in scale.ticks() {
        let x = scale.px(value);
        canvas.line(vec![(x, plot.top), (x, plot.bottom)], style::FAINT, 1);
        canvas.line(vec![(x, plot.bottom), (x, plot.bottom + 6.0)], style::BLACK, 1);
        canvas.words(Text::new(words, (x, plot.bottom + 19.0), Anchor::Middle, style::PLAIN));
    }
    let middle = (plot.left + plot.right) / 2.0;
    let at = (middle, plot.bottom + 46.0);
    canvas.words(Text::new(name, at, Anchor::Middle, style::HEADING));
}

/// Draws the vertical axis left of the plot, with faint lines through it.
pub fn y_axis(canvas: &mut Canvas, plot: Frame, scale: &Scale, name: &str) {
    for (value, words) in scale.ticks() {
        let y = scale.px(value);
        canvas.line(vec![(plot.left, y), (plot.right, y)], style::FAINT, 1);
        canvas.line(vec![(plot.left - 6.0, y), (plot.left, y)], style::BLACK, 1);
        canvas.words(Text::new(words, (plot.left - 10.0, y), Anchor::End, style::PLAIN));
    }
    let middle = (plot.top + plot.bottom) / 2.0;
    let at = (MARGIN + 6.0, middle);
    let name = Text::new(name, at, Anchor::Middle, style::HEADING);
    canvas.words(Text { upwards: true, ..name });
}

/// Writes `words` in lines of at most `width` pixels from `(x, y)` on; returns where the next line
/// would stand.
pub fn paragraph(canvas: &mut Canvas, words: &str, (x, y): (f64, f64), width: f64) -> f64 {
    let mut y = y;
    for line in style::wrapped(words, style::PLAIN, width) {
        canvas.words(Text::new(line, (x, y), Anchor::Start, style::PLAIN));
        y += style::PLAIN * 1.3;
    }
    y
}
