//! What several files of these tests use: statistics of a comparison, and the command itself.

use assert_cmd::Command;
use failover_budget::estimate::Sums;
use statrs::distribution::{DiscreteCDF, Poisson};

/// How many standard errors a right figure may be off.
pub const SIGMAS: f64 = 3.5;

/// The chance that a normal variate is off by more than [`SIGMAS`] to one side.
pub const TAIL: f64 = 2.326e-4;

/// By how many standard errors of their mean the numbers differ from `expected` on average.
pub fn standard_errors(sums: &Sums, expected: f64) -> f64 {
    let error = (sums.variance().unwrap() / sums.n as f64).sqrt();
    (sums.mean_value().unwrap() - expected) / error
}

/// Whether a count is no stranger under a Poisson law of mean `expected` than [`SIGMAS`] standard
/// errors under a normal one.
pub fn is_poisson(count: u64, expected: f64) -> bool {
    let law = Poisson::new(expected.max(f64::MIN_POSITIVE)).unwrap();
    let at_least = if count == 0 { 1.0 } else { law.sf(count - 1) };
    at_least >= TAIL && law.cdf(count) >= TAIL
}

/// The command, with nothing of the caller's terminal.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_failover-budget"));
    command.args(args).env("COLUMNS", "100").env_remove("NO_COLOR");
    command
}

/// What the command prints on stdout when it does its work.
pub fn printed(args: &[&str]) -> String {
    let output = command(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The JSON object that the command prints.
pub fn json(args: &[&str]) -> serde_json::Value {
    let all: Vec<&str> = args.iter().copied().chain(["--format", "json"]).collect();
    serde_json::from_str(&printed(&all)).unwrap()
}
