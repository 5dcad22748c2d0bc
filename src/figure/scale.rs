//! Axes: from values to pixels, with ticks that people read.

/// One axis of a chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    from: f64,
    to: f64,
    start_px: f64,
    end_px: f64,
    is_log: bool,
}

impl Scale {
    /// A linear axis over `from..to`.
    pub fn linear((from, to): (f64, f64), (start_px, end_px): (f64, f64)) -> Self {
        let to = if to > from { to } else { from + 1.0 };
        Scale { from, to, start_px, end_px, is_log: false }
    }

    /// A logarithmic axis over whole decades that hold `from..to`, both positive.
    pub fn log((from, to): (f64, f64), (start_px, end_px): (f64, f64)) -> Self {
        let from = from.max(1e-300).log10().floor();
        let to = to.max(1e-300).log10().ceil().max(from + 1.0);
        Scale { from, to, start_px, end_px, is_log: true }
    }

    /// True iff equal ratios are equally long.
    pub fn is_log(&self) -> bool {
        self.is_log
    }

    /// Where `value` stands, in pixels; may lie outside of the axis.
    pub fn px(&self, value: f64) -> f64 {
        let value = if self.is_log { value.max(1e-300).log10() } else { value };
        let part = (value - self.from) / (self.to - self.from);
        self.start_px + part * (self.end_px - self.start_px)
    }

    /// True iff `value` stands on the axis.
    pub fn holds(&self, value: f64) -> bool {
        let value = if self.is_log { value.max(1e-300).log10() } else { value };
        (self.from..=self.to).contains(&value)
    }

    /// The values that get a tick, and their words.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        if self.is_log {
            let decades = (self.to - self.from).round() as i32;
            // Every decade up to ten of them, then every second, third, …
            let every = (decades - 1) / 10 + 1;
            let first = self.from.round() as i32;
            if decades <= 3 {
                return between(first, decades);
            }
            return (first..=first + decades)
                .filter(|decade| (decade - first) % every == 0)
                .map(|decade| (10_f64.powi(decade), power(decade)))
                .collect();
        }
        let step = nice_step((self.to - self.from) / 7.0);
        let first = (self.from / step - 1e-9).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).map(|i| (i as f64 * step, number(i as f64 * step))).collect()
    }
}

/// 1, 2 and 5 in every decade of a short logarithmic axis.
fn between(first: i32, decades: i32) -> Vec<(f64, String)> {
    let mut ticks: Vec<(f64, String)> = (first..first + decades)
        .flat_map(|decade| [1.0, 2.0, 5.0].map(|part| part * 10_f64.powi(decade)))
        .map(|value| (value, number(value)))
        .collect();
    let last = first + decades;
    ticks.push((10_f64.powi(last), power(last)));
    ticks
}

/// 1, 2 or 5 times a power of ten, not below `least`.
fn nice_step(least: f64) -> f64 {
    let magnitude = 10_f64.powf(least.max(1e-300).log10().floor());
    let part = least / magnitude;
    magnitude * [1.0, 2.0, 5.0, 10.0].into_iter().find(|s| *s >= part - 1e-9).unwrap_or(10.0)
}

fn power(decade: i32) -> String {
    match decade {
        0..=4 => format!("{:.0}", 10_f64.powi(decade)),
        -3..=-1 => format!("{:.*}", decade.unsigned_abs() as usize, 10_f64.powi(decade)),
        _ => format!("1e{decade}"),
    }
}

/// A number in as few digits as tell it: up to three significant ones.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if value < 0.0 {
        return format!("−{}", number(size));
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{value:.1e}");
        return text.replace(".0e", "e");
    }
    let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(scale: Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|(_, words)| words).collect()
    }

    #[test]
    fn ticks_are_round_numbers_on_the_axis() {
        let scale = Scale::linear((0.0, 732.0), (100.0, 900.0));
        assert_eq!(words(scale), ["0", "200", "400", "600"]);
        assert_eq!(
            words(Scale::linear((0.0, 1.0), (0.0, 1.0))),
            ["0", "0.2", "0.4", "0.6", "0.8", "1"]
        );
        assert_eq!(
            words(Scale::log((2e-5, 0.3), (0.0, 1.0))),
            ["1e-5", "1e-4", "0.001", "0.01", "0.1", "1"]
        );
        assert_eq!(words(Scale::log((30.0, 90.0), (0.0, 1.0))), ["10", "20", "50", "100"]);
        assert!(words(Scale::log((1e-90, 100.0), (0.0, 1.0))).len() <= 12);
        assert_eq!(words(Scale::linear((5.0, 5.0), (0.0, 1.0))).first().unwrap(), "5");
    }

    #[test]
    fn values_stand_where_they_belong() {
        let scale = Scale::log((1e-3, 10.0), (400.0, 0.0));
        assert_eq!(scale.px(10.0), 0.0);
        assert!((scale.px(0.1) - 200.0).abs() < 1e-9);
        assert!(scale.holds(0.5) && !scale.holds(1e-4));
    }

    #[test]
    fn numbers_keep_three_digits() {
        let all = [0.31163, 12345.6, 1.0, 2.482e-5, 0.05, -20.0, 720.0, 1e-30, 41.1];
        let shown = all.map(number);
        assert_eq!(shown, ["0.312", "12346", "1", "2.5e-5", "0.05", "−20", "720", "1e-30", "41.1"]);
    }
}
