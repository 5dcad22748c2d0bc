//! Reading alerting rules: a rule file, a `PrometheusRule` object, or a bare list of rules.

use super::expression::{self, Asks, Expression};
use super::{MILLISECOND, duration, silent_patience, up};
use crate::advise::products::import::{ImportError, Imported, Kind, Place};
use crate::advise::products::tree::{Node, Value};
use crate::advise::products::{Absence, Amounts};
use crate::time::Span;
use crate::trigger::{Arming, Spec};

const A_DURATION: &str = "a duration such as `90s` or `1m30s`";

/// The groups of a document: of a rule file, or of a `PrometheusRule`.
fn groups(document: &Node) -> Option<&Node> {
    document.get("groups").or_else(|| document.at(&["spec", "groups"]))
}

/// True iff there is an alerting rule in the document.
pub(crate) fn holds_rules(document: &Node) -> bool {
    let alerts = |rules: &Node| rules.items().iter().any(|rule| rule.get("alert").is_some());
    let in_groups =
        |groups: &Node| groups.items().iter().any(|group| group.get("rules").is_some_and(alerts));
    groups(document).is_some_and(in_groups)
        || document.get("rules").is_some_and(alerts)
        || alerts(document)
        || document.get("alert").is_some()
}

/// Every alerting rule in the documents.
pub(crate) fn import(
    place: &Place<'_>,
    documents: &[Node],
    evaluation: Span,
) -> Result<Vec<Imported>, ImportError> {
    let mut found = Vec::new();
    for document in documents {
        if let Some(groups) = groups(document) {
            for (index, group) in groups.items().iter().enumerate() {
                let path = format!("groups.{index}");
                read_group(place, &path, group, evaluation, &mut found)?;
            }
        } else if document.get("rules").is_some() {
            read_group(place, "", document, evaluation, &mut found)?;
        } else if document.get("alert").is_some() {
            found.push(read_rule(place, "", document, Evaluation::assumed(evaluation))?);
        } else {
            for (index, rule) in document.items().iter().enumerate() {
                if rule.get("alert").is_some() {
                    let path = index.to_string();
                    found.push(read_rule(place, &path, rule, Evaluation::assumed(evaluation))?);
                }
            }
        }
    }
    Ok(found)
}

/// Time between evaluations, and whether the file says so.
#[derive(Clone, Copy)]
struct Evaluation {
    every: Span,
    stated: bool,
}

