//! Prometheus: an alerting rule, an alert on silence, and the unit tests of both.
//!
//! A rule is evaluated on a clock of its own. `for:` starts at the first evaluation that sees the
//! condition, ends at the first one at least that much later (so it is rounded up to evaluations),
//! and starts again when one evaluation does not see it. A sample that is missing, with the staleness
//! marker that a failed scrape leaves, is such a one; without a marker the last sample is believed
//! for five minutes. So silence has an alert of its own, which looks at raw samples.
//! Source: "Alerting rules", "Querying basics: staleness" and "Unit testing for rules".

pub mod duration;
mod expression;
mod rules;
mod unit_test;

pub(crate) use rules::{holds_rules, import};

use minijinja::context;

use super::names::quoted;
use super::{Absence, Amounts, Asked, Export, ExportError, Fit, Names, Product, render};
use crate::time::{LONGEST, Span};
use crate::trigger::{Arming, Silence, Spec};

const TEMPLATE: &str = include_str!("templates/prometheus-rules.yaml");
/// The name of the rule file, also inside the unit tests.
const RULES_FILE: &str = "failover-rules.yaml";
/// How far back a rule that counts silence looks for a sign that the metric has ever been there.
const GUARD: &str = "1d";
/// The finest time that Prometheus knows.
pub(crate) const MILLISECOND: Span = Span::from_nanos(1_000_000);

/// The two rules, before they are written down.
#[derive(Clone, Debug, PartialEq)]
struct Rules {
    /// Time between samples.
    interval: Span,
    /// Time between evaluations.
    evaluation: Span,
    /// From the first failed sample to the evaluation from which the condition holds.
    seen_after: Span,
    /// `for` of the rule on failures.
    hold: Span,
    /// How many samples the condition looks back on.
    looks_back: u64,
    /// Range in which silence is looked for.
    silent_range: Span,
    /// `for` of the rule on silence.
    silent_hold: Span,
}

/// `span` rounded up to a multiple of `step`.
fn up(span: Span, step: Span) -> Span {
    step * (span + step - Span::from_nanos(1)).div_floor(step).max(0)
}

fn times(step: Span, count: u64) -> Span {
    step * i64::try_from(count).unwrap_or(i64::MAX)
}

impl Rules {
    fn new(asked: &Asked) -> Self {
        let interval = asked.interval;
        let evaluation = asked.evaluation.unwrap_or(interval);
        let checks = asked.trigger.checks_to_fire(interval);
        let in_window = |window: Span| window.div_floor(interval).unsigned_abs() + 1;
        let (seen_after, hold, looks_back) = match asked.trigger {
            Spec::Consecutive { .. } | Spec::Window { .. } => {
                (Span::ZERO, times(interval, checks - 1), 1)
            }
            Spec::MOfN { n, .. } => (times(interval, checks - 1), Span::ZERO, n),
            Spec::SuccessRate { min_success, window, fail_after } => {
                let low = Spec::SuccessRate { min_success, window, fail_after: Span::ZERO };
                (low.patience(interval), fail_after, in_window(window))
            }
        };
        // A range that reaches back one interval less than it might, and `for` one evaluation: so a
        // Prometheus that has itself been away sees one scrape before it calls the region silent.
        let reach = times(interval, checks.saturating_sub(1).max(1)) - MILLISECOND;
        Rules {
            interval,
            evaluation,
            seen_after: up(seen_after, evaluation),
            hold,
            looks_back,
            silent_range: reach.max(MILLISECOND),
            silent_hold: if checks > 1 { evaluation } else { Span::ZERO },
        }
    }

    /// From the first failed sample, seen at once, to the firing.
    fn patience(&self) -> Span {
        self.seen_after + up(self.hold, self.evaluation)
    }

    /// From the first sample that is missing to the firing of the rule on silence.
    fn silent_patience(&self) -> Span {
        silent_patience(self.silent_range, self.silent_hold, self.interval, self.evaluation)
    }

