//! A recording on disk: opened, looked at, and read with bounds on what a hostile file can cost.
//!
//! It knows nothing of formats.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::error::ReadError;

/// How much of a file's beginning is looked at.
const HEAD: u64 = 64 * 1024;

/// The longest line that is read. No format has lines of this length; a file without line ends
/// would otherwise be held in memory whole.
const LONGEST_LINE: u64 = 16 << 20;

/// The largest file that is parsed as one JSON document.
const LARGEST_JSON: u64 = 1 << 30;

/// A file that is to be read.
pub(crate) struct Source {
    path: PathBuf,
    name: String,
    head: Vec<u8>,
    length: u64,
}

impl Source {
    /// Opens the file and reads its beginning.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        let io = |source| ReadError::Io { file: name.clone(), source };
        let about = std::fs::metadata(path).map_err(io)?;
        if !about.is_file() {
            let found = if about.is_dir() { "a directory" } else { "not a regular file" };
            return Err(ReadError::NotAFile { file: name, found });
        }
        let mut head = Vec::new();
        File::open(path).map_err(io)?.take(HEAD).read_to_end(&mut head).map_err(io)?;
        let source = Source { path: path.to_owned(), name, head, length: about.len() };
        source.check()?;
        Ok(source)
    }

    /// Refuses what is empty, packed or in another encoding, with the way out.
    fn check(&self) -> Result<(), ReadError> {
        if self.text_head().iter().all(u8::is_ascii_whitespace) && self.length <= HEAD {
            return Err(ReadError::Empty { file: self.name.clone() });
        }
        let packed: [(&[u8], &str, &str); 6] = [
            (b"\x1f\x8b", "compressed with gzip", "unpack it first: gunzip"),
            (b"PK\x03\x04", "a zip archive", "unpack it first: unzip"),
            (b"\x28\xb5\x2f\xfd", "compressed with zstd", "unpack it first: unzstd"),
            (b"BZh", "compressed with bzip2", "unpack it first: bunzip2"),
            (b"\xff\xfe", "UTF-16 text", "write it as UTF-8: iconv -f UTF-16 -t UTF-8"),
            (b"\xfe\xff", "UTF-16 text", "write it as UTF-8: iconv -f UTF-16 -t UTF-8"),
        ];
        for (mark, found, remedy) in packed {
            if self.head.starts_with(mark) {
                return Err(ReadError::Encoded { file: self.name.clone(), found, remedy });
            }
        }
        Ok(())
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name for messages.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// The beginning without a byte-order mark.
    pub fn text_head(&self) -> &[u8] {
        self.head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.head)
    }

    /// True iff the beginning holds bytes that no text has.
    pub fn is_binary(&self) -> bool {
        self.head.contains(&0)
    }

    /// The file from its beginning, without a byte-order mark, lines bounded.
    pub fn text(&self) -> Result<BufReader<impl Read + use<>>, ReadError> {
        let io = |source| ReadError::Io { file: self.name(), source };
        let mut file = File::open(&self.path).map_err(io)?;
        let mark = (self.head.len() - self.text_head().len()) as u64;
        io::copy(&mut (&mut file).take(mark), &mut io::sink()).map_err(io)?;
        Ok(BufReader::with_capacity(1 << 18, BoundedLines { file, since_line: 0 }))
    }

    /// The lines of the file with their numbers from 1, without line ends; broken UTF-8 is kept as
    /// bytes for the caller.
    pub fn each_line(
        &self,
        mut take: impl FnMut(u64, &[u8]) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        use io::BufRead;
        let mut text = self.text()?;
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            let read = text.read_until(b'\n', &mut line);
            if read.map_err(|source| ReadError::Io { file: self.name(), source })? == 0 {
                break;
            }
            take(number, line.trim_ascii_end())?;
        }
        Ok(())
    }

    /// The whole file as one JSON document.
    pub fn json<T: serde::de::DeserializeOwned>(&self) -> Result<T, ReadError> {
        if self.length > LARGEST_JSON {
            return Err(ReadError::TooMuch {
                file: self.name(),
                what: format!("{} MiB of JSON in one document", self.length >> 20),
                remedy: "split it by time, or export lines or CSV instead",
            });
        }
        let io = |source| ReadError::Io { file: self.name(), source };
        let mut bytes = Vec::new();
        File::open(&self.path)
            .map_err(io)?
            .take(LARGEST_JSON)
            .read_to_end(&mut bytes)
            .map_err(io)?;
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        serde_json::from_slice(text).map_err(|why| {
            let cut = if why.is_eof() { " (the file is cut off)" } else { "" };
            ReadError::Json { file: self.name(), why: format!("{why}{cut}") }
        })
    }
}

/// Reads through, but refuses a line without an end.
struct BoundedLines {
    file: File,
    since_line: u64,
}

impl Read for BoundedLines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        match buffer[..read].iter().rposition(|byte| *byte == b'\n') {
            Some(at) => self.since_line = (read - at) as u64,
            None => self.since_line += read as u64,
        }
        if self.since_line > LONGEST_LINE {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("no line end in {} MiB: not a text recording", LONGEST_LINE >> 20),
            ));
        }
        Ok(read)
    }
}
