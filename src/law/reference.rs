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
            0.31004165688878467,
            0.68995834311121533,
            12.367828640506902,
        ),
        (
            Law::lognormal(2.5, 1.0),
            5000.0,
            8.8733619238000107e-10,
            0.99999999911266381,
            20.085536094260574,
        ),
        (Law::lognormal(2.5, 1.0), 1000000.0, 5.4980153004415871e-30, 1.0, 20.085536923187668),
        (
            Law::gamma(2.0, 10.0),
            1e-06,
            0.999999999999995,
            4.9999996666666787e-15,
            9.9999999999999829e-7,
        ),
        (Law::gamma(2.0, 10.0), 20.0, 0.40600584970983808, 0.59399415029016192, 14.586588670535492),
        (Law::gamma(2.0, 10.0), 700.0, 2.8225693124951392e-29, 1.0, 20.0),
        (Law::gamma(2.0, 10.0), 6000.0, 1.5928883283555908e-258, 1.0, 20.0),
        (
            Law::gamma(0.5, 40.0),
            1e-12,
            0.99999982158758838,
            1.7841241161527562e-7,
            9.9999988105839224e-13,
        ),
        (Law::gamma(0.5, 40.0), 20.0, 0.3173105078629141, 0.6826894921370859, 10.321171019234266),
        (
            Law::gamma(0.5, 40.0),
            700.0,
            3.2970532689972866e-9,
            0.99999999670294673,
            19.999999871437893,
        ),
        (Law::gamma(0.5, 40.0), 9000.0, 7.2129941724512067e-100, 1.0, 20.0),
        (Law::gamma(30.0, 2.0), 1.0, 1.0, 2.1644672981498645e-42, 1.0),
        (Law::gamma(30.0, 2.0), 60.0, 0.47571698610631993, 0.52428301389368007, 55.64192841170451),
        (Law::gamma(30.0, 2.0), 300.0, 1.283509040715906e-33, 1.0, 60.0),
        (Law::gamma(30.0, 2.0), 900.0, 3.9171206259765285e-150, 1.0, 60.0),
        (
            Law::weibull(0.7, 15.8),
            1e-06,
            0.99999086017133712,
            9.1398286628775334e-6,
            9.9999462362303211e-7,
        ),
        (
            Law::weibull(0.7, 15.8),
            20.0,
            0.30746323409590218,
            0.69253676590409782,
            10.508750873603933,
        ),
        (Law::weibull(0.7, 15.8), 5000.0, 3.6771030352807474e-25, 1.0, 20.000011395705078),
        (
            Law::weibull(3.0, 20.0),
            0.01,
            0.999999999875,
            1.2499999999218751e-10,
            0.0099999999996875002,
        ),
        (
            Law::weibull(3.0, 20.0),
            20.0,
            0.36787944117144232,
            0.63212055882855768,
            16.150223642793429,
        ),
        (Law::weibull(3.0, 20.0), 80.0, 1.6038108905486379e-28, 1.0, 17.859590231384984),
        (
            Law::log_logistic(1.5, 10.0),
            0.001,
            0.999999000001,
            9.9999900000100003e-7,
            0.00099999960000025002,
        ),
        (
            Law::log_logistic(1.5, 10.0),
            20.0,
            0.26120387496374144,
            0.73879612503625856,
            11.088587909370757,
        ),
        (
            Law::log_logistic(1.5, 10.0),
            1000000000.0,
            9.99999999999e-13,
            0.999999999999,
            24.181991523122905,
        ),
        (
            Law::log_logistic(0.8, 10.0),
            0.001,
            0.99936944051166011,
            0.00063055948833989327,
            0.00099964962118625669,
        ),
        (
            Law::log_logistic(0.8, 10.0),
            20.0,
            0.36481689431254416,
            0.63518310568745584,
            10.889321572258025,
        ),
        (
            Law::log_logistic(0.8, 10.0),
            1000000000.0,
            3.9810701206424077e-7,
            0.99999960189298794,
            1935.0000801893258,
        ),
        (Law::log_logistic(8.0, 10.0), 0.001, 1.0, 1.0000000000000002e-32, 0.001),
        (
            Law::log_logistic(8.0, 10.0),
            20.0,
            0.0038910505836575875,
            0.99610894941634241,
            10.2505811088563,
        ),
        (Law::log_logistic(8.0, 10.0), 100000.0, 1.0e-32, 1.0, 10.261721529770309),
        (Law::pareto(1.5, 6.0), 5.0, 1.0, 0.0, 5.0),
        (Law::pareto(1.5, 6.0), 20.0, 0.16431676725154983, 0.83568323274845017, 11.427329309938007),
        (
            Law::pareto(1.5, 6.0),
            1000000000.0,
            4.6475800154489003e-13,
            0.99999999999953524,
            17.99907048399691,
        ),
        (Law::pareto(1.0, 6.0), 5.0, 1.0, 0.0, 5.0),
        (Law::pareto(1.0, 6.0), 20.0, 0.3, 0.7, 13.223836825955616),
        (Law::pareto(1.0, 6.0), 1000000000.0, 6.0e-9, 0.999999994, 119.58903820631014),
        (
            Law::exponential(20.0),
            1e-09,
            0.99999999995,
            4.9999999998750003e-11,
            9.9999999997500006e-10,
        ),
        (
            Law::exponential(20.0),
            20.0,
            0.36787944117144232,
            0.63212055882855768,
            12.642411176571154,
        ),
        (Law::exponential(20.0), 1400.0, 3.9754497359086468e-31, 1.0, 20.0),
        (Law::uniform(5.0, 25.0), 1.0, 1.0, 0.0, 1.0),
        (Law::uniform(5.0, 25.0), 10.0, 0.75, 0.25, 9.375),
        (Law::uniform(5.0, 25.0), 24.999, 5.0000000000061107e-5, 0.99994999999999994, 14.999999975),
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
