//! Advice that people act on: which trigger, on which tier, at what cost, and as whose configuration.
//!
//! Nothing here reads files or prints; the command line does both.

pub mod products;
