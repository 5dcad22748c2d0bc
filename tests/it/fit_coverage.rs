//! Do the intervals cover the truth as often as they say, and is the true law found?
//!
//! Histories are simulated with known laws by the world itself, which knows nothing of the fit.

use failover_budget::engine::Streams;
use failover_budget::fit::evidence::Evidence;
use failover_budget::fit::recurrence::Recurrence;
use failover_budget::fit::{self, Family, Observed, Options, Part, Run, fitted, separate};
use failover_budget::history::History;
use failover_budget::law::Law;
use failover_budget::scenario::{BlipSource, Blips, Scenario};
use failover_budget::time::Span;
use failover_budget::world;
use rayon::prelude::*;

const GAP_S: f64 = 900.0;

/// Histories a case.
const EACH: u64 = 200;

/// A history of about `blips` blips with exponential gaps of 15 min.
pub fn simulated(length: &Law, interval_s: i64, blips: u64, replication: u64) -> History {
    let mut scenario = Scenario::default();
    scenario.probe.interval = Span::from_secs(interval_s);
    scenario.run.length = Span::from_secs_f64(blips as f64 * (GAP_S + length.mean()));
    let gap = Law::exponential(GAP_S).unwrap();
    let source = BlipSource { gap, length: length.clone(), ..BlipSource::default() };
    scenario.blips = Blips(vec![source]);
    world::simulate(&scenario, Streams::new(20_260_101, replication), None)
}

pub fn part(history: &History) -> Part<'_> {
    Part { history, epoch: jiff::Timestamp::UNIX_EPOCH }
}

struct Case {
    family: Family,
    length: Law,
    interval_s: i64,
}

/// Four families, means from 5 to 60 s, probes every 10 and 30 s.
///
/// With 5 s blips and a 30 s probe hardly a run has two failures, which cannot tell a shape: there
/// the exponential alone is held to its word.
fn cases() -> Vec<Case> {
    let of = |family, mean: f64| match family {
        Family::Lognormal => Law::lognormal(mean.ln() - 0.5, 1.0),
        Family::Weibull => Law::weibull(0.7, 1.0).and_then(|law| law.with_mean(mean)),
        Family::Gamma => Law::gamma(2.0, mean / 2.0),
        _ => Law::exponential(mean),
    };
    let families = [Family::Exponential, Family::Lognormal, Family::Weibull, Family::Gamma];
    let mut cases = Vec::new();
    for (mean, interval_s) in [(5.0, 10), (20.0, 10), (60.0, 10), (5.0, 30), (20.0, 30), (60.0, 30)]
    {
        for family in families {
            if mean / interval_s as f64 > 0.2 || family == Family::Exponential {
                cases.push(Case { family, length: of(family, mean).unwrap(), interval_s });
            }
        }
    }
    cases
}

/// Whether the intervals cover the truth: of the mean length, of the mean gap; and that of the naive
/// fit, an exponential law of failed probes × interval.
struct Covers {
    mean: bool,
    gap: bool,
    naive: bool,
}

fn covers(case: &Case, replication: u64) -> Option<Covers> {
    let history = simulated(&case.length, case.interval_s, 400, replication);
    let observed = Observed::of(&[part(&history)]);
    let runs: Vec<&Run> = observed.runs.iter().collect();
    let evidence = separate::windows(&observed, &runs);
    let recurrence = Recurrence::of(&observed, &runs, None);
    let fitted = fitted::fit(case.family, &evidence, Some(&recurrence), 0.95);
    let mean = fitted.mean_s?;
    let exact =
        observed.runs.iter().map(|run| (run.failed * case.interval_s as u64) as f64).collect();
    let naive = Evidence::Durations { exact, censored: Vec::new() };
    let naive = fitted::fit(Family::Exponential, &naive, None, 0.95).mean_s?;
    let truth = case.length.mean();
    // The gap's interval as the fit of a history makes it: count and chance in quadrature.
    let joins = fitted.joins();
    let gap_of = |law: &Law| recurrence.rate(law, &joins).recip();
    let gap = gap_of(fitted.law.as_ref()?);
    let (least, most) = fitted.range(gap_of);
    let count = 1.96 / (recurrence.begun as f64).sqrt();
    let (down, up) = ((gap / least).ln().hypot(count), (most / gap).ln().hypot(count));
    Some(Covers {
        mean: mean.covers(truth),
        gap: !fitted.converged || gap * (-down).exp() < GAP_S && GAP_S < gap * up.exp(),
        naive: naive.covers(truth),
    })
}

