//! Fits that others published: log-likelihoods must agree to a thousandth.
//!
//! The samples are quoted, as facts, from: Ryan and others' ground beef servings (data of the R package
//! fitdistrplus, with the fits of its paper, Delignette-Muller and Dutang 2015); the automotive example
//! of the Python package reliability, with its documented fit; ball bearings from Lieblein and Zelen 1956.

use failover_budget::fit::{self, Family, Options};

const QUICK: Options = Options { outage_after: None, level: 0.95, draws: 0, seed: 1 };

/// Ground beef servings in grams (254 of them): value and count.
const GROUND_BEEF: [(f64, usize); 33] = [
    (10.0, 1),
    (11.5, 1),
    (17.0, 1),
    (20.0, 8),
    (24.0, 2),
    (25.0, 7),
    (25.5, 2),
    (26.0, 1),
    (30.0, 6),
    (32.0, 1),
    (40.0, 18),
    (44.0, 1),
    (50.0, 49),
    (51.0, 11),
    (52.5, 1),
    (60.0, 6),
    (64.0, 1),
    (65.0, 1),
    (70.0, 3),
    (75.0, 5),
    (79.0, 3),
    (80.0, 54),
    (90.0, 1),
    (100.0, 19),
    (105.0, 13),
    (115.0, 2),
    (117.0, 1),
    (120.0, 1),
    (125.0, 1),
    (130.0, 26),
    (150.0, 3),
    (160.0, 1),
    (200.0, 3),
];

/// Distance to failure of ten automotive units.
const FAILED: [f64; 10] =
    [5248.0, 7454.0, 16890.0, 17200.0, 38700.0, 45000.0, 49390.0, 69040.0, 72280.0, 131900.0];

/// Distance covered by 21 more that had not failed.
const RUNNING: [f64; 21] = [
    3961.0, 4007.0, 4734.0, 6054.0, 7298.0, 10190.0, 23060.0, 27160.0, 28690.0, 37100.0, 40060.0,
    45670.0, 53000.0, 67000.0, 69630.0, 77350.0, 78470.0, 91680.0, 105700.0, 106300.0, 150400.0,
];

/// Millions of revolutions to failure of 23 ball bearings (Lieblein and Zelen 1956).
const BEARINGS: [f64; 23] = [
    17.88, 28.92, 33.00, 41.52, 42.12, 45.60, 48.48, 51.84, 51.96, 54.12, 55.56, 67.80, 68.64,
    68.64, 68.88, 84.12, 93.12, 98.64, 105.12, 105.84, 127.92, 128.04, 173.40,
];

fn ground_beef() -> Vec<f64> {
    GROUND_BEEF.iter().flat_map(|(x, n)| std::iter::repeat_n(*x, *n)).collect()
}

fn check(laws: &fit::Laws, family: Family, log_likelihood: f64, parameters: &[(&str, f64)]) {
    let found = laws.families.iter().find(|f| f.family == family).unwrap();
    assert!(found.converged, "{family:?} {:?}", found.warnings);
    assert!(
        (found.log_likelihood - log_likelihood).abs() < 1e-3,
        "{family:?}: {} is not {log_likelihood}",
        found.log_likelihood
    );
    for (name, value) in parameters {
        let (_, estimate) = found.parameters.iter().find(|(n, _)| n == name).unwrap();
        assert!(
            (estimate.value / value - 1.0).abs() < 2e-3,
            "{name}: {} is not {value}",
            estimate.value
        );
        assert!(estimate.lo < *value && *value < estimate.hi);
    }
}

#[test]
fn ground_beef_servings() {
    let laws = fit::durations(&ground_beef(), &[], &QUICK);
    assert_eq!(laws.n, 254);
    check(&laws, Family::Weibull, -1255.2247, &[("shape", 2.1856), ("scale_s", 83.347)]);
    check(&laws, Family::Gamma, -1253.6251, &[("shape", 4.00834), ("scale_s", 18.3731)]);
    check(&laws, Family::Lognormal, -1261.3193, &[("mu", 4.16937), ("sigma", 0.53661)]);
    check(&laws, Family::Exponential, -1346.0134, &[("mean_s", 73.6457)]);
    let aic = |family| {
        let f = laws.families.iter().find(|f| f.family == family).unwrap();
        let k = family.parameters() as f64;
        f.aicc - 2.0 * k * (k + 1.0) / (254.0 - k - 1.0)
    };
    for (family, published) in [
        (Family::Weibull, 2514.449),
        (Family::Gamma, 2511.250),
        (Family::Lognormal, 2526.639),
        (Family::Exponential, 2694.027),
    ] {
        assert!((aic(family) - published).abs() < 2e-3, "{family:?}");
    }
    assert_eq!(laws.selected, Some(Family::Gamma));
}

#[test]
fn automotive_failures_right_censored() {
    let laws = fit::durations(&FAILED, &RUNNING, &QUICK);
    assert_eq!(laws.n, 31);
    // The published parameters are those of another optimiser; its log-likelihood has three decimals.
    let found = laws.families.iter().find(|f| f.family == Family::Weibull).unwrap();
    assert!((found.log_likelihood - -128.974).abs() < 1e-3, "{}", found.log_likelihood);
    check(
        &laws,
        Family::Weibull,
        found.log_likelihood,
        &[("scale_s", 134_651.0), ("shape", 1.15443)],
    );
    let aic = 2.0 * 2.0 - 2.0 * found.log_likelihood;
    assert!((aic - 261.95).abs() < 6e-3, "{aic}");
    // Of censored exponential lengths the mean is time on test by failures.
    let time: f64 = FAILED.iter().chain(&RUNNING).sum();
    check(
        &laws,
        Family::Exponential,
        -10.0 * (time / 10.0).ln() - 10.0,
        &[("mean_s", time / 10.0)],
    );
}

