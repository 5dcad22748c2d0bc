//! The budget: what each target's stages take of the RTO, stacked, with the room they leave.

use serde::Serialize;

use super::study::Study;
use super::table::{Column, Item, Table};
use super::words::seconds as number;
use crate::budget::words::{said, stages};
use crate::budget::{Outlook, Stage};

/// How many stages have a look of their own.
const LOOKS: usize = 6;

/// The stacked bars and the table beside them.
#[derive(Debug, Serialize)]
pub(super) struct Budget {
    pub(super) rto_at: f64,
    pub(super) rto: String,
    pub(super) bars: Vec<Bar>,
    pub(super) table: Table,
}

/// One target's bar.
#[derive(Debug, Serialize)]
pub(super) struct Bar {
    pub(super) title: String,
    pub(super) segments: Vec<Segment>,
    /// The room, from the left, in per cent; none where there is none.
    pub(super) room: Option<f64>,
    pub(super) room_label: String,
    /// Where what is over the RTO, less its reserve, begins and how wide it is.
    pub(super) over: Option<(f64, f64)>,
    /// The whole in one sentence.
    pub(super) summary: String,
}

/// A stage's share of the bar, in per cent of the width.
#[derive(Debug, Serialize)]
pub(super) struct Segment {
    pub(super) label: String,
    pub(super) seconds: String,
    pub(super) look: String,
    pub(super) from: f64,
    pub(super) width: f64,
    /// The narrowest screen that has space for the label: 1 wide, 2 a page of paper, 3 a phone; 0 none.
    pub(super) fits: u8,
}

/// A target with the trigger that its bar is drawn for.
struct Stack<'a> {
    outlook: &'a Outlook,
    trigger: String,
    chosen: bool,
    /// Stages from detection on, with seconds; those side by side as one.
    parts: Vec<(String, f64)>,
}

impl Stack<'_> {
    fn total_s(&self) -> f64 {
        self.parts.iter().map(|(_, seconds)| seconds).sum()
    }
}

/// The budget at the base point.
pub(super) fn budget(study: &Study, id: &str) -> Budget {
    let stacks: Vec<Stack<'_>> =
        (0..study.outlooks[study.base].len()).map(|target| stack(study, target)).collect();
    let rto_s = study.base_scenario().rto.as_secs_f64();
    let widest = stacks.iter().map(Stack::total_s).fold(rto_s, f64::max) * 1.03;
    Budget {
        rto_at: share(rto_s, widest),
        rto: number(rto_s),
        bars: stacks.iter().map(|stack| bar(stack, widest)).collect(),
        table: table(&stacks, id),
    }
}

fn share(seconds: f64, widest: f64) -> f64 {
    (seconds / widest * 1e4).round() / 1e2
}

/// Whether a label has space in so many per cent of the width of a bar on a phone, on paper, on a screen.
fn fits(label: &str, width: f64) -> u8 {
    let needed_px = 6.8 * label.chars().count().max(5) as f64 + 8.0;
    let has = |bar_px: f64| width / 100.0 * bar_px >= needed_px;
    [350.0, 660.0, 1_040.0]
        .into_iter()
        .zip([3, 2, 1])
        .find(|(px, _)| has(*px))
        .map_or(0, |(_, fits)| fits)
}

fn stack(study: &Study, target: usize) -> Stack<'_> {
    let scenario = study.base_scenario();
    let outlook = &study.outlooks[study.base][target];
    let chosen = study
        .choice_everywhere(target)
        .or_else(|| study.choice(study.base, target).map(|choice| choice.trigger));
    let patience = |trigger: &usize| scenario.triggers[*trigger].patience(scenario.probe.interval);
    // Where none will do, the least patient one shows by how much.
    let shown = chosen.or_else(|| (0..scenario.triggers.len()).min_by_key(patience)).unwrap_or(0);
    let detection = outlook.plan.worst_detection(patience(&shown));
    let mut parts = vec![("detection".to_owned(), detection.as_secs_f64())];
    let group = |stages: &Vec<Stage>| {
        let names: Vec<String> = stages.iter().map(|stage| said(&stage.name)).collect();
        let longest = stages.iter().map(Stage::mean_s).fold(0.0, f64::max);
        (names.join(" beside "), longest)
    };
    parts.extend(outlook.plan.groups.iter().map(group).filter(|(_, seconds)| *seconds > 0.0));
    let trigger = scenario.triggers[shown].to_string();
    Stack { outlook, trigger, chosen: chosen.is_some(), parts }
}

