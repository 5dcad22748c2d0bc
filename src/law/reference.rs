//! Survival, distribution function and cumulative survival against 60-digit arithmetic.
//!
//! Made with mpmath 1.3: `erfc`, `gammainc`, elementary functions, and `quad` of the survival over a
//! geometric partition. Far tails stand in both directions, since they decide how often a patient
//! trigger fires.

use super::Law;

/// (law, seconds, survival, distribution function, cumulative survival)
fn table() -> Vec<(Law, f64, f64, f64, f64)> {
    let rows = [
        (Law::lognormal(2.5, 1.0), 0.001, 1.0, 2.5342261526201287e-21, 0.001),
        (
            Law::lognormal(2.5, 1.0),
            20.0,
            0.31004165688878466,
            0.6899583431112153,
            12.367828640506902,
        ),
        (
            Law::lognormal(2.5, 1.0),
            5000.0,
            8.873361923800011e-10,
            0.9999999991126638,
            20.085536094260576,
        ),
        (Law::lognormal(2.5, 1.0), 1000000.0, 5.498015300441587e-30, 1.0, 20.085536923187668),
        (
            Law::gamma(2.0, 10.0),
            1e-06,
            0.999999999999995,
            4.9999996666666786e-15,
            9.999999999999983e-07,
        ),
        (Law::gamma(2.0, 10.0), 20.0, 0.4060058497098381, 0.5939941502901619, 14.586588670535493),
        (Law::gamma(2.0, 10.0), 700.0, 2.8225693124951394e-29, 1.0, 20.0),
        (Law::gamma(2.0, 10.0), 6000.0, 1.5928883283555908e-258, 1.0, 20.0),
        (
            Law::gamma(0.5, 40.0),
            1e-12,
            0.9999998215875884,
            1.7841241161527563e-07,
            9.999998810583923e-13,
        ),
        (Law::gamma(0.5, 40.0), 20.0, 0.3173105078629141, 0.6826894921370859, 10.321171019234265),
        (
            Law::gamma(0.5, 40.0),
            700.0,
            3.2970532689972865e-09,
            0.9999999967029467,
            19.999999871437893,
        ),
        (Law::gamma(0.5, 40.0), 9000.0, 7.212994172451207e-100, 1.0, 20.0),
        (Law::gamma(30.0, 2.0), 1.0, 1.0, 2.1644672981498644e-42, 1.0),
        (Law::gamma(30.0, 2.0), 60.0, 0.4757169861063199, 0.52428301389368, 55.64192841170451),
        (Law::gamma(30.0, 2.0), 300.0, 1.283509040715906e-33, 1.0, 60.0),
        (Law::gamma(30.0, 2.0), 900.0, 3.917120625976528e-150, 1.0, 60.0),
        (
            Law::weibull(0.7, 15.8),
            1e-06,
            0.9999908601713371,
            9.139828662877534e-06,
            9.999946236230322e-07,
        ),
        (Law::weibull(0.7, 15.8), 20.0, 0.3074632340959022, 0.6925367659040979, 10.508750873603933),
        (Law::weibull(0.7, 15.8), 5000.0, 3.6771030352807475e-25, 1.0, 20.000011395705076),
        (Law::weibull(3.0, 20.0), 0.01, 0.999999999875, 1.2499999999218752e-10, 0.0099999999996875),
        (
            Law::weibull(3.0, 20.0),
            20.0,
            0.36787944117144233,
            0.6321205588285577,
            16.150223642793428,
        ),
        (Law::weibull(3.0, 20.0), 80.0, 1.603810890548638e-28, 1.0, 17.859590231384985),
        (
            Law::log_logistic(1.5, 10.0),
            0.001,
            0.999999000001,
            9.99999000001e-07,
            0.0009999996000002501,
        ),
        (
            Law::log_logistic(1.5, 10.0),
            20.0,
            0.2612038749637414,
            0.7387961250362586,
            11.088587909370757,
        ),
        (
            Law::log_logistic(1.5, 10.0),
            1000000000.0,
            9.99999999999e-13,
            0.999999999999,
            24.181991523122903,
        ),
        (
            Law::log_logistic(0.8, 10.0),
            0.001,
            0.9993694405116601,
            0.0006305594883398933,
            0.0009996496211862568,
        ),
        (
            Law::log_logistic(0.8, 10.0),
            20.0,
            0.36481689431254416,
            0.6351831056874558,
            10.889321572258025,
        ),
        (
            Law::log_logistic(0.8, 10.0),
            1000000000.0,
            3.9810701206424075e-07,
            0.999999601892988,
            1935.000080189326,
        ),
        (Law::log_logistic(8.0, 10.0), 0.001, 1.0, 1.0000000000000002e-32, 0.001),
        (
            Law::log_logistic(8.0, 10.0),
            20.0,
            0.0038910505836575876,
            0.9961089494163424,
            10.2505811088563,
        ),
        (Law::log_logistic(8.0, 10.0), 100000.0, 1.0e-32, 1.0, 10.261721529770309),
        (Law::pareto(1.5, 6.0), 5.0, 1.0, 0.0, 5.0),
        (Law::pareto(1.5, 6.0), 20.0, 0.16431676725154984, 0.8356832327484501, 11.427329309938006),
        (
            Law::pareto(1.5, 6.0),
            1000000000.0,
            4.6475800154489e-13,
            0.9999999999995353,
            17.99907048399691,
        ),
        (Law::pareto(1.0, 6.0), 5.0, 1.0, 0.0, 5.0),
        (Law::pareto(1.0, 6.0), 20.0, 0.3, 0.7, 13.223836825955615),
        (Law::pareto(1.0, 6.0), 1000000000.0, 6.0e-9, 0.999999994, 119.58903820631014),
        (Law::exponential(20.0), 1e-09, 0.99999999995, 4.999999999875e-11, 9.99999999975e-10),
        (Law::exponential(20.0), 20.0, 0.36787944117144233, 0.6321205588285577, 12.642411176571153),
        (Law::exponential(20.0), 1400.0, 3.975449735908647e-31, 1.0, 20.0),
        (Law::uniform(5.0, 25.0), 1.0, 1.0, 0.0, 1.0),
        (Law::uniform(5.0, 25.0), 10.0, 0.75, 0.25, 9.375),
        (Law::uniform(5.0, 25.0), 24.999, 5.0000000000061104e-05, 0.9999499999999999, 14.999999975),
    ];
    rows.into_iter().map(|(law, x, s, cdf, c)| (law.unwrap(), x, s, cdf, c)).collect()
}

