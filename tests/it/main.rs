//! The one integration-test binary; a file per concern.

mod budget;
mod exact;
mod field_cases;
mod recorded;
mod report;
mod report_browser;
mod resume;
mod help;
mod products;
mod trigger_spells;
