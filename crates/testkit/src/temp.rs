//! Temporary folders that vanish with their owner.

use std::path::Path;

use tempfile::TempDir;

/// A folder in memory where the system has one (`/dev/shm`), else where temporary files go: nodes and databases that write
/// through to a disk take fifty times as long on a busy one.
///
/// # Errors
/// When no folder can be made.
pub fn fast_temp_dir() -> std::io::Result<TempDir> {
    let memory = Path::new("/dev/shm");
    let builder = tempfile::Builder::new().prefix("kernodeck-").to_owned();
    match builder.tempdir_in(memory) {
        Ok(folder) => Ok(folder),
        Err(_) => builder.tempdir(),
    }
}
