//! A trigger as the configuration of a product that people run, and what that product makes of it.
//!
//! No product reads `consecutive:12` as the simulator does: one counts in whole seconds, one in
//! evaluations, one cannot count past ten. So an export states what the configuration *amounts to*
//! (a trigger again, its patience, what it does with silence) and every difference from what was
//! asked. The importers read the same statement out of a configuration that exists. One file a
//! product; nothing here reads or writes files.

pub mod cloudwatch;
pub mod envoy;
pub mod haproxy;
pub mod import;
pub mod kubernetes;
pub mod names;
pub mod prometheus;
pub mod render;
pub mod route53;
pub mod tree;

use std::fmt;

pub use import::{ImportError, Imported, Kind, import};
pub use names::{NameError, Names};

use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec, SpecError};

/// A product whose configuration can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Product {
    /// A Prometheus alerting rule.
    Prometheus,
    /// A Kubernetes readiness probe.
    Kubernetes,
    /// An Amazon Route 53 health check.
    Route53,
    /// An Amazon CloudWatch alarm.
    CloudWatch,
    /// A HAProxy server check.
    HaProxy,
    /// An Envoy active health check.
    Envoy,
}

impl Product {
    /// Every product.
    pub const ALL: [Product; 6] = [
        Product::Prometheus,
        Product::Kubernetes,
        Product::Route53,
        Product::CloudWatch,
        Product::HaProxy,
        Product::Envoy,
    ];

    /// The word for it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Product::Prometheus => "prometheus",
            Product::Kubernetes => "kubernetes",
            Product::Route53 => "route53",
            Product::CloudWatch => "cloudwatch",
            Product::HaProxy => "haproxy",
            Product::Envoy => "envoy",
        }
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a product makes of a check that was due and never arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It counts as a failed check.
    Failure,
    /// It is passed over: a failing run goes on at the next check that arrives.
    Ignored,
    /// It ends a failing run, as a healthy check does.
    Healthy,
    /// Nobody is left to notice: the checker goes with the region.
    Unseen,
}

impl Absence {
    /// The word for it in output.
    pub fn name(self) -> &'static str {
        match self {
            Absence::Failure => "failure",
            Absence::Ignored => "ignored",
            Absence::Healthy => "healthy",
            Absence::Unseen => "unseen",
        }
    }

    /// What it means, as a sentence without its subject.
    pub fn meaning(self) -> &'static str {
        match self {
            Absence::Failure => "an absent check counts as a failed one",
            Absence::Ignored => {
                "an absent check is passed over, and the failing run goes on after it"
            }
            Absence::Healthy => "an absent check ends a failing run, as a healthy one does",
            Absence::Unseen => {
                "the checker goes with the region, so a dark region is never noticed"
            }
        }
    }

    fn is(self, silence: Silence) -> bool {
        match silence {
            Silence::Failure => self == Absence::Failure,
            Silence::Ignored => self == Absence::Ignored,
        }
    }
}

/// The trigger that is to be written as a configuration, and how its checks are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The trigger.
    pub trigger: Spec,
    /// Time from one due check to the next.
    pub interval: Span,
    /// How long one check may take; must be positive.
    pub timeout: Span,
    /// What an absent check counts as.
    pub silence: Silence,
    /// The history needed before it may fire.
    pub arming: Arming,
    /// Time from one evaluation of the rules to the next, for products that evaluate on a clock of
    /// their own (Prometheus); the interval when left out.
    pub evaluation: Option<Span>,
}

impl Asked {
    /// Time from the first failed check to the firing, as asked.
    pub fn patience(&self) -> Span {
        self.trigger.patience(self.interval)
    }
}

/// The trigger that a configuration amounts to.
#[derive(Clone, Debug, PartialEq)]
pub struct Amounts {
    /// The trigger over checks made every [`interval`](Amounts::interval).
    pub trigger: Spec,
    /// Time between the checks, or the data points, that the trigger counts.
    pub interval: Span,
    /// Shortest time from the first failed check to the firing when every check after it fails.
    pub patience: Span,
    /// How much later than that the product may act: evaluation grids, time-outs, propagation.
    pub up_to_later: Span,
    /// What it does with silence.
    pub absence: Absence,
    /// What it must hold after a start before it may fire.
    pub arming: Arming,
}

/// One file of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigFile {
    /// Its name, without a folder.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A trigger written as a product's configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// Whose configuration it is.
    pub product: Product,
    /// What it amounts to.
    pub amounts: Amounts,
    /// Every way in which that is not what was asked; empty when it is the same.
    pub differences: Vec<String>,
    /// What the product's own rules mean for the figures, true also when nothing differs.
    pub notes: Vec<String>,
    /// The configuration itself.
    pub files: Vec<ConfigFile>,
}

