//! Kubernetes: `failureThreshold` failures in a row, `periodSeconds` apart.
//!
//! The kubelet of the pod's own node makes the checks, so it goes with the region: a dark region is
//! noticed by nobody here. Periods are whole seconds. A failing readiness probe takes the pod out of
//! its services; a failing liveness probe restarts the container, which is no failover.
//! Source: the Probe v1 core reference and "Configure Liveness, Readiness and Startup Probes".

use minijinja::context;

use super::import::{ImportError, Imported, Kind, Place};
use super::tree::Node;
use super::{Absence, Amounts, Asked, Export, ExportError, Fit, Names, Product, render};
use crate::time::Span;
use crate::trigger::{Arming, Spec};

const TEMPLATE: &str = include_str!("templates/kubernetes.yaml");
const LARGEST: i64 = i32::MAX as i64;

/// The keys of a probe, and the value of those that are numbers when they are left out.
const KEYS: [(&str, Option<i64>); 10] = [
    ("exec", None),
    ("httpGet", None),
    ("tcpSocket", None),
    ("grpc", None),
    ("initialDelaySeconds", Some(0)),
    ("periodSeconds", Some(10)),
    ("timeoutSeconds", Some(1)),
    ("successThreshold", Some(1)),
    ("failureThreshold", Some(3)),
    ("terminationGracePeriodSeconds", None),
];

/// The kinds of probe.
const PROBES: [&str; 3] = ["readinessProbe", "livenessProbe", "startupProbe"];

/// The settings that decide when a probe fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Probe {
    period_s: i64,
    timeout_s: i64,
    failure_threshold: i64,
}

impl Probe {
    fn amounts(self) -> Amounts {
        let period = Span::from_secs(self.period_s);
        let trigger = Spec::Consecutive { k: self.failure_threshold.unsigned_abs() };
        Amounts {
            trigger,
            interval: period,
            patience: trigger.patience(period),
            up_to_later: Span::from_secs(self.timeout_s),
            absence: Absence::Unseen,
            arming: Arming::FullWindow,
        }
    }
}

/// Writes a readiness probe.
pub(crate) fn export(asked: &Asked, names: &Names) -> Result<Export, ExportError> {
    let period_s = whole_seconds(asked.interval);
    let timeout_s = whole_seconds(asked.timeout).min(period_s);
    let (k, differences) = super::in_a_row(asked, Span::from_secs(period_s));
    let failure_threshold = i64::try_from(k).unwrap_or(i64::MAX);
    if failure_threshold > LARGEST || period_s > LARGEST {
        let found = format!("{failure_threshold} failures {period_s} s apart");
        let allowed = "at most 2147483647 of each";
        return Err(ExportError::OutOfRange {
            product: Product::Kubernetes,
            what: "run",
            found,
            allowed,
        });
    }
    let probe = Probe { period_s, timeout_s, failure_threshold };
    let notes = vec![
        "a readiness probe takes the pod out of its services; a liveness probe would restart the \
         container instead, and moves no traffic"
            .to_owned(),
        "the kubelet beside the pod makes the checks and goes with the region; what is left is the \
         node controller, which marks the node lost only after its own grace period (40 s by default)"
            .to_owned(),
        "a new pod is not ready until its first check has passed".to_owned(),
    ];
    let fit = Fit { amounts: probe.amounts(), differences, notes };
    super::finish(Product::Kubernetes, asked, fit, |head| {
        let values = context! {
            heading => render::heading(head),
            period => period_s,
            timeout => timeout_s,
            failures => failure_threshold,
            path => &names.path,
            port => names.port,
            scheme => if names.port == 443 { "HTTPS" } else { "HTTP" },
        };
        Ok(vec![render::file(Product::Kubernetes, "readiness-probe.yaml", TEMPLATE, values)?])
    })
}

/// The nearest whole number of seconds, at least one.
fn whole_seconds(span: Span) -> i64 {
    (span + Span::from_nanos(500_000_000)).div_floor(Span::from_secs(1)).max(1)
}

