//! One replication as a picture: the truth, the checks, each trigger's patience and decisions, the
//! stages of the failover against the RTO.
//!
//! Drawn from a trace, which has everything worked out. It fits 1,280 pixels, is told apart in grey,
//! and writes a label only where there is room for it.

mod canvas;
mod lanes;
mod scale;
mod triggers;

use canvas::{Canvas, Row, Type, cut, width};
use scale::Scale;

use crate::budget::words::said;
use crate::experiment::trace::{Detection, Event, Trace, TriggerTrace, event};
use crate::time::Span;

/// Width of the picture.
const WIDTH: f64 = 1280.0;
/// Width of the lanes' names.
const GUTTER: f64 = 190.0;
/// Room at the right for what is written past the end of the last stage.
const RIGHT: f64 = 150.0;
/// Where the lanes begin.
const TOP: f64 = 88.0;
/// Size of small text.
const SMALL: f64 = 12.0;
/// What lies nearer to each other than this is drawn as one.
const ONE_PIXEL: f64 = 1.2;

/// What is drawn, and how far down it has come.
struct Sheet<'a> {
    trace: &'a Trace,
    events: &'a [Event],
    scale: Scale,
    canvas: Canvas,
    /// Top of the lane in work.
    top: f64,
    /// Top of the next lane.
    next: f64,
    /// The stages' names as they come.
    stages: Vec<String>,
}

impl Sheet<'_> {
    /// Begins a lane with its name at the left, and a smaller line under it.
    fn lane(&mut self, name: &str, under: &str, height: f64) {
        self.top = self.next;
        self.next = self.top + height;
        let rule = "stroke=\"#e2e2e2\" stroke-width=\"1\"";
        self.canvas.line((8.0, self.next), (WIDTH - 8.0, self.next), rule);
        let x = GUTTER - 10.0;
        let y = self.top + if under.is_empty() { height / 2.0 + 4.0 } else { height / 2.0 - 3.0 };
        let most = GUTTER - 16.0;
        let size = if width(name, 13.0) <= most { 13.0 } else { 11.0 };
        self.canvas.text((x, y), Type::of(size).bold().end(), &cut(name, size, most));
        if !under.is_empty() {
            let kind = Type::of(11.0).end().fill("#444");
            self.canvas.text((x, y + 15.0), kind, &cut(under, 11.0, GUTTER - 16.0));
        }
    }

    /// The place of a stage among those drawn.
    fn stage(&mut self, name: &str) -> usize {
        let known = self.stages.iter().position(|stage| stage == name);
        known.unwrap_or_else(|| {
            self.stages.push(name.to_owned());
            self.stages.len() - 1
        })
    }
}

/// Draws a trace as SVG.
pub fn draw(trace: &Trace) -> String {
    let events = trace.events();
    let scale =
        Scale { view: trace.view, origin: trace.origin(), left: GUTTER, right: WIDTH - RIGHT };
    let (top, next) = (TOP, TOP);
    let canvas = Canvas::default();
    let mut sheet = Sheet { trace, events: &events, scale, canvas, top, next, stages: Vec::new() };
    lanes::truth(&mut sheet);
    lanes::checks(&mut sheet);
    lanes::controller(&mut sheet);
    for trigger in &trace.triggers {
        triggers::trigger(&mut sheet, trigger);
    }
    marks(&mut sheet);
    axis(&mut sheet);
    legend(&mut sheet);
    head(&mut sheet);
    let height = sheet.next + 8.0;
    sheet.canvas.finish((WIDTH, height), &title(trace), &description(trace))
}

