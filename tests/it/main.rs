//! The one integration-test binary; a file per concern.

mod budget;
mod drill;
mod field_cases;
mod gate;
mod docs;
mod exact;
mod field_cases;
mod recorded;
mod resume;
mod help;
mod products;
mod trigger_spells;
