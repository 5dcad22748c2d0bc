//! The discrete-event engine: an event queue ordered by (time, phase, sequence), and named random
//! streams.
//!
//! It knows nothing of regions, probes or triggers. Processes live in the crates' `world` and
//! `drill`: a process is a state plus the events it schedules here.

pub mod lanes;
pub mod queue;
pub mod streams;

pub use lanes::Lanes;
pub use queue::{Phase, Queue, Ticket};
pub use streams::{Rng, Streams};
