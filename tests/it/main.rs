//! The one integration-test binary; a file per concern.

mod budget;
mod exact;
mod field_cases;
mod help;
mod products;
mod recorded;
mod resume;
mod trigger_spells;
