//! The table of a law: which keys make up a law of which family, and the way there and back.

use serde::{Deserialize, Serialize};

use super::{FAMILIES, Head};
use crate::law::secs::Secs;
use crate::law::{Law, LawError, error};
use crate::time::Span;

/// The sets of keys that describe a law of a family; the one with the mean comes last.
fn forms(family: &str) -> &'static [&'static [&'static str]] {
    match family {
        "exponential" => &[&["mean"]],
        "lognormal" => &[&["mu", "sigma"], &["median", "sigma"], &["mean", "sigma"]],
        "weibull" | "gamma" | "log-logistic" => &[&["shape", "scale"], &["mean", "shape"]],
        "pareto" => &[&["alpha", "minimum"], &["mean", "alpha"]],
        "uniform" => &[&["from", "to"]],
        "constant" => &[&["value"]],
        "mixture" => &[&["of"], &["mean", "of"]],
        _ => &[
            &["values"],
            &["values", "weights"],
            &["mean", "values"],
            &["mean", "values", "weights"],
        ],
    }
}

/// Every key of every family, as it stands in the table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<f64>,
    law: Option<Head>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<Secs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    median: Option<Secs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mu: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sigma: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<Secs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<Secs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Secs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Secs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Secs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Secs>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<Vec<Written>>,
}