/// Within `most` of the truth in relative terms; exactly zero where the truth is.
fn close(found: f64, truth: f64, most: f64) -> bool {
    if truth == 0.0 { found == 0.0 } else { (found / truth - 1.0).abs() <= most }
}

#[test]
fn far_tails_are_relatively_accurate() {
    for (law, x, survival, cdf, cumulative) in table() {
        let found = [law.survival(x), law.cdf(x), law.cumulative_survival(x)];
        let truth = [survival, cdf, cumulative];
        for (found, truth) in found.into_iter().zip(truth) {
            // Exponents of a few hundred lose three digits of sixteen.
            assert!(close(found, truth, 5e-13), "{law:?} at {x}: {found:e}, truth {truth:e}");
        }
    }
}

#[test]
fn what_lies_at_the_ends_is_exact() {
    for (law, ..) in table() {
        assert_eq!(law.survival(-1.0), 1.0);
        assert_eq!(law.survival(0.0), 1.0, "{law:?}");
        assert_eq!(law.survival(f64::INFINITY), 0.0, "{law:?}");
        assert_eq!(law.cdf(f64::INFINITY), 1.0, "{law:?}");
        assert_eq!(law.cumulative_survival(0.0), 0.0);
        assert_eq!(law.cumulative_survival(f64::INFINITY), law.mean());
    }
}
