//! The page one brings to the design review: one HTML file that needs nothing else, or Markdown.
//!
//! A [`Study`] is a folder of results, read through `sweep`. The views below turn it into what stands
//! on the page, in words and numbers; the templates beside them turn views into text, and escape every
//! name that came from a user's file. Nothing here writes a file or reads the clock, so that the same
//! results give the same page.

mod advised;
mod answer;
mod base64;
mod budget;
mod cells;
mod choice;
mod laws;
mod lies;
mod method;
mod page;
mod pareto;
mod question;
mod refit;
mod scale;
mod sensitivity;
mod study;
mod table;
mod words;

pub use page::{Material, answers_json, html, markdown};
pub use refit::Refit;
pub use study::Study;

use crate::scenario::validate::Broken;
use crate::sweep::SweepError;

/// Why no report could be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The folder's results cannot be read.
    #[error(transparent)]
    Results(#[from] SweepError),
    /// The results belong to a spec that this version does not read the same way.
    #[error("{folder}: {why}; run the sweep again with --force, or use the version that wrote it")]
    Spec {
        /// The folder.
        folder: String,
        /// What is wrong.
        why: String,
    },
    /// A stage of a target is misplaced.
    #[error("{}: {}", .0.key, .0.message)]
    Plan(Broken),
    /// A template and its view disagree: a fault of this program.
    #[error("the page cannot be put together: {0}")]
    Template(#[from] minijinja::Error),
    /// A view cannot be written as JSON: a fault of this program.
    #[error("the page's data cannot be written: {0}")]
    Data(#[from] serde_json::Error),
}

impl ReportError {
    /// True where the input is at fault, and not this program or the machine.
    pub fn is_bad_input(&self) -> bool {
        match self {
            ReportError::Results(error) => error.is_bad_input(),
            ReportError::Spec { .. } | ReportError::Plan(_) => true,
            ReportError::Template(_) | ReportError::Data(_) => false,
        }
    }
}
