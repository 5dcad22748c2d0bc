//! `man`: the manual pages, made from the same words as `--help`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_mangen::Man;

use super::{Cli, Failure, Outcome, files, output};

/// Options of `man`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:
  failover-budget man | man -l -
  failover-budget man export | man -l -
  failover-budget man --out ~/.local/share/man/man1")]
pub struct Args {
    /// The command whose page is printed; the program's own page when left out.
    #[arg(value_name = "COMMAND")]
    pub page: Option<String>,
    /// Write the pages of the program and of every command into this folder, which is made if need be.
    #[arg(long, value_name = "DIR", conflicts_with = "page")]
    pub out: Option<PathBuf>,
}

/// Every page, by the name of its file.
fn pages() -> Result<Vec<(String, String)>, Failure> {
    let mut root = Cli::command().disable_help_subcommand(true);
    root.build();
    let mut pages = vec![page(&root)?];
    for command in root.get_subcommands() {
        pages.push(page(command)?);
    }
    Ok(pages)
}

fn page(command: &clap::Command) -> Result<(String, String), Failure> {
    // Built commands bear the program's name in `display_name`: `failover-budget-export`.
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    man.render(&mut text).map_err(Failure::failed)?;
    Ok((man.get_filename(), String::from_utf8_lossy(&text).into_owned()))
}

/// Prints one page, or writes them all.
pub fn run(args: &Args) -> Outcome {
    let pages = pages()?;
    if let Some(folder) = &args.out {
        for (name, text) in &pages {
            files::write(&folder.join(name), text)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let program = Cli::command().get_name().to_owned();
    let wanted = match &args.page {
        None => format!("{program}.1"),
        Some(command) => format!("{program}-{command}.1"),
    };
    let Some((_, text)) = pages.iter().find(|(name, _)| *name == wanted) else {
        let command = args.page.as_deref().unwrap_or_default();
        let known: Vec<_> =
            Cli::command().get_subcommands().map(|c| c.get_name().to_owned()).collect();
        return Err(Failure::BadInput(format!(
            "there is no command `{command}`; there are {}",
            known.join(", ")
        )));
    };
    output::print(text)?;
    Ok(ExitCode::SUCCESS)
}
