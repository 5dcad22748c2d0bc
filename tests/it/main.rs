//! The one integration-test binary; a file per concern.

mod budget;
mod determinism;
mod docs;
mod drill;
mod exact;
mod experiment;
mod field_cases;
mod fit_coverage;
mod fit_published;
mod gate;
mod help;
mod lab_cli;
mod oracles;
mod products;
mod rare;
mod recorded;
mod replay;
mod report;
mod report_browser;
mod resume;
mod support;
mod trace;
mod trigger_spells;
mod world;
