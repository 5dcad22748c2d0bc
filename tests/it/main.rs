//! The one integration-test binary; a file per concern.

mod budget;
mod field_cases;
mod trace;
mod trigger_spells;
