//! Do blips come independently? A simulation that draws gaps and lengths afresh supposes so.
//!
//! Checked are the hour of the day, and whether short gaps follow short gaps. A failed check is a
//! warning, not an error: the fitted rates are right on average, and wrong hour by hour.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::runs::{Gap, Observed};
use super::warning::Warning;

/// A check that fails by chance this often is not worth a warning.
const RARE: f64 = 0.01;

/// Counts expected in a group of hours, at least, for the chi-square to hold.
const ENOUGH: f64 = 5.0;

/// The warnings that the checks give.
pub fn check(observed: &Observed) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Some((p, hour)) = by_hour(observed).filter(|(p, _)| *p < RARE) {
        warnings.push(Warning::statistical(format!(
            "faults depend on the hour of the day (chi-square p = {p:.2e}; most around {hour:02}:00 UTC): a scenario with one rate is right on average, not hour by hour"
        )));
    }
    if let Some((rho, p)) = clustering(observed).filter(|(_, p)| *p < RARE) {
        let how = if rho > 0.0 {
            "cluster: short gaps follow short ones"
        } else {
            "alternate: short gaps follow long ones"
        };
        warnings.push(Warning::statistical(format!(
            "faults {how} (rank correlation of neighbouring gaps {rho:.2}, p = {p:.2e}): a scenario with independent gaps understates how they bunch"
        )));
    }
    warnings
}

/// Chi-square p-value of starts by hour against healthy time by hour, and the busiest hour. Hours are
/// put together into groups until enough starts are expected in each.
fn by_hour(observed: &Observed) -> Option<(f64, usize)> {
    let mut starts = [0.0; 24];
    for run in observed.runs.iter().filter(|run| run.last_healthy.is_some()) {
        starts[run.hour.min(23)] += 1.0;
    }
    let total: f64 = starts.iter().sum();
    let watched: f64 = observed.healthy_by_hour_s.iter().sum();
    if total < 4.0 * ENOUGH || watched <= 0.0 {
        return None;
    }
    for width in [1, 2, 3, 4, 6, 8, 12] {
        let groups: Vec<(f64, f64)> = (0..24)
            .step_by(width)
            .map(|from| {
                let sum = |of: &[f64; 24]| of[from..from + width].iter().sum::<f64>();
                (sum(&starts), total * sum(&observed.healthy_by_hour_s) / watched)
            })
            .filter(|(seen, expected)| *seen > 0.0 || *expected > 0.0)
            .collect();
        if groups.len() < 2 || groups.iter().any(|(_, expected)| *expected < ENOUGH) {
            continue;
        }
        let distance: f64 = groups.iter().map(|(seen, e)| (seen - e).powi(2) / e).sum();
        let p = ChiSquared::new(groups.len() as f64 - 1.0).ok()?.sf(distance);
        let busiest = (0..24).max_by(|a, b| starts[*a].total_cmp(&starts[*b])).unwrap_or(0);
        return Some((p, busiest));
    }
    None
}

/// Spearman's correlation of each gap with the next, and its two-sided p-value.
fn clustering(observed: &Observed) -> Option<(f64, f64)> {
    let ended = observed.gaps.iter().filter(|gap| gap.after_s.is_some());
    let gaps: Vec<f64> = ended.map(Gap::length_s).collect();
    if gaps.len() < 30 {
        return None;
    }
    let ranks = ranks(&gaps);
    let n = ranks.len() as f64 - 1.0;
    let (first, second) = (&ranks[..ranks.len() - 1], &ranks[1..]);
    let mean = |of: &[f64]| of.iter().sum::<f64>() / n;
    let (a, b) = (mean(first), mean(second));
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (x, y) in first.iter().zip(second) {
        ab += (x - a) * (y - b);
        aa += (x - a).powi(2);
        bb += (y - b).powi(2);
    }
    let rho = if aa > 0.0 && bb > 0.0 { ab / (aa * bb).sqrt() } else { 0.0 };
    let z = rho * (n - 1.0).sqrt();
    Some((rho, statrs::function::erf::erfc(z.abs() / std::f64::consts::SQRT_2)))
}

/// Ranks, those of equals at their middle.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let equal = order[from..].iter().take_while(|i| values[**i] == values[order[from]]).count();
        for i in &order[from..from + equal] {
            ranks[*i] = from as f64 + 0.5 * (equal as f64 - 1.0);
        }
        from += equal;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::super::runs::Run;
    use super::*;
    use crate::time::{Span, Time};

    fn run(hour: usize) -> Run {
        let at = Time::START + Span::from_secs(3_600 * hour as i64);
        Run {
            last_healthy: Some(at),
            first_failed: at,
            last_failed: at,
            first_healthy: Some(at),
            failed: 1,
            hour,
        }
    }

    #[test]
    fn runs_at_one_hour_are_told_and_even_ones_are_not() {
        let mut observed = Observed { healthy_by_hour_s: [3_600.0; 24], ..Observed::default() };
        observed.runs = (0..240).map(|i| run(i % 24)).collect();
        assert_eq!(check(&observed), []);
        observed.runs.extend((0..60).map(|_| run(3)));
        let told = check(&observed);
        assert!(told[0].message.contains("around 03:00"), "{told:?}");
    }

    #[test]
    fn bunched_gaps_are_told() {
        let gap =
            |secs: f64| Gap { before_s: 10.0, healthy_s: secs, after_s: Some(10.0), healthy: 2 };
        let mixed =
            (0..200_u64).map(|i| gap(100.0 * crate::engine::streams::unit_hash(5, i))).collect();
        let mut observed = Observed { gaps: mixed, ..Observed::default() };
        assert_eq!(check(&observed), []);
        observed.gaps = (0..200).map(|i| gap(f64::from(i / 20 * 37 % 101))).collect();
        assert!(check(&observed)[0].message.contains("cluster"));
    }
}
