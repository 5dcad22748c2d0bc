//! Reading an alarm: `describe-alarms`, `put-metric-alarm` or CloudFormation, as JSON or YAML.

use super::Settings;
use crate::advise::products::import::{ImportError, Imported, Kind, Place};
use crate::advise::products::tree::{Node, Value};
use crate::advise::products::{Absence, Amounts};
use crate::time::Span;
use crate::trigger::Arming;

/// The key that every alarm has.
const MARK: &str = "EvaluationPeriods";

/// True iff there is an alarm somewhere in the document.
pub(crate) fn holds_an_alarm(document: &Node) -> bool {
    document.get(MARK).is_some() || document.children().any(|(_, child)| holds_an_alarm(child))
}

/// Every alarm in the documents.
pub(crate) fn import(place: &Place<'_>, documents: &[Node]) -> Result<Vec<Imported>, ImportError> {
    let mut found = Vec::new();
    for document in documents {
        find(place, "", document, &mut found)?;
    }
    Ok(found)
}

fn find(
    place: &Place<'_>,
    path: &str,
    node: &Node,
    found: &mut Vec<Imported>,
) -> Result<(), ImportError> {
    if node.get(MARK).is_some() {
        found.push(read(place, path, node)?);
        return Ok(());
    }
    for (key, child) in node.children() {
        let path = if path.is_empty() { key } else { format!("{path}.{key}") };
        find(place, &path, child, found)?;
    }
    Ok(())
}

fn read(place: &Place<'_>, path: &str, node: &Node) -> Result<Imported, ImportError> {
    let under = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    let count = |key: &str, value: &Node| match value.integer() {
        Some(number) if number >= 1 => Ok(number.unsigned_abs()),
        _ => Err(place.wrong(
            value,
            &under(key),
            "a whole number from 1 (functions are not evaluated)",
        )),
    };
    let n = match node.get(MARK) {
        Some(value) => count(MARK, value)?,
        None => return Err(place.missing(node, &under(MARK))),
    };
    let m = match node.get("DatapointsToAlarm").filter(|value| value.value != Value::Null) {
        Some(value) => count("DatapointsToAlarm", value)?,
        None => n,
    };
    if m > n {
        let found = node.get("DatapointsToAlarm").unwrap_or(node);
        return Err(place.wrong(found, &under("DatapointsToAlarm"), "at most EvaluationPeriods"));
    }
    let period = period(node).ok_or_else(|| place.missing(node, &under("Period")))?;
    let seconds = count("Period", period)?;
    let most = 604_800;
    if seconds > most || seconds.saturating_mul(n) > most {
        return Err(place.wrong(
            period,
            &under("Period"),
            "such that all periods last at most 604800 s",
        ));
    }
    let period = Span::from_secs(i64::try_from(seconds).unwrap_or(0));
    let settings = Settings { period, m, n };
    let (absence, mut notes) = absence(place, &under("TreatMissingData"), node)?;
    notes.push(
        "a data point counts only once its period has ended; whether a breaching one means that every \
         check in the period failed depends on statistic and threshold"
            .to_owned(),
    );
    let name = node.get("AlarmName").and_then(Node::text).map_or(path, |name| name);
    let evaluated_every = if seconds < 60 { Span::from_secs(10) } else { Span::from_secs(60) };
    Ok(Imported {
        kind: Kind::CloudWatch,
        name: if name.is_empty() { "alarm".to_owned() } else { name.to_owned() },
        line: node.line,
        amounts: Amounts {
            trigger: settings.trigger(),
            interval: period,
            patience: settings.trigger().patience(period),
            up_to_later: period + evaluated_every,
            absence,
            arming: Arming::FullWindow,
        },
        notes,
    })
}

/// The alarm's own period, or that of the first metric of its expression.
fn period(node: &Node) -> Option<&Node> {
    let metrics = || {
        let metrics = node.get("Metrics")?.items();
        metrics.iter().find_map(|metric| {
            metric.at(&["MetricStat", "Period"]).or_else(|| metric.get("Period"))
        })
    };
    node.get("Period").or_else(metrics)
}

/// What the alarm does with missing data, and what to know about that.
fn absence(
    place: &Place<'_>,
    key: &str,
    node: &Node,
) -> Result<(Absence, Vec<String>), ImportError> {
    let Some(value) = node.get("TreatMissingData") else {
        let note = "`TreatMissingData` is left out, which means `missing`";
        return Ok((Absence::Ignored, vec![note.to_owned(), premature()]));
    };
    match value.text() {
        Some("breaching") => Ok((Absence::Failure, Vec::new())),
        Some("notBreaching") => Ok((Absence::Healthy, Vec::new())),
        Some("missing") => Ok((Absence::Ignored, vec![premature()])),
        Some("ignore") => {
            let note = "while data is missing the alarm keeps the state it had";
            Ok((Absence::Ignored, vec![note.to_owned()]))
        }
        _ => Err(place.wrong(value, key, "`breaching`, `notBreaching`, `ignore` or `missing`")),
    }
}

fn premature() -> String {
    "once the last data points before a silence were breaching, the alarm may fire on fewer than M of \
     them; with none at all it goes to INSUFFICIENT_DATA and not to ALARM"
        .to_owned()
}
