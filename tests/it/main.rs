//! The one integration-test binary; a file per concern.

mod budget;
mod docs;
mod exact;
mod field_cases;
mod fit_coverage;
mod fit_published;
mod help;
mod products;
mod recorded;
mod replay;
mod resume;
mod trigger_spells;
mod world;
