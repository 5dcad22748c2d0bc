//! The one integration-test binary; a file per concern.

mod field_cases;
mod trigger_spells;