fn bar(stack: &Stack<'_>, widest: f64) -> Bar {
    let plan = &stack.outlook.plan;
    let (rto_s, limit_s) = (plan.rto.as_secs_f64(), plan.limit().as_secs_f64());
    let mut from_s = 0.0;
    let mut segments: Vec<Segment> = Vec::new();
    let mut put = |label: &str, look: String, seconds: f64| {
        segments.push(Segment {
            label: label.to_owned(),
            seconds: number(seconds),
            look,
            from: share(from_s, widest),
            width: share(seconds, widest),
            fits: fits(label, share(seconds, widest)),
        });
        from_s += seconds;
    };
    for (index, (label, seconds)) in stack.parts.iter().enumerate() {
        put(label, format!("stage{}", index.min(LOOKS - 1)), *seconds);
    }
    let total = stack.total_s();
    if total < limit_s {
        put("spare", "spare".to_owned(), limit_s - total);
    }
    if rto_s > limit_s && total <= limit_s {
        put("reserve", "reserve".to_owned(), rto_s - limit_s);
    }
    let room_s = stack.outlook.room().as_secs_f64();
    let room_label = match room_s > 0.0 {
        true => format!("room for detection {} s", number(room_s)),
        false => format!("no room for detection ({} s)", number(room_s)),
    };
    let sums: Vec<String> = stack
        .parts
        .iter()
        .map(|(label, seconds)| format!("{label} {} s", number(*seconds)))
        .collect();
    let end = match total <= limit_s {
        true => format!("{} s to spare", number(limit_s - total)),
        false => format!("over by {} s", number(total - limit_s)),
    };
    let what = if stack.chosen { "" } else { ", the least patient, since none will do" };
    Bar {
        title: format!("{} with {}{what}: {} s, {end}", plan.target, stack.trigger, number(total)),
        summary: format!("{} of an RTO of {} s; {room_label}", sums.join(", "), number(rto_s)),
        segments,
        over: (total > limit_s).then(|| (share(limit_s, widest), share(total - limit_s, widest))),
        room: (room_s > 0.0).then(|| share(room_s.min(widest), widest)),
        room_label,
    }
}

fn table(stacks: &[Stack<'_>], id: &str) -> Table {
    let row = |stack: &Stack<'_>| {
        let plan = &stack.outlook.plan;
        let (total, limit) = (stack.total_s(), plan.limit().as_secs_f64());
        let after = match stack.outlook.after.constant() {
            Some(after) => number(after.as_secs_f64()),
            None => {
                let (mean, p99) = (stack.outlook.after.mean(), stack.outlook.after.quantile(0.99));
                format!("mean {}, 99 % within {}", mean.show(2), p99.show(2))
            }
        };
        let room_s = stack.outlook.room().as_secs_f64();
        let fits = stack.outlook.largest_consecutive();
        let class = if total <= limit { "yes" } else { "no" };
        let spare = format!("{} {}", if total <= limit { "✓" } else { "✗" }, number(limit - total));
        vec![
            Item::text(&plan.target),
            Item::text(&stack.trigger),
            Item::number(number(stack.parts[0].1), stack.parts[0].1),
            Item { class: "long", ..Item::text(stages(plan)) },
            Item::number(after, stack.outlook.after.mean().value),
            Item::number(number(total), total),
            Item { class, ..Item::number(spare, limit - total) },
            Item::number(number(room_s), room_s),
            match fits {
                Some(k) => Item::number(k.to_string(), k as f64),
                None => Item::text("none"),
            },
        ]
    };
    Table {
        id: format!("{id}-budget"),
        caption: "The budget of each target".to_owned(),
        note: Some(
            "Arithmetic, not simulation: detection counts from the start of the outage at the worst instant, one \
             interval after the last good probe. Stages that have a law stand with their mean; the room is then \
             what 99 of 100 recoveries leave."
                .to_owned(),
        ),
        columns: vec![
            Column::text("Target"),
            Column::text("Trigger"),
            Column::number("Detection, worst case, s"),
            Column::text("Stages after it"),
            Column::number("After detection, s"),
            Column::number("Recovery, s"),
            Column::number("Spare, s"),
            Column::number("Room, s"),
            Column::number("Most consecutive failures that fit"),
        ],
        rows: stacks.iter().map(row).collect(),
        folded: false,
    }
}