impl Written {
    /// The keys that are there, beside `law`, in the order of [`forms`] (alphabetical).
    fn given(&self) -> Vec<&'static str> {
        let keys = [
            ("alpha", self.alpha.is_some()),
            ("from", self.from.is_some()),
            ("mean", self.mean.is_some()),
            ("median", self.median.is_some()),
            ("minimum", self.minimum.is_some()),
            ("mu", self.mu.is_some()),
            ("of", self.of.is_some()),
            ("scale", self.scale.is_some()),
            ("shape", self.shape.is_some()),
            ("sigma", self.sigma.is_some()),
            ("to", self.to.is_some()),
            ("value", self.value.is_some()),
            ("values", self.values.is_some()),
            ("weight", self.weight.is_some()),
            ("weights", self.weights.is_some()),
        ];
        keys.into_iter().filter(|(_, there)| *there).map(|(key, _)| key).collect()
    }

    /// Checks the keys and builds the law.
    pub(super) fn into_law(mut self) -> Result<Law, LawError> {
        match self.law.take() {
            None => Err(LawError::NoFamily { allowed: FAMILIES.join(", ") }),
            Some(Head::Family(family)) => {
                self.check_form(family)?;
                self.build(family)
            }
            Some(Head::Law(law)) => match self.given().first() {
                None => Ok(law),
                Some(key) => Err(LawError::NotAParameter {
                    family: law.family(),
                    key,
                    forms: "no further key, since `law` already holds the whole law".to_owned(),
                }),
            },
        }
    }

    fn check_form(&self, family: &'static str) -> Result<(), LawError> {
        let (given, forms) = (self.given(), forms(family));
        let same = |form: &&[&str]| {
            form.len() == given.len() && form.iter().all(|key| given.contains(key))
        };
        if forms.iter().any(same) {
            return Ok(());
        }
        let told: Vec<String> = forms.iter().map(|form| quoted(form)).collect();
        let told = told.join(", or ");
        match given.iter().find(|key| !forms.iter().any(|form| form.contains(key))) {
            Some(key) => Err(LawError::NotAParameter { family, key, forms: told }),
            None => Err(LawError::Form { family, found: quoted(&given), forms: told }),
        }
    }

    /// Builds the law from keys that make up one of the family's forms. A mean stretches the law
    /// of scale 1.
    fn build(self, family: &'static str) -> Result<Law, LawError> {
        let missing = |key: &'static str| LawError::Form {
            family,
            found: format!("no `{key}`"),
            forms: format!("`{key}`"),
        };
        let number = |key, found: Option<f64>| found.ok_or_else(|| missing(key));
        let secs = |key, found: Option<Secs>| found.map(|s| s.0).ok_or_else(|| missing(key));
        let scale = |found: Option<Secs>| found.map_or(1.0, |s| s.0);
        let law = match family {
            "exponential" => return Law::exponential(secs("mean", self.mean)?),
            "lognormal" => {
                let mu = match self.median {
                    Some(median) => error::length(family, "median", median.0)?.ln(),
                    None => self.mu.unwrap_or(0.0),
                };
                Law::lognormal(mu, number("sigma", self.sigma)?)?
            }
            "weibull" => Law::weibull(number("shape", self.shape)?, scale(self.scale))?,
            "gamma" => Law::gamma(number("shape", self.shape)?, scale(self.scale))?,
            "log-logistic" => Law::log_logistic(number("shape", self.shape)?, scale(self.scale))?,
            "pareto" => Law::pareto(number("alpha", self.alpha)?, scale(self.minimum))?,
            "uniform" => Law::uniform(secs("from", self.from)?, secs("to", self.to)?)?,
            "constant" => Law::constant(secs("value", self.value)?)?,
            "mixture" => Law::mixture(parts(self.of.unwrap_or_default())?)?,
            _ => {
                let values = self.values.unwrap_or_default().into_iter().map(|s| s.0).collect();
                Law::empirical(values, self.weights)?
            }
        };
        match self.mean {
            Some(mean) => law.with_mean(mean.0),
            None => Ok(law),
        }
    }

    /// The table of a law, by mean and shape where that gives the same law to the last bit.
    pub(super) fn of_law(law: &Law) -> Written {
        let natural = Written { law: Some(Head::Family(law.family())), ..Written::default() };
        let natural = match law {
            Law::Exponential(of) => Written { mean: secs(of.mean()), ..natural },
            Law::Lognormal(of) => Written { mu: Some(of.mu()), sigma: Some(of.sigma()), ..natural },
            Law::Weibull(of) => {
                Written { shape: Some(of.shape()), scale: secs(of.scale()), ..natural }
            }
            Law::Gamma(of) => {
                Written { shape: Some(of.shape()), scale: secs(of.scale()), ..natural }
            }
            Law::LogLogistic(of) => {
                Written { shape: Some(of.shape()), scale: secs(of.scale()), ..natural }
            }
            Law::Pareto(of) => {
                Written { alpha: Some(of.alpha()), minimum: secs(of.minimum()), ..natural }
            }
            Law::Uniform(of) => Written { from: secs(of.from()), to: secs(of.to()), ..natural },
            Law::Constant(of) => Written { value: secs(of.value()), ..natural },
            Law::Mixture(of) => {
                let part = |(weight, law): &(f64, Law)| Written {
                    weight: Some(*weight),
                    ..Written::of_law(law)
                };
                Written { of: Some(of.parts().iter().map(part).collect()), ..natural }
            }
            Law::Empirical(of) => Written {
                values: Some(of.values().iter().map(|value| Secs(*value)).collect()),
                weights: of
                    .weights()
                    .iter()
                    .any(|weight| *weight != 1.0)
                    .then(|| of.weights().to_vec()),
                ..natural
            },
        };
        natural.by_mean(law).unwrap_or(natural)
    }

    /// The same table by mean and shape, for the families of one shape, if that loses nothing.
    fn by_mean(&self, law: &Law) -> Option<Written> {
        if !(self.mu.is_some() || self.scale.is_some() || self.minimum.is_some()) {
            return None;
        }
        let mean = Secs(Span::from_secs_f64(law.mean()).as_secs_f64());
        let by_mean =
            Written { mean: Some(mean), mu: None, scale: None, minimum: None, ..self.clone() };
        by_mean.clone().into_law().is_ok_and(|same| same == *law).then_some(by_mean)
    }
}

fn secs(secs: f64) -> Option<Secs> {
    Some(Secs(secs))
}

fn quoted(keys: &[&str]) -> String {
    match keys {
        [] => "no parameter".to_owned(),
        keys => keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" and "),
    }
}

/// The parts of a mixture; a part without a weight is refused.
fn parts(written: Vec<Written>) -> Result<Vec<(f64, Law)>, LawError> {
    let part = |mut part: Written| {
        let weight = part.weight.take().ok_or_else(|| LawError::Form {
            family: "mixture",
            found: "a part without `weight`".to_owned(),
            forms: "parts like { weight = 0.9, law = \"exponential\", mean = \"5s\" }".to_owned(),
        })?;
        Ok((weight, part.into_law()?))
    };
    written.into_iter().map(part).collect()
}
