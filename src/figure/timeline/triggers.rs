//! The lower lanes: each trigger's patience and decisions, and the stages on each standby target.

use super::canvas::{Row, Type, cut, width};
use super::{GUTTER, ONE_PIXEL, RIGHT, SMALL, Sheet, WIDTH, short};
use crate::budget::words::said;
use crate::experiment::trace::{
    Decided, Decision, Detection, Ended, Failover, PatienceRun, TriggerTrace,
};
use crate::time::Time;

/// Height of a trigger's lane.
const PATIENCE: f64 = 74.0;
/// Height of the wedge in it.
const WEDGE: f64 = 34.0;
/// Height of a target's lane.
const TARGET: f64 = 26.0;

/// More runs of patience than this are drawn without a rim, which would hide them.
const MOST_RIMMED: usize = 80;

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
    let checks = if trigger.needed == 1 { "check" } else { "checks" };
    let under = format!("patience {}: {} {checks}", short(trigger.patience), trigger.needed);
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
    marks(sheet, trigger, base);
    let runs = drawn(sheet, trigger);
    let mut row = Row::default();
    for run in &runs {
        row.take(scale.x(run.from), scale.x(run.until));
    }
    let rim = if runs.len() > MOST_RIMMED { "" } else { " stroke=\"#7a4a00\"" };
    let wedge = format!("fill=\"#f4b860\"{rim}");
    for run in runs {
        let tip = format!("{} of {}, {}", run.peak, run.needed, run.ended.word());
        sheet.canvas.polygon(&shape(sheet, run, base), &wedge, &tip);
        let text = format!("{} of {}", run.peak, run.needed);
        let x = scale.x(run.until) + 4.0;
        if run.ended != Ended::Fired && row.claim(x, x + width(&text, SMALL)) {
            sheet.canvas.text((x, base - 6.0), Type::of(SMALL), &text);
        }
    }
}

/// The runs that are drawn: of those that end on one pixel, the one that came nearest to a firing.
fn drawn<'a>(sheet: &Sheet<'_>, trigger: &'a TriggerTrace) -> Vec<&'a PatienceRun> {
    let scale = sheet.scale;
    let pixel = |run: &PatienceRun| (scale.x(run.until) / ONE_PIXEL).floor();
    let shown = trigger.runs.iter().filter(|run| scale.view.meets(run.from, run.until));
    let mut drawn: Vec<&PatienceRun> = Vec::new();
    for run in shown {
        match drawn.last_mut() {
            Some(last) if pixel(last) == pixel(run) => {
                if (run.ended == Ended::Fired, run.peak) > (last.ended == Ended::Fired, last.peak) {
                    *last = run;
                }
            }
            _ => drawn.push(run),
        }
    }
    drawn
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
fn marks(sheet: &mut Sheet<'_>, trigger: &TriggerTrace, base: f64) {
    let scale = sheet.scale;
    let full = base - WEDGE;
    let shown: Vec<&Decision> =
        trigger.decisions.iter().filter(|d| scale.view.contains(d.at)).collect();
    let mut row = Row::default();
    for decision in shown.iter().filter(|d| matches!(d.what, Decided::Fired(_))) {
        let x = scale.x(decision.at);
        row.take(x - 7.0, x + 7.0);
    }
    episodes(sheet, trigger, base);
    let mut last = f64::MIN;
    for decision in shown {
        let x = scale.x(decision.at);
        match &decision.what {
            Decided::Armed => {
                let style = "stroke=\"#0b559f\" stroke-width=\"2\"";
                sheet.canvas.line((x, base + 5.0), (x, full), style);
                note(sheet, &mut row, (x, full - 6.0), "armed");
            }
            // Of what falls on one pixel one is drawn, so a long run stays a small file.
            Decided::Fired(fired) if x > last + ONE_PIXEL => {
                fires(sheet, fired.is_false, (x, full));
                last = x;
                let run = trigger.runs.iter().filter(|run| run.ended == Ended::Fired);
                let run = run.take_while(|run| run.from <= decision.at).last();
                let count = run.map(|run| format!(" at {} of {}", run.peak, run.needed));
                let text = format!("fires{}: {}", count.unwrap_or_default(), word(fired.is_false));
                note(sheet, &mut row, (x + 7.0, full - 6.0), &text);
            }
            _ => {}
        }
    }
}

fn word(is_false: bool) -> &'static str {
    if is_false { "false failover" } else { "true failover" }
}

