//! Sweeps: a grid of scenarios, run in parallel, kept in parts, and written as one table.
//!
//! The results depend on the spec alone: not on threads, chunks, shards, kills or resumes. This module
//! makes no charts and prints nothing.

pub mod axes;
pub mod claim;
pub mod collect;
pub mod drills;
pub mod error;
pub mod folder;
pub mod limits;
pub mod manifest;
pub mod parts;
pub mod plan;
pub mod results;
pub mod runner;
pub mod spec;
pub mod store;
pub mod table;

pub use claim::Claim;
pub use drills::{DrillSweep, DrillSweepError};
pub use error::SweepError;
pub use folder::{Existing, Folder};
pub use manifest::{Manifest, State};
pub use plan::Shard;
pub use results::Row;
pub use runner::{Job, Watch};
pub use spec::Sweep;
pub use store::{Store, StoreError};
