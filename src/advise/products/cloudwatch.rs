//! Amazon CloudWatch: M of the last N periods breach, periods of fixed lengths and on a fixed grid.
//!
//! A period lasts 10, 20 or 30 seconds or whole minutes. With the statistic `Maximum` of a metric
//! that is 1 for a healthy check, a period breaches iff every check in it failed. All periods of an
//! alarm together last at most a day (a week from periods of an hour on).
//! Source: "Using Amazon CloudWatch alarms", "Configuring how CloudWatch alarms treat missing data"
//! and the `PutMetricAlarm` reference.

mod alarm;

pub(crate) use alarm::{holds_an_alarm, import};

use serde::Serialize;

use super::{Absence, Amounts, Asked, Export, ExportError, Fit, Names, Product, render};
use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec};

const MINUTE: Span = Span::from_secs(60);
const HOUR: Span = Span::from_secs(3_600);
const DAY: Span = Span::from_days(1);
const WEEK: Span = Span::from_days(7);
/// Periods shorter than a minute.
const SHORT_S: [i64; 3] = [10, 20, 30];

/// The request of `aws cloudwatch put-metric-alarm --cli-input-json`.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Request<'a> {
    alarm_name: String,
    alarm_description: String,
    actions_enabled: bool,
    namespace: &'a str,
    metric_name: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dimensions: Vec<Dimension<'a>>,
    statistic: &'static str,
    period: i64,
    evaluation_periods: u64,
    datapoints_to_alarm: u64,
    threshold: f64,
    comparison_operator: &'static str,
    treat_missing_data: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Dimension<'a> {
    name: &'static str,
    value: &'a str,
}

/// The settings that decide when an alarm fires.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    period: Span,
    m: u64,
    n: u64,
}

impl Settings {
    fn trigger(self) -> Spec {
        if self.m == self.n {
            Spec::Consecutive { k: self.m }
        } else {
            Spec::MOfN { m: self.m, n: self.n }
        }
    }
}

/// The shortest period an alarm may have that holds a check made every `interval`.
fn period_for(interval: Span) -> Span {
    SHORT_S
        .map(Span::from_secs)
        .into_iter()
        .find(|period| *period >= interval)
        .unwrap_or_else(|| MINUTE * times_up(interval, MINUTE))
}

/// How many `step`s cover `span`, at least one.
fn times_up(span: Span, step: Span) -> i64 {
    (span + step - Span::from_nanos(1)).div_floor(step).max(1)
}

/// How long an alarm's periods may last in all.
fn longest(period: Span) -> Span {
    if period < HOUR { DAY } else { WEEK }
}

/// The settings for what was asked, and what is lost.
fn settings(asked: &Asked) -> Result<(Settings, Vec<String>), ExportError> {
    let period = period_for(asked.interval);
    if period > WEEK {
        return Err(ExportError::OutOfRange {
            product: Product::CloudWatch,
            what: "interval",
            found: asked.interval.to_string(),
            allowed: "up to 7 days",
        });
    }
    let mut differences = Vec::new();
    let (m, n) = match asked.trigger {
        Spec::MOfN { m, n } => (m, n),
        Spec::Consecutive { .. } | Spec::Window { .. } => {
            let k = asked.trigger.checks_to_fire(asked.interval);
            (k, k)
        }
        Spec::SuccessRate { .. } => {
            let k = asked.trigger.checks_to_fire(asked.interval);
            differences.push(format!(
                "it cannot hold a share down for a time over a sliding window, so {} becomes {k} in a \
                 row, which has the same patience; failures with a healthy check between them are \
                 not seen",
                asked.trigger
            ));
            (k, k)
        }
    };
    let periods = |checks: u64| {
        let span = asked.interval * i64::try_from(checks).unwrap_or(i64::MAX);
        times_up(span, period).unsigned_abs()
    };
    let most = longest(period).div_floor(period).unsigned_abs();
    let (m, n) = (periods(m), periods(n));
    if n > most {
        differences.push(format!(
            "{n} periods of {period} are more than an alarm may look back on ({}), so it looks at {most}",
            longest(period)
        ));
    }
    Ok((Settings { period, m: m.min(most), n: n.min(most) }, differences))
}

/// Writes an alarm.
pub(crate) fn export(asked: &Asked, names: &Names) -> Result<Export, ExportError> {
    let (settings, differences) = settings(asked)?;
    let Settings { period, m, n } = settings;
    let evaluated_every = if period < MINUTE { Span::from_secs(10) } else { MINUTE };
    let whole = period * i64::try_from(m).unwrap_or(i64::MAX);
    let amounts = Amounts {
        trigger: settings.trigger(),
        interval: period,
        patience: whole - asked.interval,
        up_to_later: period + evaluated_every + (period - asked.interval),
        absence: match asked.silence {
            Silence::Failure => Absence::Failure,
            Silence::Ignored => Absence::Ignored,
        },
        arming: Arming::FullWindow,
    };
    let fit = Fit { amounts, differences, notes: notes(asked, settings) };
    super::finish(Product::CloudWatch, asked, fit, |_| {
        let description = format!(
            "{} (a check every {}): {m} of {n} periods of {period} in which every check failed.",
            asked.trigger, asked.interval
        );
        let request = Request {
            alarm_name: format!("{} unhealthy", names.name),
            alarm_description: description,
            actions_enabled: true,
            namespace: &names.namespace,
            metric_name: &names.metric,
            dimensions: names.job.iter().map(|job| Dimension { name: "job", value: job }).collect(),
            statistic: "Maximum",
            period: period.div_floor(Span::from_secs(1)),
            evaluation_periods: n,
            datapoints_to_alarm: m,
            threshold: 1.0,
            comparison_operator: "LessThanThreshold",
            treat_missing_data: match asked.silence {
                Silence::Failure => "breaching",
                Silence::Ignored => "missing",
            },
        };
        Ok(vec![render::json_file(Product::CloudWatch, "alarm.json", &request)?])
    })
}

fn notes(asked: &Asked, settings: Settings) -> Vec<String> {
    let period = settings.period;
    let mut notes = vec![
        "a data point counts only once its period has ended, and alarms are evaluated every 10 s \
         (periods under a minute) or every minute"
            .to_owned(),
    ];
    if period < MINUTE {
        notes.push(
            "a period under a minute needs a metric published with `StorageResolution` 1, and is a \
             high-resolution alarm"
                .to_owned(),
        );
    }
    if period > asked.interval {
        notes.push(format!(
            "a period of {period} holds several checks and breaches only when all of them fail; \
             periods lie on a fixed grid, so a run of failures rarely starts with one"
        ));
    }
    notes.push(match asked.silence {
        Silence::Failure => {
            "a metric that stops is breaching from the next period on: a dark region is caught, and \
             so is a dead prober"
                .to_owned()
        }
        Silence::Ignored => {
            "with missing data passed over the alarm looks further back for data points, and once \
             the last ones before a silence were breaching it may fire on fewer than M of them"
                .to_owned()
        }
    });
    notes
}
