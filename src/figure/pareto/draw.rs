//! Draws the trade-off chart.

use super::series::{Series, Spot};
use super::{Trade, legend, rooms};
use crate::figure::canvas::{Anchor, Canvas, Frame, Place, Text};
use crate::figure::labels::Labels;
use crate::figure::scale::{Scale, number};
use crate::figure::{Chart, paper, style, words};
use crate::sweep::SweepError;

const LEFT: f64 = 112.0;
const RIGHT: f64 = 934.0;
const BOTTOM: f64 = 732.0;
const LEGEND: f64 = 1048.0;

/// A trigger is not named again for a spot as near as this, in pixels.
const SAME_LABEL: f64 = 60.0;

/// Charts with at most this many spots have all of them labelled.
const FEW_SPOTS: usize = 24;
/// Bounds that are drawn as arrows, each; where there are more, a series has one arrow and a line.
const FEW_BOUNDS: usize = 12;

/// Where delays go this many times beyond every room, their axis is logarithmic: hours that one
/// trigger takes would else press the others together.
const FAR_BEYOND: f64 = 4.0;

/// Rates that people speak of, beside the axis.
const SPOKEN: [(f64, &str); 5] = [
    (24.0, "1 an hour"),
    (1.0, "1 a day"),
    (1.0 / 7.0, "1 a week"),
    (1.0 / 30.0, "1 in 30 days"),
    (1.0 / 365.0, "1 a year"),
];

/// The chart of a trade.
pub(super) fn chart(trade: &Trade<'_>) -> Result<Chart, SweepError> {
    let mut canvas = Canvas::default();
    let title = "Waiting longer: fewer false failovers, later detection";
    let below = paper::title(&mut canvas, title, &subtitle(trade));
    let (x, y_range) = scales(trade);
    let top = below + 14.0 + rooms::height(&trade.rooms, (LEFT, RIGHT), &x);
    let plot = Frame { left: LEFT, top, right: RIGHT, bottom: BOTTOM };
    let y = Scale::log(y_range, (BOTTOM, top));
    paper::x_axis(
        &mut canvas,
        plot,
        &x,
        "mean detection delay in seconds, from the start of the outage",
    );
    paper::y_axis(&mut canvas, plot, &y, "false failovers a day");
    spoken(&mut canvas, plot, &y);
    rooms::draw(&mut canvas, &trade.rooms, plot, &x);
    canvas.outline(plot, style::GREY, 1);
    let mut labels = Labels::within(plot);
    for (index, series) in trade.series.iter().enumerate() {
        lines(&mut canvas, &mut labels, plot, (&x, &y), index, series);
    }
    let few =
        trade.series.iter().flat_map(|s| &s.spots).filter(|s| s.is_bound()).count() <= FEW_BOUNDS;
    for (index, series) in trade.series.iter().enumerate() {
        spots(&mut canvas, &mut labels, (&x, &y), index, series, few);
    }
    if !few {
        bound_line(&mut canvas, &mut labels, plot, (&x, &y), trade);
    }
    label(&mut canvas, &mut labels, plot, (&x, &y), trade);
    legend::draw(&mut canvas, trade, (LEGEND, top + 10.0));
    let description = description(trade);
    Chart::new(&trade.name, canvas, title, &description)
}

/// The horizontal axis, and what the vertical one must hold.
fn scales(trade: &Trade<'_>) -> (Scale, (f64, f64)) {
    let spots = || trade.series.iter().flat_map(|series| &series.spots);
    let longest = spots().map(|spot| spot.delay_s.hi).fold(1.0, f64::max);
    // A room a little beyond the data is worth showing in its place.
    let rooms = trade.rooms.iter().map(|room| room.most_s).filter(|room| *room <= longest * 1.3);
    let to = rooms.fold(longest, f64::max) * 1.03;
    let heights = || spots().map(Spot::height).filter(|height| *height > 0.0);
    let room = trade.rooms.iter().map(|room| room.most_s).fold(60.0, f64::max);
    let x = if longest > FAR_BEYOND * room {
        let shortest = spots().map(|spot| spot.delay_s.value).fold(longest, f64::min);
        Scale::log((shortest.max(1.0), longest), (LEFT, RIGHT))
    } else {
        Scale::linear((0.0, to), (LEFT, RIGHT))
    };
    let lowest = heights().fold(f64::INFINITY, f64::min);
    let highest = spots().map(|spot| spot.rate.hi).fold(0.0, f64::max);
    let range = if lowest.is_finite() { (lowest * 0.8, highest) } else { (0.01, 1.0) };
    (x, range)
}

