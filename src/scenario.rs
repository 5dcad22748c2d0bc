//! The typed description of what is simulated: an empty file is the lab's defaults.
//!
//! A scenario holds inputs and their validation. It samples nothing and reads no files; the TOML text
//! is handed to [`Scenario::from_toml`]. Every field can be an axis of a sweep, by the dotted path
//! that it has in the file (`blips.length.mean`, `stages.weights_gb`).

pub mod cost;
pub mod document;
pub mod faults;
pub mod limits;
pub mod ownership;
pub mod paths;
pub mod sequence;
pub mod stages;
pub mod validate;

use serde::{Deserialize, Serialize};

pub use cost::Cost;
pub use document::{Document, InputError};
pub use faults::{Arrivals, BlipSource, Blips, Deploy, Outage, OutageKind, Prober, Restarts};
pub use ownership::{LastDrill, Ownership};
pub use stages::{ExtraStage, Reserve, StageDefaults, Target, Tier};

use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec};

/// Everything that one run depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// What the scenario is called in output.
    pub name: String,
    /// The committed recovery time, from the start of the outage to the first request served from the
    /// standby. Default 15 min.
    pub rto: Span,
    /// The triggers that are tried, as written on the command line (`"consecutive:12"`).
    pub triggers: Vec<Spec>,
    /// Length and number of the runs.
    pub run: Run,
    /// The health probe.
    pub probe: Probe,
    /// Transient faults: one source as `[blips]`, or several as `[[blips]]`.
    pub blips: Blips,
    /// The region failure that detection is measured on.
    pub outage: Outage,
    /// Deaths of the prober itself.
    pub prober: Prober,
    /// Restarts of the controller.
    pub restarts: Restarts,
    /// How the controller reads silence, and what it must hold before it may fire.
    pub controller: Controller,
    /// What follows detection, for every target that does not say otherwise.
    pub stages: StageDefaults,
    /// The standby targets; by default one of each tier.
    pub targets: Vec<Target>,
    /// Who owns the figures and when they were last exercised; read by the review only.
    pub ownership: Ownership,
    /// What things cost; read by the advice only.
    #[serde(skip_serializing_if = "Cost::is_empty")]
    pub cost: Cost,
}

/// Length and number of the runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Run {
    /// Simulated length of one replication. Default 30 d.
    pub length: Span,
    /// How many seeded replications. Default 30.
    pub replications: u64,
    /// The master seed. Default 1.
    pub seed: u64,
}

/// The health probe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Probe {
    /// Time from one due probe to the next. Default 10 s.
    pub interval: Span,
    /// Instant of the first probe, in `[0, interval)`; uniform there when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<Span>,
    /// Each probe is due up to this much later than its place on the grid, uniformly; at most the
    /// interval. Default none.
    pub jitter: Span,
    /// How much later a failing (or missing) result is learnt. Default none.
    pub timeout: Span,
}

/// How the controller reads silence, and what it must hold before it may fire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Controller {
    /// What an absent check counts as. Default `"failure"`.
    pub silence: Silence,
    /// The history a (re)started controller must hold before it may fire. Default `"full-window"`.
    pub arming: Arming,
}

impl Default for Scenario {
    fn default() -> Self {
        Scenario {
            name: "lab".to_owned(),
            rto: Span::from_secs(900),
            triggers: lab_triggers(),
            run: Run::default(),
            probe: Probe::default(),
            blips: Blips::default(),
            outage: Outage::default(),
            prober: Prober::default(),
            restarts: Restarts::default(),
            controller: Controller::default(),
            stages: StageDefaults::default(),
            targets: Tier::ALL.map(Target::of_tier).to_vec(),
            ownership: Ownership::default(),
            cost: Cost::default(),
        }
    }
}

impl Default for Run {
    fn default() -> Self {
        Run { length: Span::from_days(30), replications: 30, seed: 1 }
    }
}

impl Default for Probe {
    fn default() -> Self {
        Probe {
            interval: Span::from_secs(10),
            phase: None,
            jitter: Span::ZERO,
            timeout: Span::ZERO,
        }
    }
}

impl Default for Controller {
    fn default() -> Self {
        Controller { silence: Silence::Failure, arming: Arming::FullWindow }
    }
}

