//! A service failing over and back, from the first failed canary to the last step home.
//!
//! A drill is described in TOML ([`service`]), checked and resolved ([`Plan`]), run as processes on
//! the event queue ([`run()`]) and told as a timeline, a table, JSON or a picture. Over many
//! replications its figures have distributions ([`replicate()`]). The controller ([`controller`]) is a
//! pure state machine that would run outside just as well.
//!
//! Never here: a model of what load before the outage does to replication lag. Lag is an input with a
//! law; a model of it would assume its conclusion.

pub mod controller;
pub mod outcome;
mod picture;
pub mod plan;
mod replicate;
pub mod rows;
mod run;
pub mod service;
mod show;
mod validate;

pub use outcome::Outcome;
pub use picture::svg;
pub use plan::Plan;
pub use replicate::{
    Distributions, FeatureDistribution, Figures, MOST_REPLICATIONS, figures, replicate,
};
pub use run::run;
pub use show::{distributions_json, outcome_json};

use crate::scenario::{Document, InputError};

/// The document of a drill that extends another: `over` with everything of `base` that it does not
/// say otherwise. Tables are merged key by key; lists are replaced as a whole.
///
/// # Errors
/// When `base` extends a third.
pub fn layered(base: &Document, mut over: Document) -> Result<Document, InputError> {
    if base.table.contains_key(EXTENDS) {
        return Err(base.error(EXTENDS, "a drill that another extends cannot extend a third"));
    }
    over.table.remove(EXTENDS);
    let mut table = base.table.clone();
    plan::overlay(&mut table, &over.table);
    over.table = table;
    Ok(over)
}

/// The key that names the drill that a drill extends.
pub const EXTENDS: &str = "extends";

#[cfg(test)]
mod tests;
