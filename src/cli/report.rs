//! `report`: the page one brings to the design review.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{Failure, Format, Global, Outcome, files, output};
use crate::report::{self, ReportError, Study};

/// One page of results: the answer, the charts and how sure they are, in one file.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  failover-budget report output/patience
  failover-budget report output/patience output/laws -o review.html
  failover-budget report output/patience --markdown > comment.md")]
pub struct Args {
    /// Folders that `sweep` or `merge` wrote.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Where the page is written; report.html in the first folder when left out, stdout for Markdown.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Markdown for a pull request, instead of HTML.
    #[arg(long)]
    markdown: bool,
}

/// Runs the command.
///
/// # Errors
/// When a folder holds no complete results, or the page cannot be written.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let studies: Result<Vec<Study>, ReportError> =
        args.folders.iter().map(|folder| Study::read(folder)).collect();
    let studies = studies.map_err(failure)?;
    let (text, place) = if args.markdown {
        (report::markdown(&studies).map_err(failure)?, args.output.clone())
    } else {
        let beside = args.folders.first().map(|folder| folder.join("report.html"));
        (report::html(&studies).map_err(failure)?, args.output.clone().or(beside))
    };
    let Some(place) = place else {
        output::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
    files::write(&place, &text)?;
    global.note(&format!("wrote {}", place.display()));
    if global.format == Format::Json {
        output::print_json(&report::answers_json(&studies).map_err(failure)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn failure(error: ReportError) -> Failure {
    if error.is_bad_input() { Failure::bad_input(error) } else { Failure::failed(error) }
}
