//! Reading configurations that exist: which trigger each amounts to.

use std::fmt;

use super::tree::{Node, Unreadable};
use super::{Amounts, cloudwatch, kubernetes, prometheus};
use crate::time::Span;

/// A kind of configuration that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Probes of a pod, alone or inside any object that holds pods.
    Kubernetes,
    /// Alerting rules.
    Prometheus,
    /// Metric alarms.
    CloudWatch,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 3] = [Kind::Kubernetes, Kind::Prometheus, Kind::CloudWatch];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Kubernetes => "kubernetes",
            Kind::Prometheus => "prometheus",
            Kind::CloudWatch => "cloudwatch",
        }
    }

    /// What must be in a file of this kind.
    fn mark(self) -> &'static str {
        match self {
            Kind::Kubernetes => "a `readinessProbe`, `livenessProbe` or `startupProbe`",
            Kind::Prometheus => "`groups` with `rules` that have an `alert`",
            Kind::CloudWatch => "an alarm with `EvaluationPeriods`",
        }
    }

    fn is_in(self, document: &Node) -> bool {
        match self {
            Kind::Kubernetes => kubernetes::holds_a_probe(document),
            Kind::Prometheus => prometheus::holds_rules(document),
            Kind::CloudWatch => cloudwatch::holds_an_alarm(document),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A rule, probe or alarm that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// What it was read as.
    pub kind: Kind,
    /// Its name in the file, or its place.
    pub name: String,
    /// The line it starts on, from 1.
    pub line: u64,
    /// The trigger it amounts to.
    pub amounts: Amounts,
    /// What to know about it.
    pub notes: Vec<String>,
}

/// Why a configuration cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// Neither YAML nor JSON.
    #[error("{file}{}: this is neither YAML nor JSON that can be read: {why}", at(.line))]
    Unreadable {
        /// The file.
        file: String,
        /// The line, where it is known.
        line: Option<u64>,
        /// What the parser says.
        why: String,
    },
    /// Nothing in it that could be a trigger.
    #[error("{file}: there is nothing to read in it; expected is {expected}")]
    Nothing {
        /// The file.
        file: String,
        /// What would be read.
        expected: String,
    },
    /// A value that cannot be what it should be.
    #[error("{file}:{line}: `{key}` is {found}; allowed is {allowed}")]
    Wrong {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The path of keys.
        key: String,
        /// What was found.
        found: String,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A key without which nothing can be said.
    #[error("{file}:{line}: `{key}` is missing, and without it there is no patience")]
    Missing {
        /// The file.
        file: String,
        /// The line of what it is missing from.
        line: u64,
        /// The path of keys.
        key: String,
    },
}

fn at(line: &Option<u64>) -> String {
    line.map_or_else(String::new, |line| format!(":{line}"))
}

/// Where something was read, for messages.
pub(crate) struct Place<'a> {
    pub(crate) file: &'a str,
}

impl Place<'_> {
    /// A value that cannot be what it should be.
    pub(crate) fn wrong(&self, node: &Node, key: &str, allowed: &'static str) -> ImportError {
        let found = node.value.to_string();
        ImportError::Wrong {
            file: self.file.to_owned(),
            line: node.line,
            key: key.to_owned(),
            found,
            allowed,
        }
    }

    /// A key that is not there.
    pub(crate) fn missing(&self, from: &Node, key: &str) -> ImportError {
        ImportError::Missing { file: self.file.to_owned(), line: from.line, key: key.to_owned() }
    }
}

/// Reads every trigger in a configuration. `file` is its name in messages; without a `kind` the first
/// of [`Kind::ALL`] that is found in it. `evaluation` is the time between evaluations for Prometheus
/// groups that do not state one.
///
/// # Errors
/// Names file, line, key, what was found and what is allowed.
pub fn import(
    file: &str,
    text: &str,
    kind: Option<Kind>,
    evaluation: Span,
) -> Result<Vec<Imported>, ImportError> {
    let documents = Node::documents(text).map_err(|Unreadable { line, why }| {
        ImportError::Unreadable { file: file.to_owned(), line, why }
    })?;
    let found = |kind: &Kind| documents.iter().any(|document| kind.is_in(document));
    let place = Place { file };
    let nothing = |expected: String| ImportError::Nothing { file: file.to_owned(), expected };
    let kind = match kind {
        Some(kind) => kind,
        None => Kind::ALL
            .into_iter()
            .find(found)
            .ok_or_else(|| nothing(Kind::ALL.map(Kind::mark).join(", or ")))?,
    };
    let imported = match kind {
        Kind::Kubernetes => kubernetes::import(&place, &documents)?,
        Kind::Prometheus => prometheus::import(&place, &documents, evaluation)?,
        Kind::CloudWatch => cloudwatch::import(&place, &documents)?,
    };
    if imported.is_empty() {
        return Err(nothing(kind.mark().to_owned()));
    }
    Ok(imported)
}

/// The known word nearest to a wrong one, if it is near enough to be a slip.
pub(crate) fn nearest(found: &str, known: &[&'static str]) -> Option<&'static str> {
    let likeness = |word: &str| strsim::jaro_winkler(found, word);
    let best = known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) > 0.85).then_some(best)
}
