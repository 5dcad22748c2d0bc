//! The one integration-test binary; a file per concern.

mod budget;
mod determinism;
mod docs;
mod drill;
mod exact;
mod experiment;
mod field_cases;
mod help;
mod products;
mod recorded;
mod resume;
mod gate;
mod help;
mod oracles;
mod products;
mod rare;
mod recorded;
mod resume;
mod support;
mod trigger_spells;
mod world;
