//! `plot`: charts again from results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{Failure, Global, Outcome};
use crate::figure;

/// Draw the charts of a folder of results again.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  failover-budget plot output/patience")]
pub struct Args {
    /// A folder that `sweep` or `merge` wrote.
    folder: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// When the folder holds no results, or cannot be written.
pub fn run(args: &Args, global: &Global) -> Outcome {
    draw(&args.folder, global)?;
    Ok(ExitCode::SUCCESS)
}

/// Draws every chart that the results in `folder` allow, and says which.
///
/// # Errors
/// As [`run`].
pub fn draw(folder: &Path, global: &Global) -> Result<(), Failure> {
    for path in figure::draw_all(folder).map_err(super::sweep::failure)? {
        global.note(&format!("wrote {}", path.display()));
    }
    Ok(())
}
