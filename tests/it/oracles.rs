//! Simulated figures against values computed outside this project (`tests/data/oracles`).
//!
//! Every cell is compared within 3.5 standard errors, or, where few events are expected, with the
//! Poisson tail of the same chance, 4.7e-4 for both sides. Seeds are fixed. With other seeds a right
//! simulator would fail one of the 144 comparisons of rates with a chance of at most 144 · 4.7e-4 =
//! 6.7 % (less, since cells of one environment share their runs); so a seed at which a cell fails calls
//! for a longer run of that cell, never for a wider tolerance.
//!
//! A run begins in a healthy gap, not in the steady state that the values are for. That makes the
//! expected count smaller by less than one failed probe in 2,000 runs (for the Pareto law, whose blips
//! remember longest, by one in ten: a third of a standard error of its shallowest cell).

use std::path::Path;

use failover_budget::experiment::{Environment, Setting, Tally, run};
use failover_budget::law::Law;
use failover_budget::scenario::{Arrivals, Blips, OutageKind, Scenario};
use failover_budget::time::Span;
use failover_budget::trigger::{Arming, Silence, Spec};

use super::support::{SIGMAS, is_poisson, standard_errors};

/// Below so many expected events the Poisson tail is asked.
const FEW: f64 = 100.0;

/// Days of one replication.
const DAYS: f64 = 30.0;

/// One row of a file of values.
struct Row {
    k: u64,
    isolated: f64,
    gap_renewal: f64,
    poisson: f64,
}