/// Tolerance: luck alone, five standard errors below the nominal 95 % (n = 200 a case, 1.5 points each;
/// about 1,000 a family, 0.7 points each). Measured with 2,000 histories a case, coverage is 94.2 to 95.1 %
/// where blips outlast the interval and 93.2 % or more where they do not (docs/refit.md): that is more
/// than three standard errors above what is asked of a case. Seeds are fixed.
/// Above, an interval that always covers would be no 95 % interval: 99.5 % of a family is the most.
#[test]
fn intervals_cover_the_truth_as_often_as_they_say() {
    let cases = cases();
    let said: Vec<(Family, f64, i64, Option<Covers>)> = cases
        .par_iter()
        .flat_map(|case| {
            (0..EACH)
                .into_par_iter()
                .map(move |i| (case.family, case.length.mean(), case.interval_s, covers(case, i)))
        })
        .collect();
    let share = |of: &[&Covers], what: fn(&Covers) -> bool| {
        of.iter().filter(|covers| what(covers)).count() as f64 / of.len() as f64
    };
    let least = |of: &[&Covers]| 0.95 - 5.0 * (0.95 * 0.05 / of.len() as f64).sqrt();
    for case in &cases {
        let (mean_s, interval_s) = (case.length.mean(), case.interval_s);
        let of: Vec<&Covers> = said
            .iter()
            .filter(|s| (s.0, s.1, s.2) == (case.family, mean_s, interval_s))
            .filter_map(|s| s.3.as_ref())
            .collect();
        let (mean, gap) = (share(&of, |c| c.mean), share(&of, |c| c.gap));
        let asked = least(&of);
        let name = format!("{:?} of {mean_s} s every {interval_s} s", case.family);
        assert!(mean > asked && gap > asked, "{name}: mean {mean}, gap {gap}, asked {asked}");
    }
    for family in [Family::Exponential, Family::Lognormal, Family::Weibull, Family::Gamma] {
        let of: Vec<&Covers> =
            said.iter().filter(|s| s.0 == family).filter_map(|s| s.3.as_ref()).collect();
        // Where the data do not settle a shape there is no interval; that must be seldom.
        let asked = said.iter().filter(|s| s.0 == family).count() as f64;
        let n = of.len() as f64;
        assert!(n > 0.8 * asked, "{family:?}: only {n} of {asked} have an interval");
        let (mean, gap) = (share(&of, |c| c.mean), share(&of, |c| c.gap));
        assert!(mean > least(&of) && mean < 0.995, "{family:?}: mean {mean} of {n}");
        assert!(gap > least(&of), "{family:?}: gap {gap} of {n}");
    }
    // The naive fit is nowhere near where blips are not much longer than the interval.
    let short: Vec<&Covers> = said
        .iter()
        .filter(|(_, mean, interval, _)| *mean < 1.5 * *interval as f64)
        .filter_map(|s| s.3.as_ref())
        .collect();
    let naive = short.iter().filter(|c| c.naive).count();
    assert!(naive * 50 < short.len(), "the naive fit covers {naive} of {}", short.len());
}

