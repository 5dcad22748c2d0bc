//! The item on the false-failover rate: measured, and within its limit.

use super::items::item;
use super::{Item, Subject, Verdict};
use crate::advise::Limit;
use crate::advise::rates::Rates;
use crate::estimate::{Estimate, LEVEL};
use crate::experiment::{Environment, Figures, run};
use crate::scenario::validate::Broken;
use crate::trigger::Spec;

pub(super) fn rate_measured(subject: &Subject<'_>) -> Result<Item, Broken> {
    let asks = "the false-failover rate is measured and within its limit";
    let with = |verdict, evidence: String| item("rate-measured", asks, verdict, evidence);
    let ownership = &subject.scenario.ownership;
    if !subject.written.has("triggers") {
        let evidence = "no trigger is written; write the one that you run as `triggers`";
        return Ok(with(Verdict::Unknown, evidence.to_owned()));
    }
    if !subject.written.has("blips") {
        let evidence = "no blips are written, so they are the lab's and not yours; refit them";
        return Ok(with(Verdict::Unknown, evidence.to_owned()));
    }
    let Some(from) = &ownership.measured_from else {
        let evidence = "ownership.measured_from does not say where the blips come from";
        return Ok(with(Verdict::Unknown, evidence.to_owned()));
    };
    let limit = match ownership.max_false_failovers.as_deref().map(str::parse::<Limit>) {
        Some(Ok(limit)) => Some(limit),
        Some(Err(why)) => {
            return Ok(with(Verdict::Fail, format!("ownership.max_false_failovers: {why}")));
        }
        None => None,
    };
    let rates = rates(subject)?;
    let said = |(spec, rate): &(Spec, Estimate)| format!("{spec} {} a day", rate.show(2));
    let all = rates.iter().map(said).collect::<Vec<_>>().join(", ");
    let Some(limit) = limit else {
        return Ok(with(Verdict::Pass, format!("from {from}: {all}; no limit is written")));
    };
    let per_day = limit.per_day();
    let verdict = match () {
        () if rates.iter().any(|(_, rate)| rate.lo > per_day) => Verdict::Fail,
        () if rates.iter().all(|(_, rate)| rate.hi <= per_day) => Verdict::Pass,
        () => Verdict::Unknown,
    };
    let way_out = match verdict {
        Verdict::Pass => "",
        Verdict::Fail => "; see `advise`",
        Verdict::Unknown => "; the interval does not decide, raise run.replications",
    };
    Ok(with(verdict, format!("from {from}: {all}, against a limit of {limit}{way_out}")))
}

/// The rate of every trigger: exact where there is an exact form, else simulated.
fn rates(subject: &Subject<'_>) -> Result<Vec<(Spec, Estimate)>, Broken> {
    let scenario = subject.scenario;
    let interval = scenario.probe.interval;
    let mut exact = Rates::new(scenario)?;
    let environment = Environment::new(scenario.clone())?;
    let mut rates = Vec::new();
    for setting in environment.settings() {
        let k = setting.spec.checks_to_fire(interval);
        let is_count = matches!(setting.spec, Spec::Consecutive { .. } | Spec::Window { .. });
        let known = is_count && exact.theory(k).is_some();
        let rate = if known {
            exact.rate(k)
        } else {
            let tallies = run(&environment, std::slice::from_ref(&setting), |_| {});
            match tallies.first() {
                Some(tally) => Figures::rate_per_day(&environment, tally, LEVEL),
                None => continue,
            }
        };
        rates.push((setting.spec, rate));
    }
    Ok(rates)
}
