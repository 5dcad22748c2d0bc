//! Inverse distribution functions that neither loop nor panic on extreme arguments.
//!
//! The distribution functions are those of `statrs`; its inverses are not used, because they stop
//! early or run on for the arguments that occur here (10^12 trials, no events, a level of 1 − 10^-9).
//! Where a distribution function would lose its digits, an expansion takes its place.

use statrs::function::beta::{checked_beta_reg, ln_beta};
use statrs::function::erf::erfc_inv;
use statrs::function::gamma::{checked_gamma_lr, ln_gamma};

/// From this shape on the gamma quantile comes from an expansion.
const LARGE: f64 = 1e4;

/// The quantile of the standard normal distribution.
pub(super) fn normal(p: f64) -> f64 {
    -std::f64::consts::SQRT_2 * erfc_inv(2.0 * p)
}

/// The `z` that leaves `level` between `−z` and `z`.
pub(super) fn normal_two_sided(level: f64) -> f64 {
    -normal((1.0 - level) / 2.0)
}

/// The `t` that leaves `level` between `−t` and `t`, with so many degrees of freedom (1 or more).
pub(super) fn student_two_sided(freedom: f64, level: f64) -> f64 {
    if freedom > 1e3 {
        // Cornish–Fisher (Abramowitz and Stegun 26.7.5).
        let z = normal_two_sided(level);
        let (z2, v) = (z * z, freedom);
        let first = (z2 + 1.0) / 4.0;
        let second = ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
        let third = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
        return z * (1.0 + (first + (second + third / v) / v) / v);
    }
    // t² / (ν + t²) has a beta distribution; the complement is found, for it may be tiny.
    let rest = beta(freedom / 2.0, 0.5, 1.0 - level);
    (freedom * (1.0 - rest) / rest).sqrt()
}

/// The quantile of the gamma distribution with this shape and scale 1.
pub(super) fn gamma(shape: f64, p: f64) -> f64 {
    let z = normal(p);
    // Wilson and Hilferty: the cube root is nearly normal.
    let ninth = 1.0 / (9.0 * shape);
    let near = shape * (1.0 - ninth + z * ninth.sqrt()).powi(3);
    if shape >= LARGE {
        return near;
    }
    // Where the cube is no guide, the first term of the distribution function is.
    let lowest = ((p * shape).ln() + ln_gamma(shape)) / shape;
    let guess = if near > 0.05 * shape { near } else { lowest.exp() };
    let log_scale = ln_gamma(shape);
    root(guess, (lowest - 1.0).exp().max(f64::MIN_POSITIVE), near.max(shape) * 4.0 + 200.0, |x| {
        let cdf = checked_gamma_lr(shape, x).unwrap_or(f64::NAN);
        (cdf - p, ((shape - 1.0) * x.ln() - x - log_scale).exp())
    })
}

/// The quantile of the beta distribution.
pub(super) fn beta(a: f64, b: f64, p: f64) -> f64 {
    if a > b { 1.0 - beta_below(b, a, 1.0 - p) } else { beta_below(a, b, p) }
}

/// The same for `a ≤ b`.
fn beta_below(a: f64, b: f64, p: f64) -> f64 {
    if b >= LARGE {
        return large_beta(a, b, p);
    }
    let log_scale = ln_beta(a, b);
    let guess = if a >= 1.0 { large_beta(a, b, p) } else { ((p * a).ln() + log_scale).exp() / a };
    root(guess, 0.0, 1.0, |x| {
        let cdf = checked_beta_reg(a, b, x).unwrap_or(f64::NAN);
        (cdf - p, ((a - 1.0) * x.ln() + (b - 1.0) * (-x).ln_1p() - log_scale).exp())
    })
}

/// The beta quantile for large `b`, by way of a gamma variate.
fn large_beta(a: f64, b: f64, p: f64) -> f64 {
    // −ln(1 − X) is nearly gamma with shape a, over b + (a − 1)/2.
    -(-gamma(a, p) / (b + (a - 1.0) / 2.0)).exp_m1()
}

/// The root of a rising function in `(low, high)`, from its value and slope: Newton's steps, and a
/// bisection wherever one would leave the bracket.
fn root(guess: f64, mut low: f64, mut high: f64, at: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut x = if guess > low && guess < high { guess } else { low + (high - low) / 2.0 };
    for _ in 0..200 {
        let (value, slope) = at(x);
        if value < 0.0 {
            low = x
        } else {
            high = x
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
        if (next - x).abs() <= 1e-13 * next.abs() || next == low || next == high {
            return next;
        }
        x = next;
    }
    x
}