    /// The range that holds exactly the last `looks_back` samples, whatever the evaluation's phase
    /// and whether or not its older end counts.
    fn range(&self) -> Span {
        times(self.interval, self.looks_back) - MILLISECOND
    }

    fn amounts(&self, asked: &Asked) -> Amounts {
        let evaluations =
            up(self.hold, self.evaluation).div_floor(self.evaluation).unsigned_abs() + 1;
        let run = matches!(asked.trigger, Spec::Consecutive { .. } | Spec::Window { .. });
        let absence = match asked.silence {
            Silence::Failure => Absence::Failure,
            Silence::Ignored if run => Absence::Healthy,
            Silence::Ignored => Absence::Ignored,
        };
        let arming = match asked.trigger {
            Spec::Consecutive { .. } | Spec::Window { .. } => Arming::FullWindow,
            Spec::MOfN { .. } if absence == Absence::Ignored => Arming::FullWindow,
            // The guard holds from the check after a whole range on.
            _ if absence == Absence::Failure => {
                Arming::Checks(evaluations.max(self.looks_back + 1))
            }
            _ if evaluations > 1 => Arming::Checks(evaluations),
            _ => Arming::Immediate,
        };
        Amounts {
            trigger: if run { Spec::Consecutive { k: evaluations } } else { asked.trigger },
            interval: if run { self.evaluation } else { self.interval },
            patience: self.patience(),
            up_to_later: self.evaluation,
            absence,
            arming,
        }
    }
}

/// From the first sample that is missing to the firing of a rule that looks for silence in `range`.
fn silent_patience(range: Span, hold: Span, interval: Span, evaluation: Span) -> Span {
    // The last sample is one interval old when the first one is missing.
    let seen = if range < interval {
        Span::ZERO
    } else {
        evaluation * ((range - interval).div_floor(evaluation) + 1)
    };
    seen + up(hold, evaluation)
}

/// The series, as PromQL.
fn selector(names: &Names) -> String {
    match &names.job {
        None => names.metric.clone(),
        Some(job) => format!("{}{{job={}}}", names.metric, quoted(job)),
    }
}

/// The condition of the rule on failures. Several series are one region: it fails when all do.
///
/// Where missing samples count as failed ones, those from before the metric's first sample must not:
/// a guard asks that there was a sample before the range, at most [`GUARD`] ago.
fn condition(asked: &Asked, rules: &Rules, names: &Names) -> String {
    let series = selector(names);
    let range = duration::write(rules.range());
    let guard = format!("and on() max(present_over_time({series}[{GUARD}] offset {range}))");
    let counts_silence = asked.silence == Silence::Failure;
    match asked.trigger {
        Spec::Consecutive { .. } | Spec::Window { .. } if counts_silence => {
            format!("(max({series}) or vector(0)) == 0")
        }
        Spec::Consecutive { .. } | Spec::Window { .. } => format!("max({series}) == 0"),
        Spec::MOfN { m, n } if counts_silence => format!(
            "(max(sum_over_time({series}[{range}])) or vector(0)) <= {} {guard}",
            n.saturating_sub(m)
        ),
        Spec::MOfN { m, .. } => format!(
            "min(count_over_time({series}[{range}]) - sum_over_time({series}[{range}])) >= {m}"
        ),
        Spec::SuccessRate { min_success, .. } if counts_silence => format!(
            "(max(sum_over_time({series}[{range}])) or vector(0)) / {} < {min_success} {guard}",
            rules.looks_back
        ),
        Spec::SuccessRate { min_success, .. } => {
            format!("max(avg_over_time({series}[{range}])) < {min_success}")
        }
    }
}

