//! Where the parts of a sweep lie: in a folder, or under a prefix of a bucket of S3-compatible storage.
//!
//! Files and objects are named alike (`parts/000007.part`) and hold the same bytes. In a folder a file is
//! renamed into its place. In a bucket an object is put on the condition that there is none of its
//! name, and never overwritten: one that is there already must hold the same bytes. Nothing outside this
//! module knows requests, retries or credentials, and nothing in it knows what a part holds.

#[cfg(not(feature = "s3"))]
mod absent;
#[cfg(feature = "s3")]
mod bucket;
mod error;
#[cfg(feature = "s3")]
mod settings;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

#[cfg(not(feature = "s3"))]
pub use absent::Bucket;
#[cfg(feature = "s3")]
pub use bucket::Bucket;
pub use error::StoreError;

use super::error::SweepError;
use super::parts::write_whole;

/// How places in a bucket begin.
const S3: &str = "s3://";

/// A place of parts that can be read and written.
#[derive(Debug)]
pub enum Store {
    /// A folder.
    Folder(PathBuf),
    /// A prefix of a bucket.
    Bucket(Bucket),
}

/// How a conditional put ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Put {
    /// The object is there now, or was there with the same bytes.
    Kept,
    /// An object of that name was there, with these bytes.
    Other(Vec<u8>),
}

/// True iff `place` is written as one in a bucket.
pub fn is_in_bucket(place: &Path) -> bool {
    place.to_str().is_some_and(|text| text.starts_with(S3))
}

/// Bucket and prefix of `s3://bucket/prefix`.
fn bucket_and_prefix(place: &Path) -> Result<(&str, &str), StoreError> {
    let wrong = |why: &str| StoreError::Place { place: place.to_owned(), why: why.to_owned() };
    let text = place.to_str().ok_or_else(|| wrong("is not UTF-8"))?;
    let rest = text.strip_prefix(S3).unwrap_or_default();
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let plain = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    if !(3..=63).contains(&bucket.len()) || !bucket.chars().all(plain) {
        return Err(wrong("names no bucket; write s3://BUCKET/PREFIX"));
    }
    let strange = |part: &str| part.is_empty() || part == "." || part == "..";
    let prefix = prefix.trim_end_matches('/');
    if !prefix.is_empty() && prefix.split('/').any(strange) {
        return Err(wrong("its prefix has an empty part, `.` or `..`, which mean nothing there"));
    }
    Ok((bucket, prefix))
}

impl Store {
    /// The store that `place` names: `s3://bucket/prefix`, or a folder. A bucket's credentials are looked
    /// up at once, and nothing is asked of the bucket itself.
    ///
    /// # Errors
    /// When the place is none, or a bucket's settings or credentials are not there.
    pub fn at(place: &Path) -> Result<Self, StoreError> {
        if is_in_bucket(place) {
            let (bucket, prefix) = bucket_and_prefix(place)?;
            return Bucket::connect(place, bucket, prefix).map(Store::Bucket);
        }
        let scheme = place.to_str().and_then(|text| text.split_once("://")).map(|(word, _)| word);
        match scheme {
            Some(word) if word.chars().all(|letter| letter.is_ascii_alphanumeric()) => {
                let why =
                    format!("`{word}://` is not known; allowed: a folder, or s3://BUCKET/PREFIX");
                Err(StoreError::Place { place: place.to_owned(), why })
            }
            _ => Ok(Store::Folder(place.to_owned())),
        }
    }

    /// Where it is, as the user wrote it.
    pub fn place(&self) -> &Path {
        match self {
            Store::Folder(path) => path,
            Store::Bucket(bucket) => bucket.place(),
        }
    }

    /// What lies under a name; `None` where there is nothing.
    ///
    /// # Errors
    /// When it cannot be read; names it.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, SweepError> {
        let mut found = self.read_all(&[name.to_owned()])?;
        Ok(found.pop().flatten())
    }

    /// What lies under each name, in their order. From a bucket several are fetched at once.
    ///
    /// # Errors
    /// When one cannot be read; names it.
    pub(super) fn read_all(&self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, SweepError> {
        match self {
            Store::Folder(folder) => {
                names.iter().map(|name| read_file(&folder.join(name))).collect()
            }
            Store::Bucket(bucket) => Ok(bucket.read_all(names)?),
        }
    }

    /// Puts bytes under a name, whole or not at all. A folder's file is replaced; in a bucket what is there
    /// stays.
    ///
    /// # Errors
    /// When it cannot be written; names it.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<Put, SweepError> {
        match self {
            Store::Folder(folder) => write_whole(&folder.join(name), bytes).map(|()| Put::Kept),
            Store::Bucket(bucket) => Ok(bucket.put(name, bytes)?),
        }
    }

    /// Keeps bytes that are the same whoever writes them.
    ///
    /// # Errors
    /// When they cannot be written, or a bucket holds other bytes under that name; names it.
    pub(super) fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), SweepError> {
        match self.put(name, bytes)? {
            Put::Kept => Ok(()),
            Put::Other(_) => Err(StoreError::OtherBytes { object: self.place().join(name) }.into()),
        }
    }

    /// What a part that is torn amounts to: in a folder it is as good as none, and is written again. Objects are
    /// put whole and never overwritten, so that a torn one was damaged or is somebody else's.
    pub(super) fn torn<T>(&self, name: &str) -> Result<Option<T>, SweepError> {
        match self {
            Store::Folder(_) => Ok(None),
            Store::Bucket(bucket) => {
                Err(StoreError::Torn { object: bucket.place().join(name) }.into())
            }
        }
    }
}

fn read_file(path: &Path) -> Result<Option<Vec<u8>>, SweepError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
        Err(why) => Err(SweepError::read(path, &why.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_apart() {
        assert!(is_in_bucket(Path::new("s3://results/x")));
        assert!(!is_in_bucket(Path::new("s3:/results")));
        for folder in ["output/x", "/results", "a:b", "s3:/x", "./odd://x"] {
            assert!(matches!(Store::at(Path::new(folder)), Ok(Store::Folder(_))), "{folder}");
        }
        for other in ["gs://results/x", "https://example.com/x", "S3://results"] {
            let why = Store::at(Path::new(other)).unwrap_err().to_string();
            assert!(why.contains("allowed: a folder, or s3://BUCKET/PREFIX"), "{why}");
        }
    }

    #[test]
    fn buckets_and_prefixes_are_read() {
        let read =
            |text: &'static str| bucket_and_prefix(Path::new(text)).map_err(|e| e.to_string());
        assert_eq!(read("s3://results/a/b"), Ok(("results", "a/b")));
        assert_eq!(read("s3://results/a/"), Ok(("results", "a")));
        assert_eq!(read("s3://results"), Ok(("results", "")));
        for none in ["s3://", "s3:///a", "s3://a", "s3://two words/a"] {
            assert!(read(none).unwrap_err().contains("names no bucket"), "{none}");
        }
        for strange in ["s3://results/a//b", "s3://results/../a", "s3://results/./a"] {
            assert!(read(strange).unwrap_err().contains("empty part"), "{strange}");
        }
    }
}
