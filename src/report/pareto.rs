//! The trade-off chart: detection delay against false failovers, a series for each point of the grid.
//!
//! Places are shares of the plot's width and height in per cent, so that the template can draw marks
//! at their own size on any screen.

use serde::Serialize;

use super::answer::{FLOOR_PER_DAY, place};
use super::cells;
use super::scale::{Scale, Tick};
use super::study::{Run, Study};
use super::words;
use super::words::seconds as number;
use crate::estimate::Estimate;

/// Looks of a series: marks, dashes and colours come in as many kinds.
pub(super) const LOOKS: usize = 8;

/// Intervals narrower than this share of the plot would be hidden by their own mark.
const NARROWEST_BAR: f64 = 1.2;

/// A room this many times the longest delay stands outside the plot and is told in words.
const FARTHEST_ROOM: f64 = 3.0;

/// The chart.
#[derive(Debug, Serialize)]
pub(super) struct Chart {
    pub(super) x_ticks: Vec<Place>,
    pub(super) y_ticks: Vec<Place>,
    /// The rates that people say: one a day, a week …
    pub(super) said: Vec<Place>,
    pub(super) rooms: Vec<RoomLine>,
    pub(super) lines: Vec<Line>,
    pub(super) points: Vec<Dot>,
    pub(super) notes: Vec<String>,
    pub(super) summary: String,
}

/// A label and where it stands.
#[derive(Debug, Serialize)]
pub(super) struct Place {
    pub(super) at: f64,
    pub(super) label: String,
}

/// The room that a target leaves for detection; a band where the grid moves it.
#[derive(Debug, Serialize)]
pub(super) struct RoomLine {
    pub(super) target: usize,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) label: String,
    /// True where the label is set to the left of the line, for want of space at the right.
    pub(super) left: bool,
}

/// The frontier of a point of the grid.
#[derive(Debug, Serialize)]
pub(super) struct Line {
    pub(super) point: usize,
    pub(super) look: usize,
    /// As an SVG polyline in a plot of 100 by 100.
    pub(super) through: String,
    pub(super) off: bool,
}

/// One trigger at one point.
#[derive(Debug, Serialize)]
pub(super) struct Dot {
    /// Index into the embedded data.
    pub(super) index: usize,
    pub(super) look: usize,
    pub(super) x: f64,
    pub(super) y: f64,
    /// Ends of the rate's interval, upper first, where it shows.
    pub(super) rate_bar: Option<(f64, f64)>,
    /// Ends of the delay's interval, where it shows.
    pub(super) delay_bar: Option<(f64, f64)>,
    /// True where the mark is a bound or lies below the plot.
    pub(super) hollow: bool,
    pub(super) label: String,
    pub(super) off: bool,
}

/// The column whose values tell series apart: blips first, since they move every figure.
pub(super) fn primary(study: &Study) -> Option<usize> {
    let several = |index: &usize| study.columns[*index].values.len() > 1;
    let is_blips = |index: &usize| study.columns[*index].name.contains("blip");
    let all = || (0..study.columns.len()).filter(several);
    let few = |index: &usize| study.columns[*index].values.len() <= LOOKS;
    all().find(|i| is_blips(i) && few(i)).or_else(|| all().find(few)).or_else(|| all().next())
}

/// What is shown at first: with many series, one of each value of the primary column.
pub(super) fn first_filter(study: &Study) -> Vec<Option<usize>> {
    let primary = primary(study);
    let value = |index: usize| {
        let few = study.points().len() <= LOOKS;
        let free = few || Some(index) == primary;
        (!free).then(|| study.columns[index].at[study.base])
    };
    (0..study.columns.len()).map(value).collect()
}

/// The chart of a study.
pub(super) fn chart(study: &Study) -> Chart {
    let kept: Vec<(usize, usize)> = cells::kept(study);
    let drawn: Vec<(usize, &Run, usize, Estimate)> = kept
        .iter()
        .enumerate()
        .filter_map(|(index, (point, trigger))| {
            let run = &study.runs[*point][*trigger];
            run.detection_mean_s.map(|delay| (index, run, *point, delay))
        })
        .collect();
    let longest = drawn.iter().map(|(.., delay)| delay.value).fold(0.0, f64::max);
    let rates = drawn.iter().flat_map(|(_, run, ..)| [run.shown_rate(), run.rate.hi]);
    let y = Scale::decades(rates, FLOOR_PER_DAY);
    let reach = longest * FARTHEST_ROOM;
    let rooms: Vec<(f64, f64)> = (0..study.targets().len()).map(|t| room(study, t)).collect();
    let near = rooms.iter().map(|(_, most)| *most).filter(|room| *room <= reach);
    let x = Scale::from_zero(near.fold(longest, f64::max) * 1.02);
    let filter = first_filter(study);
    let off = |point: usize| {
        filter.iter().zip(&study.columns).any(|(f, c)| f.is_some_and(|value| c.at[point] != value))
    };
    let primary = primary(study);
    let look = |point: usize| primary.map_or(0, |p| study.columns[p].at[point] % LOOKS);
    let dot = |(index, run, point, delay): &(usize, &Run, usize, Estimate)| {
        dot(study, *index, run, *point, delay, (&x, &y), look(*point), off(*point))
    };
    let undetected = kept.len() - drawn.len();
    Chart {
        x_ticks: x.ticks().iter().map(Place::across).collect(),
        y_ticks: y.ticks().iter().map(Place::up).collect(),
        said: said(&y),
        lines: lines(study, &drawn, (&x, &y), &look, &off),
        points: drawn.iter().map(dot).collect(),
        notes: notes(study, &rooms, &x, undetected),
        rooms: room_lines(study, &rooms, &x),
        summary: format!(
            "Mean detection delay in seconds, to the right, against false failovers a day, upwards on a \
             logarithmic scale, for {} at {}.",
            words::count(drawn.len() as u64, "setting"),
            words::count(study.points().len() as u64, "point")
        ),
    }
}

