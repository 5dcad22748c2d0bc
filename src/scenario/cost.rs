//! What things cost: inputs of the advice, which no simulation reads.
//!
//! Every field may be left out, and none has a default: a part of the cost is worked out only where
//! all that it depends on is written. Prices are in one currency, whichever that is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::document::nearest;
use super::validate::Broken;
use super::{Target, Tier};
use crate::law::Law;

/// What things cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cost {
    /// What the currency is called in output, such as `"EUR"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// Price of one GPU for one hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_per_gpu_hour: Option<f64>,
    /// How many GPUs the fleet of the primary has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpus: Option<u64>,
    /// Price of one minute without service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_per_outage_minute: Option<f64>,
    /// How many outages a year the primary has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outages_per_year: Option<f64>,
    /// How long they last. When left out, every outage outlasts the recovery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outage_length: Option<Law>,
    /// Share of the fleet that is kept and paid for as a standby, for each tier.
    #[serde(skip_serializing_if = "is_default")]
    pub standby_share: StandbyShare,
    /// The same for single targets by name, in place of their tier's.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub share_of_target: BTreeMap<String, f64>,
    /// What one false failover costs.
    #[serde(skip_serializing_if = "is_default")]
    pub false_failover: FalseFailover,
}

/// Share of the fleet that is kept as a standby, for each tier, between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StandbyShare {
    /// Of a standby that serves the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hot: Option<f64>,
    /// Of a standby that has capacity and no weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warm: Option<f64>,
    /// Of a standby that has neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cold: Option<f64>,
}

/// What one false failover costs; the parts that are given are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FalseFailover {
    /// Hours that people spend on it, all of them together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours_of_people: Option<f64>,
    /// Price of one such hour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price_per_hour: Option<f64>,
    /// Price of the cold caches that it leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cold_caches: Option<f64>,
    /// Chance that it goes wrong and becomes an outage of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability_goes_wrong: Option<f64>,
    /// What that costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_when_wrong: Option<f64>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Cost {
    /// True iff nothing is given.
    pub fn is_empty(&self) -> bool {
        is_default(self)
    }

    /// The share of the fleet that is kept for `target`, where it is given.
    pub fn share(&self, target: &str, tier: Tier) -> Option<f64> {
        let of_tier = match tier {
            Tier::Hot => self.standby_share.hot,
            Tier::Warm => self.standby_share.warm,
            Tier::Cold => self.standby_share.cold,
        };
        self.share_of_target.get(target).copied().or(of_tier)
    }

    /// Checks the prices and names.
    pub(super) fn validate(&self, targets: &[Target]) -> Result<(), Broken> {
        let wrong = &self.false_failover;
        let shares = &self.standby_share;
        for (key, found) in [
            ("price_per_gpu_hour", self.price_per_gpu_hour),
            ("price_per_outage_minute", self.price_per_outage_minute),
            ("outages_per_year", self.outages_per_year),
            ("false_failover.hours_of_people", wrong.hours_of_people),
            ("false_failover.price_per_hour", wrong.price_per_hour),
            ("false_failover.cold_caches", wrong.cold_caches),
            ("false_failover.cost_when_wrong", wrong.cost_when_wrong),
        ] {
            within(key, found, 1e12)?;
        }
        for (key, found) in [
            ("false_failover.probability_goes_wrong", wrong.probability_goes_wrong),
            ("standby_share.hot", shares.hot),
            ("standby_share.warm", shares.warm),
            ("standby_share.cold", shares.cold),
        ] {
            within(key, found, 1.0)?;
        }
        if self.gpus.is_some_and(|gpus| gpus > 100_000_000) {
            return broken("gpus", "more than 100000000 found; allowed: up to that".to_owned());
        }
        if self.outage_length.as_ref().is_some_and(|law| !law.is_finite_mean()) {
            let message = "this law has an infinite mean, and a mean is needed here".to_owned();
            return broken("outage_length", message);
        }
        self.share_of_target
            .iter()
            .try_for_each(|(name, share)| validate_share(name, *share, targets))
    }
}

fn validate_share(name: &str, share: f64, targets: &[Target]) -> Result<(), Broken> {
    let key = format!("share_of_target.{name}");
    let names = || targets.iter().map(Target::label);
    if names().all(|label| label != name) {
        let hint = nearest(name, names()).map(|near| format!("did you mean `{near}`? "));
        let all: Vec<&str> = names().collect();
        return broken(
            &key,
            format!(
                "there is no target `{name}`; {}allowed: {}",
                hint.unwrap_or_default(),
                all.join(", ")
            ),
        );
    }
    within(&key, Some(share), 1.0)
}

fn within(key: &str, found: Option<f64>, most: f64) -> Result<(), Broken> {
    match found.filter(|found| !(*found >= 0.0 && *found <= most)) {
        Some(found) => broken(key, format!("{found} found; allowed: 0 to {most}")),
        None => Ok(()),
    }
}

fn broken(key: &str, message: String) -> Result<(), Broken> {
    Err(Broken { key: format!("cost.{key}"), message })
}

#[cfg(test)]
mod tests {
    use crate::scenario::{Scenario, Tier};

    #[test]
    fn a_target_goes_before_its_tier_and_nothing_has_a_default() {
        let text = "[[targets]]\ntier = \"hot\"\nname = \"eu\"\n[[targets]]\ntier = \"hot\"\n\
                    [cost]\nshare_of_target = { eu = 0.3 }\nstandby_share = { hot = 1.0 }";
        let cost = Scenario::from_toml("test", text).unwrap().cost;
        assert_eq!(cost.share("eu", Tier::Hot), Some(0.3));
        assert_eq!(cost.share("hot", Tier::Hot), Some(1.0));
        assert_eq!(cost.share("hot", Tier::Cold), None);
        assert!(Scenario::default().cost.is_empty());
    }

    #[test]
    fn impossible_prices_are_refused_by_key() {
        let said = |line: &str| {
            Scenario::from_toml("test", &format!("[cost]\n{line}")).unwrap_err().to_string()
        };
        assert!(said("price_per_gpu_hour = -1.0").contains("cost.price_per_gpu_hour: -1 found"));
        assert!(said("standby_share.hot = 1.5").contains("allowed: 0 to 1"));
        assert!(said("share_of_target = { hott = 0.5 }").contains("did you mean `hot`?"));
        assert!(said("gpu = 8").contains("did you mean `gpus`?"));
        assert!(said("outages_per_year = nan").contains("NaN found"));
    }
}