/// Refuses what Prometheus cannot count.
fn check(asked: &Asked) -> Result<(), ExportError> {
    let refuse = |what, found: Span, allowed| {
        let found = found.to_string();
        Err(ExportError::OutOfRange { product: Product::Prometheus, what, found, allowed })
    };
    for (what, span) in
        [("interval", Some(asked.interval)), ("evaluation interval", asked.evaluation)]
    {
        let Some(span) = span else { continue };
        if !span.is_positive() || span.as_nanos() % MILLISECOND.as_nanos() != 0 {
            return refuse(what, span, "a whole number of milliseconds, from 1");
        }
    }
    if asked.patience() > LONGEST {
        return refuse("patience", asked.patience(), "up to a hundred years");
    }
    Ok(())
}

/// Writes the rules and their unit tests.
pub(crate) fn export(asked: &Asked, names: &Names) -> Result<Export, ExportError> {
    names.check_metric(Product::Prometheus)?;
    check(asked)?;
    let rules = Rules::new(asked);
    let mut differences = Vec::new();
    if up(rules.hold, rules.evaluation) != rules.hold {
        differences.push(format!(
            "`for: {}` is rounded up to evaluations, {} apart",
            duration::write(rules.hold),
            rules.evaluation
        ));
    }
    if let Spec::SuccessRate { .. } = asked.trigger {
        differences.push("the rule does not ask whether the standby is healthy".to_owned());
    }
    let unit_test = unit_test::plan(asked, &rules);
    let mut notes = notes(asked, &rules);
    if unit_test.is_none() {
        notes.push(
            "no unit test is written: it would need more samples than promtool takes".to_owned(),
        );
    }
    let fit = Fit { amounts: rules.amounts(asked), differences, notes };
    super::finish(Product::Prometheus, asked, fit, |head| {
        let summary = format!("{}: {} has fired", names.name, asked.trigger);
        let silent = format!(
            "{}: no check has arrived; the region is dark or the prober is dead",
            names.name
        );
        let values = context! {
            heading => render::heading(head),
            rules_file => RULES_FILE,
            region => &names.name,
            job => &names.job,
            series => selector(names),
            evaluation => duration::write(rules.evaluation),
            interval => duration::write(rules.interval),
            condition => condition(asked, &rules, names),
            hold => duration::write(rules.hold),
            silent_range => duration::write(rules.silent_range),
            silent_hold => duration::write(rules.silent_hold),
            silence_fires => asked.silence == Silence::Failure,
            summary => summary,
            silent => silent,
            cases => unit_test,
        };
        let mut files =
            vec![render::file(Product::Prometheus, RULES_FILE, TEMPLATE, values.clone())?];
        if unit_test.is_some() {
            files.push(unit_test::file(values)?);
        }
        Ok(files)
    })
}

fn notes(asked: &Asked, rules: &Rules) -> Vec<String> {
    let mut notes = vec![
        format!(
            "evaluations and scrapes keep no step, so it fires up to one evaluation ({}) later than \
             its patience",
            rules.evaluation
        ),
        "several series count as one region: it fails when all of them do".to_owned(),
    ];
    if rules.hold.is_positive() {
        notes.push(
            "a restart of Prometheus starts `for` again, unless it is longer than \
             --rules.alert.for-grace-period (10 min by default)"
                .to_owned(),
        );
    }
    let looks_back = matches!(asked.trigger, Spec::MOfN { .. } | Spec::SuccessRate { .. });
    if looks_back && asked.silence == Silence::Failure {
        notes.push(
            "a metric that has just begun is given a whole range of history first; one that has been \
             gone for a day is no longer counted as failing"
                .to_owned(),
        );
    }
    notes.push(match asked.silence {
        Silence::Failure => format!(
            "RegionSilent fires {} after the first missing sample, also where no staleness marker is \
             left and the last sample is believed for 5 min",
            rules.silent_patience()
        ),
        Silence::Ignored => format!(
            "RegionSilent tells of a missing signal {} after the first missing sample; it is no reason \
             to fail over, and no sign of health either",
            rules.silent_patience()
        ),
    });
    notes
}