impl Evaluation {
    fn assumed(every: Span) -> Self {
        // Prometheus counts in milliseconds; anything shorter would be no time at all.
        Evaluation { every: every.max(MILLISECOND), stated: false }
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn read_group(
    place: &Place<'_>,
    path: &str,
    group: &Node,
    evaluation: Span,
    found: &mut Vec<Imported>,
) -> Result<(), ImportError> {
    let evaluation = match written(place, &joined(path, "interval"), group.get("interval"))? {
        Some(every) if every.is_positive() => Evaluation { every, stated: true },
        _ => Evaluation::assumed(evaluation),
    };
    let rules = group.get("rules").map_or(&[][..], Node::items);
    for (index, rule) in rules.iter().enumerate() {
        if rule.get("alert").is_some() {
            found.push(read_rule(
                place,
                &joined(path, &format!("rules.{index}")),
                rule,
                evaluation,
            )?);
        }
    }
    Ok(())
}

/// A duration that may be left out.
fn written(place: &Place<'_>, key: &str, node: Option<&Node>) -> Result<Option<Span>, ImportError> {
    let Some(node) = node.filter(|node| node.value != Value::Null) else { return Ok(None) };
    let text = match &node.value {
        Value::Text(text) => text.clone(),
        Value::Integer(0) => "0".to_owned(),
        _ => return Err(place.wrong(node, key, A_DURATION)),
    };
    duration::read(&text).map(Some).ok_or_else(|| place.wrong(node, key, A_DURATION))
}

fn read_rule(
    place: &Place<'_>,
    path: &str,
    rule: &Node,
    evaluation: Evaluation,
) -> Result<Imported, ImportError> {
    let expr = rule.get("expr").ok_or_else(|| place.missing(rule, &joined(path, "expr")))?;
    let text = match &expr.value {
        Value::Text(text) => text.as_str(),
        // `expr: 1` is a legal expression.
        Value::Integer(_) | Value::Float(_) => "",
        _ => return Err(place.wrong(expr, &joined(path, "expr"), "a PromQL expression")),
    };
    let hold = written(place, &joined(path, "for"), rule.get("for"))?.unwrap_or(Span::ZERO);
    let name = rule.get("alert").and_then(Node::text).unwrap_or("alert").to_owned();
    let mut notes = Vec::new();
    if !evaluation.stated {
        notes.push(format!(
            "the group states no `interval`; evaluations every {} are assumed (--interval)",
            evaluation.every
        ));
    }
    let held = up(hold, evaluation.every);
    if held != hold {
        notes.push(format!(
            "`for: {}` is rounded up to evaluations {} apart: {held}",
            duration::write(hold),
            evaluation.every
        ));
    }
    let amounts = amounts(text, hold, evaluation.every, &mut notes);
    Ok(Imported { kind: Kind::Prometheus, name, line: rule.line, amounts, notes })
}

/// What an expression and its `for` amount to, a sample coming with every evaluation.
fn amounts(text: &str, hold: Span, every: Span, notes: &mut Vec<String>) -> Amounts {
    let held = up(hold, every);
    let steps = held.div_floor(every).unsigned_abs();
    let expression = expression::read(text);
    let understood = counted(&expression, hold, every, notes)
        .and_then(|(spec, absence)| spec.checked().ok().map(|spec| (spec, absence)));
    let (trigger, absence) = understood.unwrap_or_else(|| {
        let absence = if expression.filled { Absence::Failure } else { Absence::Healthy };
        (Spec::Consecutive { k: steps + 1 }, absence)
    });
    if absence == Absence::Healthy {
        notes.push(
            "a missing sample starts `for` again; silence needs an alert of its own".to_owned(),
        );
    }
    let is_held = matches!(trigger, Spec::MOfN { .. } | Spec::Window { .. }) && steps > 0;
    if is_held {
        notes.push(format!("the condition must then hold for {held}, which its patience includes"));
    }
    // So many failed samples are needed after a start too; a share or a window may be full at once.
    let needs_them = matches!(expression.asks, Asks::ManyFailed { .. }) || expression.guarded;
    Amounts {
        trigger,
        interval: every,
        patience: trigger.patience(every) + if is_held { held } else { Span::ZERO },
        up_to_later: every,
        absence,
        arming: match steps {
            _ if needs_them => Arming::FullWindow,
            0 => Arming::Immediate,
            steps => Arming::Checks(steps + 1),
        },
    }
}

/// The trigger of an expression that looks at more than the latest sample, if it is one.
fn counted(
    expression: &Expression,
    hold: Span,
    every: Span,
    notes: &mut Vec<String>,
) -> Option<(Spec, Absence)> {
    let samples = |range: Span| up(range, every).div_floor(every).unsigned_abs().max(1);
    let filled = |otherwise| if expression.filled { Absence::Failure } else { otherwise };
    let found = match expression.asks {
        Asks::LatestFailed => return None,
        Asks::Unknown => {
            notes.push("the expression is taken as a condition that holds or does not".to_owned());
            return None;
        }
        Asks::Silence { range } => {
            notes.push("it counts missing samples, and missing ones only".to_owned());
            let seen =
                range.map_or(up(hold, every), |range| silent_patience(range, hold, every, every));
            if range.is_none() {
                notes.push(
                    "where no staleness marker is left it sees silence 5 min late".to_owned(),
                );
            }
            let k = seen.div_floor(every).unsigned_abs() + 1;
            (Spec::Consecutive { k }, Absence::Failure)
        }
        Asks::NoneHealthy { range } => {
            let half = Span::from_nanos(every.as_nanos() / 2);
            let window = super::times(every, samples(range)) - half;
            (Spec::Window { window }, filled(Absence::Ignored))
        }
        Asks::FewHealthy { range, most } => {
            if !expression.filled {
                notes.push("when every sample in the range is missing it does not fire".to_owned());
            }
            let n = samples(range);
            let m = u64::try_from(i64::try_from(n).ok()?.checked_sub(most)?).ok()?;
            (many(m, n), Absence::Failure)
        }
        Asks::ManyFailed { range, least } => {
            (many(u64::try_from(least).ok()?, samples(range)), Absence::Ignored)
        }
        Asks::LowShare { range, below, of_due } => {
            let window = super::times(every, samples(range) - 1);
            let spec =
                Spec::SuccessRate { min_success: below, window, fail_after: up(hold, every) };
            (spec, if of_due { Absence::Failure } else { filled(Absence::Ignored) })
        }
    };
    notes.push(format!("a sample with every evaluation ({every} apart) is assumed"));
    Some(found)
}

/// At least `m` of `n`, which for all of them is a run.
fn many(m: u64, n: u64) -> Spec {
    if m == n { Spec::Consecutive { k: m } } else { Spec::MOfN { m, n } }
}
