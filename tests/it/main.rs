//! The one integration-test binary; a file per concern.

mod budget;
mod field_cases;
mod fit_published;
mod trigger_spells;