/// The outage's start and the RTO, as lines through all lanes.
fn marks(sheet: &mut Sheet<'_>) {
    let Some(outage) = &sheet.trace.outage else { return };
    let bottom = sheet.next;
    let deadline = outage.start + sheet.trace.scenario.rto;
    let mut row = Row::default();
    if sheet.scale.view.contains(outage.start) {
        let x = sheet.scale.x(outage.start);
        let style = "stroke=\"#000\" stroke-width=\"1.2\"";
        sheet.canvas.line((x, TOP - 8.0), (x, bottom), style);
        row.take(x - width("outage begins", SMALL) / 2.0, x + width("outage begins", SMALL) / 2.0);
        let kind = Type::of(SMALL).bold().middle();
        sheet.canvas.text((x, TOP - 12.0), kind, "outage begins");
    }
    if sheet.scale.view.contains(deadline) {
        let x = sheet.scale.x(deadline);
        let style = "stroke=\"#a50f15\" stroke-width=\"1.8\" stroke-dasharray=\"7 4\"";
        sheet.canvas.line((x, TOP - 8.0), (x, bottom), style);
        let text = format!("RTO {}", short(sheet.trace.scenario.rto));
        let half = width(&text, SMALL) / 2.0;
        // Beside the outage's label when the two would touch.
        let shift = if row.claim(x - half, x + half) { 0.0 } else { half + 60.0 };
        let kind = Type::of(SMALL).bold().middle().fill("#a50f15");
        sheet.canvas.text((x + shift, TOP - 12.0), kind, &text);
    }
}

fn axis(sheet: &mut Sheet<'_>) {
    let y = sheet.next;
    sheet.canvas.line((sheet.scale.left, y), (sheet.scale.right, y), "stroke=\"#222\"");
    for (x, label) in sheet.scale.ticks() {
        sheet.canvas.line((x, y), (x, y + 5.0), "stroke=\"#222\"");
        sheet.canvas.text((x, y + 18.0), Type::of(SMALL).middle(), &label);
    }
    let since = since(sheet.trace);
    let x = sheet.scale.right + 22.0;
    sheet.canvas.text((x, y + 18.0), Type::of(11.0).fill("#444"), since);
    sheet.next = y + 30.0;
}

/// What times are counted from.
fn since(trace: &Trace) -> &'static str {
    let fires = trace.triggers.iter().any(|t| t.firings().any(|(at, _)| trace.view.contains(at)));
    match (&trace.outage, fires) {
        (Some(_), _) => "since the outage began",
        (None, true) => "since the first firing",
        (None, false) => "since the first instant",
    }
}

fn legend(sheet: &mut Sheet<'_>) {
    let (mut x, mut y) = (GUTTER, sheet.next + 10.0);
    let mut entry = |canvas: &mut Canvas, text: &str, mark: &dyn Fn(&mut Canvas, f64, f64)| {
        let long = 34.0 + width(text, 11.0);
        if x + long > WIDTH {
            (x, y) = (GUTTER, y + 20.0);
        }
        mark(canvas, x + 6.0, y);
        canvas.text((x + 18.0, y + 4.0), Type::of(11.0).fill("#444"), text);
        x += long;
    };
    let canvas = &mut sheet.canvas;
    entry(canvas, "healthy", &|canvas, x, y| {
        canvas.line((x, y + 5.0), (x, y - 4.0), "stroke=\"#8a8a8a\" stroke-width=\"1\"");
    });
    entry(canvas, "unhealthy", &|canvas, x, y| {
        canvas.line((x, y + 5.0), (x, y - 7.0), "stroke=\"#a50f15\" stroke-width=\"2.2\"");
    });
    entry(canvas, "absent", &|canvas, x, y| {
        canvas.circle((x, y), 2.4, "fill=\"#fff\" stroke=\"#222\" stroke-width=\"1.1\"", "");
    });
    entry(canvas, "patience", &|canvas, x, y| {
        let points = [(x - 7.0, y + 5.0), (x + 7.0, y + 5.0), (x + 7.0, y - 6.0)];
        canvas.polygon(&points, "fill=\"#f4b860\" stroke=\"#7a4a00\"", "");
    });
    entry(canvas, "failed over, until it re-arms", &|canvas, x, y| {
        let style = "fill=\"url(#trace-hatch)\" stroke=\"#444\" stroke-width=\"0.6\"";
        canvas.rect((x - 8.0, y - 3.0), (12.0, 6.0), style, "");
        canvas.circle((x + 4.0, y), 3.6, "fill=\"#fff\" stroke=\"#222\" stroke-width=\"1.4\"", "");
    });
    for (index, stage) in sheet.stages.iter().enumerate() {
        entry(canvas, &said(stage), &|canvas, x, y| {
            let style = format!("fill=\"{}\" stroke=\"#888\"", triggers::stage_fill(index));
            canvas.rect((x - 6.0, y - 6.0), (12.0, 11.0), &style, "");
        });
    }
    sheet.next = y + 14.0;
}