#[test]
fn ball_bearings() {
    let laws = fit::durations(&BEARINGS, &[], &QUICK);
    let found = laws.families.iter().find(|f| f.family == Family::Weibull).unwrap();
    check(&laws, Family::Weibull, found.log_likelihood, &[("shape", 2.102), ("scale_s", 81.88)]);
    // No log-likelihood is published; that of the published parameters is just below the maximum.
    let published: f64 = BEARINGS.iter().map(|x| weibull(*x, 2.102, 81.88)).sum();
    let below = found.log_likelihood - published;
    assert!((0.0..1e-3).contains(&below), "{below}");
}

/// Logarithm of Weibull's density, written out.
fn weibull(x: f64, shape: f64, scale: f64) -> f64 {
    (shape / scale).ln() + (shape - 1.0) * (x / scale).ln() - (x / scale).powf(shape)
}

/// Danish fire losses, 2,167 of them (McNeil 1997; data `danishuni` of the R package fitdistrplus): the
/// package's licence keeps the sample out of this repository, but a lognormal's likelihood knows no more
/// of it than the mean and the deviation of the logarithms, so any sample that has them will do.
#[test]
fn danish_fire_losses_by_their_sufficient_statistics() {
    const COUNT: usize = 2_167;
    const MEAN_OF_LOGS: f64 = 0.786950079838;
    const DEVIATION_OF_LOGS: f64 = 0.716554513118;
    // One in the middle, and the others by halves on either side.
    let aside = DEVIATION_OF_LOGS * (COUNT as f64 / (COUNT - 1) as f64).sqrt();
    let at = |logarithm: f64, count| std::iter::repeat_n(logarithm.exp(), count);
    let sample: Vec<f64> = at(MEAN_OF_LOGS - aside, COUNT / 2)
        .chain(at(MEAN_OF_LOGS + aside, COUNT / 2))
        .chain(at(MEAN_OF_LOGS, 1))
        .collect();
    let laws = fit::durations(&sample, &[], &QUICK);
    assert_eq!(laws.n, COUNT as u64);
    check(&laws, Family::Lognormal, -4057.8975, &[("mu", 0.78695), ("sigma", 0.71655)]);
    let found = laws.families.iter().find(|f| f.family == Family::Lognormal).unwrap();
    let aic = 2.0 * 2.0 - 2.0 * found.log_likelihood;
    assert!((aic - 8119.795).abs() < 2e-3, "{aic}");
}

/// Lognormal and Pareto have their estimates in closed form.
#[test]
fn closed_forms_agree() {
    let laws = fit::durations(&BEARINGS, &[], &QUICK);
    let n = BEARINGS.len() as f64;
    let logs: Vec<f64> = BEARINGS.iter().map(|x| x.ln()).collect();
    let mu = logs.iter().sum::<f64>() / n;
    let sigma = (logs.iter().map(|l| (l - mu).powi(2)).sum::<f64>() / n).sqrt();
    let height = -n * (sigma.ln() + 0.5 * (2.0 * std::f64::consts::PI).ln() + 0.5) - mu * n;
    check(&laws, Family::Lognormal, height, &[("mu", mu), ("sigma", sigma)]);
    let alpha = n / logs.iter().map(|l| l - 17.88_f64.ln()).sum::<f64>();
    let pareto = laws.families.iter().find(|f| f.family == Family::Pareto).unwrap();
    assert!((pareto.parameters[0].1.value / alpha - 1.0).abs() < 1e-5);
    assert_eq!(pareto.parameters[1].1.value, 17.88);
}

#[test]
fn samples_that_settle_nothing_are_told_and_do_not_panic() {
    let nan = f64::NAN;
    let odd: [(&[f64], &[f64]); 9] = [
        (&[], &[]),
        (&[1.0], &[]),
        (&[5.0; 40], &[]),
        (&[], &[3.0, 4.0, 5.0, 6.0, 7.0, 8.0]),
        (&[nan, -1.0, 0.0, f64::INFINITY], &[nan]),
        (&[1e-300, 1e300, 1.0, 2.0, 3.0, 4.0], &[]),
        (&[1.0, 1.0, 1.0, 1.0, 1.0, 1e12], &[]),
        (&[1e-9, 1e-9, 2e-9, 3e-9, 5e-9, 8e-9], &[1e9]),
        (&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], &[1e-300]),
    ];
    for (exact, censored) in odd {
        let laws = fit::durations(exact, censored, &Options { draws: 5, ..QUICK });
        if let Some(best) = laws.best() {
            assert!(best.converged && best.log_likelihood.is_finite());
        }
        let json = fit::json::laws(&laws).to_string();
        assert!(!json.contains("NaN"), "{json}");
    }
    // Equal lengths have no spread: no family with a scale of its own may be called fitted.
    let equal = fit::durations(&[5.0; 40], &[], &QUICK);
    for family in [Family::Weibull, Family::Gamma, Family::Lognormal, Family::LogLogistic] {
        let found = equal.families.iter().find(|f| f.family == family).unwrap();
        assert!(!found.converged && found.weight == 0.0, "{family:?}");
    }
}
