//! The one integration-test binary; a file per concern.

mod exact;
mod field_cases;
mod trigger_spells;
