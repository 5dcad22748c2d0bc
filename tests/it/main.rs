//! The one integration-test binary; a file per concern.

mod field_cases;
mod recorded;
mod trigger_spells;
