//! An estimate as people read it: no more digits than its interval supports.

use super::Estimate;

impl Estimate {
    /// The value and its interval, like `0.312 (0.25–0.38)`.
    ///
    /// The interval's ends are given so that its width shows `digits` digits, the value one more. A
    /// count of nothing is an upper bound, `< 0.0041`. Bounds that cannot be known are not shown.
    pub fn show(&self, digits: usize) -> String {
        let digits = digits.clamp(1, 15) as i32;
        let width = self.hi - self.lo;
        if self.value == 0.0 && self.lo == 0.0 && self.hi > 0.0 && self.hi.is_finite() {
            return format!("< {}", Number::round_up(self.hi, digits));
        }
        if !(width > 0.0 && width.is_finite()) {
            return Number::significant(self.value, digits + 2).to_string();
        }
        let step = width.log10().floor() as i32 - digits + 1;
        let dash = if self.lo < 0.0 { " to " } else { "–" };
        let largest = self.lo.abs().max(self.hi.abs());
        let number = |value, step| Number { value, step, largest };
        format!(
            "{} ({}{dash}{})",
            number(self.value, step - 1),
            number(self.lo, step),
            number(self.hi, step)
        )
    }
}

/// A number rounded to a power of ten, in plain or scientific writing by the size of its company.
struct Number {
    value: f64,
    /// The power of ten of the last digit shown.
    step: i32,
    largest: f64,
}

impl Number {
    fn significant(value: f64, digits: i32) -> Self {
        let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
        Number { value, step: magnitude - digits + 1, largest: value.abs() }
    }

    fn round_up(value: f64, digits: i32) -> Self {
        let mut number = Number::significant(value, digits);
        let unit = 10_f64.powi(number.step);
        number.value = (value / unit * (1.0 - 1e-12)).ceil() * unit;
        number
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plain = self.largest == 0.0 || (1e-4..1e7).contains(&self.largest);
        if plain {
            let unit = 10_f64.powi(self.step.max(0));
            let rounded =
                if self.step > 0 { (self.value / unit).round() * unit } else { self.value };
            return write!(f, "{:.*}", usize::try_from(-self.step).unwrap_or(0), rounded);
        }
        if self.value == 0.0 {
            return f.write_str("0");
        }
        let magnitude = self.value.abs().log10().floor() as i32;
        let decimals = usize::try_from(magnitude - self.step).unwrap_or(0);
        write!(f, "{:.*e}", decimals, self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::Sums;

    fn shown(value: f64, lo: f64, hi: f64) -> String {
        Estimate { value, lo, hi, level: 0.95, n: 9, exact: None }.show(2)
    }

    #[test]
    fn digits_follow_the_interval() {
        assert_eq!(shown(0.31163, 0.2512, 0.3801), "0.312 (0.25–0.38)");
        assert_eq!(shown(73.5312, 73.12, 73.94), "73.531 (73.12–73.94)");
        assert_eq!(shown(123.4, 80.2, 190.0), "123 (80–190)");
        assert_eq!(shown(12345.6, 10234.0, 15321.0), "12350 (10200–15300)");
        assert_eq!(shown(2.4821e-5, 1.1e-5, 5.04e-5), "2.48e-5 (1.1e-5–5.0e-5)");
        assert_eq!(shown(1.67e-5, 0.0, 9.3e-5), "1.67e-5 (0–9.3e-5)");
        assert_eq!(shown(-0.312, -0.55, 0.1), "-0.312 (-0.55 to 0.10)");
        assert_eq!(shown(1.0, 0.884, 1.0), "1.000 (0.88–1.00)");
    }

    #[test]
    fn nothing_seen_is_an_upper_bound() {
        assert_eq!(Estimate::rate(0, 900.0, 0.95).unwrap().show(2), "< 0.0041");
        assert_eq!(shown(0.0, 0.0, 3.0), "< 3.0");
        assert_eq!(shown(0.0, 0.0, 4.0e-9), "< 4.0e-9");
    }

    #[test]
    fn bounds_that_are_not_there_are_not_shown() {
        assert_eq!(Sums::of([110]).mean(1.0, 0.95).unwrap().show(2), "110.0");
        assert_eq!(shown(110.0, 110.0, 110.0), "110.0");
        assert_eq!(shown(0.0, 0.0, 0.0), "0.000");
    }
}