fn subtitle(trade: &Trade<'_>) -> String {
    let run = &trade.book.points()[0].scenario.run;
    let mut parts = vec![format!(
        "{}: {} of {} a setting",
        trade.book.sweep.name,
        words::count(run.replications, "replication", "replications"),
        words::spaced(&run.length.to_string())
    )];
    parts.extend(Some(trade.fixed.clone()).filter(|fixed| !fixed.is_empty()));
    parts.extend(trade.left_out.clone());
    let blind: usize = trade.series.iter().map(|series| series.blind).sum();
    if blind > 0 {
        parts.push(format!("{blind} triggers detected nothing and are not drawn"));
    }
    parts.join("; ")
}

/// Rates in everyday words, right of the plot.
fn spoken(canvas: &mut Canvas, plot: Frame, y: &Scale) {
    let mut last: Option<f64> = None;
    for (rate, words) in SPOKEN {
        let at = y.px(rate);
        if !y.holds(rate) || last.is_some_and(|last| (at - last).abs() < 18.0) {
            continue;
        }
        last = Some(at);
        canvas.line(vec![(plot.right - 8.0, at), (plot.right + 4.0, at)], style::GREY, 1);
        let text = Text::new(words, (plot.right + 8.0, at), Anchor::Start, style::PLAIN);
        canvas.words(text.ink(style::GREY));
    }
}

type Scales<'a> = (&'a Scale, &'a Scale);

/// The optimal frontier as a thin line, and the measured one under the markers.
fn lines(
    canvas: &mut Canvas,
    labels: &mut Labels,
    plot: Frame,
    (x, y): Scales<'_>,
    index: usize,
    series: &Series,
) {
    let (ink, dashes) = style::series(index);
    let seen = |spot: &&Spot| spot.on_frontier && !spot.is_bound();
    let frontier: Vec<Place> = series
        .spots
        .iter()
        .filter(seen)
        .map(|spot| (x.px(spot.delay_s.value), y.px(spot.rate.value)))
        .collect();
    canvas.dashed(&frontier, ink, 3, dashes);
    labels.avoid_line(&frontier);
    let known = series.optimum();
    // Straight lines bend under a logarithmic delay.
    let optimum = if x.is_log() { between(&known) } else { known };
    let optimum: Vec<Place> =
        optimum.into_iter().map(|(delay, rate)| (x.px(delay), y.px(rate))).collect();
    let optimum = until(&optimum, plot.bottom);
    canvas.line(optimum.clone(), style::BLACK, 1);
    labels.avoid_line(&optimum);
}

/// The line with points between its own, along which the rate falls by equal shares in equal times.
fn between(line: &[(f64, f64)]) -> Vec<(f64, f64)> {
    const STEPS: i32 = 8;
    let mut dense: Vec<(f64, f64)> = line.first().copied().into_iter().collect();
    for pair in line.windows(2) {
        let ((delay, rate), (next_delay, next_rate)) = (pair[0], pair[1]);
        for step in 1..=STEPS {
            let part = f64::from(step) / f64::from(STEPS);
            let fall = (next_rate.max(1e-300) / rate.max(1e-300)).powf(part);
            dense.push((delay + (next_delay - delay) * part, rate * fall));
        }
    }
    dense
}

/// The part of a falling line above `bottom`.
fn until(line: &[Place], bottom: f64) -> Vec<Place> {
    let mut kept: Vec<Place> = Vec::new();
    for (x, y) in line.iter().copied() {
        if y <= bottom {
            kept.push((x, y));
            continue;
        }
        if let Some((from_x, from_y)) = kept.last().copied() {
            let part = (bottom - from_y) / (y - from_y);
            kept.push((from_x + (x - from_x) * part, bottom));
        }
        break;
    }
    kept
}

/// Markers with their intervals; upper bounds as arrows.
fn spots(
    canvas: &mut Canvas,
    labels: &mut Labels,
    (x, y): Scales<'_>,
    index: usize,
    series: &Series,
    few: bool,
) {
    let (ink, _) = style::series(index);
    let mut in_bound_run = false;
    for spot in &series.spots {
        let at = (x.px(spot.delay_s.value), y.px(spot.height()));
        if spot.is_bound() {
            if few || !in_bound_run {
                arrow(canvas, at, ink);
                style::marker(canvas, index, at, 4.0, !spot.misses);
                labels.keep_off((at.0, at.1 + 8.0), 11.0);
            }
            in_bound_run = true;
            continue;
        }
        in_bound_run = false;
        let lowest = y.px(spot.rate.lo.max(1e-300)).min(BOTTOM);
        let highest = y.px(spot.rate.hi);
        if lowest - highest > 12.0 {
            whisker(canvas, at.0, (highest, lowest), ink);
            labels.avoid_line(&[(at.0, highest), (at.0, lowest)]);
        }
        let (from, to) = (x.px(spot.delay_s.lo), x.px(spot.delay_s.hi).min(RIGHT));
        if to - from > 12.0 {
            canvas.line(vec![(from, at.1), (to, at.1)], ink, 2);
        }
        let radius = if spot.on_frontier || spot.misses { 5.0 } else { 3.0 };
        style::marker(canvas, index, at, radius, !spot.misses);
        labels.keep_off(at, radius + 1.0);
    }
}

