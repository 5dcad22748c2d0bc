//! The `failover-budget` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    failover_budget::cli::main()
}
