//! The files of the repository.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder that holds everything.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A text file of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path from the root, with `/`.
    pub path: String,
    /// What it holds.
    pub text: String,
}

impl File {
    /// A file that is not there, to show that a rule would see it.
    pub fn planted(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Whether the name ends like that.
    pub fn is(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }
}

/// Every text file that belongs to the repository, or would with the next commit; pictures and other binaries left out.
pub fn all() -> Vec<File> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "these rules look at a git checkout: {}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).unwrap();
    let mut names: Vec<&str> = names.split_terminator('\0').collect();
    names.sort_unstable();
    names.dedup();
    // A file that was deleted and not yet committed is still listed; a binary is not UTF-8.
    let read = |path: &&str| Some(File::planted(path, &std::fs::read_to_string(root().join(path)).ok()?));
    names.iter().filter_map(read).collect()
}
