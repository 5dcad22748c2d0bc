//! Parts: what a sweep has counted so far, in files that are whole or not there.
//!
//! A part holds the tallies of some replications of some points. It is written beside its place and
//! renamed, carries the spec's hash and a checksum, and says the same whoever wrote it: a shard's part
//! and the part of a resumed run are the same bytes.

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::SweepError;
use super::store::Store;
use crate::experiment::Tally;

/// Version of the parts' layout; parts of another version are not read.
pub const LAYOUT: u32 = 1;

/// How the names of files begin that are being written.
pub(super) const WRITING: &str = ".writing-";

/// Some replications of one point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Index of the point.
    pub point: usize,
    /// First replication.
    pub from: u64,
    /// Just past the last.
    pub to: u64,
}

/// What was counted in one unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// Which replications; with early stopping, fewer than were planned.
    pub unit: Unit,
    /// One for each of the point's triggers.
    pub tallies: Vec<Tally>,
    /// False failovers of each replication by trigger, when asked for.
    pub replications: Vec<Vec<i64>>,
}

/// What stands before a part's content.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    layout: u32,
    version: String,
    spec_hash: String,
    part: usize,
    checksum: String,
}

/// What part `part` is called in its folder or bucket.
pub fn name(part: usize) -> String {
    format!("parts/{part:06}.part")
}

/// Writes a part, whole or not at all.
///
/// # Errors
/// When the store cannot be written; names the path.
pub fn write(
    store: &Store,
    spec_hash: &str,
    part: usize,
    counted: &[Counted],
) -> Result<(), SweepError> {
    let name = name(part);
    let path = store.place().join(&name);
    let content =
        postcard::to_allocvec(counted).map_err(|why| SweepError::write(&path, &why.to_string()))?;
    let header = Header {
        layout: LAYOUT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        spec_hash: spec_hash.to_owned(),
        part,
        checksum: checksum(&content),
    };
    let mut bytes =
        serde_json::to_vec(&header).map_err(|why| SweepError::write(&path, &why.to_string()))?;
    bytes.push(b'\n');
    bytes.extend(content);
    store.keep(&name, &bytes)
}

/// Reads a part if it is there and whole; a torn one in a folder is as good as none.
///
/// # Errors
/// When the part belongs to another spec or version, or cannot be read.
pub fn read(
    store: &Store,
    spec_hash: &str,
    part: usize,
) -> Result<Option<Vec<Counted>>, SweepError> {
    let mut found = read_all(store, spec_hash, &[part])?;
    Ok(found.pop().flatten())
}

/// Reads several parts, each as [`read`] does.
///
/// # Errors
/// As [`read`].
pub fn read_all(
    store: &Store,
    spec_hash: &str,
    parts: &[usize],
) -> Result<Vec<Option<Vec<Counted>>>, SweepError> {
    let names: Vec<String> = parts.iter().map(|part| name(*part)).collect();
    let found = store.read_all(&names)?;
    let decoded = parts.iter().zip(found).map(|(part, bytes)| match bytes {
        Some(bytes) => decode(store, spec_hash, *part, &bytes),
        None => Ok(None),
    });
    decoded.collect()
}

fn decode(
    store: &Store,
    spec_hash: &str,
    part: usize,
    bytes: &[u8],
) -> Result<Option<Vec<Counted>>, SweepError> {
    let name = name(part);
    let path = store.place().join(&name);
    let Some(line) = bytes.iter().position(|byte| *byte == b'\n') else { return store.torn(&name) };
    let (head, content) = bytes.split_at(line);
    let Ok(header) = serde_json::from_slice::<Header>(head) else { return store.torn(&name) };
    if header.layout != LAYOUT || header.version != env!("CARGO_PKG_VERSION") {
        return Err(SweepError::OtherVersion { path, found: header.version });
    }
    if header.spec_hash != spec_hash {
        return Err(SweepError::OtherSpec { path });
    }
    let content = &content[1..];
    if header.part != part || header.checksum != checksum(content) {
        return store.torn(&name);
    }
    postcard::from_bytes(content).map(Some).map_err(|why| {
        let why =
            format!("a whole part of this version that cannot be decoded ({why}); use --force");
        SweepError::read(&path, &why)
    })
}

/// The SHA-256 of what a file holds, as text.
pub(super) fn checksum(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

/// A digest as text.
pub(super) fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes `bytes` to a file beside `path`, makes sure of them, and renames it into place.
///
/// # Errors
/// When the file cannot be written; names the path.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), SweepError> {
    let failed = |why: std::io::Error| SweepError::write(path, &why.to_string());
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(WRITING);
    // A temporary file is private by default; a result is as readable as any file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut beside = builder.tempfile_in(folder).map_err(failed)?;
    beside.write_all(bytes).and_then(|()| beside.as_file().sync_all()).map_err(failed)?;
    beside.persist(path).map_err(|why| failed(why.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::experiment::Environment;
    use crate::scenario::Scenario;

    #[test]
    fn a_part_is_read_as_it_was_written_and_a_torn_one_is_none() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("parts")).unwrap();
        let store = Store::Folder(place.path().to_owned());
        let environment = Environment::new(Scenario::default()).unwrap();
        let tallies =
            crate::experiment::measure(&environment, &environment.settings(), 0..3, |_, _| {});
        let unit = Unit { point: 0, from: 0, to: 3 };
        let counted = vec![Counted { unit, tallies, replications: vec![vec![1, -2]] }];
        write(&store, "hash", 7, &counted).unwrap();
        assert_eq!(read(&store, "hash", 7).unwrap(), Some(counted));
        assert_eq!(read(&store, "hash", 8).unwrap(), None);
        assert!(matches!(read(&store, "other", 7), Err(SweepError::OtherSpec { .. })));

        let path = place.path().join(name(7));
        let whole = fs::read(&path).unwrap();
        for length in [0, 10, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(read(&store, "hash", 7).unwrap(), None, "{length} bytes");
        }
    }
}
