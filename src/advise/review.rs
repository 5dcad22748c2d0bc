//! The production checklist: pass, fail or unknown, each with its evidence.
//!
//! What a scenario does not write is unknown, whatever its default: a default is nobody's statement.
//! What is written and wrong fails. The review judges what it is given; it reads no files and no clock.

mod items;
mod ownership;
mod rates;
mod written;

use serde::Serialize;

use crate::budget::{Outlook, outlooks};
use crate::scenario::Scenario;
use crate::scenario::validate::Broken;

pub use written::Written;

/// The schema of [`Review`].
pub const SCHEMA: &str = "failover-budget/review/1";

/// How an item comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It is as it should be.
    Pass,
    /// It is not.
    Fail,
    /// It cannot be told from what is written.
    Unknown,
}

impl Verdict {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Unknown => "unknown",
        }
    }
}

/// One item of the checklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its name.
    pub item: &'static str,
    /// What it asks for.
    pub asks: &'static str,
    /// How it comes out.
    pub verdict: Verdict,
    /// What that rests on, and the way out where it is no pass.
    pub evidence: String,
}

/// The whole checklist.
#[derive(Clone, Debug, Serialize)]
pub struct Review {
    /// The schema of this object.
    pub schema: &'static str,
    /// The scenario's name.
    pub scenario: String,
    /// The day as of which it is judged.
    pub today: String,
    /// The items, in the order of the checklist.
    pub items: Vec<Item>,
    /// How many pass.
    pub passed: usize,
    /// How many fail.
    pub failed: usize,
    /// How many are unknown.
    pub unknown: usize,
}

/// What a comparison of the standby's configuration with the primary's has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StandbyConfig {
    /// Not both manifests are named.
    NotNamed,
    /// They cannot be compared, for this reason.
    Unreadable(String),
    /// There is no difference that holds traffic back; those that are let pass are listed.
    Fit(Vec<String>),
    /// Differences that hold traffic back.
    Differs(Vec<String>),
}

/// What is reviewed.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// What of it is written, and not a default.
    pub written: &'a Written,
    /// The day as of which the last exercise is judged.
    pub today: jiff::civil::Date,
    /// What the manifests say.
    pub standby: StandbyConfig,
}

/// Reviews a scenario.
///
/// # Errors
/// When the scenario has no plan; with the dotted key.
pub fn review(subject: &Subject<'_>) -> Result<Review, Broken> {
    let outlooks: Vec<Outlook> = outlooks(subject.scenario)?;
    let items = vec![
        items::rto_by_stage(subject, &outlooks),
        items::window_from_room(subject, &outlooks),
        items::room_positive(subject, &outlooks),
        items::silence_is_failure(subject),
        items::history_after_restart(subject),
        rates::rate_measured(subject)?,
        ownership::rate_owned(subject),
        ownership::standby_config(subject),
        ownership::exercised(subject),
        ownership::stages_timed(subject, &outlooks),
        ownership::signal_integrity(subject),
    ];
    let count = |verdict| items.iter().filter(|item| item.verdict == verdict).count();
    Ok(Review {
        schema: SCHEMA,
        scenario: subject.scenario.name.clone(),
        today: subject.today.to_string(),
        passed: count(Verdict::Pass),
        failed: count(Verdict::Fail),
        unknown: count(Verdict::Unknown),
        items,
    })
}

#[cfg(test)]
mod tests;
