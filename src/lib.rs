//! How long should a failover controller wait, and what does that cost?
//!
//! A discrete-event simulator with parallel parameter sweeps for teams that serve AI models from
//! two regions. ARCHITECTURE.md has the map of the house; the modules below stand in the order in
//! which data flows through them.

pub mod time;

pub mod law;

pub mod engine;

pub mod scenario;

pub mod history;

pub mod world;

pub mod trigger;

pub mod budget;

pub mod exact;

pub mod estimate;

pub mod experiment;

pub mod sweep;

pub mod recorded;

pub mod fit;

pub mod figure;

pub mod gate;

pub mod drill;

pub mod advise;

pub mod report;

pub mod cli;