/// Why a trigger cannot be written as a configuration at all.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExportError {
    /// No trigger.
    #[error(transparent)]
    Trigger(#[from] SpecError),
    /// A name that the product cannot hold.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A figure that no setting of the product comes near.
    #[error("{product} cannot hold a {what} of {found}; allowed is {allowed}")]
    OutOfRange {
        /// The product.
        product: Product,
        /// Which figure.
        what: &'static str,
        /// Its value.
        found: String,
        /// What the product allows.
        allowed: &'static str,
    },
    /// A template of the product's configuration failed; a defect of this program.
    #[error("the configuration for {product} could not be written: {why}")]
    Template {
        /// The product.
        product: Product,
        /// What the template engine says.
        why: String,
    },
}

/// What a product's file hands back: the fit, before it is compared with what was asked.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    amounts: Amounts,
    /// Differences that only the product knows of.
    differences: Vec<String>,
    notes: Vec<String>,
}

/// Writes the trigger as the configuration of `product`.
///
/// # Errors
/// When a name or figure is one that the product cannot hold.
pub fn export(product: Product, asked: &Asked, names: &Names) -> Result<Export, ExportError> {
    check(product, asked)?;
    names.check()?;
    match product {
        Product::Prometheus => prometheus::export(asked, names),
        Product::Kubernetes => kubernetes::export(asked, names),
        Product::Route53 => route53::export(asked, names),
        Product::CloudWatch => cloudwatch::export(asked, names),
        Product::HaProxy => haproxy::export(asked, names),
        Product::Envoy => envoy::export(asked, names),
    }
}

/// Refuses what is no trigger over checks at all.
fn check(product: Product, asked: &Asked) -> Result<(), ExportError> {
    asked.trigger.checked()?;
    for (what, span) in [("interval", asked.interval), ("time-out", asked.timeout)] {
        if !span.is_positive() {
            let found = span.to_string();
            return Err(ExportError::OutOfRange {
                product,
                what,
                found,
                allowed: "longer than 0s",
            });
        }
    }
    Ok(())
}

/// What a configuration says of itself in its comments.
pub(crate) struct Head<'a> {
    asked: &'a Asked,
    amounts: &'a Amounts,
    differences: &'a [String],
}

/// Compares a fit with what was asked and has its files written.
pub(crate) fn finish(
    product: Product,
    asked: &Asked,
    fit: Fit,
    files: impl FnOnce(&Head<'_>) -> Result<Vec<ConfigFile>, ExportError>,
) -> Result<Export, ExportError> {
    let Fit { amounts, mut differences, mut notes } = fit;
    notes
        .extend(asked.trigger.warnings(asked.interval, Span::ZERO).iter().map(ToString::to_string));
    differences.extend(compare(asked, &amounts));
    let files = files(&Head { asked, amounts: &amounts, differences: &differences })?;
    Ok(Export { product, amounts, differences, notes, files })
}

/// The differences that can be seen from outside the product.
fn compare(asked: &Asked, amounts: &Amounts) -> Vec<String> {
    let mut found = Vec::new();
    if amounts.interval != asked.interval {
        found.push(format!(
            "it counts every {} where the checks were to be {} apart",
            amounts.interval, asked.interval
        ));
    }
    let (wanted, got) = (asked.patience(), amounts.patience);
    if got != wanted {
        let (word, by) =
            if got > wanted { ("longer", got - wanted) } else { ("shorter", wanted - got) };
        found.push(format!("its patience is {got}, {by} {word} than the {wanted} asked"));
    }
    if !amounts.absence.is(asked.silence) {
        found.push(format!(
            "silence was to be read as `{}`, but {}",
            asked.silence,
            amounts.absence.meaning()
        ));
    }
    match (asked.arming, amounts.arming) {
        (Arming::Immediate, Arming::Immediate) => {}
        (_, Arming::Immediate) => {
            found.push(
                "right after a start it may fire without the history it was to hold".to_owned(),
            );
        }
        (Arming::Immediate, _) => found.push(
            "after a start it needs the whole run of failures, where `immediate` was asked"
                .to_owned(),
        ),
        _ => {}
    }
    found
}

/// How many checks `period` apart have the patience nearest to `patience`; of two as near, the more.
pub(crate) fn nearest_count(patience: Span, period: Span) -> u64 {
    let (patience, period) = (patience.as_nanos().max(0), period.as_nanos().max(1));
    let steps = patience / period;
    let up = patience % period >= period - patience % period;
    (steps.unsigned_abs() + u64::from(up)).saturating_add(1)
}

/// The trigger as failures in a row, and how to say that this loses something.
pub(crate) fn in_a_row(asked: &Asked, period: Span) -> (u64, Vec<String>) {
    let k = nearest_count(asked.patience(), period);
    let said = match asked.trigger {
        Spec::Consecutive { .. } | Spec::Window { .. } => Vec::new(),
        other => vec![format!(
            "it can count failures in a row only, so {other} becomes {k} in a row, the nearest in \
             patience; failures with a healthy check between them are not seen"
        )],
    };
    (k, said)
}