/// Every probe in the documents.
pub(crate) fn import(place: &Place<'_>, documents: &[Node]) -> Result<Vec<Imported>, ImportError> {
    let mut found = Vec::new();
    for document in documents {
        if is_bare_probe(document) {
            found.push(read(place, "probe", "", document)?);
        } else {
            find(place, "", document, &mut found)?;
        }
    }
    Ok(found)
}

/// True iff the document is the inside of a probe.
fn is_bare_probe(document: &Node) -> bool {
    ["failureThreshold", "periodSeconds", "httpGet", "tcpSocket", "grpc"]
        .iter()
        .any(|key| document.get(key).is_some())
}

/// True iff the document is a probe, or there is one somewhere in it.
pub(crate) fn holds_a_probe(document: &Node) -> bool {
    is_bare_probe(document) || holds_a_named_probe(document)
}

fn holds_a_named_probe(node: &Node) -> bool {
    node.children().any(|(key, child)| PROBES.contains(&key.as_str()) || holds_a_named_probe(child))
}

fn find(
    place: &Place<'_>,
    path: &str,
    node: &Node,
    found: &mut Vec<Imported>,
) -> Result<(), ImportError> {
    for (key, child) in node.children() {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        if PROBES.contains(&key.as_str()) {
            found.push(read(place, &key, &path, child)?);
        } else {
            find(place, &path, child, found)?;
        }
    }
    Ok(())
}

fn read(place: &Place<'_>, what: &str, path: &str, node: &Node) -> Result<Imported, ImportError> {
    if !node.is_map() {
        return Err(place.wrong(node, path, "a probe: keys such as `periodSeconds: 10`"));
    }
    let mut notes = Vec::new();
    let mut number = |key: &str| -> Result<i64, ImportError> {
        let default =
            KEYS.iter().find(|(known, _)| *known == key).and_then(|(_, d)| *d).unwrap_or(1);
        let Some(value) = node.get(key) else {
            notes.push(format!("`{key}` is left out, which means {default}"));
            return Ok(default);
        };
        let path = format!("{path}.{key}");
        match value.integer() {
            Some(number) if (1..=LARGEST).contains(&number) => Ok(number),
            _ => Err(place.wrong(
                value,
                path.trim_start_matches('.'),
                "a whole number from 1 to 2147483647",
            )),
        }
    };
    let probe = Probe {
        period_s: number("periodSeconds")?,
        timeout_s: number("timeoutSeconds")?,
        failure_threshold: number("failureThreshold")?,
    };
    notes.extend(unknown_keys(node));
    if probe.timeout_s > probe.period_s {
        notes.push(
            "a check may take longer than the period, and the next one waits for it".to_owned(),
        );
    }
    notes.push(match what {
        "livenessProbe" => "it restarts the container; it moves no traffic".to_owned(),
        "startupProbe" => "it runs only until the container has started once".to_owned(),
        "readinessProbe" => "it takes the pod out of its services".to_owned(),
        _ => {
            "what it does depends on the key it stands under: only a readiness probe moves traffic"
                .to_owned()
        }
    });
    Ok(Imported {
        kind: Kind::Kubernetes,
        name: if path.is_empty() { what.to_owned() } else { path.to_owned() },
        line: node.line,
        amounts: probe.amounts(),
        notes,
    })
}

/// A note for every key that a probe does not have.
fn unknown_keys(node: &Node) -> Vec<String> {
    let known = KEYS.map(|(key, _)| key);
    node.children()
        .filter(|(key, _)| !known.contains(&key.as_str()))
        .map(|(key, child)| {
            let meant = super::import::nearest(&key, &known)
                .map_or_else(String::new, |word| format!("; did you mean `{word}`?"));
            format!("line {}: `{key}` is no key of a probe and has no effect{meant}", child.line)
        })
        .collect()
}
