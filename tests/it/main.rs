//! The one integration-test binary; a file per concern.

mod budget;
mod cluster;
mod determinism;
mod docs;
mod drill;
mod exact;
mod experiment;
mod field_cases;
mod gate;
mod hardening;
mod help;
mod hostile;
mod licences;
mod oracles;
mod products;
mod rare;
mod recorded;
mod resume;
mod soak;
mod support;
mod trigger_spells;
mod world;
