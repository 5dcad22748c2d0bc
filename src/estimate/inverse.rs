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

/// The quantile of the gamma distribution with this shape (1 or more, or one half) and scale 1.
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
    if a.max(b) >= LARGE {
        return if a > b { 1.0 - large_beta(b, a, 1.0 - p) } else { large_beta(a, b, p) };
    }
    let guess = if a > b { 1.0 - large_beta(b, a, 1.0 - p) } else { large_beta(a, b, p) };
    let log_scale = ln_beta(a, b);
    root(guess, 0.0, 1.0, |x| {
        let cdf = checked_beta_reg(a, b, x).unwrap_or(f64::NAN);
        (cdf - p, ((a - 1.0) * x.ln() + (b - 1.0) * (-x).ln_1p() - log_scale).exp())
    })
}

/// The beta quantile for `a ≤ b` and large `b`, to a thousandth of a standard deviation.
fn large_beta(a: f64, b: f64, p: f64) -> f64 {
    if a < 200.0 {
        // −ln(1 − X) is nearly gamma with shape a, over b + (a − 1)/2.
        return -(-gamma(a, p) / (b + (a - 1.0) / 2.0)).exp_m1();
    }
    // Carter (1947), as in algorithm AS 109: half the log-odds are nearly normal.
    let z = -normal(p);
    let (s, t) = (1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0));
    let (h, r) = (2.0 / (s + t), (z * z - 3.0) / 6.0);
    let w = z * (h + r).sqrt() / h - (t - s) * (r + 5.0 / 6.0 - 2.0 / (3.0 * h));
    a / (a + b * (2.0 * w).exp())
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

#[cfg(test)]
mod tests {
    use super::*;

    // Reference values: SciPy 1.17, `scipy.stats.{gamma,beta,t}.ppf`.

    #[test]
    fn gamma_quantiles() {
        for (shape, p, expected) in [
            (1.0, 0.005, 5.012541823544e-03),
            (1.0, 0.975, 3.688879454114e+00),
            (2.0, 0.005, 1.034945467481e-01),
            (2.0, 0.5, 1.678346990017e+00),
            (2.0, 0.975, 5.571643390939e+00),
            (3.0, 0.005, 3.378633887277e-01),
            (3.0, 0.5, 2.674060313724e+00),
            (3.0, 0.975, 7.224687667724e+00),
            (10.0, 0.005, 3.716922131467e+00),
            (10.0, 0.5, 9.668714614714e+00),
            (10.0, 0.975, 1.708480345142e+01),
            (100.0, 0.005, 7.612049584369e+01),
            (100.0, 0.5, 9.966686491932e+01),
            (100.0, 0.975, 1.205289477532e+02),
            (5000.0, 0.005, 4.819739991097e+03),
            (5000.0, 0.5, 4.999666670618e+03),
            (5000.0, 0.975, 5.139535089944e+03),
            (9999.0, 0.005, 9.743308489053e+03),
            (9999.0, 0.5, 9.998666668642e+03),
            (9999.0, 0.975, 1.019593202485e+04),
            (10000.0, 0.005, 9.744295609573e+03),
            (10000.0, 0.5, 9.999666668642e+03),
            (10000.0, 0.975, 1.019694182500e+04),
            (1000000.0, 0.005, 9.974260490212e+05),
            (1000000.0, 0.5, 9.999996666667e+05),
            (1000000.0, 0.975, 1.001960910965e+06),
        ] {
            let deviations: f64 = (gamma(shape, p) - expected) / shape.sqrt();
            let close = if shape < LARGE { 1e-9 } else { 1e-4 };
            assert!(deviations.abs() < close, "{shape} {p}: {deviations} deviations off");
        }
    }