/// The lab's seven triggers, by patience.
pub fn lab_triggers() -> Vec<Spec> {
    let consecutive = |k| Spec::Consecutive { k };
    let window = |secs| Spec::Window { window: Span::from_secs(secs) };
    vec![
        consecutive(1),
        consecutive(3),
        consecutive(6),
        window(60),
        consecutive(12),
        window(300),
        window(900),
    ]
}

/// Runs that hold fewer mean times between blips are too short to stand for the long run.
pub const FEW_CYCLES: f64 = 20.0;

impl Scenario {
    /// Reads a scenario from TOML text; `source` is the file's name in errors.
    ///
    /// # Errors
    /// Names line, key, what was found and what is allowed.
    pub fn from_toml(source: &str, text: &str) -> Result<Self, InputError> {
        Self::from_document(&Document::new(source, text)?)
    }

    /// Reads and validates the scenario in a parsed document.
    ///
    /// # Errors
    /// As [`Scenario::from_toml`].
    pub fn from_document(document: &Document) -> Result<Self, InputError> {
        let mut whole = document.clone();
        whole.table = paths::over_defaults(whole.table);
        let scenario: Scenario = whole.parse()?;
        scenario.validate().map_err(|wrong| document.error(&wrong.key, &wrong.message))?;
        Ok(scenario)
    }

    /// The longest mean time between blips, if a run is so short beside it that its start shows: every run
    /// begins healthy with a whole gap, which the long run does not.
    pub fn cycle_too_long(&self) -> Option<Span> {
        let cycle_s = self.longest_cycle_s();
        let is_short = self.run.length.as_secs_f64() < FEW_CYCLES * cycle_s;
        is_short.then(|| Span::from_secs_f64(cycle_s.ceil()))
    }

    /// The longest of the sources' mean times from one blip to the next, in seconds; 0 without a source.
    pub(crate) fn longest_cycle_s(&self) -> f64 {
        self.blips.0.iter().map(BlipSource::cycle_s).fold(0.0, f64::max)
    }

    /// The mean number of blips in a run, if more outages than that are laid over it: they then meet the
    /// same blips again and again, and are not as many that are independent.
    pub fn blips_too_few(&self) -> Option<u64> {
        let run_s = self.run.length.as_secs_f64();
        let blips: f64 = self.blips.0.iter().map(|source| run_s / source.cycle_s()).sum();
        let outages = self.outage.per_replication as f64;
        (blips > 0.0 && outages > blips).then_some(blips as u64)
    }

    /// The scenario as TOML, with every field written out.
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_is_the_lab() {
        assert_eq!(Scenario::from_toml("empty", "").unwrap(), Scenario::default());
    }

    #[test]
    fn more_outages_than_blips_are_noticed() {
        let mut scenario = Scenario::default();
        assert_eq!(scenario.blips_too_few(), None);
        // 920 s from one blip to the next, 2,817 in thirty days.
        scenario.outage.per_replication = 2_818;
        assert_eq!(scenario.blips_too_few(), Some(2_817));
        scenario.blips.0.push(scenario.blips.0[0].clone());
        assert_eq!(scenario.blips_too_few(), None);
        // Without blips there are none to meet again.
        scenario.blips.0.clear();
        assert_eq!(scenario.blips_too_few(), None);
    }

    #[test]
    fn runs_of_few_blips_are_told_from_long_ones() {
        let mut scenario = Scenario::default();
        assert_eq!(scenario.cycle_too_long(), None);
        // 920 s from one blip to the next, twenty of them in 5.1 hours.
        scenario.run.length = Span::from_secs(5 * 3_600);
        assert_eq!(scenario.cycle_too_long(), Some(Span::from_secs(920)));
        scenario.run.length = Span::from_secs(6 * 3_600);
        assert_eq!(scenario.cycle_too_long(), None);
        scenario.blips.0.clear();
        scenario.run.length = Span::from_secs(1);
        assert_eq!(scenario.cycle_too_long(), None);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let written = Scenario::default().to_toml();
        assert_eq!(Scenario::from_toml("written", &written).unwrap(), Scenario::default());
    }
}
