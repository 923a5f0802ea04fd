//! The files of a backup: nothing is overwritten, and nothing has its name before it is whole and on the disk.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Sums, refused};
use crate::StoreError;
use crate::sqlite::open::{beside, private};

/// Where a backup is going; removed again unless it is finished.
pub(super) struct Target {
    to: PathBuf,
    partial: PathBuf,
}

impl Target {
    /// Refuses a place that is taken.
    pub fn reserve(to: &Path) -> Result<Self, StoreError> {
        for taken in [to.to_owned(), beside(to, ".sums")] {
            if taken.try_exists().map_err(|error| io(&taken, &error))? {
                return Err(refused(format!("{} exists and is not overwritten", taken.display())));
            }
        }
        let partial = beside(to, ".partial");
        // Left by a backup that was killed; it never was one.
        let _ = std::fs::remove_file(&partial);
        private(OpenOptions::new().write(true).create_new(true))
            .open(&partial)
            .map_err(|error| io(&partial, &error))?;
        Ok(Self { to: to.to_owned(), partial })
    }

    /// The file to write to; it exists and is empty.
    pub fn partial(&self) -> &Path {
        &self.partial
    }

    /// Puts the sums and then the backup in place.
    pub fn finish(self, sums: &Sums) -> Result<(), StoreError> {
        let sums_path = beside(&self.to, ".sums");
        let mut file = private(OpenOptions::new().write(true).create_new(true))
            .open(&sums_path)
            .map_err(|error| io(&sums_path, &error))?;
        file.write_all(sums.to_string().as_bytes()).map_err(|error| io(&sums_path, &error))?;
        file.sync_all().map_err(|error| io(&sums_path, &error))?;
        put_in_place(&self.partial, &self.to)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // After `finish` there is nothing of that name.
        let _ = std::fs::remove_file(&self.partial);
    }
}

/// Syncs a file, renames it and syncs the folder.
pub(super) fn put_in_place(partial: &Path, to: &Path) -> Result<(), StoreError> {
    let synced = OpenOptions::new().write(true).open(partial).and_then(|file| file.sync_all());
    synced.map_err(|error| io(partial, &error))?;
    std::fs::rename(partial, to).map_err(|error| io(to, &error))?;
    #[cfg(unix)]
    {
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| io(folder, &error))?;
    }
    Ok(())
}

/// The sums beside a backup, if they are there.
pub(super) fn read_sums(from: &Path) -> Result<Option<Sums>, StoreError> {
    let path = beside(from, ".sums");
    match std::fs::read_to_string(&path) {
        Ok(text) => text.parse().map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io(&path, &error)),
    }
}

pub(super) fn io(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Io { detail: format!("{}: {error}", path.display()) }
}
