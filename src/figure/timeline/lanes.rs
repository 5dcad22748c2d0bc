//! The upper lanes: the truth, the checks, the controller.

use super::canvas::{Canvas, Line, Row, Type, width};
use super::{GUTTER, ONE_PIXEL, SMALL, Sheet, short};
use crate::budget::words::grouped;
use crate::experiment::trace::{Event, What, event};
use crate::history::{Check, FaultKind};
use crate::trigger::Silence;

/// Height of a lane of faults.
const FAULTS: f64 = 26.0;
/// Height of the checks' lane.
const CHECKS: f64 = 54.0;
/// Least width of one probe at which each is drawn for itself.
const LEAST_PROBE: f64 = 2.5;

/// Most faults or spells of which those too short for their label get one beside them.
const MOST_LABELLED: usize = 24;

const KINDS: [FaultKind; 6] = [
    FaultKind::ReportedOutage,
    FaultKind::DarkOutage,
    FaultKind::GrayOutage,
    FaultKind::ProberDeath,
    FaultKind::Deploy,
    FaultKind::Blip,
];

/// How a kind of fault is filled.
fn fill(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Blip => "fill=\"#e69f00\"",
        FaultKind::ReportedOutage => "fill=\"#7f2704\"",
        FaultKind::DarkOutage => "fill=\"#222\"",
        FaultKind::GrayOutage => "fill=\"url(#trace-dots)\" stroke=\"#222\"",
        FaultKind::ProberDeath => "fill=\"url(#trace-hatch)\" stroke=\"#222\"",
        FaultKind::Deploy => "fill=\"#cfe3f5\" stroke=\"#0b559f\"",
        FaultKind::ControllerDown => "fill=\"url(#trace-hatch)\" stroke=\"#222\"",
    }
}

/// A lane for each kind of fault in the stretch shown; one that says so if there is none.
pub(super) fn truth(sheet: &mut Sheet<'_>) {
    let mut any = false;
    for kind in KINDS {
        let is_this = |e: &&Event| matches!(&e.what, What::Fault { kind: k, .. } if *k == kind);
        let faults: Vec<Event> = sheet.events.iter().filter(is_this).cloned().collect();
        if faults.is_empty() {
            continue;
        }
        let name = event::fault_word(kind).replace('-', " ");
        sheet.lane(&if kind == FaultKind::Blip { "blips".to_owned() } else { name }, "", FAULTS);
        spans(sheet, &faults, fill(kind));
        any = true;
    }
    if !any {
        sheet.lane("truth", "no fault in this stretch", FAULTS);
    }
}

/// Rectangles with their lengths beside them where there is room.
fn spans(sheet: &mut Sheet<'_>, events: &[Event], style: &str) {
    let (top, scale) = (sheet.top + 5.0, sheet.scale);
    let mut row = Row::default();
    let boxes: Vec<(f64, f64, &Event)> = events
        .iter()
        .filter_map(|event| Some((scale.x(event.at), scale.x(event.until?), event)))
        .collect();
    let mut drawn = f64::MIN;
    for (from, to, event) in &boxes {
        row.take(*from, *to);
        // Of what falls on one pixel one is drawn, so a long run stays a small file.
        if *to > drawn + ONE_PIXEL {
            let last = event.until.unwrap_or(event.at) - event.at;
            let tip = format!("{}, {}", event.told(), short(last));
            sheet.canvas.rect((*from, top), ((to - from).max(1.2), 16.0), style, &tip);
            drawn = *to;
        }
    }
    if boxes.len() > MOST_LABELLED {
        return;
    }
    for (_, to, event) in &boxes {
        let until = event.until.unwrap_or(event.at);
        let is_cut = event.at < scale.view.from || until > scale.view.to;
        let text = short(until - event.at) + if is_cut { " in all" } else { "" };
        let (from, end) = (to + 4.0, to + 4.0 + width(&text, SMALL));
        if row.claim(from, end) {
            sheet.canvas.text((from, top + 12.0), Type::of(SMALL), &text);
        }
    }
}

/// The checks: a mark for each, or where they are too many a block for each spell.
pub(super) fn checks(sheet: &mut Sheet<'_>) {
    let interval = sheet.trace.scenario.probe.interval;
    sheet.lane("checks", &format!("a probe every {}", short(interval)), CHECKS);
    let spells: Vec<Event> =
        sheet.events.iter().filter(|e| matches!(e.what, What::Checks { .. })).cloned().collect();
    if sheet.scale.width(interval) >= LEAST_PROBE {
        marks(sheet, &spells);
    } else {
        blocks(sheet, &spells);
    }
    let silence = sheet.trace.scenario.controller.silence;
    let mut row = Row::default();
    for spell in &spells {
        let (What::Checks { count, check, .. }, Some(until)) = (&spell.what, spell.until) else {
            continue;
        };
        let text = format!("{} {}", grouped(&count.to_string()), event::check_word(*check));
        let is_ignored = *check == Some(Check::Absent) && silence == Silence::Ignored;
        let text = text + if is_ignored { ", ignored" } else { "" };
        let (from, to) = (sheet.scale.x(spell.at), sheet.scale.x(until));
        let has_room = to - from > width(&text, SMALL);
        if !has_room && spells.len() > MOST_LABELLED {
            continue;
        }
        let x = if has_room { f64::midpoint(from, to) } else { from };
        let half = width(&text, SMALL) / 2.0;
        let x = x.clamp(GUTTER + half, sheet.scale.right.max(GUTTER + half));
        if row.claim(x - half, x + half) {
            let y = sheet.top + CHECKS - 6.0;
            sheet.canvas.text((x, y), Type::of(SMALL).middle().fill("#444"), &text);
        }
    }
}

