//! A scenario from a refit: the base of a sweep, a budget or a lab.
//!
//! Whatever the recording does not tell (tiers, stages, the RTO) keeps the default, for the user to
//! fill in.

use super::family::Family;
use super::{Fitted, HistoryFit, Laws};
use crate::law::Law;
use crate::scenario::{BlipSource, Blips, Scenario};
use crate::time::{LONGEST, Span};

/// Why a refit gives no scenario.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoScenario {
    /// No law of blip lengths was found.
    #[error(
        "no law of blip lengths could be fitted ({0} seen); record for longer, or write one by hand"
    )]
    NoLength(u64),
    /// No law of gaps was found.
    #[error("no law of the gaps between blips could be fitted ({0} seen); record for longer")]
    NoGap(u64),
}

/// The scenario called `name` with the fitted laws; `measured_from` says where they come from.
///
/// # Errors
/// When there is no fitted law of blips or gaps.
pub fn scenario(name: &str, measured_from: &str, fit: &HistoryFit) -> Result<Scenario, NoScenario> {
    let length = law(fit.blips.length.best()).ok_or(NoScenario::NoLength(fit.blips.n))?;
    let gap = law(gap(&fit.gap)).ok_or(NoScenario::NoGap(fit.gap.n))?;
    let mut scenario = Scenario { name: name.to_owned(), ..Scenario::default() };
    scenario.probe.interval = interval(fit);
    scenario.blips = Blips(vec![BlipSource { gap, length, ..BlipSource::default() }]);
    scenario.run.length = run_length(&scenario);
    if let Some(length) = law(fit.outages.length.best()) {
        scenario.outage.length = length;
    }
    scenario.ownership.measured_from = Some(measured_from.to_owned());
    Ok(scenario)
}

/// Mean gaps that a run of a fitted scenario holds. A run begins with a whole gap, which moves its rate by
/// about (v − 1) / 2n for n gaps of squared coefficient of variation v: by less than a hundredth for v
/// up to 11, where the recording may well have been too short to begin with.
const GAPS: f64 = 500.0;

/// Long enough that the start of a run does not show in its rates, in whole days.
fn run_length(scenario: &Scenario) -> Span {
    let days = Span::from_secs_f64(scenario.longest_cycle_s() * GAPS).as_days_f64().ceil();
    scenario.run.length.max(Span::from_days(days as i64)).min(LONGEST)
}

/// The interval of the probes, to the millisecond: recorded spacings have no finer meaning.
pub fn interval(fit: &HistoryFit) -> Span {
    let millis = (fit.observed.interval_s * 1e3).round().max(1.0);
    Span::from_nanos(millis as i64 * 1_000_000)
}

fn law(fitted: Option<&Fitted>) -> Option<Law> {
    fitted.and_then(|fitted| fitted.law.clone()).filter(Law::is_finite_mean)
}

/// The gap law of a scenario: exponential where the data do not tell it from the best, because
/// exact rates are known for it.
pub fn gap(laws: &Laws) -> Option<&Fitted> {
    let exponential = |fitted: &&Fitted| fitted.family == Family::Exponential && fitted.converged;
    if laws.ties.contains(&Family::Exponential) {
        return laws.families.iter().find(exponential);
    }
    laws.best()
}
