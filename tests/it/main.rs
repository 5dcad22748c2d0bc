//! The one integration-test binary; a file per concern.

mod budget;
mod determinism;
mod experiment;
mod field_cases;
mod oracles;
mod support;
mod trigger_spells;
mod world;