/// At 2,000 blips the true law is selected, or named as a tie.
#[test]
fn the_true_law_is_selected_or_a_tie() {
    let cases: Vec<Case> =
        cases().into_iter().filter(|c| c.length.mean() / c.interval_s as f64 > 0.2).collect();
    let wrong: Vec<String> = cases
        .par_iter()
        .filter_map(|case| {
            let history = simulated(&case.length, case.interval_s, 2_000, 7);
            let fit = fit::history(&[part(&history)], &Options { draws: 0, ..Options::default() });
            let length = &fit.blips.length;
            let found = length.selected == Some(case.family) || length.ties.contains(&case.family);
            let told = length.ties.is_empty() || !length.warnings.is_empty();
            // By luck alone the exponential's weight is below this once in some ten thousand fits.
            let gap =
                fit.gap.families.iter().any(|f| f.family == Family::Exponential && f.weight > 1e-3);
            let whole = fit.threshold.after.is_none();
            (!(found && told && gap && whole)).then(|| {
                format!(
                    "{:?} {} every {}: {:?} {:?}, gap {:?}, {:?}",
                    case.family,
                    case.length.mean(),
                    case.interval_s,
                    length.selected,
                    length.ties,
                    fit.gap.selected,
                    fit.threshold
                )
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The likelihood of runs has its exponential maximum in closed form, joins left out.
#[test]
fn exponential_runs_have_a_closed_form() {
    let history = simulated(&Law::exponential(20.0).unwrap(), 10, 500, 3);
    let observed = Observed::of(&[part(&history)]);
    let runs: Vec<&Run> = observed.runs.iter().filter(|run| !run.is_censored()).collect();
    let evidence = separate::windows(&observed, &runs);
    let fitted = fitted::fit(Family::Exponential, &evidence, None, 0.95);
    let probes = runs.iter().map(|run| run.failed as f64).sum::<f64>() / runs.len() as f64;
    let closed = -10.0 / (-probes.recip()).ln_1p();
    let found = fitted.mean_s.unwrap().value;
    assert!((found / closed - 1.0).abs() < 1e-5, "{found} {closed}");
}

/// A few outages among thousands of blips are set apart, and blips with a heavy tail are not cut.
#[test]
fn outages_are_set_apart_by_the_data() {
    let mut scenario = Scenario::default();
    scenario.run.length = Span::from_days(14);
    let outage = |name: &str, gap: f64, length: Law| BlipSource {
        name: name.to_owned(),
        gap: Law::exponential(gap).unwrap(),
        length,
        ..BlipSource::default()
    };
    let long = Law::uniform(3_000.0, 20_000.0).unwrap();
    scenario.blips.0.push(outage("outages", 300_000.0, long));
    let history = world::simulate(&scenario, Streams::new(5, 0), None);
    let options = Options { draws: 0, ..Options::default() };
    let fit = fit::history(&[part(&history)], &options);
    let truly = history.faults.iter().filter(|fault| fault.source == 1).count() as u64;
    let after = fit.threshold.after.unwrap();
    assert!(after > Span::from_secs(200) && after < Span::from_secs(3_100), "{:?}", fit.threshold);
    assert_eq!(fit.outages.n, truly);
    let mean = |fit: &fit::HistoryFit| {
        let exponential =
            fit.blips.length.families.iter().find(|f| f.family == Family::Exponential);
        exponential.unwrap().mean_s.unwrap()
    };
    assert!(mean(&fit).covers(20.0), "{}", mean(&fit).show(2));
    // The user's word counts.
    let stated = Options { outage_after: Some(Span::from_secs(60)), ..options };
    let fit = fit::history(&[part(&history)], &stated);
    assert!(fit.outages.n > 10 * truly && fit.threshold.reason.contains("--outage-after 1min"));
    // Cut at a minute, the blips' law is still that of all blips.
    assert!(mean(&fit).covers(20.0), "{}", mean(&fit).show(2));
}

/// The bootstrap accepts the truth and rejects a wrong law, and threads do not matter.
#[test]
fn goodness_of_fit_and_its_seed() {
    let lognormal = Law::lognormal(60_f64.ln() - 0.5, 1.0).unwrap();
    let history = simulated(&lognormal, 10, 1_000, 11);
    let options = Options { draws: 60, ..Options::default() };
    let fitted = || fit::history(&[part(&history)], &options);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(fitted);
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap().install(fitted);
    let text = |fit| {
        serde_json::Value::Object(fit::json::history(serde_json::Value::Null, fit)).to_string()
    };
    assert_eq!(text(&one), text(&two));
    let p = |family: Family| {
        one.blips.length.families.iter().find(|f| f.family == family).unwrap().gof_p.unwrap()
    };
    assert!(p(Family::Lognormal) > 0.02, "{}", p(Family::Lognormal));
    assert!(p(Family::Exponential) < 0.02 && p(Family::Pareto) < 0.02);
}
