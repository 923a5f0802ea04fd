//! Folders of a test.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder that is gone with its owner.
pub fn temporary() -> TempDir {
    testkit::temp::fast_temp_dir().unwrap()
}

/// Everything in a folder, by path inside it.
pub fn listing(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    collect(folder, folder, &mut found);
    found
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        found.insert(path.strip_prefix(root).unwrap().to_owned());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(root, &path, found);
        }
    }
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for path in listing(from) {
        let (source, target) = (from.join(&path), to.join(&path));
        if source.is_dir() {
            fs::create_dir_all(target).unwrap();
        } else {
            fs::copy(source, target).unwrap();
        }
    }
}

/// Files in a folder that hold any of these texts as they are.
pub fn files_with(folder: &Path, texts: &[&str]) -> Vec<PathBuf> {
    let holds = |path: &PathBuf| {
        let bytes = fs::read(folder.join(path)).unwrap_or_default();
        texts.iter().any(|text| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
    };
    listing(folder).into_iter().filter(holds).collect()
}
