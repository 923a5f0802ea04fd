//! A file that nobody can read at one sitting is read by nobody.

use house::files::{File, all};

/// Lines at which a file fails.
const MOST_LINES: usize = 700;

/// Written by programs, or lists of data that no one reads from top to bottom.
const EXEMPT: &[&str] =
    &["Cargo.lock", "ui/package-lock.json", "docs/openapi.json", "ui/messages/", "crates/backend/data/", "icons/"];

/// Kinds of files that are code or prose; fixtures and drawings are measured by nobody.
const KINDS: &[&str] = &["rs", "ts", "js", "svelte", "css", "sql", "md", "toml", "sh", "json", "html", "py"];

fn too_long(files: &[File]) -> Vec<String> {
    let exempt = |file: &File| {
        file.path.contains("/fixtures/")
            || file.path.contains("/generated/")
            || EXEMPT.iter().any(|path| file.path.starts_with(path))
    };
    let measured = files.iter().filter(|file| file.path == "x" || KINDS.iter().any(|kind| file.is(kind)));
    let long = measured.filter(|file| !exempt(file)).map(|file| (file, file.text.lines().count()));
    long.filter(|(_, lines)| *lines > MOST_LINES).map(|(file, lines)| format!("{}: {lines} lines", file.path)).collect()
}

#[test]
fn no_file_is_longer_than_a_sitting() {
    let files = all();
    assert_eq!(too_long(&files), Vec::<String>::new());
    assert!(files.iter().filter(|file| file.is("rs")).count() > 200);
    assert_eq!(
        too_long(&[File::planted("crates/a/src/lib.rs", &"fn f() {}\n".repeat(701))]),
        ["crates/a/src/lib.rs: 701 lines"]
    );
    assert!(too_long(&[File::planted("crates/a/src/lib.rs", &"fn f() {}\n".repeat(700))]).is_empty());
}
