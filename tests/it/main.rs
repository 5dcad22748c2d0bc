//! The one integration-test binary; a file per concern.

mod budget;
mod field_cases;
mod fit_coverage;
mod fit_published;
mod recorded;
mod replay;
mod trigger_spells;