impl Place {
    fn across(tick: &Tick) -> Self {
        Place { at: percent(tick.at), label: tick.label.clone() }
    }

    fn up(tick: &Tick) -> Self {
        Place { at: percent(1.0 - tick.at), label: tick.label.clone() }
    }
}

fn percent(share: f64) -> f64 {
    (share * 1e4).round() / 1e2
}

fn said(y: &Scale) -> Vec<Place> {
    [(1.0, "one a day"), (1.0 / 7.0, "a week"), (1.0 / 30.44, "a month"), (1.0 / 365.25, "a year")]
        .into_iter()
        .chain([(1.0 / 36_525.0, "a century")])
        .filter(|(rate, _)| !y.is_below(*rate) && y.place(*rate) < 1.0)
        .map(|(rate, label)| Place { at: percent(1.0 - y.place(rate)), label: label.to_owned() })
        .collect()
}

#[expect(clippy::too_many_arguments, reason = "one mark's whole description, used once")]
fn dot(
    study: &Study,
    index: usize,
    run: &Run,
    point: usize,
    delay: &Estimate,
    (x, y): (&Scale, &Scale),
    look: usize,
    off: bool,
) -> Dot {
    let (across, up) = (|v: f64| percent(x.place(v)), |v: f64| percent(1.0 - y.place(v)));
    let wide = |(a, b): (f64, f64)| ((a - b).abs() > NARROWEST_BAR).then_some((a, b));
    let shown = run.shown_rate();
    let counted_none = run.rate.value <= 0.0 && run.rate.exact.is_none_or(|exact| exact <= 0.0);
    let at = place(study, point);
    let at = if at.is_empty() { String::new() } else { format!("{at}; ") };
    Dot {
        index,
        look,
        x: across(delay.value),
        y: up(shown),
        rate_bar: wide((up(run.rate.hi), up(run.rate.lo))),
        delay_bar: wide((across(delay.lo), across(delay.hi))),
        hollow: counted_none || y.is_below(shown),
        label: format!(
            "{at}{}: patience {} s, {} false failovers a day, detection {} s",
            run.trigger,
            number(run.patience_s),
            words::rate(&run.rate),
            delay.show(1)
        ),
        off,
    }
}

fn lines(
    study: &Study,
    drawn: &[(usize, &Run, usize, Estimate)],
    (x, y): (&Scale, &Scale),
    look: &dyn Fn(usize) -> usize,
    off: &dyn Fn(usize) -> bool,
) -> Vec<Line> {
    let of_point = |point: usize| {
        let mut on: Vec<(f64, f64)> = drawn
            .iter()
            .filter(|(_, run, at, _)| *at == point && run.on_frontier)
            .map(|(_, run, _, delay)| {
                (percent(x.place(delay.value)), percent(1.0 - y.place(run.shown_rate())))
            })
            .collect();
        on.sort_by(|a, b| a.0.total_cmp(&b.0));
        let through: Vec<String> = on.iter().map(|(x, y)| format!("{x},{y}")).collect();
        (through.len() > 1).then(|| Line {
            point,
            look: look(point),
            through: through.join(" "),
            off: off(point),
        })
    };
    (0..study.points().len()).filter_map(of_point).collect()
}

/// The least and the most room that the grid leaves on a target.
fn room(study: &Study, target: usize) -> (f64, f64) {
    let rooms =
        study.runs.iter().filter_map(|runs| Some(runs.first()?.targets.get(target)?.room_s));
    rooms.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), room| {
        (least.min(room), most.max(room))
    })
}

fn stretch((least, most): (f64, f64)) -> String {
    if least == most { number(most) } else { format!("{} to {}", number(least), number(most)) }
}

fn room_lines(study: &Study, rooms: &[(f64, f64)], x: &Scale) -> Vec<RoomLine> {
    let line = |(target, name): (usize, String)| {
        let room = rooms[target];
        let seen = room.1 > 0.0 && x.place(room.1) < 1.0;
        seen.then(|| RoomLine {
            target,
            from: percent(x.place(room.0)),
            to: percent(x.place(room.1)),
            label: format!("{name}: room {} s", stretch(room)),
            left: x.place(room.1) > 0.3,
        })
    };
    let mut lines: Vec<RoomLine> =
        study.targets().into_iter().enumerate().filter_map(line).collect();
    // Labels stand above each other, the lowest at the left, so that no line crosses one.
    lines.sort_by(|a, b| a.to.total_cmp(&b.to));
    lines
}

fn notes(study: &Study, rooms: &[(f64, f64)], x: &Scale, undetected: usize) -> Vec<String> {
    let mut notes = Vec::new();
    for (target, name) in study.targets().iter().enumerate() {
        let (most, text) = (rooms[target].1, stretch(rooms[target]));
        if most <= 0.0 {
            notes.push(format!(
                "{name} leaves no room ({text} s): no trigger can meet the RTO there."
            ));
        } else if x.place(most) >= 1.0 {
            notes.push(format!("{name} leaves {text} s of room, beyond the right edge."));
        }
    }
    if undetected > 0 {
        let settings = words::count(undetected as u64, "setting");
        notes.push(format!(
            "{settings} detected no outage and cannot be drawn; the table has them."
        ));
    }
    notes
}
