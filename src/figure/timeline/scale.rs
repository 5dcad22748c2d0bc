//! From instants to pixels, and the ticks of the axis.

use crate::experiment::trace::View;
use crate::time::{Span, Time};

/// Steps between ticks, in seconds.
const STEPS: [i64; 24] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200,
    86_400, 172_800, 432_000, 864_000, 2_592_000, 8_640_000, 31_536_000,
];

/// Most ticks on the axis.
const MOST_TICKS: i64 = 14;

/// Maps the stretch shown onto the plot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub view: View,
    pub origin: Time,
    pub left: f64,
    pub right: f64,
}

impl Scale {
    /// Where an instant lies, held to the plot.
    pub(super) fn x(&self, at: Time) -> f64 {
        let whole = (self.view.to - self.view.from).as_secs_f64();
        let share = (at - self.view.from).as_secs_f64() / whole;
        self.left + (self.right - self.left) * share.clamp(0.0, 1.0)
    }

    /// How wide a span is.
    pub(super) fn width(&self, span: Span) -> f64 {
        let whole = (self.view.to - self.view.from).as_secs_f64();
        (self.right - self.left) * span.as_secs_f64() / whole
    }

    /// The ticks: where, and what they are called.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let whole = self.view.to - self.view.from;
        let fits = |step: &&i64| whole.div_floor(Span::from_secs(**step)) <= MOST_TICKS;
        let last = STEPS[STEPS.len() - 1];
        let step = Span::from_secs(STEPS.iter().find(fits).copied().unwrap_or(last));
        let first = (self.view.from - self.origin).div_floor(step);
        let end = (self.view.to - self.origin).div_floor(step);
        let tick = |index: i64| (self.origin + step * index, index);
        let shown = (first..=end).map(tick).filter(|(at, _)| *at >= self.view.from);
        shown.map(|(at, index)| (self.x(at), called(step, index))).collect()
    }
}

/// `+5 min`: the unit is the largest that divides the step.
fn called(step: Span, index: i64) -> String {
    let step = step.as_nanos() / crate::time::NANOS_PER_SECOND;
    let (size, unit) = match step {
        s if s % 86_400 == 0 => (86_400, "d"),
        s if s % 3_600 == 0 => (3_600, "h"),
        s if s % 60 == 0 => (60, "min"),
        _ => (1, "s"),
    };
    let value = step * index / size;
    match value {
        0 => "0".to_owned(),
        v if v < 0 => format!("−{} {unit}", v.unsigned_abs()),
        v => format!("+{v} {unit}"),
    }
}
