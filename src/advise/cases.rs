//! The worlds under which an advice is tried: as stated, each plausible law of a refit, blips twice
//! and three times as long, and other tails at the same mean.

use super::Plausible;
use crate::budget::words::number;
use crate::law::{Law, LawError};
use crate::scenario::{BlipSource, Scenario};

/// One world.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it is called.
    pub name: String,
    /// Its laws of blip lengths in words.
    pub laws: String,
    /// Akaike weight, where it is a law of a refit.
    pub weight: Option<f64>,
    /// Whether the robust choice must keep to the limit under it.
    pub is_required: bool,
    /// The scenario as stated, with these laws.
    pub scenario: Scenario,
}

/// Makes a law of a shape, at any mean.
type Shape = fn() -> Result<Law, LawError>;

/// Shapes that are tried at the same mean.
const TAILS: [(&str, Shape); 3] = [
    ("exponential", || Law::exponential(1.0)),
    ("lognormal, sigma 1", || Law::lognormal(0.0, 1.0)),
    ("pareto, alpha 1.5", || Law::pareto(1.5, 1.0)),
];

impl Case {
    fn new(name: &str, scenario: Scenario) -> Self {
        let laws = scenario.blips.0.iter().map(laws_of).collect::<Vec<_>>().join("; ");
        Case { name: name.to_owned(), laws, weight: None, is_required: false, scenario }
    }
}

fn laws_of(source: &BlipSource) -> String {
    let mean = (source.length.mean() * 10.0).round() / 10.0;
    format!("{}, mean {} s", source.length.family(), number(mean))
}

/// All cases, the world as stated first. With a refit, that is its weightiest law.
pub fn cases(scenario: &Scenario, plausible: Option<&Plausible>) -> Vec<Case> {
    let mut cases = Vec::new();
    if let Some(plausible) = plausible {
        for (law, weight) in &plausible.lengths {
            let mut scenario = scenario.clone();
            plausible.put_into(&mut scenario, law);
            let name = format!("refit: {}", law.family());
            cases.push(Case {
                weight: Some(*weight),
                is_required: true,
                ..Case::new(&name, scenario)
            });
        }
    }
    if cases.is_empty() {
        cases.push(Case { is_required: true, ..Case::new("as stated", scenario.clone()) });
    }
    let base = cases[0].scenario.clone();
    let longer = |factor: f64| move |law: &Law| law.with_mean(law.mean() * factor);
    let mut add = |name: &str, is_required, change: &dyn Fn(&Law) -> Result<Law, LawError>| {
        if let Some(changed) = with_lengths(&base, change) {
            cases.push(Case { is_required, ..Case::new(name, changed) });
        }
    };
    add("blips twice as long", true, &longer(2.0));
    add("blips three times as long", false, &longer(3.0));
    for (name, shape) in TAILS {
        add(&format!("same mean, {name}"), false, &|law| shape()?.with_mean(law.mean()));
    }
    cases
}

/// The scenario with every law of blip lengths changed; none where that changes nothing or cannot be.
fn with_lengths(
    scenario: &Scenario,
    change: impl Fn(&Law) -> Result<Law, LawError>,
) -> Option<Scenario> {
    let mut changed = scenario.clone();
    for source in &mut changed.blips.0 {
        source.length = change(&source.length).ok()?;
    }
    (changed != *scenario).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lab_is_tried_longer_and_with_other_tails() {
        let cases = cases(&Scenario::default(), None);
        let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "as stated",
                "blips twice as long",
                "blips three times as long",
                "same mean, lognormal, sigma 1",
                "same mean, pareto, alpha 1.5"
            ]
        );
        let means: Vec<f64> =
            cases.iter().map(|case| case.scenario.blips.0[0].length.mean()).collect();
        for (mean, expected) in means.iter().zip([20.0, 40.0, 60.0, 20.0, 20.0]) {
            assert!((mean - expected).abs() < 1e-9, "{means:?}");
        }
        assert_eq!(cases.iter().filter(|case| case.is_required).count(), 2);
    }

    #[test]
    fn a_world_without_blips_has_one_case() {
        let quiet = Scenario::from_toml("test", "blips = []").unwrap();
        assert_eq!(super::cases(&quiet, None).len(), 1);
    }
}
