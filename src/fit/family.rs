//! The families that are fitted: their parameters, and the coordinates in which they are searched.
//!
//! A family states no more than that; densities and survivals are those of [`crate::law`], start
//! values stand in `start`, and censoring in `evidence`.

use serde::Serialize;

use super::optimise::{Bounds, Point};
use crate::law::Law;

/// A family of laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// `mean_s`.
    Exponential,
    /// `shape`, `scale_s`.
    Weibull,
    /// `shape`, `scale_s`.
    Gamma,
    /// `mu`, `sigma`.
    Lognormal,
    /// `shape`, `scale_s`.
    LogLogistic,
    /// `alpha`, `minimum_s`.
    Pareto,
}

/// Shapes outside `1/WIDEST … WIDEST` are taken as no shape at all.
const WIDEST: f64 = 200.0;

impl Family {
    /// Every family, the simplest first.
    pub const ALL: [Family; 6] = [
        Family::Exponential,
        Family::Weibull,
        Family::Gamma,
        Family::Lognormal,
        Family::LogLogistic,
        Family::Pareto,
    ];

    /// The name, as in TOML.
    pub fn name(self) -> &'static str {
        match self {
            Family::Exponential => "exponential",
            Family::Weibull => "weibull",
            Family::Gamma => "gamma",
            Family::Lognormal => "lognormal",
            Family::LogLogistic => "log-logistic",
            Family::Pareto => "pareto",
        }
    }

    /// How many parameters it has.
    pub fn parameters(self) -> usize {
        if self == Family::Exponential { 1 } else { 2 }
    }
}

/// A family as it is searched: perhaps with one parameter known beforehand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// The family.
    pub family: Family,
    /// The least length, where the likelihood fixes it (the smallest of exact Pareto lengths).
    pub minimum_s: Option<f64>,
}

/// A parameter by name, with its value.
pub type Named = (&'static str, f64);

impl Model {
    /// The family with every parameter free.
    pub fn free(family: Family) -> Self {
        Model { family, minimum_s: None }
    }

    /// How many coordinates are searched.
    pub fn dims(&self) -> usize {
        match self.minimum_s {
            Some(_) => 1,
            None => self.family.parameters(),
        }
    }

    /// The law at a point; `None` where it is none.
    pub fn law(&self, at: &Point) -> Option<Law> {
        let [first, second] = at.map(f64::exp);
        match self.family {
            Family::Exponential => Law::exponential(first),
            Family::Weibull => Law::weibull(first, second),
            Family::Gamma => Law::gamma(first, second / first),
            Family::Lognormal => Law::lognormal(at[1], first),
            Family::LogLogistic => Law::log_logistic(first, second),
            Family::Pareto => Law::pareto(first, self.minimum_s.unwrap_or(second)),
        }
        .ok()
    }

    /// The parameters at a point, by the names and in the order that users know.
    pub fn named(&self, at: &Point) -> Vec<Named> {
        let [first, second] = at.map(f64::exp);
        match self.family {
            Family::Exponential => vec![("mean_s", first)],
            Family::Weibull | Family::LogLogistic => vec![("shape", first), ("scale_s", second)],
            Family::Gamma => vec![("shape", first), ("scale_s", second / first)],
            Family::Lognormal => vec![("mu", at[1]), ("sigma", first)],
            Family::Pareto => {
                vec![("alpha", first), ("minimum_s", self.minimum_s.unwrap_or(second))]
            }
        }
    }

    /// Where to search, for lengths of about `typical_s` seconds.
    pub fn bounds(&self, typical_s: f64) -> Bounds {
        let shape = WIDEST.ln();
        let scale = typical_s.ln();
        match self.family {
            Family::Exponential => Bounds { low: [scale - 12.0, 0.0], high: [scale + 12.0, 0.0] },
            _ => Bounds { low: [-shape, scale - 16.0], high: [shape, scale + 12.0] },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_parameters_agree() {
        for family in Family::ALL {
            let model = Model::free(family);
            let at = [0.7, 2.5];
            let law = model.law(&at).unwrap();
            assert_eq!(law.family(), family.name());
            assert_eq!(model.named(&at).len(), family.parameters());
        }
        let gamma = Model::free(Family::Gamma);
        assert!((gamma.law(&[0.7, 2.5]).unwrap().mean() - 2.5_f64.exp()).abs() < 1e-9);
    }
}