fn head(sheet: &mut Sheet<'_>) {
    let trace = sheet.trace;
    let most = WIDTH - 40.0;
    sheet.canvas.text((20.0, 28.0), Type::of(18.0).bold(), &cut(&title(trace), 18.0, most));
    let mut told = outcomes(trace);
    if width(&told, 13.0) > most {
        told = counted_outcomes(trace);
    }
    sheet.canvas.text((20.0, 50.0), Type::of(13.0).fill("#333"), &told);
}

fn title(trace: &Trace) -> String {
    let outage = match &trace.outage {
        Some(outage) => format!("a {}", event::fault_word(outage.kind).replace('-', " ")),
        None => "no outage".to_owned(),
    };
    let controller = &trace.scenario.controller;
    format!(
        "{}, replication {}, seed {}: {outage}; silence {}, arming {}",
        trace.scenario.name,
        trace.replication,
        trace.scenario.run.seed,
        controller.silence.word(),
        controller.arming
    )
}

/// What became of each trigger, in a line.
fn outcomes(trace: &Trace) -> String {
    let outcome = |trigger: &TriggerTrace| {
        let spec = &trigger.setting.spec;
        match trigger.detection {
            Some(Detection::Fired(delay)) => {
                format!("{spec} detects it after {}", short(delay))
            }
            Some(Detection::AlreadyFired) => format!("{spec} had already fired"),
            Some(Detection::Missed) => format!("{spec} misses it"),
            None => {
                let firings = trigger.firings().filter(|(at, _)| trace.view.contains(*at)).count();
                match firings {
                    0 => format!("{spec} does not fire"),
                    1 => format!("{spec} fires once, falsely"),
                    n => format!("{spec} fires {n} times, falsely"),
                }
            }
        }
    };
    let all: Vec<String> = trace.triggers.iter().map(outcome).collect();
    all.join("; ") + "."
}

/// What became of the triggers, where they are too many to be told one by one.
fn counted_outcomes(trace: &Trace) -> String {
    let all = trace.triggers.len();
    if trace.outage.is_some() {
        let missed =
            trace.triggers.iter().filter(|t| t.detection == Some(Detection::Missed)).count();
        return format!("Of {all} triggers {} detect it and {missed} miss it.", all - missed);
    }
    let fires = |t: &&TriggerTrace| t.firings().any(|(at, _)| trace.view.contains(at));
    let fired = trace.triggers.iter().filter(fires).count();
    format!("Of {all} triggers {fired} fire, falsely.")
}

/// The picture in words, for those who do not see it.
fn description(trace: &Trace) -> String {
    let mut text = outcomes(trace);
    for trigger in &trace.triggers {
        for failover in &trigger.failovers {
            let verdict = match failover.rto_met() {
                Some(true) => "the RTO is met",
                Some(false) => "the RTO is missed",
                None => "there was no outage to recover from",
            };
            let after = short(failover.served - failover.begin);
            text += &format!(
                " After {} fires, the {} standby serves {after} later: {verdict}.",
                trigger.setting.spec, failover.target
            );
        }
    }
    text
}

/// A length in the unit that suits it.
fn short(span: Span) -> String {
    let seconds = span.as_secs_f64();
    let (value, unit) = match seconds.abs() {
        s if s >= 172_800.0 => (seconds / 86_400.0, "d"),
        s if s >= 7_200.0 => (seconds / 3_600.0, "h"),
        _ => (seconds, "s"),
    };
    let text = format!("{value:.1}");
    format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
}
