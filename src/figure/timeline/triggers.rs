//! The lower lanes: each trigger's patience and decisions, and the stages on each standby target.

use super::canvas::{Row, Type, cut, width};
use super::{GUTTER, RIGHT, SMALL, Sheet, WIDTH, short};
use crate::budget::words::said;
use crate::experiment::trace::{Decided, Detection, Ended, Failover, PatienceRun, TriggerTrace};
use crate::time::Time;

/// Height of a trigger's lane.
const PATIENCE: f64 = 74.0;
/// Height of the wedge in it.
const WEDGE: f64 = 34.0;
/// Height of a target's lane.
const TARGET: f64 = 26.0;

/// How the stages are filled, dark to light, and the text on them; told apart in grey too.
const STAGES: [(&str, &str); 6] = [
    ("#08306b", "#fff"),
    ("#2171b5", "#fff"),
    ("#6baed6", "#000"),
    ("#c6dbef", "#000"),
    ("#525252", "#fff"),
    ("#d9d9d9", "#000"),
];

/// The lanes of one trigger.
pub(super) fn trigger(sheet: &mut Sheet<'_>, trigger: &TriggerTrace) {
    let spec = trigger.setting.spec.to_string();
    let under = format!("patience {}: {} checks", short(trigger.patience), trigger.needed);
    sheet.lane(&spec, &under, PATIENCE);
    patience(sheet, trigger);
    if trigger.failovers.is_empty() {
        sheet.lane("failover", "", TARGET);
        let text = match (trigger.detection, &sheet.trace.outage) {
            (Some(Detection::Missed), Some(_)) => "none: the outage is missed, and so is the RTO",
            _ => "none",
        };
        let x = sheet.scale.x(sheet.trace.origin()) + 6.0;
        sheet.canvas.text((x, sheet.top + 17.0), Type::of(SMALL).bold(), text);
    }
    for failover in &trigger.failovers {
        target(sheet, failover);
    }
}

fn patience(sheet: &mut Sheet<'_>, trigger: &TriggerTrace) {
    let scale = sheet.scale;
    let base = sheet.top + PATIENCE - 10.0;
    let full = base - WEDGE;
    let dashes = "stroke=\"#777\" stroke-dasharray=\"2 3\"";
    sheet.canvas.line((scale.left, full), (scale.right, full), dashes);
    sheet.canvas.line((scale.left, base), (scale.right, base), "stroke=\"#bbb\"");
    let mut row = Row::default();
    marks(sheet, trigger, base, &mut row);
    let runs = trigger.runs.iter().filter(|run| scale.view.meets(run.from, run.until));
    let mut counts = Row::default();
    let mut drawn = f64::MIN;
    for run in runs {
        let (from, to) = (scale.x(run.from), scale.x(run.until));
        if to <= drawn + 0.4 && run.ended != Ended::Fired {
            continue;
        }
        drawn = to;
        let tip = format!("{} of {}, {}", run.peak, run.needed, run.ended.word());
        let wedge = "fill=\"#f4b860\" stroke=\"#7a4a00\" stroke-width=\"1\"";
        sheet.canvas.polygon(&shape(sheet, run, base), wedge, &tip);
        if run.ended != Ended::Fired {
            let text = format!("{} of {}", run.peak, run.needed);
            if counts.claim(from - 1.0, to + 4.0 + width(&text, SMALL)) {
                sheet.canvas.text((to + 4.0, base - 6.0), Type::of(SMALL), &text);
            }
        }
    }
}

/// The outline of a run of patience: it stands on the base line and grows with the count.
fn shape(sheet: &Sheet<'_>, run: &PatienceRun, base: f64) -> Vec<(f64, f64)> {
    let height = |level: u64| WEDGE * (level as f64 / run.needed.max(1) as f64).min(1.0);
    let at = |(at, level): &(Time, u64)| (sheet.scale.x(*at), base - height(*level));
    let mut points = vec![(sheet.scale.x(run.from), base)];
    points.extend(run.points.iter().map(at));
    let last = run.points.last().map_or(0, |(_, level)| *level);
    // At least two pixels wide, or a firing at the first failed probe could not be seen.
    let end = sheet.scale.x(run.until).max(points[0].0 + 2.0);
    points.push((end, base - height(last)));
    points.push((end, base));
    points
}

