//! Scales: where a value stands between two ends, as a share of the way, and which ticks to draw.

use super::words::significant;

/// A scale from one value to another, straight or logarithmic.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    log: bool,
}

/// A tick: where it stands, as a share of the way, and what is written there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: String,
}

impl Scale {
    /// A straight scale from 0 to a round number above `most`.
    pub(super) fn from_zero(most: f64) -> Self {
        let most = if most.is_finite() && most > 0.0 { most } else { 1.0 };
        let step = round_step(most / 5.0);
        Scale { from: 0.0, to: (most / step * (1.0 - 1e-9)).ceil() * step, log: false }
    }

    /// A logarithmic scale over whole decades that hold every positive value, `floor` at the least.
    pub(super) fn decades(values: impl Iterator<Item = f64>, floor: f64) -> Self {
        let usable = values.filter(|value| value.is_finite() && *value > 0.0);
        let (least, most) = usable.fold((f64::INFINITY, 0.0_f64), |(least, most), value| {
            (least.min(value.max(floor)), most.max(value.max(floor)))
        });
        if !least.is_finite() {
            return Scale { from: floor, to: floor * 10.0, log: true };
        }
        let from = least.log10().floor();
        let to = most.log10().ceil().max(from + 1.0);
        Scale { from: 10_f64.powf(from), to: 10_f64.powf(to), log: true }
    }

    /// The ends, in words.
    pub(super) fn ends(&self) -> String {
        format!("{} – {}", significant(self.from, 3), significant(self.to, 3))
    }

    /// Where `value` stands, from 0 to 1; what lies beyond an end stands at it.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = if self.log {
            if value <= 0.0 {
                return 0.0;
            }
            (value.log10() - self.from.log10()) / (self.to.log10() - self.from.log10())
        } else {
            (value - self.from) / (self.to - self.from)
        };
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    }

    /// True where `value` lies below the lower end.
    pub(super) fn is_below(&self, value: f64) -> bool {
        value < self.from * (1.0 - 1e-9)
    }

    /// Round values to draw lines at.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let tick = |value: f64| Tick { at: self.place(value), label: significant(value, 6) };
        if self.log {
            let (from, to) = (self.from.log10().round() as i32, self.to.log10().round() as i32);
            let step = ((to - from) / 7 + 1).max(1) as usize;
            return (from..=to).step_by(step).map(|power| tick(10_f64.powi(power))).collect();
        }
        let step = round_step((self.to - self.from) / 5.0);
        let count = ((self.to - self.from) / step + 1e-9).floor() as i64;
        (0..=count).map(|i| tick(self.from + i as f64 * step)).collect()
    }
}

/// The round number (1, 2 or 5 times a power of ten) that is nearest above.
fn round_step(at_least: f64) -> f64 {
    let power = 10_f64.powf(at_least.log10().floor());
    [1.0, 2.0, 5.0].map(|m| m * power).into_iter().find(|s| *s >= at_least).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_and_within_the_ends() {
        assert_eq!(labels(&Scale::from_zero(395.0)), ["0", "100", "200", "300", "400"]);
        let decades = Scale::decades([0.02, 73.0].into_iter(), 1e-6);
        assert_eq!(labels(&decades), ["0.01", "0.1", "1", "10", "100"]);
        assert!(decades.ticks().iter().all(|tick| (0.0..=1.0).contains(&tick.at)));
    }

    #[test]
    fn places_are_shares_of_the_way_and_never_leave_it() {
        let decades = Scale::decades([1.0, 100.0].into_iter(), 1e-6);
        assert!((decades.place(10.0) - 0.5).abs() < 1e-12);
        assert_eq!((decades.place(0.0), decades.place(1e9)), (0.0, 1.0));
        assert_eq!(decades.place(f64::NAN), 0.0);
        assert!(decades.is_below(0.5) && !decades.is_below(1.0));
        let flat = Scale::decades(std::iter::empty(), 1e-6);
        assert!(flat.place(1e-6).is_finite());
    }
}
