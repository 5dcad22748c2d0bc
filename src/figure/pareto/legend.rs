//! The legend of the trade-off chart, right of the plot.

use super::Trade;
use super::series::{MISSES, Series};
use crate::figure::canvas::{Anchor, Canvas, Text};
use crate::figure::scale::number;
use crate::figure::{paper, style, words};

/// What a bound of a series means, if it has one.
fn none_seen(series: &Series) -> Option<String> {
    let bound = series.spots.iter().find(|spot| spot.is_bound())?;
    let days = words::count(series.days.round() as u64, "day", "days");
    Some(format!("none seen in {days}: the rate is below {}", number(bound.rate.hi)))
}

/// Draws the legend in the column from `left` on.
pub fn draw(canvas: &mut Canvas, trade: &Trade<'_>, (left, top): (f64, f64)) {
    let width = f64::from(style::SIZE.0) - paper::MARGIN / 2.0 - left;
    let mut y = top;
    if !trade.series_called.is_empty() {
        for line in style::wrapped(&trade.series_called, style::PLAIN * 1.13, width) {
            canvas.words(Text::new(line, (left, y), Anchor::Start, style::PLAIN).bold());
            y += 20.0;
        }
        y += 6.0;
    }
    for (index, series) in trade.series.iter().enumerate() {
        if trade.series.len() == 1 && series.name.is_empty() {
            break;
        }
        let (ink, dashes) = style::series(index);
        canvas.dashed(&[(left, y), (left + 48.0, y)], ink, 3, dashes);
        style::marker(canvas, index, (left + 24.0, y), 6.0, true);
        for line in style::wrapped(&series.name, style::PLAIN, width - 58.0) {
            canvas.words(Text::new(line, (left + 58.0, y), Anchor::Start, style::PLAIN));
            y += 20.0;
        }
        y += 5.0;
    }
    y += 14.0;
    let spots = || trade.series.iter().flat_map(|series| &series.spots);
    let mut explain =
        |canvas: &mut Canvas, is_there: bool, words: &str, sign: &dyn Fn(&mut Canvas, f64)| {
            if is_there {
                sign(canvas, y);
                y = paper::paragraph(canvas, words, (left + 34.0, y), width - 34.0) + 8.0;
            }
        };
    let at = left + 12.0;
    explain(canvas, true, "95 % interval", &|canvas, y| {
        super::draw::whisker(canvas, at, (y - 9.0, y + 9.0), style::GREY)
    });
    let none_seen = trade.series.iter().find_map(none_seen).unwrap_or_default();
    explain(canvas, !none_seen.is_empty(), &none_seen, &|canvas, y| {
        super::draw::arrow(canvas, (at, y - 8.0), style::GREY);
    });
    let has_optimum = trade.series.iter().any(|series| series.optimum().len() > 1);
    explain(canvas, has_optimum, "optimal: no trigger beats k in a row (exact)", &|canvas, y| {
        canvas.line(vec![(left, y), (left + 26.0, y)], style::BLACK, 1);
    });
    explain(
        canvas,
        spots().any(|s| !s.on_frontier && !s.misses),
        "small: another trigger is both quieter and faster",
        &|canvas, y| {
            style::marker(canvas, 0, (at, y), 3.0, true);
        },
    );
    let hollow = format!(
        "hollow: misses more than {:.0} % of outages, which the delay leaves out",
        MISSES * 100.0
    );
    explain(canvas, spots().any(|spot| spot.misses), &hollow, &|canvas, y| {
        style::marker(canvas, 0, (at, y), 5.0, false);
    });
}
