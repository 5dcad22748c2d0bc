//! The one integration-test binary; a file per concern.

mod budget;
mod docs;
mod drill;
mod exact;
mod field_cases;
mod gate;
mod help;
mod products;
mod rare;
mod recorded;
mod resume;
mod trigger_spells;
mod world;
