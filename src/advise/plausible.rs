//! The laws that a refit leaves plausible, read from the JSON of `fit`.
//!
//! It is handed text and reads no files. What it does not need of the JSON it does not look at.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::law::Law;
use crate::scenario::{BlipSource, Blips, Scenario};

/// A law of less Akaike weight than this is not plausible.
pub const LEAST_WEIGHT: f64 = 0.05;

/// The schema that is read.
const SCHEMA: &str = "failover-budget/fit/1";

/// The laws of blips that a refit leaves plausible.
#[derive(Clone, Debug, PartialEq)]
pub struct Plausible {
    /// Laws of the length with their Akaike weights, the weightiest first; at least one.
    pub lengths: Vec<(Law, f64)>,
    /// The law of the gap, where the recording told it.
    pub gap: Option<Law>,
    /// Families that are plausible and cannot be used, with the reason.
    pub left_out: Vec<String>,
}

/// Why a refit gives no laws.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlausibleError {
    /// It is not the JSON of `fit`.
    #[error("{file}: this is not what `fit --format json` prints: {why}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the parser made of it.
        why: String,
    },
    /// Its schema is another.
    #[error(
        "{file}: its schema is `{found}`; allowed: `{SCHEMA}`, which `fit --format json` prints"
    )]
    Schema {
        /// The file.
        file: String,
        /// What was found.
        found: String,
    },
    /// It is about more than one recording.
    #[error(
        "{file}: it holds several series; refit the one that is meant alone, with `fit --series`"
    )]
    Several {
        /// The file.
        file: String,
    },
    /// It has no law that could be used.
    #[error(
        "{file}: no law of blip lengths has a weight of {LEAST_WEIGHT} or more and a finite mean{}; \
         record for longer, or write a law into the scenario",
        reasons(.left_out)
    )]
    NoLaw {
        /// The file.
        file: String,
        /// The families that are plausible and cannot be used.
        left_out: Vec<String>,
    },
}

fn reasons(left_out: &[String]) -> String {
    if left_out.is_empty() { String::new() } else { format!(" ({})", left_out.join(", ")) }
}

#[derive(Deserialize)]
struct Fit {
    schema: String,
    blips: Option<Faults>,
    durations: Option<OneOrMore>,
    series: Option<serde::de::IgnoredAny>,
}

/// Several lists stand as a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(Laws),
    /// That it is a list is all that matters.
    More(#[expect(dead_code)] Vec<serde::de::IgnoredAny>),
}

#[derive(Deserialize)]
struct Faults {
    length: Laws,
    gap: Option<Laws>,
}

#[derive(Deserialize)]
struct Laws {
    selected: Option<String>,
    #[serde(default)]
    ties: Vec<String>,
    #[serde(default)]
    families: Vec<Family>,
}

#[derive(Deserialize)]
struct Family {
    family: String,
    #[serde(default)]
    parameters: BTreeMap<String, Figure>,
    weight: Option<f64>,
    #[serde(default)]
    converged: bool,
}

/// A parameter stands as an estimate, or as its value alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Figure {
    Value(f64),
    Estimate { value: f64 },
}

impl Family {
    /// The law with these parameters.
    fn law(&self) -> Result<Law, String> {
        let figure = |name: &str| match self.parameters.get(name) {
            Some(Figure::Value(value) | Figure::Estimate { value }) => Ok(*value),
            None => Err(format!("{} has no `{name}`", self.family)),
        };
        let law = match self.family.as_str() {
            "exponential" => Law::exponential(figure("mean_s")?),
            "weibull" => Law::weibull(figure("shape")?, figure("scale_s")?),
            "gamma" => Law::gamma(figure("shape")?, figure("scale_s")?),
            "log-logistic" => Law::log_logistic(figure("shape")?, figure("scale_s")?),
            "lognormal" => Law::lognormal(figure("mu")?, figure("sigma")?),
            "pareto" => Law::pareto(figure("alpha")?, figure("minimum_s")?),
            other => return Err(format!("`{other}` is no family that is known here")),
        };
        let law = law.map_err(|why| why.to_string())?;
        if law.is_finite_mean() { Ok(law) } else { Err(format!("{} has no mean", self.family)) }
    }
}

impl Laws {
    /// The law of a gap: exponential where the data do not tell it from the best, since exact rates
    /// are known for it.
    fn gap(&self) -> Option<Law> {
        let named = |name: &str| self.families.iter().find(|family| family.family == name);
        let tie = self.ties.iter().any(|name| name == "exponential");
        let family = tie.then(|| named("exponential")).flatten();
        family.or_else(|| named(self.selected.as_deref()?))?.law().ok()
    }
}

