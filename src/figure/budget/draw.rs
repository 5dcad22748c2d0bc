//! Draws the budget chart.

use super::Stack;
use super::bars::Group;
use crate::figure::canvas::{Anchor, Canvas, Frame, Text};
use crate::figure::scale::{Scale, number};
use crate::figure::style::{self, Ink};
use crate::figure::{Chart, paper};
use crate::sweep::SweepError;

const LEFT: f64 = 190.0;
const RIGHT: f64 = 1100.0;
const BOTTOM: f64 = 728.0;
const LONGEST_NAME: f64 = 150.0;

/// Detection, and the stages after it by their order of appearance; they differ in lightness, so that
/// they are told apart in grey too.
const DETECTION: Ink = Ink(0x0b, 0x4f, 0x82);
const STAGES: [Ink; 6] = [
    Ink(0xf0, 0xe4, 0x42),
    Ink(0x00, 0x9e, 0x73),
    Ink(0xe6, 0xb8, 0x5c),
    Ink(0xcc, 0x79, 0xa7),
    Ink(0xb9, 0xdd, 0xf5),
    Ink(0x66, 0x66, 0x66),
];

/// The chart of a stack.
pub(super) fn chart(stack: &Stack) -> Result<Chart, SweepError> {
    let mut canvas = Canvas::default();
    let title = "The window is what the RTO leaves: detection and the stages after it";
    let subtitle = format!(
        "{}; from the first failed probe to the first request served from the standby",
        stack.subtitle
    );
    let below = paper::title(&mut canvas, title, &subtitle);
    let names = stage_names(stack);
    let top = legend(&mut canvas, &names, below + 20.0) + 52.0;
    let plot = Frame { left: LEFT, top, right: RIGHT, bottom: BOTTOM };
    let x = Scale::linear((0.0, longest(stack) * 1.02), (LEFT, RIGHT));
    let rto = x.px(stack.rto_s);
    let over = Frame { left: rto, right: f64::from(style::SIZE.0) - 6.0, ..plot };
    canvas.panel(over, style::OVER, 0.10);
    paper::x_axis(&mut canvas, plot, &x, "seconds");
    bars(&mut canvas, stack, &names, plot, &x);
    let words = format!("RTO {} s", number(stack.rto_s));
    canvas.words(Text::new(words, (rto, plot.top - 17.0), Anchor::Middle, style::HEADING).bold());
    Chart::new(&stack.name, canvas, title, &description(stack))
}

fn longest(stack: &Stack) -> f64 {
    let of_group = |group: &Group| {
        let patience = group.bars.iter().map(|(_, patience)| *patience).fold(0.0, f64::max);
        patience + after_s(group) + group.tail_s
    };
    stack.groups.iter().map(of_group).fold(stack.rto_s, f64::max)
}

fn after_s(group: &Group) -> f64 {
    group.stages.iter().map(|(_, secs)| secs).sum()
}

fn stage_names(stack: &Stack) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    // The target with the most stages gives the order.
    let mut groups: Vec<&Group> = stack.groups.iter().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.stages.len()));
    for (name, _) in groups.into_iter().flat_map(|group| &group.stages) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

fn ink_of(names: &[String], name: &str) -> Ink {
    let place = names.iter().position(|other| other == name).unwrap_or(0);
    STAGES[place % STAGES.len()]
}

/// What the colours mean, in rows above the plot; returns the last row's height.
fn legend(canvas: &mut Canvas, names: &[String], y: f64) -> f64 {
    let (mut x, mut y) = (LEFT, y);
    let detection = "detection (patience)".to_owned();
    for (place, name) in std::iter::once(&detection).chain(names).enumerate() {
        let ink = if place == 0 { DETECTION } else { ink_of(names, name) };
        let (name, is_mean) = match name.strip_suffix(" ~") {
            Some(name) => (name, true),
            None => (name.as_str(), false),
        };
        let words = if is_mean { format!("{name} (mean)") } else { name.to_owned() };
        let words = style::shortened(&words, style::PLAIN, 300.0);
        let width = style::text_width(&words, style::PLAIN, false);
        if x + 30.0 + width > f64::from(style::SIZE.0) - paper::MARGIN {
            (x, y) = (LEFT, y + 24.0);
        }
        let sample = Frame { left: x, top: y - 8.0, right: x + 22.0, bottom: y + 8.0 };
        canvas.panel(sample, ink, 1.0);
        canvas.outline(sample, style::GREY, 1);
        canvas.words(Text::new(words, (x + 30.0, y), Anchor::Start, style::PLAIN));
        x += 30.0 + width + 26.0;
    }
    y
}