/// Firings and re-armings, what lies between them, and when the trigger was armed.
fn marks(sheet: &mut Sheet<'_>, trigger: &TriggerTrace, base: f64, row: &mut Row) {
    let scale = sheet.scale;
    let full = base - WEDGE;
    let mut failed_over: Option<Time> = None;
    let over = "fill=\"url(#trace-hatch)\" stroke=\"#444\" stroke-width=\"0.6\"";
    for decision in &trigger.decisions {
        let is_shown = scale.view.contains(decision.at);
        let x = scale.x(decision.at);
        match &decision.what {
            Decided::Armed if is_shown => {
                let style = "stroke=\"#0b559f\" stroke-width=\"2\"";
                sheet.canvas.line((x, base + 5.0), (x, full), style);
                note(sheet, row, (x, full - 6.0), "armed");
            }
            Decided::Fired(fired) => {
                failed_over = Some(decision.at);
                if is_shown {
                    let points = [(x - 7.0, full - 13.0), (x + 7.0, full - 13.0), (x, full)];
                    let style = match fired.is_false {
                        true => "fill=\"#fff\" stroke=\"#a50f15\" stroke-width=\"2.2\"",
                        false => "fill=\"#00441b\" stroke=\"#00441b\" stroke-width=\"1\"",
                    };
                    let kind = if fired.is_false { "false failover" } else { "true failover" };
                    let tip = format!("fires: a {kind}");
                    sheet.canvas.polygon(&points, style, &tip);
                    let run = trigger
                        .runs
                        .iter()
                        .rev()
                        .find(|run| run.ended == Ended::Fired && run.from <= decision.at);
                    let count = run.map(|run| format!(", at {} of {}", run.peak, run.needed));
                    let text = format!("fires{}: {kind}", count.unwrap_or_default());
                    note(sheet, row, (x + 6.0, full - 6.0), &text);
                }
            }
            Decided::Rearmed => {
                if let Some(from) = failed_over.take()
                    && scale.view.meets(from, decision.at)
                {
                    let size = ((x - scale.x(from)).max(1.0), 6.0);
                    sheet.canvas.rect((scale.x(from), base + 1.0), size, over, "failed over");
                }
                if is_shown {
                    let style = "fill=\"#fff\" stroke=\"#222\" stroke-width=\"1.4\"";
                    sheet.canvas.circle((x, base + 4.0), 3.6, style, "re-arms");
                }
            }
            Decided::Armed => {}
        }
    }
    if let Some(from) = failed_over.filter(|from| scale.view.meets(*from, scale.view.to)) {
        let size = ((scale.right - scale.x(from)).max(1.0), 6.0);
        sheet.canvas.rect((scale.x(from), base + 1.0), size, over, "failed over");
    }
}

fn note(sheet: &mut Sheet<'_>, row: &mut Row, (x, y): (f64, f64), text: &str) {
    let long = width(text, SMALL);
    if row.claim(x - 7.0, x + 4.0 + long) {
        sheet.canvas.text((x + 4.0, y), Type::of(SMALL).bold(), text);
    }
}

/// A target's stages, and how the recovery stands to the RTO.
fn target(sheet: &mut Sheet<'_>, failover: &Failover) {
    let name = if failover.target == failover.tier.name() {
        format!("{} standby", failover.target)
    } else {
        format!("{} ({})", failover.target, failover.tier)
    };
    sheet.lane(&cut(&name, SMALL, GUTTER - 16.0), "", TARGET);
    let (top, scale) = (sheet.top, sheet.scale);
    let mut lines: Vec<Time> = Vec::new();
    for stage in &failover.stages {
        if !scale.view.meets(stage.begin, stage.end) {
            continue;
        }
        // Stages side by side share the lane's height.
        let line = lines.iter().position(|until| *until <= stage.begin).unwrap_or(lines.len());
        if line == lines.len() {
            lines.push(stage.end);
        }
        lines[line] = stage.end;
        let beside = failover
            .stages
            .iter()
            .any(|other| other != stage && other.begin < stage.end && stage.begin < other.end);
        let height = if beside { 9.0 } else { 18.0 };
        let y = top + 4.0 + if line > 0 { 9.0 } else { 0.0 };
        let (fill, ink) = STAGES[sheet.stage(&stage.name) % STAGES.len()];
        let (from, to) = (scale.x(stage.begin), scale.x(stage.end));
        let style = format!("fill=\"{fill}\" stroke=\"#fff\" stroke-width=\"0.8\"");
        let took = short(stage.end - stage.begin);
        let tip = format!("{} {took}", said(&stage.name));
        sheet.canvas.rect((from, y), (to - from, height), &style, &tip);
        let wanted = [tip.as_str(), took.as_str()];
        let fits = wanted.iter().find(|text| width(text, SMALL) + 6.0 <= to - from);
        if let (Some(text), false) = (fits, beside) {
            let kind = Type::of(SMALL).middle().fill(ink);
            sheet.canvas.text((f64::midpoint(from, to), y + 13.0), kind, text);
        }
    }
    if scale.view.contains(failover.served) {
        let x = scale.x(failover.served);
        sheet.canvas.line((x, top + 2.0), (x, top + 24.0), "stroke=\"#000\" stroke-width=\"2\"");
        let text = verdict(failover);
        let most = WIDTH - x - 8.0;
        let kind = Type::of(SMALL).bold();
        sheet.canvas.text((x + 5.0, top + 17.0), kind, &cut(&text, SMALL, most.max(RIGHT - 8.0)));
    }
}

fn verdict(failover: &Failover) -> String {
    let seconds = |span: crate::time::Span| format!("{:.1} s", span.as_secs_f64());
    match (failover.recovery, failover.rto_met()) {
        (Some(recovery), Some(true)) => format!("{}: RTO met", seconds(recovery)),
        (Some(recovery), _) => format!("{}: RTO missed", seconds(recovery)),
        _ => "served".to_owned(),
    }
}

/// How a stage is filled, for the legend.
pub(super) fn stage_fill(index: usize) -> &'static str {
    STAGES[index % STAGES.len()].0
}
