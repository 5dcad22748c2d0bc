//! `completions`: what a shell needs to complete this program's words.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Outcome, output};

/// Options of `completions`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:
  failover-budget completions bash > ~/.local/share/bash-completion/completions/failover-budget
  failover-budget completions zsh > ~/.zfunc/_failover-budget")]
pub struct Args {
    /// The shell.
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Prints the completions.
pub fn run(args: &Args) -> Outcome {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
