//! The one integration-test binary; a file per concern.

mod budget;
mod determinism;
mod docs;
mod drill;
mod exact;
mod experiment;
mod field_cases;
mod figures;
mod fit_coverage;
mod fit_published;
mod gate;
mod help;
mod lab_cli;
mod oracles;
mod parquet;
mod products;
mod rare;
mod recorded;
mod replay;
mod resume;
mod support;
mod sweep_spec;
mod sweeps;
mod trace;
mod trigger_spells;
mod world;
