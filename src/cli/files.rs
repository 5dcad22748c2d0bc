//! Writing files that were asked for on the command line.

use std::io::Write;
use std::path::Path;

use super::Failure;

/// Writes a file, whole or not at all: beside its place, and then renamed. Its folder is made if need
/// be.
///
/// # Errors
/// Names the file and what went wrong.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let unwritable = |why: &dyn std::fmt::Display| {
        Failure::Failed(format!("{}: cannot be written: {why}", path.display()))
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|why| unwritable(&why))?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As an ordinary new file; the process's mask is applied to it.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(|why| unwritable(&why))?;
    file.write_all(text.as_bytes()).map_err(|why| unwritable(&why))?;
    file.persist(path).map_err(|why| unwritable(&why))?;
    Ok(())
}