/// An upright interval with ends.
pub(super) fn whisker(canvas: &mut Canvas, x: f64, (top, bottom): (f64, f64), ink: style::Ink) {
    canvas.line(vec![(x, top), (x, bottom)], ink, 2);
    canvas.line(vec![(x - 4.0, top), (x + 4.0, top)], ink, 2);
    canvas.line(vec![(x - 4.0, bottom), (x + 4.0, bottom)], ink, 2);
}

/// An arrow downwards from an upper bound.
pub(super) fn arrow(canvas: &mut Canvas, (x, y): Place, ink: style::Ink) {
    canvas.line(vec![(x - 6.0, y), (x + 6.0, y)], ink, 2);
    canvas.line(vec![(x, y), (x, y + 13.0)], ink, 2);
    canvas.area(vec![(x - 5.0, y + 11.0), (x + 5.0, y + 11.0), (x, y + 19.0)], ink);
}

/// One line for all the bounds that got no arrow: they stand at the same height.
fn bound_line(
    canvas: &mut Canvas,
    labels: &mut Labels,
    plot: Frame,
    (x, y): Scales<'_>,
    trade: &Trade<'_>,
) {
    let bounds = || trade.series.iter().flat_map(|s| &s.spots).filter(|spot| spot.is_bound());
    let from = bounds().map(|spot| spot.delay_s.value).fold(f64::INFINITY, f64::min);
    let to = bounds().map(|spot| spot.delay_s.value).fold(0.0, f64::max);
    let Some(bound) = bounds().next() else { return };
    let at = y.px(bound.rate.hi);
    let line = [(x.px(from), at), (x.px(to).min(plot.right), at)];
    canvas.dashed(&line, style::GREY, 1, &[3.0, 4.0]);
    labels.avoid_line(&line);
}

/// Names the triggers that tell most, as far as there is room for them.
fn label(
    canvas: &mut Canvas,
    labels: &mut Labels,
    plot: Frame,
    (x, y): Scales<'_>,
    trade: &Trade<'_>,
) {
    for room in trade.rooms.iter().filter(|room| room.most_s > 0.0) {
        let at = x.px(room.most_s);
        labels.avoid_line(&[(at, plot.top), (at, plot.bottom)]);
    }
    let all: usize = trade.series.iter().map(|series| series.spots.len()).sum();
    let mut wanted: Vec<&Spot> = Vec::new();
    if all <= FEW_SPOTS {
        wanted.extend(trade.series.iter().flat_map(|series| &series.spots));
    } else {
        let telling: Vec<Vec<&Spot>> = trade.series.iter().map(Series::telling).collect();
        for rank in 0..3 {
            wanted.extend(telling.iter().filter_map(|spots| spots.get(rank)));
        }
    }
    let mut named: Vec<(&str, Place)> = Vec::new();
    for spot in wanted {
        let at = (x.px(spot.delay_s.value), y.px(spot.height()));
        let is_near = |other: Place| (other.0 - at.0).hypot(other.1 - at.1) < SAME_LABEL;
        if named.iter().any(|(trigger, other)| *trigger == spot.trigger && is_near(*other)) {
            continue;
        }
        if labels.put(canvas, &spot.trigger, at) {
            named.push((&spot.trigger, at));
        }
    }
}

/// The chart in words.
fn description(trade: &Trade<'_>) -> String {
    let mut text = format!("{}. ", subtitle(trade));
    for series in &trade.series {
        let (Some(first), Some(last)) = (series.spots.first(), series.spots.last()) else {
            continue;
        };
        let rate = |spot: &Spot| match spot.is_bound() {
            true => format!("fewer than {}", number(spot.rate.hi)),
            false => number(spot.rate.value),
        };
        let name = if series.name.is_empty() {
            String::new()
        } else {
            format!("{} {}: ", trade.series_called, series.name)
        };
        text += &format!(
            "{name}from {} with {} false failovers a day after {} s to {} with {} after {} s. ",
            first.trigger,
            rate(first),
            number(first.delay_s.value),
            last.trigger,
            rate(last),
            number(last.delay_s.value)
        );
    }
    for room in &trade.rooms {
        text += &format!(
            "The {} standby leaves {} s for detection. ",
            room.target,
            number(room.most_s)
        );
    }
    text.trim_end().to_owned()
}