/// A firing's mark: full for a true failover, hollow for a false one.
fn fires(sheet: &mut Sheet<'_>, is_false: bool, (x, y): (f64, f64)) {
    let points = [(x - 7.0, y - 13.0), (x + 7.0, y - 13.0), (x, y)];
    let style = match is_false {
        true => "fill=\"#fff\" stroke=\"#a50f15\" stroke-width=\"2.2\"",
        false => "fill=\"#00441b\" stroke=\"#00441b\" stroke-width=\"1\"",
    };
    sheet.canvas.polygon(&points, style, word(is_false));
}

/// From each firing to where the trigger re-arms.
fn episodes(sheet: &mut Sheet<'_>, trigger: &TriggerTrace, base: f64) {
    let scale = sheet.scale;
    let mut fired: Option<Time> = None;
    let mut last = f64::MIN;
    let open = Decision { probe: u64::MAX, at: scale.view.to, what: Decided::Rearmed };
    for decision in trigger.decisions.iter().chain([&open]) {
        match decision.what {
            Decided::Fired(_) => fired = fired.or(Some(decision.at)),
            Decided::Rearmed => {
                let Some(from) = fired.take() else { continue };
                let (x, to) = (scale.x(from), scale.x(decision.at));
                if !scale.view.meets(from, decision.at) || to <= last + ONE_PIXEL {
                    continue;
                }
                last = to;
                let style = "fill=\"url(#trace-hatch)\" stroke=\"#444\" stroke-width=\"0.6\"";
                sheet.canvas.rect((x, base + 1.0), ((to - x).max(1.0), 6.0), style, "failed over");
                if scale.view.contains(decision.at) {
                    let style = "fill=\"#fff\" stroke=\"#222\" stroke-width=\"1.4\"";
                    sheet.canvas.circle((to, base + 4.0), 3.6, style, "re-arms");
                }
            }
            Decided::Armed => {}
        }
    }
}

/// A word beside a mark: after it or, at the right edge, before it.
fn note(sheet: &mut Sheet<'_>, row: &mut Row, (x, y): (f64, f64), text: &str) {
    let long = width(text, SMALL);
    let bold = Type::of(SMALL).bold();
    if x + 8.0 + long > WIDTH {
        let x = x - 18.0;
        if row.claim(x - long, x) {
            sheet.canvas.text((x, y), bold.end(), text);
        }
    } else if row.claim(x + 4.0, x + 4.0 + long) {
        sheet.canvas.text((x + 4.0, y), bold, text);
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
    stages(sheet, failover);
    let (top, scale) = (sheet.top, sheet.scale);
    if scale.view.contains(failover.served) {
        let x = scale.x(failover.served);
        sheet.canvas.line((x, top + 2.0), (x, top + 24.0), "stroke=\"#000\" stroke-width=\"2\"");
        let most = (WIDTH - x - 8.0).max(RIGHT - 8.0);
        let text = cut(&verdict(failover), SMALL, most);
        sheet.canvas.text((x + 5.0, top + 17.0), Type::of(SMALL).bold(), &text);
    }
}

/// The stages as bars; those side by side share the lane's height.
fn stages(sheet: &mut Sheet<'_>, failover: &Failover) {
    let (top, scale) = (sheet.top, sheet.scale);
    let mut lines: Vec<Time> = Vec::new();
    for stage in failover.stages.iter().filter(|s| scale.view.meets(s.begin, s.end)) {
        let line = lines.iter().position(|until| *until <= stage.begin).unwrap_or(lines.len());
        if line == lines.len() {
            lines.push(stage.end);
        }
        lines[line] = stage.end;
        let is_beside = failover
            .stages
            .iter()
            .any(|other| other != stage && other.begin < stage.end && stage.begin < other.end);
        let height = if is_beside { 9.0 } else { 18.0 };
        let y = top + 4.0 + if line > 0 { 9.0 } else { 0.0 };
        let (fill, ink) = STAGES[sheet.stage(&stage.name) % STAGES.len()];
        let (from, to) = (scale.x(stage.begin), scale.x(stage.end));
        let style = format!("fill=\"{fill}\" stroke=\"#fff\" stroke-width=\"0.8\"");
        let took = short(stage.end - stage.begin);
        let tip = format!("{} {took}", said(&stage.name));
        sheet.canvas.rect((from, y), (to - from, height), &style, &tip);
        let wanted = [tip.as_str(), took.as_str()];
        let fits = wanted.iter().find(|text| width(text, SMALL) + 6.0 <= to - from);
        if let (Some(text), false) = (fits, is_beside) {
            let kind = Type::of(SMALL).middle().inside(ink);
            sheet.canvas.text((f64::midpoint(from, to), y + 13.0), kind, text);
        }
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
