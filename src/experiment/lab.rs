//! The lab: every trigger under the flawed controller and under the mended one.
//!
//! The flawed one ignores silence and fires from its first check; the mended one counts silence as
//! failure and waits for a full window. Both meet the same blips, outages, restarts and deaths.

use serde::Serialize;

use super::{Environment, Figures, Setting, figures, run};
use crate::budget::{BudgetTable, Outlook};
use crate::estimate::{Estimate, LEVEL};
use crate::scenario::Scenario;
use crate::scenario::validate::Broken;
use crate::trigger::{Arming, Silence, Spec};

/// The largest count that exact values are worked out for; theory costs a little for each.
const DEEPEST_EXACT: u64 = crate::exact::DEEPEST;

/// The lab's figures.
#[derive(Clone, Debug, Serialize)]
pub struct Lab {
    /// Always `failover-budget/lab/1`.
    pub schema: &'static str,
    /// The master seed.
    pub seed: u64,
    /// Replications run.
    pub replications: u64,
    /// Simulated days in each.
    pub days: f64,
    /// What follows detection.
    pub budget: BudgetTable,
    /// One for each trigger.
    pub triggers: Vec<TriggerFigures>,
}

/// What the lab finds of one trigger.
#[derive(Clone, Debug, Serialize)]
pub struct TriggerFigures {
    /// The trigger as written.
    pub trigger: String,
    /// Seconds from the first failed probe to the firing.
    pub patience_s: f64,
    /// Firings a day without an outage.
    pub false_failovers_per_day: Estimate,
    /// Detection of an outage as the scenario has it.
    pub detection_s: Detection,
    /// Share of dark outages caught.
    pub dark_caught: BySilence,
    /// Chance that a restart leads to a firing that would not have happened without it.
    pub restart_fires: ByArming,
    /// Chance that the prober's death leads to a false failover.
    pub prober_death_fires: BySilence,
    /// Patience plus stages, per target.
    pub recovery: Vec<RecoveryFigures>,
}

/// Detection delay, in seconds, over outages not already fired on and not missed.
#[derive(Clone, Debug, Serialize)]
pub struct Detection {
    /// Mean; null when no outage was detected.
    pub mean: Option<Estimate>,
    /// Median.
    pub p50: Option<Estimate>,
    /// 99 % quantile.
    pub p99: Option<Estimate>,
    /// The longest seen.
    pub max: Option<f64>,
    /// Share of outages that began in an episode already failed over.
    pub already_fired: Estimate,
    /// Share of outages never fired on.
    pub missed: Estimate,
}

/// One figure under each silence rule.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BySilence {
    /// An absent check is not held.
    pub ignored: Estimate,
    /// An absent check is a failure.
    pub failure: Estimate,
}

/// One figure under each arming rule.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ByArming {
    /// Armed from the first check.
    pub immediate: Estimate,
    /// Armed once it holds a full window.
    pub full_window: Estimate,
}

/// What a trigger's patience comes to on one target.
#[derive(Clone, Debug, Serialize)]
pub struct RecoveryFigures {
    /// The target's tier.
    pub tier: String,
    /// The target's name.
    pub target: String,
    /// Patience plus the stages, in seconds; with a distributed stage, plus their mean.
    pub recovery_s: f64,
    /// Whether that is within the RTO, less its reserve.
    pub meets_rto: bool,
    /// With a distributed stage, the chance of meeting the RTO.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rto_met: Option<Estimate>,
}

impl Lab {
    /// Runs the lab. `done` is told of every finished batch of replications.
    ///
    /// # Errors
    /// When a stage is placed beside or before one that does not exist.
    pub fn run(scenario: Scenario, done: impl Fn(u64) + Sync) -> Result<Self, Broken> {
        let environment = Environment::new(scenario)?;
        let outlooks: Vec<Outlook> = environment.plans.iter().cloned().map(Outlook::of).collect();
        let scenario = &environment.scenario;
        let under = |silence, arming| -> Vec<Setting> {
            let setting = |spec: &Spec| Setting { spec: *spec, silence, arming };
            scenario.triggers.iter().map(setting).collect()
        };
        let flawed = under(Silence::Ignored, Arming::Immediate);
        let mended = under(Silence::Failure, Arming::FullWindow);
        let both: Vec<Setting> = flawed.iter().chain(&mended).cloned().collect();
        let tallies = run(&environment, &both, done);

        let interval = scenario.probe.interval;
        let counts = scenario.triggers.iter().map(|spec| spec.checks_to_fire(interval));
        let deepest = counts.max().unwrap_or(1).min(DEEPEST_EXACT);
        let theory = figures::theory(scenario, deepest);
        let figures = |index: usize, setting: &Setting| {
            let known = setting.spec.checks_to_fire(interval) <= deepest;
            let theory = theory.as_ref().filter(|_| known);
            Figures::of(&environment, setting, &tallies[index], theory, LEVEL)
        };
        let triggers = (0..flawed.len()).map(|index| {
            let flawed_figures = figures(index, &flawed[index]);
            let mended_figures = figures(flawed.len() + index, &mended[index]);
            trigger_figures(
                &environment,
                &outlooks,
                &mended[index].spec,
                flawed_figures,
                mended_figures,
            )
        });
        Ok(Lab {
            schema: "failover-budget/lab/1",
            seed: scenario.run.seed,
            replications: scenario.run.replications,
            days: scenario.run.length.as_days_f64(),
            triggers: triggers.collect(),
            budget: BudgetTable::of(scenario.rto, &outlooks),
        })
    }
}

fn trigger_figures(
    environment: &Environment,
    outlooks: &[Outlook],
    spec: &Spec,
    flawed: Figures,
    mended: Figures,
) -> TriggerFigures {
    let patience = spec.patience(environment.scenario.probe.interval);
    let recovery = |(outlook, figures): (&Outlook, &figures::TargetFigures)| {
        let recovery = outlook.recovery(patience);
        let constant = outlook.plan.constant_after_detection().is_some();
        RecoveryFigures {
            tier: outlook.plan.tier.to_string(),
            target: outlook.plan.target.clone(),
            recovery_s: recovery.recovery_s,
            meets_rto: recovery.recovery_s <= outlook.plan.limit().as_secs_f64(),
            rto_met: (!constant).then_some(figures.rto_met),
        }
    };
    TriggerFigures {
        trigger: spec.to_string(),
        patience_s: patience.as_secs_f64(),
        false_failovers_per_day: mended.false_failovers_per_day,
        detection_s: Detection {
            mean: mended.detection_mean_s,
            p50: mended.detection_p50_s,
            p99: mended.detection_p99_s,
            max: mended.detection_max_s,
            already_fired: mended.already_fired,
            missed: mended.missed,
        },
        dark_caught: BySilence { ignored: flawed.dark_caught, failure: mended.dark_caught },
        restart_fires: ByArming {
            immediate: flawed.restart_fires,
            full_window: mended.restart_fires,
        },
        prober_death_fires: BySilence {
            ignored: flawed.prober_death_fires,
            failure: mended.prober_death_fires,
        },
        recovery: outlooks.iter().zip(&mended.targets).map(recovery).collect(),
    }
}
