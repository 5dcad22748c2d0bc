//! The one integration-test binary; a file per concern.

mod budget;
mod drill;
mod field_cases;
mod gate;
mod trigger_spells;