fn bars(canvas: &mut Canvas, stack: &Stack, names: &[String], plot: Frame, x: &Scale) {
    let (mut texts, rto) = (Vec::new(), x.px(stack.rto_s));
    let rows: usize = stack.groups.iter().map(|group| group.bars.len() + 1).sum();
    let height = (plot.height() / (rows as f64 + 0.3)).min(44.0);
    let mut y = plot.top + height * 0.6;
    for group in &stack.groups {
        texts.extend(heading(stack, group, plot, y));
        y += height * 0.95;
        for (trigger, patience) in &group.bars {
            let frame = Frame {
                left: plot.left,
                right: plot.right,
                top: y - height * 0.38,
                bottom: y + height * 0.38,
            };
            let words = style::shortened(trigger, style::PLAIN, LONGEST_NAME);
            canvas.words(Text::new(words, (plot.left - 12.0, y), Anchor::End, style::PLAIN));
            texts.extend(bar(canvas, stack, group, names, (frame, x), *patience));
            y += height;
        }
        y += height * 0.05;
    }
    // Words over the line of the RTO, never under it.
    canvas.line(vec![(rto, plot.top - 6.0), (rto, plot.bottom)], style::BLACK, 3);
    for text in texts {
        let frame = text.frame();
        if frame.left <= rto + 4.0 && rto - 4.0 <= frame.right && text.ink == style::BLACK {
            canvas.panel(frame.grown(2.0), style::WHITE, 1.0);
        }
        canvas.words(text);
    }
}

/// A target's name and what it leaves for detection.
fn heading(stack: &Stack, group: &Group, plot: Frame, y: f64) -> [Text; 2] {
    let reserve = match group.reserve_s {
        r if r > 0.0 => format!(" and a reserve of {} s", number(r)),
        _ => String::new(),
    };
    let after = number(after_s(group).round());
    let room = number(group.room_s.round());
    let words = if group.room_s > 0.0 {
        format!("room {room} s: {} s less {after} s of stages{reserve}", number(stack.rto_s))
    } else {
        format!("room {room} s: stages of {after} s{reserve} leave nothing, no trigger can")
    };
    let name = style::shortened(&group.target, style::HEADING * 1.13, LONGEST_NAME);
    let name = Text::new(name, (plot.left - 12.0, y), Anchor::End, style::HEADING).bold();
    let text = Text::new(words, (plot.left + 4.0, y), Anchor::Start, style::PLAIN);
    [name, if group.room_s > 0.0 { text } else { text.bold() }]
}

/// Draws the stages of one recovery; returns the words that belong on and beside them.
fn bar(
    canvas: &mut Canvas,
    stack: &Stack,
    group: &Group,
    names: &[String],
    (frame, x): (Frame, &Scale),
    patience: f64,
) -> Vec<Text> {
    let (mut from, mut texts, rto) = (0.0, Vec::new(), x.px(stack.rto_s));
    let mut piece = |canvas: &mut Canvas, secs: f64, ink: Ink| {
        let piece = Frame { left: x.px(from), right: x.px(from + secs), ..frame };
        from += secs;
        if secs <= 0.0 {
            return;
        }
        canvas.panel(piece, ink, 1.0);
        canvas.outline(piece, style::WHITE, 1);
        let words = number(secs.round());
        let free = beside(piece, rto);
        if style::text_width(&words, style::PLAIN, false) + 6.0 < free.width()
            && frame.height() > 16.0
        {
            let Ink(red, green, blue) = ink;
            let is_dark = u32::from(red) * 3 + u32::from(green) * 6 + u32::from(blue) < 1200;
            let middle = ((free.left + free.right) / 2.0, (frame.top + frame.bottom) / 2.0);
            let on_it = if is_dark { style::WHITE } else { style::BLACK };
            texts.push(Text::new(words, middle, Anchor::Middle, style::PLAIN).ink(on_it));
        }
    };
    piece(canvas, patience, DETECTION);
    for (name, secs) in &group.stages {
        piece(canvas, *secs, ink_of(names, name));
    }
    let y = (frame.top + frame.bottom) / 2.0;
    let mut end = x.px(from);
    if group.tail_s > 0.0 {
        let tail = x.px(from + group.tail_s);
        canvas.line(vec![(end, y), (tail, y)], style::BLACK, 2);
        canvas.line(vec![(tail, y - 6.0), (tail, y + 6.0)], style::BLACK, 2);
        end = tail;
    }
    let over = from + group.reserve_s - stack.rto_s;
    let total = number(from.round());
    let words = match over {
        over if over > 0.0 => format!("{total} s: {} s over", number(over.round())),
        _ => format!("{total} s"),
    };
    let mut text = Text::new(words, (end + 8.0, y), Anchor::Start, style::PLAIN);
    if end < rto && text.frame().right > rto - 6.0 {
        text.at.0 = rto + 8.0;
    }
    texts.push(if over > 0.0 { text.bold() } else { text });
    texts
}

/// The larger part of a piece on one side of the RTO's line.
fn beside(piece: Frame, rto: f64) -> Frame {
    if rto <= piece.left || piece.right <= rto {
        return piece;
    }
    let (before, after) = (Frame { right: rto - 2.0, ..piece }, Frame { left: rto + 2.0, ..piece });
    if before.width() >= after.width() { before } else { after }
}

/// The chart in words.
fn description(stack: &Stack) -> String {
    let mut text = format!("{}. RTO {} s. ", stack.subtitle, number(stack.rto_s));
    for group in &stack.groups {
        let stages: Vec<String> = group
            .stages
            .iter()
            .map(|(name, secs)| format!("{} {} s", name.trim_end_matches(" ~"), number(*secs)))
            .collect();
        text += &format!(
            "{}: {}; room for detection {} s. ",
            group.target,
            stages.join(", "),
            number(group.room_s)
        );
        for (trigger, patience) in &group.bars {
            text += &format!("{trigger}: {} s. ", number(patience + after_s(group)));
        }
    }
    text.trim_end().to_owned()
}
