//! A run as a picture: a bar for each feature, the events numbered above, and listed beneath.
//!
//! The layout is reckoned here and filled into a template that escapes every name. It can be printed
//! in grey: what a bar means is told by its pattern and a letter, never by colour alone.

use serde::Serialize;

use super::outcome::{Kind, Outcome, Segment, Server};
use super::plan::Plan;
use crate::time::{Span, Time};

const TEMPLATE: &str = include_str!("picture.svg.j2");
const LEFT: f64 = 190.0;
const WIDTH: f64 = 960.0;
const LANE: f64 = 44.0;
const TOP: f64 = 80.0;
const LINE: f64 = 20.0;

/// Events that are listed; further ones stand in the table only.
const MOST_EVENTS: usize = 60;

/// Characters of a line that fit.
const LONGEST_TEXT: usize = 150;

/// Events nearer than this share a number, so that numbers never overlap.
const APART: f64 = 19.0;

#[derive(Serialize)]
struct Bar {
    x: f64,
    width: f64,
    class: &'static str,
    degraded: bool,
    title: String,
}

#[derive(Serialize)]
struct Lane {
    name: String,
    verdict: String,
    y: f64,
    bars: Vec<Bar>,
}

#[derive(Serialize)]
struct Tick {
    x: f64,
    clock: String,
}

#[derive(Serialize)]
struct Marker {
    number: usize,
    x: f64,
}

#[derive(Serialize)]
struct Line {
    /// The marker's number, on the first line that it stands for.
    number: Option<usize>,
    y: f64,
    clock: String,
    text: String,
}

/// The run as an SVG document.
///
/// # Errors
/// When the template cannot be filled, which is a fault of this program.
pub fn svg(plan: &Plan, outcome: &Outcome) -> Result<String, String> {
    let mut environment = minijinja::Environment::new();
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::Html);
    environment.add_template("drill", TEMPLATE).map_err(|error| error.to_string())?;
    let (from, to) = shown(plan, outcome);
    let scale = Scale { from, secs: (to - from).as_secs_f64().max(1.0) };
    let lanes: Vec<Lane> = lanes(plan, outcome, &scale, to);
    let bottom = TOP + LANE * lanes.len() as f64;
    let list_top = bottom + 96.0;
    let (markers, lines, left_out) = events(plan, outcome, &scale, list_top);
    let context = minijinja::context! {
        name => plan.service.name,
        about => plan.service.about,
        summary => summary(plan, outcome),
        width => LEFT + WIDTH + 40.0,
        height => list_top + LINE * (lines.len() + 1) as f64,
        left => LEFT,
        right => LEFT + WIDTH,
        top => TOP,
        bottom => bottom,
        ticks => ticks(plan, &scale, to),
        lanes => lanes,
        markers => markers,
        lines => lines,
        left_out => left_out,
        list_top => list_top,
    };
    let template = environment.get_template("drill").map_err(|error| error.to_string())?;
    template.render(context).map_err(|error| error.to_string())
}

struct Scale {
    from: Time,
    secs: f64,
}

impl Scale {
    fn x(&self, at: Time) -> f64 {
        let share = ((at - self.from).as_secs_f64() / self.secs).clamp(0.0, 1.0);
        ((LEFT + share * WIDTH) * 10.0).round() / 10.0
    }
}

/// From a little before the first event to a little after the last.
fn shown(plan: &Plan, outcome: &Outcome) -> (Time, Time) {
    let end = Time::START + plan.service.length;
    let first = outcome.timeline.first().map_or(Time::START, |entry| entry.at);
    let last = outcome.timeline.last().map_or(end, |entry| entry.at);
    let margin = Span::from_secs(60).max((last - first) / 30);
    ((first - margin).max(Time::START), (last + margin).min(end))
}

