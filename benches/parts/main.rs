//! Benches of the parts that a simulated month is made of; a file per part.
//!
//! `cargo bench --bench parts -- laws` runs one of them. Times are for comparing two states of the
//! code on one quiet machine; `benches/instructions` counts where the machine is not quiet.

mod exact;
mod laws;
mod queue;
mod sweep;
mod triggers;
mod world;

use criterion::{criterion_group, criterion_main};

criterion_group!(
    parts,
    queue::bench,
    laws::bench,
    world::bench,
    triggers::bench,
    exact::bench,
    sweep::bench
);
criterion_main!(parts);
