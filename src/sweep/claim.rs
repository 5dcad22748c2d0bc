//! A prefix of a bucket that holds the parts of one sweep, put there by any number of shards at once.
//!
//! There are no locks in a bucket. The first shard puts its manifest, on the condition that there is none:
//! so the prefix is this sweep's, and shards of another are refused. Parts need no more than that, since
//! whoever counts one puts the same bytes.

use std::path::Path;

use super::error::SweepError;
use super::folder::Existing;
use super::manifest::{self, Manifest, State};
use super::plan::Shard;
use super::runner::Job;
use super::store::{Put, Store, StoreError};

/// A prefix that is this sweep's.
#[derive(Debug)]
pub struct Claim {
    store: Store,
    shard: Shard,
}

impl Claim {
    /// Makes sure that `place` can be written and is nobody else's. A shard goes on with its own parts
    /// without being asked to.
    ///
    /// # Errors
    /// Before any work is done, with what to do.
    pub fn open(
        place: &Path,
        job: &Job,
        shard: Option<Shard>,
        existing: Existing,
    ) -> Result<Self, SweepError> {
        let shard = shard.ok_or_else(|| StoreError::WantsShard { place: place.to_owned() })?;
        if existing.force {
            return Err(StoreError::NoForce { place: place.to_owned() }.into());
        }
        let store = Store::at(place)?;
        let path = place.join(manifest::FILE);
        let mine = Manifest::of(job, State::Running, Some(shard)).bytes(&path)?;
        if let Put::Other(found) = store.put(manifest::FILE, &mine)? {
            Manifest::decode(&path, &found)?.check(&path, job, Some(shard))?;
        }
        Ok(Claim { store, shard })
    }

    /// The shard whose parts this process puts there.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// Where its parts lie.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Marks the shard as finished, for those who look: a merge goes by the parts.
    ///
    /// # Errors
    /// When that cannot be put.
    pub fn finish(&self, job: &Job) -> Result<(), SweepError> {
        let Shard { index, count } = self.shard;
        let name = format!("shards/{index}-of-{count}.json");
        let manifest = Manifest::of(job, State::Shard, Some(self.shard));
        self.store.keep(&name, &manifest.bytes(&self.store.place().join(&name))?)
    }
}
