//! Puts the parts of all shards together: the rows that one run would have made.

use rayon::prelude::*;

use super::error::SweepError;
use super::parts::{self, Counted};
use super::results::Row;
use super::runner::{Collector, Job};
use super::store::Store;

/// Parts that are merged before the rows of the points that they complete are made, on all threads.
const AT_ONCE: usize = 64;

/// Reads every part of `job` from the shards' stores and makes the rows that one run would have made.
///
/// Stores are paired with the shard that each says it holds: a part is looked for there first, so
/// that a thousand shards are not searched for each part.
///
/// # Errors
/// When a store holds another sweep, or parts are missing.
pub fn collect(
    job: &Job,
    stores: &[(Store, Option<u64>)],
    shards: u64,
) -> Result<Vec<Vec<Row>>, SweepError> {
    let mut collector = Collector::new(job);
    let mut rows = vec![Vec::new(); job.environments.len()];
    let mut missing = Vec::new();
    let shards = shards.max(1);
    let parts: Vec<usize> = (0..job.parts.len()).collect();
    for some in parts.chunks(AT_ONCE) {
        let mut finished = Vec::new();
        for (part, counted) in some.iter().zip(find(job, some, stores, shards)?) {
            match counted {
                Some(counted) => finished.extend(collector.take(counted)),
                None => missing.push(*part),
            }
        }
        let made: Vec<(usize, Vec<Row>)> =
            finished.into_par_iter().map(|finished| (finished.point, finished.rows(job))).collect();
        made.into_iter().for_each(|(point, made)| rows[point] = made);
    }
    match missing.first() {
        None => Ok(rows),
        Some(first) => {
            let mut lacking: Vec<u64> = missing.iter().map(|part| *part as u64 % shards).collect();
            lacking.sort_unstable();
            lacking.dedup();
            let (missing, all) = (missing.len(), job.parts.len());
            Err(SweepError::MissingParts { missing, all, first: *first, lacking, shards })
        }
    }
}

/// Parts, each from wherever it is whole.
fn find(
    job: &Job,
    parts: &[usize],
    stores: &[(Store, Option<u64>)],
    shards: u64,
) -> Result<Vec<Option<Vec<Counted>>>, SweepError> {
    let mut found: Vec<Option<Vec<Counted>>> = parts.iter().map(|_| None).collect();
    for at_home in [true, false] {
        for (store, shard) in stores {
            let is_wanted = |at: &usize| {
                let is_home = *shard == Some(parts[*at] as u64 % shards);
                found[*at].is_none() && is_home == at_home
            };
            let wanted: Vec<usize> = (0..parts.len()).filter(is_wanted).collect();
            let asked: Vec<usize> = wanted.iter().map(|at| parts[*at]).collect();
            if asked.is_empty() {
                continue;
            }
            let read = parts::read_all(store, &job.sweep.hash, &asked)?;
            for (at, counted) in wanted.into_iter().zip(read) {
                found[at] = counted.filter(|counted| job.fits(parts[at], counted));
            }
        }
    }
    Ok(found)
}