/// Rows of a file by what stands in the columns before `k`, in order.
fn rows(file: &str) -> Vec<(Vec<String>, Vec<Row>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/oracles").join(file);
    let mut reader = csv::Reader::from_path(path).unwrap();
    let place = reader.headers().unwrap().iter().position(|name| name == "k").unwrap();
    let mut groups: Vec<(Vec<String>, Vec<Row>)> = Vec::new();
    for record in reader.records() {
        let record = record.unwrap();
        let number = |column: usize| record[place + column].parse::<f64>().unwrap();
        let row = Row {
            k: number(0) as u64,
            isolated: number(1),
            gap_renewal: number(2),
            poisson: number(3),
        };
        let key: Vec<String> = record.iter().take(place).map(str::to_owned).collect();
        match groups.last_mut().filter(|(last, _)| *last == key) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    groups
}

fn setting(k: u64) -> Setting {
    Setting { spec: Spec::Consecutive { k }, silence: Silence::Failure, arming: Arming::FullWindow }
}

/// What the triggers of `rows` do in `replications` runs of 30 days, with this law of blip lengths.
fn tallies(
    rows: &[Row],
    (interval_s, length): (f64, &Law),
    arrivals: Arrivals,
    (seed, replications): (u64, u64),
) -> Vec<Tally> {
    let mut scenario = Scenario::default();
    scenario.run.replications = replications;
    scenario.run.seed = seed;
    scenario.probe.interval = Span::from_secs_f64(interval_s);
    scenario.outage.per_replication = 1;
    scenario.blips.0[0].length = length.clone();
    scenario.blips.0[0].arrivals = arrivals;
    let environment = Environment::new(scenario).unwrap();
    let settings: Vec<Setting> = rows.iter().map(|row| setting(row.k)).collect();
    run(&environment, &settings, |_| {})
}

/// How one cell compares with a value: standard errors, or the Poisson tail where events are few.
fn agrees(tally: &Tally, per_day: f64, k: u64, interval_s: f64) -> bool {
    // The first firing can come at the k-th probe.
    let days = DAYS - (k - 1) as f64 * interval_s / 86_400.0;
    let expected = per_day * days;
    let total = expected * tally.replications as f64;
    if total < FEW {
        return is_poisson(tally.firings.sum as u64, total);
    }
    standard_errors(&tally.firings, expected).abs() <= SIGMAS
}

/// Compares every cell of an environment under both kinds of arrivals; returns what is off, and how
/// often the formula that takes blips one at a time is rejected.
fn compare(
    name: &str,
    rows: &[Row],
    (interval_s, length): (f64, &Law),
    (seed, replications): (u64, u64),
) -> (Vec<String>, usize) {
    let mut off = Vec::new();
    let mut isolated_rejected = 0;
    for arrivals in [Arrivals::GapRenewal, Arrivals::Poisson] {
        // Seeds differ, or environments would share their random numbers.
        let seed = 2 * seed + u64::from(arrivals == Arrivals::Poisson);
        let tallies = tallies(rows, (interval_s, length), arrivals, (seed, replications));
        for (row, tally) in rows.iter().zip(&tallies) {
            let exact = match arrivals {
                Arrivals::GapRenewal => row.gap_renewal,
                Arrivals::Poisson => row.poisson,
            };
            let found = tally.firings.mean_value().unwrap() / DAYS;
            if !agrees(tally, exact, row.k, interval_s) {
                let errors = standard_errors(&tally.firings, exact * DAYS);
                off.push(format!(
                    "{name}, {arrivals:?}, k = {}: {found} a day, exact {exact}, {errors:.2} standard errors",
                    row.k
                ));
            }
            isolated_rejected += usize::from(!agrees(tally, row.isolated, row.k, interval_s));
        }
    }
    (off, isolated_rejected)
}

#[test]
fn rates_of_exponential_blips_are_right_in_every_cell() {
    let mut off = Vec::new();
    for (index, (key, rows)) in rows("exponential_blips.csv").iter().enumerate() {
        let (interval_s, mean_s) = (key[0].parse().unwrap(), key[1].parse().unwrap());
        let default = (interval_s, mean_s) == (10.0, 20.0);
        let replications = if default { 100_000 } else { 20_000 };
        let length = Law::exponential(mean_s).unwrap();
        let seed = 100 + index as u64;
        let name = format!("{interval_s} s, {mean_s} s");
        let (wrong, rejected) = compare(&name, rows, (interval_s, &length), (seed, replications));
        off.extend(wrong);
        // Power: the same data tell the formula for isolated blips from the truth.
        assert!(rejected >= 6, "{name}: the isolated formula is rejected {rejected} times only");
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
}

#[test]
fn rates_of_other_laws_are_right_in_every_cell() {
    let mut off = Vec::new();
    for (index, (key, rows)) in rows("other_laws.csv").iter().enumerate() {
        let (family, number) = key[0].split_once('(').unwrap_or((&key[0], ""));
        let number = number.trim_end_matches(')').split('=').nth(1).map(|n| n.parse().unwrap());
        let shape: f64 = number.unwrap_or_default();
        let law = match family {
            "exp" => Law::exponential(1.0),
            "gamma" => Law::gamma(shape, 1.0),
            "weibull" => Law::weibull(shape, 1.0),
            "lognormal" => Law::lognormal(0.0, shape),
            "pareto-I" => Law::pareto(shape, 1.0),
            other => panic!("unknown law {other}"),
        };
        let length = law.unwrap().with_mean(20.0).unwrap();
        let (wrong, rejected) =
            compare(&key[0], rows, (10.0, &length), (200 + index as u64, 20_000));
        off.extend(wrong);
        assert!(rejected >= 4, "{key:?}: the isolated formula is rejected {rejected} times only");
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
}

/// The same data tell the two kinds of arrivals apart.
#[test]
fn each_kind_of_arrivals_is_rejected_by_the_other_s_data() {
    let groups = rows("exponential_blips.csv");
    let (_, rows) = groups.iter().find(|(key, _)| key[..] == ["10", "20"]).unwrap();
    let length = Law::exponential(20.0).unwrap();
    for arrivals in [Arrivals::GapRenewal, Arrivals::Poisson] {
        let tallies = tallies(rows, (10.0, &length), arrivals, (1, 10_000));
        let deep = rows.iter().position(|row| row.k == 12).unwrap();
        let (own, other) = match arrivals {
            Arrivals::GapRenewal => (rows[deep].gap_renewal, rows[deep].poisson),
            Arrivals::Poisson => (rows[deep].poisson, rows[deep].gap_renewal),
        };
        assert!(agrees(&tallies[deep], own, 12, 10.0), "{arrivals:?}");
        assert!(!agrees(&tallies[deep], other, 12, 10.0), "{arrivals:?}");
    }
}

/// The sampled on/off process of the defaults: the chances that a probe fails, that one fails after a
/// healthy one, and after a failed one.
fn chances() -> (f64, f64, f64) {
    let (a, b, interval) = (1.0 / 900.0, 1.0 / 20.0, 10.0);
    let p: f64 = a / (a + b);
    let decay = f64::exp(-(a + b) * interval);
    (p, p * (1.0 - decay), p + (1.0 - p) * decay)
}

/// 2,000 runs of 30 outages. 20 comparisons at 4.7e-4 each: at most 0.9 % of seeds would fail one.
#[test]
fn delays_and_shares_of_the_defaults_are_right() {
    let (p, _, p11) = chances();
    // Mean delays over outages not already fired on, computed outside this project.
    let means = [(3, 24.81), (12, 114.46), (31, 304.44)];
    let mut scenario = Scenario::default();
    scenario.run.replications = 2_000;
    scenario.run.seed = 7;
    scenario.run.length = Span::from_days(30);
    let environment = Environment::new(scenario).unwrap();
    let ks: Vec<u64> = (1..=6).chain([12, 31]).collect();
    let settings: Vec<Setting> = ks.iter().map(|k| setting(*k)).collect();
    let flawed = |spec| Setting { spec, silence: Silence::Ignored, arming: Arming::Immediate };
    let window = flawed(Spec::Window { window: Span::from_secs(300) });
    let ignoring: Vec<Setting> = ks.iter().map(|k| flawed(Spec::Consecutive { k: *k })).collect();
    let all: Vec<Setting> = settings.into_iter().chain(ignoring).chain([window]).collect();
    let tallies = run(&environment, &all, |_| {});
    let outages = tallies[0].outages;
    assert_eq!(outages, 60_000);
    let near = |hits: u64, chance: f64, what: &str| {
        let expected = chance * outages as f64;
        let right = if expected < FEW {
            is_poisson(hits, expected)
        } else {
            let error = (expected * (1.0 - chance)).sqrt();
            (hits as f64 - expected).abs() <= SIGMAS * error
        };
        assert!(right, "{what}: {hits} of {outages}, expected {expected:.1}");
    };
    for (index, k) in ks.iter().enumerate() {
        let fired = p * p11.powi(*k as i32 - 1);
        near(tallies[index].already_fired, fired, &format!("already fired, k = {k}"));
        let dark = tallies[ks.len() + index].dark.hits;
        near(dark, fired, &format!("dark caught with silence ignored, k = {k}"));
        assert_eq!(tallies[index].dark.hits, outages, "with silence a failure every one is caught");
        assert_eq!(tallies[index].missed, 0);
        let deaths = tallies[index].prober_deaths.hits;
        assert_eq!(deaths, outages - tallies[index].already_fired);
    }
    // A window that ignores silence catches a dark region iff the last probe before it failed.
    near(tallies[2 * ks.len()].dark.hits, 0.0217391, "dark caught by a window");
    for (k, mean) in means {
        let index = ks.iter().position(|known| *known == k).unwrap();
        let sums = &tallies[index].delays.sums;
        let error = (sums.variance().unwrap() / sums.n as f64).sqrt() / 1e9;
        let found = sums.mean_value().unwrap() / 1e9;
        // The means are given to half a hundredth of a second.
        assert!((found - mean).abs() <= SIGMAS * error + 0.005, "k = {k}: {found}, not {mean}");
    }
}

/// Without blips the delay is uniform on [(k − 1)·10 s, k·10 s): 30,000 outages of each kind, four
/// comparisons for each of three triggers; at most 1.2 % of seeds would fail one.
#[test]
fn without_blips_the_delay_is_uniform_over_one_interval() {
    for kind in [OutageKind::Reported, OutageKind::Dark] {
        let mut scenario = Scenario { blips: Blips(Vec::new()), ..Scenario::default() };
        scenario.outage.kind = kind;
        scenario.run.replications = 1_000;
        let environment = Environment::new(scenario).unwrap();
        for k in [1, 12, 31] {
            let tally = &run(&environment, &[setting(k)], |_| {})[0];
            let n = tally.outages as f64;
            assert_eq!((tally.delays.sums.n, tally.firings.sum, tally.missed), (30_000, 0, 0));
            let errors = standard_errors(&tally.delays.sums, (k as f64 - 0.5) * 10e9);
            assert!(errors.abs() <= SIGMAS, "k = {k}: {errors:.2} standard errors");
            for quantile in [0.1, 0.5, 0.9] {
                let found = tally.delays.ranked_s((quantile * n) as u64);
                let error = 10.0 * (quantile * (1.0 - quantile) / n).sqrt();
                let expected = (k as f64 - 1.0 + quantile) * 10.0;
                // Ranks are right to half a bin of 10 ms.
                assert!((found - expected).abs() <= SIGMAS * error + 0.005, "k = {k}: {found}");
            }
            assert!(tally.delays.max < Span::from_secs(10 * k as i64));
            assert!(tally.delays.ranked_s(1) >= 10.0 * (k - 1) as f64);
        }
    }
}