fn ticks(plan: &Plan, scale: &Scale, to: Time) -> Vec<Tick> {
    let steps = [60, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];
    let wanted = scale.secs / 9.0;
    let step = steps.into_iter().find(|step| f64::from(*step) >= wanted).unwrap_or(86_400 * 7);
    let step = Span::from_secs(i64::from(step));
    // Whole steps of the clock, not of the run.
    let midnight = plan.service.start.until(super::service::Clock::default());
    let first = (scale.from - midnight).div_floor(step) + 1;
    (first..)
        .map(|count| midnight + step * count)
        .take_while(|at| *at <= to)
        .map(|at| {
            let clock = plan.service.start.show(at);
            let clock = clock.strip_suffix(":00").map(str::to_owned).unwrap_or(clock);
            Tick { x: scale.x(at), clock }
        })
        .collect()
}

fn lanes(plan: &Plan, outcome: &Outcome, scale: &Scale, to: Time) -> Vec<Lane> {
    let features = plan.features.iter().zip(&outcome.features).enumerate();
    features
        .map(|(index, (planned, feature))| {
            let ends = feature.segments.iter().skip(1).map(|next| next.from).chain([to]);
            let bars = feature.segments.iter().zip(ends);
            let bars = bars.filter(|(segment, end)| *end > scale.from && segment.from < to);
            let objective = planned.input.rto;
            let verdict = match feature.rto() {
                super::outcome::Rto::NotInterrupted => "not interrupted".to_owned(),
                super::outcome::Rto::Recovered(length) if length <= objective => {
                    format!("{length} of {objective}: met")
                }
                super::outcome::Rto::Recovered(length) => {
                    format!("{length} of {objective}: missed")
                }
                super::outcome::Rto::Missed => "not recovered".to_owned(),
            };
            Lane {
                name: planned.name.clone(),
                verdict,
                y: TOP + LANE * index as f64,
                bars: bars.map(|(segment, end)| bar(plan, segment, end, scale)).collect(),
            }
        })
        .collect()
}

fn bar(plan: &Plan, segment: &Segment, end: Time, scale: &Scale) -> Bar {
    let (class, words) = match segment.server {
        Server::Primary => ("primary", "served by the primary"),
        Server::Standby => ("standby", "served by the standby"),
        Server::Both => ("both", "served by both"),
        Server::Nobody => ("nobody", "nobody is served"),
        Server::Shed => ("shed", "shed"),
    };
    let x = scale.x(segment.from);
    let slow = if segment.degraded { ", degraded" } else { "" };
    let clock = |at: Time| plan.service.start.show(at);
    Bar {
        x,
        width: ((scale.x(end) - x).max(0.5) * 10.0).round() / 10.0,
        class,
        degraded: segment.degraded,
        title: format!("{} to {}: {words}{slow}", clock(segment.from), clock(end)),
    }
}

/// The events that tell the story, and the numbered markers that they share.
fn events(
    plan: &Plan,
    outcome: &Outcome,
    scale: &Scale,
    top: f64,
) -> (Vec<Marker>, Vec<Line>, usize) {
    let told: Vec<_> =
        outcome.timeline.iter().filter(|entry| entry.kind != Kind::Runbook).collect();
    let mut markers: Vec<Marker> = Vec::new();
    let mut lines = Vec::new();
    for (index, entry) in told.iter().take(MOST_EVENTS).enumerate() {
        let x = scale.x(entry.at);
        let fresh = markers.last().is_none_or(|last| x - last.x >= APART);
        if fresh {
            markers.push(Marker { number: markers.len() + 1, x });
        }
        lines.push(Line {
            number: fresh.then_some(markers.len()),
            y: top + LINE * index as f64,
            clock: plan.service.start.show(entry.at),
            text: short(&format!("{}: {}", entry.subject, entry.text)),
        });
    }
    (markers, lines, told.len().saturating_sub(MOST_EVENTS))
}

/// A text that stays within the picture.
fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn summary(plan: &Plan, outcome: &Outcome) -> String {
    let features = plan.features.iter().zip(&outcome.features);
    let told: Vec<String> = features
        .map(|(planned, feature)| match feature.rto() {
            super::outcome::Rto::NotInterrupted => format!("{} was not interrupted", planned.name),
            super::outcome::Rto::Recovered(length) => {
                format!("{} was interrupted for {length}", planned.name)
            }
            super::outcome::Rto::Missed => format!("{} was not served again", planned.name),
        })
        .collect();
    told.join("; ")
}