impl Plausible {
    /// Reads the JSON of `fit`; `file` is its name in errors.
    ///
    /// # Errors
    /// When it is something else, or holds no law that could be used.
    pub fn from_json(file: &str, text: &str) -> Result<Self, PlausibleError> {
        let unreadable = |why: String| PlausibleError::Unreadable { file: file.to_owned(), why };
        let several = || PlausibleError::Several { file: file.to_owned() };
        let fit: Fit = serde_json::from_str(text).map_err(|why| unreadable(why.to_string()))?;
        if fit.schema != SCHEMA {
            return Err(PlausibleError::Schema { file: file.to_owned(), found: fit.schema });
        }
        let (length, gap) = match (fit.blips, fit.durations) {
            (Some(blips), _) => (blips.length, blips.gap.and_then(|gap| gap.gap())),
            (None, Some(OneOrMore::One(durations))) => (durations, None),
            (None, Some(OneOrMore::More(_))) => return Err(several()),
            (None, None) if fit.series.is_some() => return Err(several()),
            (None, None) => {
                return Err(unreadable("it has neither `blips` nor `durations`".into()));
            }
        };
        let (mut lengths, mut left_out) = (Vec::new(), Vec::new());
        for family in length.families.iter().filter(|family| family.converged) {
            let weight = family.weight.unwrap_or(0.0);
            if weight < LEAST_WEIGHT {
                continue;
            }
            match family.law() {
                Ok(law) => lengths.push((law, weight)),
                Err(why) => left_out.push(why),
            }
        }
        if lengths.is_empty() {
            return Err(PlausibleError::NoLaw { file: file.to_owned(), left_out });
        }
        // Stable: of equals the first, which is the simpler, stays first.
        lengths.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(Plausible { lengths, gap, left_out })
    }

    /// The scenario with one of the laws as its only source of blips.
    pub fn put_into(&self, scenario: &mut Scenario, length: &Law) {
        let mut source = match &mut scenario.blips.0[..] {
            [only] => only.clone(),
            _ => BlipSource::default(),
        };
        source.length = length.clone();
        if let Some(gap) = &self.gap {
            source.gap = gap.clone();
        }
        scenario.blips = Blips(vec![source]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIT: &str = r#"{"schema":"failover-budget/fit/1","history":{},"blips":{"n":9,"length":{
        "selected":"weibull","families":[
        {"family":"exponential","parameters":{"mean_s":{"value":21.5,"lo":20,"hi":23,"level":0.95,"n":9}},"weight":0.2,"converged":true},
        {"family":"weibull","parameters":{"shape":0.7,"scale_s":16.0},"weight":0.7,"converged":true},
        {"family":"pareto","parameters":{"alpha":0.9,"minimum_s":1.0},"weight":0.06,"converged":true},
        {"family":"gamma","parameters":{},"weight":0.04,"converged":true},
        {"family":"lognormal","parameters":{},"weight":null,"converged":false}]},
        "gap":{"selected":"gamma","ties":["exponential"],"families":[
        {"family":"exponential","parameters":{"mean_s":600.0},"weight":0.4,"converged":true},
        {"family":"gamma","parameters":{"shape":1.1,"scale_s":550.0},"weight":0.6,"converged":true}]}}}"#;

    #[test]
    fn plausible_laws_come_the_weightiest_first() {
        let plausible = Plausible::from_json("fit.json", FIT).unwrap();
        let families: Vec<_> =
            plausible.lengths.iter().map(|(law, w)| (law.family(), *w)).collect();
        assert_eq!(families, [("weibull", 0.7), ("exponential", 0.2)]);
        assert_eq!(plausible.gap.as_ref().unwrap().family(), "exponential");
        assert_eq!(plausible.left_out, ["pareto has no mean"]);
        let mut scenario = Scenario::default();
        plausible.put_into(&mut scenario, &plausible.lengths[1].0);
        assert_eq!(
            (scenario.blips.0[0].gap.mean(), scenario.blips.0[0].length.mean()),
            (600.0, 21.5)
        );
    }

    #[test]
    fn what_is_no_refit_is_refused() {
        let said = |text: &str| Plausible::from_json("a.json", text).unwrap_err().to_string();
        assert!(said("{").contains("a.json: this is not what `fit --format json` prints"));
        assert!(said("{\"schema\":\"failover-budget/lab/1\"}").contains("failover-budget/lab/1"));
        assert!(said("{\"schema\":\"failover-budget/fit/1\"}").contains("neither"));
        let several = "{\"schema\":\"failover-budget/fit/1\",\"series\":[{\"series\":\"a\"}]}";
        assert!(said(several).contains("several series"));
        assert!(said(&several.replace("series\":[", "durations\":[")).contains("several series"));
        let none = r#"{"schema":"failover-budget/fit/1","durations":{"selected":null,"families":[
            {"family":"pareto","parameters":{"alpha":0.5,"minimum_s":1},"weight":1,"converged":true}]}}"#;
        assert!(said(none).contains("(pareto has no mean)"));
    }
}
