//! The one integration-test binary; a file per concern.

mod advise;
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
mod oracles;
mod products;
mod rare;
mod recorded;
mod replay;
mod resume;
mod review;
mod support;
mod trace;
mod trigger_spells;
mod world;