    #[test]
    fn beta_quantiles() {
        for (a, b, p, expected) in [
            (0.5, 0.5, 0.005, 6.168375916970068e-05),
            (0.5, 0.5, 0.975, 0.9984586668665639),
            (1.0, 20.0, 0.005, 0.0002505956868314462),
            (1.0, 20.0, 0.975, 0.1684334709830853),
            (2.0, 29.0, 0.005, 0.003502662455149757),
            (2.0, 29.0, 0.975, 0.1721694556334127),
            (82.0, 182.0, 0.005, 0.2403241712798443),
            (82.0, 182.0, 0.975, 0.3676219226013513),
            (3.0, 1000000000000.0, 0.005, 3.378633887273384e-13),
            (3.0, 1000000000000.0, 0.975, 7.224687667690672e-12),
            (1000000000000.0, 3.0, 0.005, 0.9999999999907262),
            (1000000000000.0, 3.0, 0.975, 0.9999999999993813),
            (5000.0, 5000.0, 0.005, 0.4871226676774273),
            (5000.0, 5000.0, 0.975, 0.5097991237780385),
            (9000.0, 11000.0, 0.005, 0.4409487467134767),
            (9000.0, 11000.0, 0.975, 0.4568992741367217),
            (12000.0, 11000.0, 0.005, 0.5132518723522124),
            (12000.0, 11000.0, 0.975, 0.528192839837385),
            (100.0, 100000.0, 0.005, 0.0007605390473953369),
            (100.0, 100000.0, 0.975, 0.001203967912770927),
            (9000.0, 100000.0, 0.005, 0.08043589412360086),
            (9000.0, 100000.0, 0.975, 0.08420995459040923),
            (500000000000.0, 500000000000.0, 0.005, 0.4999987120853482),
            (500000000000.0, 500000000000.0, 0.975, 0.5000009799819922),
        ] {
            let spread = (a * b / (a + b + 1.0_f64)).sqrt() / (a + b);
            let deviations = (beta(a, b, p) - expected) / spread;
            let close = if a.max(b) < LARGE { 1e-9 } else { 1e-3 };
            assert!(deviations.abs() < close, "{a} {b} {p}: {deviations} deviations off");
        }
    }

    #[test]
    fn student_quantiles() {
        for (freedom, level, expected) in [
            (1.0, 0.9, 6.313751514675e+00),
            (1.0, 0.95, 1.270620473617e+01),
            (1.0, 0.999999, 6.366197723488e+05),
            (2.0, 0.9, 2.919985580354e+00),
            (2.0, 0.95, 4.302652729749e+00),
            (2.0, 0.999999, 9.999992499855e+02),
            (3.0, 0.9, 2.353363434802e+00),
            (3.0, 0.95, 3.182446305284e+00),
            (3.0, 0.999999, 1.301545895571e+02),
            (10.0, 0.9, 1.812461122812e+00),
            (10.0, 0.95, 2.228138851986e+00),
            (10.0, 0.999999, 1.051648995688e+01),
            (29.0, 0.9, 1.699127026533e+00),
            (29.0, 0.95, 2.045229642133e+00),
            (29.0, 0.999999, 6.170056101408e+00),
            (100.0, 0.9, 1.660234326085e+00),
            (100.0, 0.95, 1.983971518524e+00),
            (100.0, 0.999999, 5.213727574223e+00),
            (1000.0, 0.9, 1.646378817285e+00),
            (1000.0, 0.95, 1.962339080826e+00),
            (1000.0, 0.999999, 4.922289523424e+00),
            (1001.0, 0.9, 1.646377292199e+00),
            (1001.0, 0.95, 1.962336705281e+00),
            (1001.0, 0.999999, 4.922258736458e+00),
            (1000000.0, 0.9, 1.644855150722e+00),
            (1000000.0, 0.95, 1.959966356814e+00),
            (1000000.0, 0.999999, 4.891668960705e+00),
        ] {
            let found = student_two_sided(freedom, level);
            assert!((found / expected - 1.0).abs() < 1e-8, "{freedom} {level}: {found}");
        }
    }

    #[test]
    fn extreme_arguments_end_and_stay_in_range() {
        let shapes = [1.0, 1.5, 2.0, 199.0, 200.0, 9999.0, 1e4, 1e8, 1e12, 1e18];
        for p in [1e-13, 1e-9, 0.4, 0.999, 1.0 - 1e-12] {
            for a in shapes {
                let found = gamma(a, p);
                assert!(found > 0.0 && found.is_finite(), "gamma {a} {p}: {found}");
                assert!(student_two_sided(a, p) >= 0.0, "t {a} {p}");
                for b in shapes {
                    let found = beta(a, b, p);
                    assert!((0.0..=1.0).contains(&found), "beta {a} {b} {p}: {found}");
                }
            }
        }
    }
}
