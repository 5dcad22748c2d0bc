//! `exact` against rates computed elsewhere, chains, closed forms, a second numerical method, and a
//! simulation.

mod chains;
mod second_ways;
mod simulated;

use failover_budget::exact::{DEEPEST, ExactError, MOST_BREAKS, Sampled};
use failover_budget::law::Law;
use failover_budget::scenario::Arrivals;
use failover_budget::time::Span;
use failover_budget::trigger::{Arming, Silence, Spec};

/// Blips a quarter of an hour apart.
fn sampled(length: &Law, arrivals: Arrivals, interval_s: f64, deepest: u64) -> Sampled {
    let interval = Span::from_secs_f64(interval_s);
    Sampled::new(Span::from_secs(900), length, arrivals, interval, deepest).unwrap()
}

#[track_caller]
fn close(what: &str, found: f64, truth: f64, most: f64) {
    let off = (found / truth - 1.0).abs();
    assert!(off <= most, "{what}: {found:e}, right {truth:e}, off by {off:e}");
}

fn rows(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/tests/data/oracles/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// The oracle's columns against ours. They have ten digits.
fn compare(what: &str, length: &Law, interval_s: f64, k: u64, oracle: &[String]) {
    let truth: Vec<f64> = oracle.iter().map(|text| text.parse().unwrap()).collect();
    let renewal = sampled(length, Arrivals::GapRenewal, interval_s, k);
    let poisson = sampled(length, Arrivals::Poisson, interval_s, k);
    let found =
        [renewal.isolated_per_day(k), renewal.run_rate_per_day(k), poisson.run_rate_per_day(k)];
    assert_eq!(truth.len(), 3);
    for (column, (found, truth)) in found.into_iter().zip(truth).enumerate() {
        close(&format!("{what} k={k} column {column}"), found, truth, 1e-8);
    }
}

#[test]
fn rates_agree_for_exponential_blips() {
    let rows = rows("exponential_blips.csv");
    assert_eq!(rows.len(), 42);
    for row in rows {
        let (interval, mean) = (row[0].parse().unwrap(), row[1].parse().unwrap());
        let law = Law::exponential(mean).unwrap();
        let what = format!("interval {interval} s, mean {mean} s");
        compare(&what, &law, interval, row[2].parse().unwrap(), &row[3..]);
        // The numerical way, where the law itself would take the closed form.
        compare(&what, &in_disguise(law), interval, row[2].parse().unwrap(), &row[3..]);
    }
}

/// A mixture of one part goes the numerical way.
fn in_disguise(law: Law) -> Law {
    Law::mixture(vec![(1.0, law)]).unwrap()
}

fn law_named(name: &str) -> Law {
    let shape = || name[name.find('=').unwrap() + 1..name.len() - 1].parse::<f64>().unwrap();
    let unit = match name.split(['(', '-']).next().unwrap() {
        "exp" => Law::exponential(1.0),
        "gamma" => Law::gamma(shape(), 1.0),
        "weibull" => Law::weibull(shape(), 1.0),
        "lognormal" => Law::lognormal(0.0, shape()),
        "pareto" => Law::pareto(shape(), 1.0),
        other => panic!("{other}"),
    };
    unit.and_then(|law| law.with_mean(20.0)).unwrap()
}

#[test]
fn rates_agree_for_other_laws() {
    let rows = rows("other_laws.csv");
    assert_eq!(rows.len(), 30);
    for row in rows {
        compare(&row[0], &law_named(&row[0]), 10.0, row[1].parse().unwrap(), &row[2..]);
    }
}

#[test]
fn the_labs_defaults_give_the_known_figures() {
    let lab = sampled(&Law::exponential(20.0).unwrap(), Arrivals::GapRenewal, 10.0, 31);
    close("rate", lab.run_rate_per_day(12), 0.311_561_342_5, 1e-9);
    for (k, mean) in [(3, 24.81), (12, 114.46), (31, 304.44)] {
        assert!((lab.detection_mean_s(k) - mean).abs() < 0.005, "{}", lab.detection_mean_s(k));
    }
    let window = Spec::Window { window: Span::from_secs(300) };
    let count = Spec::Consecutive { k: 12 };
    let dark = |spec| lab.dark_caught(spec, Silence::Ignored).unwrap();
    close("dark, window", dark(&window), 20.0 / 920.0, 1e-12);
    close("dark, count", dark(&count), lab.already_fired(12), 0.0);
    assert_eq!(lab.dark_caught(&count, Silence::Failure), Some(1.0));
    let death = |spec, silence| lab.prober_death_fires(spec, silence).unwrap();
    assert_eq!(death(&count, Silence::Ignored), 0.0);
    assert_eq!(death(&count, Silence::Failure), 1.0 - lab.already_fired(12));
    let ignored = death(&window, Silence::Ignored);
    close("death, window", ignored, 20.0 / 920.0 - lab.already_fired(31), 1e-12);
    // A count starts again from zero; an armed window needs a full history.
    assert_eq!(lab.restart_fires(&count, Arming::Immediate), Some(0.0));
    assert_eq!(lab.restart_fires(&window, Arming::FullWindow), Some(0.0));
    // Next to every unhealthy first probe fires, since few runs reach 31.
    let restart = lab.restart_fires(&window, Arming::Immediate).unwrap();
    assert!(restart < 20.0 / 920.0 && restart > 0.999 * 20.0 / 920.0, "{restart}");
}

#[test]
fn triggers_without_an_exact_form_have_none() {
    let lab = sampled(&Law::exponential(20.0).unwrap(), Arrivals::GapRenewal, 10.0, 31);
    let m_of_n = Spec::MOfN { m: 3, n: 5 };
    assert_eq!(lab.dark_caught(&m_of_n, Silence::Failure), None);
    assert_eq!(lab.restart_fires(&m_of_n, Arming::Immediate), None);
    assert_eq!(lab.prober_death_fires(&m_of_n, Silence::Failure), None);
}

#[test]
fn quantiles_of_the_delay_add_up_to_its_mean() {
    for law in [law_named("exp"), law_named("lognormal(sigma=1.0)"), Law::constant(35.0).unwrap()] {
        for (arrivals, k) in [(Arrivals::GapRenewal, 3), (Arrivals::Poisson, 12)] {
            let sampled = sampled(&law, arrivals, 10.0, 12);
            let n = 200_000;
            let points = (0..n).map(|i| (f64::from(i) + 0.5) / f64::from(n));
            let sum: f64 = points.map(|p| sampled.detection_quantile_s(k, p)).sum();
            close(law.family(), sum / f64::from(n), sampled.detection_mean_s(k), 1e-6);
            let most = sampled.detection_quantile_s(k, 1.0);
            close("longest", most, 10.0 * k as f64, 1e-9);
            assert!(sampled.detection_quantile_s(k, 0.0) >= 0.0);
        }
    }
}

/// Every trailing run has some length. Nothing in the numerical way is made to add up to 1.
#[test]
fn trailing_runs_add_up_to_one() {
    for law in [
        Law::gamma(3.0, 8.0),
        Law::gamma(0.4, 30.0),
        Law::weibull(2.0, 20.0),
        Law::weibull(0.7, 15.8),
        Law::uniform(5.0, 35.0),
        Law::constant(25.0),
        Law::lognormal(2.9, 0.3),
        Law::lognormal(2.9, 0.05),
        Law::log_logistic(40.0, 23.0),
        // Jumps and kinks at multiples of the interval.
        Law::constant(30.0),
        Law::empirical(vec![5.0, 30.0, 70.0], None),
        Law::uniform(20.0, 40.0),
    ] {
        let law = law.unwrap();
        for arrivals in [Arrivals::GapRenewal, Arrivals::Poisson] {
            let sampled = sampled(&law, arrivals, 10.0, 200);
            let inside: f64 = (1..=200).map(|n| sampled.all_unhealthy(n)).sum();
            let share = sampled.healthy() * inside;
            close(&format!("{law:?} {arrivals:?}"), share, sampled.unhealthy(), 2e-8);
        }
    }
}

/// A count that a lab of 60,000 replications met with too: 0.25494 a day for eight in a row. The
/// values come from power series of 70 digits from lattice point to lattice point.
#[test]
fn lengths_of_whole_intervals_give_the_known_figures() {
    let law = Law::empirical(vec![5.0, 30.0, 70.0], None).unwrap();
    let found = sampled(&law, Arrivals::GapRenewal, 10.0, 10);
    for (k, rate) in [(8, 0.255_036_819), (9, 0.170_784_282_2), (10, 0.170_507_664_1)] {
        close("rate", found.run_rate_per_day(k), rate, 1e-8);
    }
    for (k, fired) in
        [(4, 1.435_905_902_703e-2), (8, 9.567_237_151_226e-5), (10, 4.638_752_183_517e-5)]
    {
        close("already fired", found.already_fired(k), fired, 1e-8);
    }
    close("mean delay", found.detection_mean_s(8), 73.771_754_730_33, 1e-9);
}

#[test]
fn what_is_beyond_is_refused_or_not_a_number() {
    let law = Law::gamma(2.0, 10.0).unwrap();
    let new = |gap, length: &Law, interval, deepest| {
        let (gap, interval) = (Span::from_secs(gap), Span::from_secs(interval));
        Sampled::new(gap, length, Arrivals::GapRenewal, interval, deepest).map(|_| ())
    };
    assert!(new(0, &law, 10, 5).unwrap_err().to_string().contains("the mean gap is 0s"));
    assert!(new(900, &law, -1, 5).unwrap_err().to_string().contains("the probe interval is -1s"));
    assert_eq!(new(900, &law, 10, DEEPEST + 1), Err(ExactError::TooDeep { found: DEEPEST + 1 }));
    let heavy = Law::pareto(1.0, 2.0).unwrap();
    assert_eq!(new(900, &heavy, 10, 5), Err(ExactError::InfiniteMean { family: "pareto" }));
    let found = MOST_BREAKS + 1;
    let many = Law::empirical((1..=found).map(|i| i as f64).collect(), None).unwrap();
    assert_eq!(new(900, &many, 10, 5), Err(ExactError::TooManyLengths { found }));
    let shallow = sampled(&law, Arrivals::GapRenewal, 10.0, 5);
    assert!(shallow.run_rate_per_day(5) > 0.0 && shallow.run_rate_per_day(6).is_nan());
    assert!(shallow.already_fired(6).is_nan() && shallow.detection_mean_s(6).is_nan());
    assert!(shallow.isolated_per_day(6).is_nan() && shallow.detection_quantile_s(6, 0.5).is_nan());
    let window = Spec::Window { window: Span::from_secs(300) };
    assert_eq!(shallow.restart_fires(&window, Arming::Immediate), None);
    assert_eq!(shallow.prober_death_fires(&window, Silence::Failure), None);
    // The closed form knows no depth.
    let closed = sampled(&law_named("exp"), Arrivals::GapRenewal, 10.0, 0);
    let year = Spec::Window { window: Span::from_days(36_500) };
    assert!(closed.restart_fires(&year, Arming::Immediate).unwrap() > 0.02);
    assert_eq!(closed.run_rate_per_day(u64::MAX), 0.0);
}

#[test]
fn blips_of_no_length_are_never_seen() {
    for arrivals in [Arrivals::GapRenewal, Arrivals::Poisson] {
        let none = sampled(&Law::constant(0.0).unwrap(), arrivals, 10.0, 5);
        assert_eq!(none.run_rate_per_day(1), 0.0);
        assert_eq!(none.already_fired(1), 0.0);
        assert_eq!(none.detection_mean_s(3), 25.0);
    }
}

/// What lies beyond the table is extrapolated; a table ten times as deep has next to nothing there.
#[test]
fn the_chance_of_having_fired_does_not_depend_on_the_tables_depth() {
    let laws = [
        Law::weibull(0.7, 15.8),
        Law::weibull(0.3, 2.0),
        Law::lognormal(2.5, 1.0),
        Law::pareto(1.5, 6.7),
        Law::log_logistic(1.5, 8.0),
        Law::gamma(2.0, 10.0),
        Law::constant(25.0),
    ];
    for law in laws {
        let law = law.unwrap();
        for arrivals in [Arrivals::GapRenewal, Arrivals::Poisson] {
            let shallow = sampled(&law, arrivals, 10.0, 60);
            let deep = sampled(&law, arrivals, 10.0, 600);
            for k in [1, 12, 60] {
                let what = format!("{law:?} {arrivals:?} k={k}");
                close(&what, shallow.already_fired(k), deep.already_fired(k), 1e-6);
            }
        }
    }
}
