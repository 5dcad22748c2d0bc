//! The one integration-test binary; a file per concern.

mod budget;
mod determinism;
mod docs;
mod exact;
mod experiment;
mod field_cases;
mod help;
mod lab_cli;
mod oracles;
mod products;
mod recorded;
mod resume;
mod support;
mod trigger_spells;
mod world;
