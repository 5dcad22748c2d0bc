//! Costs held to sums done by hand.

use super::*;
use crate::advise::{Preference, Question};
use crate::scenario::Scenario;

const PRICES: &str = r#"
[cost]
price_per_gpu_hour = 2.0
gpus = 8
price_per_outage_minute = 300.0
outages_per_year = 4.0
standby_share = { hot = 1.0, warm = 0.5, cold = 0.0 }
[cost.false_failover]
hours_of_people = 6.0
price_per_hour = 100.0
cold_caches = 400.0
probability_goes_wrong = 0.01
cost_when_wrong = 50000.0
"#;

fn costs(text: &str) -> (Advisor, Costs) {
    let scenario = Scenario::from_toml("test", text).unwrap();
    let limit = "1/30d".parse().unwrap();
    let (preference, plausible) = (Preference::Cheap, None);
    let question = Question { limit, preference, tiers: Vec::new(), plausible };
    let mut advisor = Advisor::new(&scenario, &question).unwrap();
    let costs = Costs::of(&mut advisor, &[]).unwrap();
    (advisor, costs)
}

fn find<'a>(costs: &'a Costs, target: &str, k: u64) -> &'a CostRow {
    costs.rows.iter().find(|row| row.target == target && row.patience.k == k).unwrap()
}

fn near(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
}

#[test]
fn each_part_is_the_sum_done_by_hand() {
    let (mut advisor, costs) = costs(PRICES);
    let row = find(&costs, "warm", 17);
    near(row.standby_cost_per_year.unwrap(), 2.0 * 8.0 * 0.5 * 8_766.0);
    // One false failover: 600 of people, 400 of caches, 500 for the chance to go wrong.
    let rate = advisor.base().rate(17).value;
    near(row.false_failover_cost_per_year.unwrap().value, rate * 365.25 * 1_500.0);
    let theory = advisor.base().theory(17).unwrap();
    let (already, mean) = (theory.already_fired(17), theory.detection_mean_s(17));
    let minutes = ((1.0 - already) * mean + 320.0) / 60.0;
    near(row.outage_cost_per_year.unwrap().value, 4.0 * 300.0 * minutes);
    let sum = row.standby_cost_per_year.unwrap()
        + row.outage_cost_per_year.unwrap().value
        + row.false_failover_cost_per_year.unwrap().value;
    near(row.cost_per_year.value, sum);
    assert_eq!(row.cost_per_year.exact, Some(row.cost_per_year.value));
}

#[test]
fn the_cheapest_and_the_frontier_are_those_of_brute_force() {
    let (_, costs) = costs(PRICES);
    for target in ["hot", "warm"] {
        let feasible = costs.rows.iter().filter(|row| row.target == target && row.in_band);
        let least = feasible.map(|row| row.cost_per_year.value).fold(f64::INFINITY, f64::min);
        let k = costs.cheapest(target).unwrap();
        assert_eq!(find(&costs, target, k).cost_per_year.value, least);
        assert!((17..=72).contains(&k));
    }
    assert_eq!(costs.cheapest("cold"), None);
    for row in &costs.rows {
        let beats = |other: &&CostRow| {
            let (cost, mine) = (other.cost_per_year.value, row.cost_per_year.value);
            other.recovery_s <= row.recovery_s
                && cost <= mine
                && (other.recovery_s < row.recovery_s || cost < mine)
        };
        assert_eq!(row.on_frontier, !costs.rows.iter().any(|o| beats(&o)), "{row:?}");
    }
}

/// Exponential outages of mean m against a constant recovery r: E min(L, r) = m (1 − e^(−r/m)).
#[test]
fn short_outages_cost_no_more_than_they_last() {
    let lengths = "outage_length = { law = \"exponential\", mean = \"10min\" }";
    let text = PRICES.replace("gpus = 8", &format!("gpus = 8\n{lengths}"));
    // Without blips that a probe sees, detection is even over one interval.
    let quiet = format!("[blips]\ngap = \"36500d\"\n{text}")
        .replace("gap = \"36500d\"", "gap = { law = \"exponential\", mean = \"36500d\" }");
    let (_, costs) = costs(&quiet);
    let row = find(&costs, "hot", 12);
    let (mean, from, to) = (600.0_f64, 110.0 + 180.0, 120.0 + 180.0);
    let inner = (mean / 10.0) * ((-from / mean).exp() - (-to / mean).exp());
    let minutes = mean * (1.0 - inner) / 60.0;
    let found = row.outage_cost_per_year.unwrap().value / (4.0 * 300.0);
    // Over 64 points of an even delay.
    assert!((found / minutes - 1.0).abs() < 1e-5, "{found} {minutes}");
}

#[test]
fn what_is_not_given_is_left_out_and_said() {
    let (_, costs) = costs("[cost]\nprice_per_gpu_hour = 2.0\ngpus = 8\nstandby_share.hot = 1.0");
    let hot = find(&costs, "hot", 17);
    assert_eq!(hot.cost_per_year.value, hot.standby_cost_per_year.unwrap());
    assert_eq!((hot.outage_cost_per_year, hot.false_failover_cost_per_year), (None, None));
    assert_eq!(find(&costs, "warm", 17).standby_cost_per_year, None);
    let said = costs.notes.join("\n");
    for word in ["the standby warm: cost.standby_share", "cost.outages_per_year", "cold_caches"] {
        assert!(said.contains(word), "{said}");
    }
    let (_, none) = self::costs("");
    assert!(none.rows.is_empty() && none.notes.is_empty());
}
