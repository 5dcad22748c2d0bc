//! Parts: what a sweep has counted so far, in files that are whole or not there.
//!
//! A part holds the tallies of some replications of some points. It is written beside its place and
//! renamed, carries the spec's hash and a checksum, and says the same whoever wrote it: a shard's part
//! and the part of a resumed run are the same bytes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::SweepError;
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

/// Path of part `part` in `folder`.
pub fn path(folder: &Path, part: usize) -> PathBuf {
    folder.join("parts").join(format!("{part:06}.part"))
}

/// Writes a part, whole or not at all.
///
/// # Errors
/// When the folder cannot be written; names the path.
pub fn write(
    folder: &Path,
    spec_hash: &str,
    part: usize,
    counted: &[Counted],
) -> Result<(), SweepError> {
    let path = path(folder, part);
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
    write_whole(&path, &bytes)
}

/// Reads a part if it is there and whole; a torn one is as good as none.
///
/// # Errors
/// When the part belongs to another spec or version, or cannot be read.
pub fn read(
    folder: &Path,
    spec_hash: &str,
    part: usize,
) -> Result<Option<Vec<Counted>>, SweepError> {
    let path = path(folder, part);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(SweepError::read(&path, &why.to_string())),
    };
    let Some(line) = bytes.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
    let (head, content) = bytes.split_at(line);
    let Ok(header) = serde_json::from_slice::<Header>(head) else { return Ok(None) };
    if header.layout != LAYOUT || header.version != env!("CARGO_PKG_VERSION") {
        return Err(SweepError::OtherVersion { path, found: header.version });
    }
    if header.spec_hash != spec_hash {
        return Err(SweepError::OtherSpec { path });
    }
    let content = &content[1..];
    if header.part != part || header.checksum != checksum(content) {
        return Ok(None);
    }
    postcard::from_bytes(content).map(Some).map_err(|why| {
        let why =
            format!("a whole part of this version that cannot be decoded ({why}); use --force");
        SweepError::read(&path, &why)
    })
}

fn checksum(content: &[u8]) -> String {
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
    use super::*;
    use crate::experiment::Environment;
    use crate::scenario::Scenario;

    #[test]
    fn a_part_is_read_as_it_was_written_and_a_torn_one_is_none() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("parts")).unwrap();
        let environment = Environment::new(Scenario::default()).unwrap();
        let tallies =
            crate::experiment::measure(&environment, &environment.settings(), 0..3, |_, _| {});
        let unit = Unit { point: 0, from: 0, to: 3 };
        let counted = vec![Counted { unit, tallies, replications: vec![vec![1, -2]] }];
        write(place.path(), "hash", 7, &counted).unwrap();
        assert_eq!(read(place.path(), "hash", 7).unwrap(), Some(counted));
        assert_eq!(read(place.path(), "hash", 8).unwrap(), None);
        assert!(matches!(read(place.path(), "other", 7), Err(SweepError::OtherSpec { .. })));

        let path = path(place.path(), 7);
        let whole = fs::read(&path).unwrap();
        for length in [0, 10, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(read(place.path(), "hash", 7).unwrap(), None, "{length} bytes");
        }
    }
}