/// Height of a check's mark, and its stroke.
fn mark(check: Option<Check>) -> (f64, &'static str) {
    match check {
        Some(Check::Healthy) => (9.0, "stroke=\"#8a8a8a\" stroke-width=\"1\""),
        Some(Check::Unhealthy) => (26.0, "stroke=\"#a50f15\" stroke-width=\"2.2\""),
        Some(Check::Absent) => (0.0, "fill=\"#fff\" stroke=\"#222\" stroke-width=\"1.1\""),
        None => (0.0, "fill=\"#999\""),
    }
}

fn marks(sheet: &mut Sheet<'_>, spells: &[Event]) {
    let base = sheet.top + 36.0;
    let due = &sheet.trace.history.due;
    let mut lines: [Vec<Line>; 2] = Default::default();
    for spell in spells {
        let What::Checks { first, count, check } = spell.what else { continue };
        for probe in first..first + count {
            let x = sheet.scale.x(due.at(probe));
            let (height, style) = mark(check);
            match check {
                Some(Check::Healthy) => lines[0].push(((x, base), (x, base - height))),
                Some(Check::Unhealthy) => lines[1].push(((x, base), (x, base - height))),
                Some(Check::Absent) => sheet.canvas.circle((x, base - 12.0), 2.4, style, ""),
                None => sheet.canvas.circle((x, base - 1.0), 1.0, style, ""),
            }
        }
    }
    sheet.canvas.lines(&lines[0], mark(Some(Check::Healthy)).1);
    sheet.canvas.lines(&lines[1], mark(Some(Check::Unhealthy)).1);
}

fn blocks(sheet: &mut Sheet<'_>, spells: &[Event]) {
    let base = sheet.top + 36.0;
    // Healthy ones first, so that the others lie over them.
    let kinds = [
        (Check::Healthy, 6.0, "fill=\"#b5b5b5\""),
        (Check::Absent, 20.0, "fill=\"url(#trace-dots)\" stroke=\"#222\""),
        (Check::Unhealthy, 26.0, "fill=\"#a50f15\""),
    ];
    for (kind, height, style) in kinds {
        let mut drawn = f64::MIN;
        for spell in spells {
            let is_this = matches!(spell.what, What::Checks { check, .. } if check == Some(kind));
            let Some(until) = spell.until.filter(|_| is_this) else { continue };
            let (from, to) = (sheet.scale.x(spell.at), sheet.scale.x(until));
            if to > drawn + ONE_PIXEL {
                let at = (from, base - height);
                sheet.canvas.rect(at, ((to - from).max(0.8), height), style, &spell.told());
                drawn = to;
            }
        }
    }
}

/// The controller's restarts and the time it was down, if there are any.
pub(super) fn controller(sheet: &mut Sheet<'_>) {
    let own: Vec<Event> =
        sheet.events.iter().filter(|e| e.what.track() == "controller").cloned().collect();
    if own.is_empty() {
        return;
    }
    sheet.lane("controller", "", FAULTS);
    let (top, scale) = (sheet.top + 5.0, sheet.scale);
    let mut row = Row::default();
    for event in &own {
        let x = scale.x(event.at);
        if let Some(until) = event.until {
            let size = ((scale.x(until) - x).max(1.2), 16.0);
            sheet.canvas.rect((x, top), size, fill(FaultKind::ControllerDown), &event.told());
            label(&mut sheet.canvas, &mut row, (x, top + 12.0), "down", true);
        } else {
            let points = [(x, top - 3.0), (x, top + 19.0), (x + 9.0, top + 8.0)];
            sheet.canvas.polygon(&points, "fill=\"#0b559f\"", &event.told());
            label(&mut sheet.canvas, &mut row, (x + 13.0, top + 12.0), "restarts", false);
        }
    }
}

/// A label before or after a place, if nothing stands there.
fn label(canvas: &mut Canvas, row: &mut Row, (x, y): (f64, f64), text: &str, before: bool) {
    let long = width(text, SMALL);
    let (from, kind) =
        if before { (x - 4.0 - long, Type::of(SMALL).end()) } else { (x, Type::of(SMALL)) };
    if row.claim(from, from + long) {
        let x = if before { x - 4.0 } else { x };
        canvas.text((x, y), kind, text);
    }
}
