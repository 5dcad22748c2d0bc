//! Stands in for buckets in a program that was built without them: there is never one.

use std::path::Path;

use super::{Put, StoreError};

/// A bucket that cannot be.
#[derive(Debug)]
pub enum Bucket {}

impl Bucket {
    /// Says how to build a program that can.
    ///
    /// # Errors
    /// Always.
    pub fn connect(place: &Path, _bucket: &str, _prefix: &str) -> Result<Self, StoreError> {
        Err(StoreError::NotBuiltIn { place: place.to_owned() })
    }

    pub(super) fn place(&self) -> &Path {
        match *self {}
    }

    pub(super) fn read_all(&self, _names: &[String]) -> Result<Vec<Option<Vec<u8>>>, StoreError> {
        match *self {}
    }

    pub(super) fn put(&self, _name: &str, _bytes: &[u8]) -> Result<Put, StoreError> {
        match *self {}
    }
}
