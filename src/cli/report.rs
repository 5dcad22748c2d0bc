//! `report`: the page one brings to the design review.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::{Failure, Format, Global, Outcome, files, output};
use crate::advise::Limit;
use crate::report::{self, Material, Refit, ReportError, Study};

/// One page of results: the answer, the charts and how sure they are, in one file.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  failover-budget report output/patience
  failover-budget report output/patience output/laws -o review.html
  failover-budget report output/patience --max-false-failovers 1/30d --markdown > comment.md")]
pub struct Args {
    /// Folders that `sweep`, `merge` or `fit` wrote.
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Where the page is written; report.html in the first folder when left out, stdout for Markdown.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The most false failovers that are accepted, so many in a length of time, like 1/30d: the page then
    /// begins with the advice; the scenario's ownership.max_false_failovers when left out.
    #[arg(long, value_name = "N/TIME")]
    max_false_failovers: Option<Limit>,
    /// Markdown for a pull request, instead of HTML.
    #[arg(long)]
    markdown: bool,
}

/// Runs the command.
///
/// # Errors
/// When a folder holds no complete results, or the page cannot be written.
pub fn run(args: &Args, global: &Global) -> Outcome {
    let material = material(args)?;
    let (text, place) = if args.markdown {
        (report::markdown(&material).map_err(failure)?, args.output.clone())
    } else {
        let beside = args.folders.first().map(|folder| folder.join("report.html"));
        (report::html(&material).map_err(failure)?, args.output.clone().or(beside))
    };
    let Some(place) = place else {
        output::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
    files::write(&place, &text)?;
    global.note(&format!("wrote {}", place.display()));
    if global.format == Format::Json {
        output::print_json(&report::answers_json(&material).map_err(failure)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn material(args: &Args) -> Result<Material, Failure> {
    let mut material = Material { limit: args.max_false_failovers, ..Material::default() };
    for folder in &args.folders {
        match refit(folder)? {
            Some(refit) => material.refits.push(refit),
            None => material.studies.push(Study::read(folder).map_err(failure)?),
        }
    }
    Ok(material)
}

/// What `fit` wrote into this folder; none where it holds results or neither.
fn refit(folder: &Path) -> Result<Option<Refit>, Failure> {
    let scenario = folder.join("scenario.toml");
    if folder.join(crate::sweep::manifest::FILE).exists() || !scenario.exists() {
        return Ok(None);
    }
    let read = |path: &Path| {
        std::fs::read_to_string(path)
            .map_err(|why| Failure::BadInput(format!("{}: cannot be read: {why}", path.display())))
    };
    let mut charts = Vec::new();
    for file in CHARTS_OF_FIT {
        let path = folder.join(file);
        if path.exists() {
            charts.push((file.to_owned(), read(&path)?));
        }
    }
    let name =
        folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(Some(Refit { name, scenario: read(&scenario)?, charts }))
}

/// The charts that `fit` writes.
const CHARTS_OF_FIT: [&str; 2] = ["survival.svg", "survival-outages.svg"];

fn failure(error: ReportError) -> Failure {
    if error.is_bad_input() { Failure::bad_input(error) } else { Failure::failed(error) }
}
