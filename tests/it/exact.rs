//! `exact` against independently computed rates, and against known identities.

use failover_budget::exact::Sampled;
use failover_budget::law::Law;
use failover_budget::scenario::Arrivals;
use failover_budget::time::Span;

fn rows(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/tests/data/oracles/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn sampled(length: &Law, arrivals: Arrivals, interval_s: f64, deepest: u64) -> Sampled {
    let interval = Span::from_secs_f64(interval_s);
    Sampled::new(Span::from_secs(900), length, arrivals, interval, deepest).unwrap()
}

/// The oracle's columns against ours, in relative terms.
fn compare(what: &str, length: &Law, interval_s: f64, k: u64, oracle: &[String]) {
    let truth: Vec<f64> = oracle.iter().map(|text| text.parse().unwrap()).collect();
    let renewal = sampled(length, Arrivals::GapRenewal, interval_s, k);
    let poisson = sampled(length, Arrivals::Poisson, interval_s, k);
    let found =
        [renewal.isolated_per_day(k), renewal.run_rate_per_day(k), poisson.run_rate_per_day(k)];
    for (column, (found, truth)) in found.into_iter().zip(truth).enumerate() {
        let off = (found / truth - 1.0).abs();
        println!("{what} k={k} column {column}: {off:e}");
        assert!(off < 1e-6, "{what} k={k} column {column}: {found:e}, right {truth:e}");
    }
}

#[test]
fn rates_agree_for_exponential_blips() {
    for row in rows("exponential_blips.csv") {
        let (interval, mean) = (row[0].parse().unwrap(), row[1].parse().unwrap());
        let law = Law::exponential(mean).unwrap();
        compare(
            &format!("{interval} s, {mean} s"),
            &law,
            interval,
            row[2].parse().unwrap(),
            &row[3..],
        );
    }
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
    for row in rows("other_laws.csv") {
        compare(&row[0], &law_named(&row[0]), 10.0, row[1].parse().unwrap(), &row[2..]);
    }
}

/// A mixture of one part goes the numerical way, where the exponential itself has a closed form.
fn in_disguise(mean_s: f64) -> Law {
    Law::mixture(vec![(1.0, Law::exponential(mean_s).unwrap())]).unwrap()
}

#[test]
fn the_numerical_way_meets_the_closed_form() {
    for (mean, interval) in
        [(20.0, 10.0), (10.0, 10.0), (60.0, 5.0), (1.0, 10.0), (0.05, 30.0), (600.0, 1.0)]
    {
        let closed = sampled(&Law::exponential(mean).unwrap(), Arrivals::GapRenewal, interval, 100);
        let numeric = sampled(&in_disguise(mean), Arrivals::GapRenewal, interval, 100);
        let mut worst = [0.0_f64; 4];
        for k in 1..=100 {
            let pairs = [
                (numeric.run_rate_per_day(k), closed.run_rate_per_day(k)),
                (numeric.already_fired(k), closed.already_fired(k)),
                (numeric.detection_mean_s(k), closed.detection_mean_s(k)),
                (numeric.detection_quantile_s(k, 0.9), closed.detection_quantile_s(k, 0.9)),
            ];
            for (i, (found, truth)) in pairs.into_iter().enumerate() {
                worst[i] = worst[i].max((found / truth - 1.0).abs());
            }
        }
        println!(
            "mean {mean} interval {interval}: {worst:?} rate(100) {:e}",
            closed.run_rate_per_day(100)
        );
    }
}
#[test]
fn timing() {
    for (name, law) in [
        ("gamma", Law::gamma(2.0, 10.0)),
        ("weibull .7", Law::weibull(0.7, 15.8)),
        ("weibull 3", Law::weibull(3.0, 22.4)),
        ("weibull .3", Law::weibull(0.3, 2.0)),
        ("lognormal", Law::lognormal(2.5, 1.0)),
        ("pareto", Law::pareto(1.5, 6.67)),
        ("loglog", Law::log_logistic(1.5, 8.0)),
        ("const 25", Law::constant(25.0)),
        ("const 20", Law::constant(20.0)),
        ("uniform", Law::uniform(5.0, 35.0)),
        ("emp", Law::empirical((0..200).map(|i| 1.0 + i as f64 * 0.37).collect(), None)),
        ("emp3", Law::empirical(vec![3.0, 17.0, 40.0], None)),
        ("expo", Ok(in_disguise(20.0))),
        ("expo .05", Ok(in_disguise(0.05))),
    ] {
        let law = law.unwrap();
        let t = std::time::Instant::now();
        let s = sampled(&law, Arrivals::GapRenewal, 10.0, 100);
        let t1 = t.elapsed();
        let t = std::time::Instant::now();
        let p = sampled(&law, Arrivals::Poisson, 10.0, 100);
        let t2 = t.elapsed();
        let sum: f64 = (0..=100).map(|n| s.healthy() * s.all_unhealthy(n)).sum();
        println!(
            "{name}: {t1:?} poisson {t2:?} rates {:e} {:e} {:e} fired(100) {:e} sum-1 {:e} poisson {:e}",
            s.run_rate_per_day(3),
            s.run_rate_per_day(31),
            s.run_rate_per_day(100),
            s.already_fired(100),
            s.already_fired(0) - 1.0,
            p.already_fired(0) - 1.0
        );
        let _ = sum;
    }
}
