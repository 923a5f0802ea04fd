//! Nothing in the repository is true on one machine only: no one's folders, and no place to get packages from but the usual.

use house::files::{File, all, root};

/// Folders of people and of machines. In pieces, or this file would name them.
const FOLDERS: &[&[&str]] = &[&["/", "home/"], &["/", "root/"], &["/", "Users/"], &["/", "work/"], &["C:", "\\Users"]];

/// Places that packages come from. Where they come from on a machine is that machine's configuration.
const REGISTRIES: &[&[&str]] = &[
    &["crates", ".io/"],
    &["npmjs", ".org"],
    &["yarnpkg", ".com"],
    &["pypi", ".org"],
    &["docker", ".io"],
    &["ghcr", ".io"],
    &["arti", "factory"],
    &["verda", "ccio"],
    &["[reg", "istries"],
    &["_auth", "Token"],
];

/// The one place in `Cargo.lock`: how cargo writes down its own default.
const DEFAULT_SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn names_folder(text: &str, folder: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '}' | ')' | '*');
    text.match_indices(folder).any(|(at, _)| !text[..at].chars().next_back().is_some_and(joins))
}

/// This checkout, and the home folder of whoever runs the tests, where those are longer than `/`.
fn this_machine() -> Vec<String> {
    let home = std::env::var("HOME").unwrap_or_default();
    let folders = [root().to_string_lossy().into_owned(), format!("{}/", home.trim_end_matches('/'))];
    folders.into_iter().filter(|folder| folder.len() > 4).collect()
}

fn violations(files: &[File]) -> Vec<String> {
    let folders: Vec<String> = FOLDERS.iter().map(|pieces| pieces.concat()).chain(this_machine()).collect();
    let registries: Vec<String> = REGISTRIES.iter().map(|pieces| pieces.concat()).collect();
    let mut found = Vec::new();
    for file in files {
        let lines = file.text.lines().filter(|line| !line.contains(DEFAULT_SOURCE)).enumerate();
        for (number, line) in lines {
            let folder = folders.iter().find(|folder| names_folder(line, folder));
            let registry = registries.iter().find(|host| line.contains(*host));
            found.extend(folder.or(registry).map(|what| format!("{}:{} {what}", file.path, number + 1)));
        }
    }
    found
}

#[test]
fn nothing_names_a_machine_or_a_registry() {
    assert_eq!(violations(&all()), Vec::<String>::new());
    for pieces in FOLDERS.iter().chain(REGISTRIES) {
        let text = format!("first\nlet a = \"{}x\";", pieces.concat());
        assert_eq!(violations(&[File::planted("a.rs", &text)]).len(), 1, "{text}");
    }
    let here = format!("cd {}", root().display());
    assert_eq!(violations(&[File::planted("a.sh", &here)]).len(), 1);
    let fine = ["src/home/page.ts", "${HOME:-/root}", "https://example.org/home/", DEFAULT_SOURCE];
    assert!(violations(&[File::planted("a.md", &fine.join("\n"))]).is_empty());
}

/// A lock file with another source would build another program on this machine than on the next.
#[test]
fn every_locked_crate_comes_from_the_default_source() {
    let foreign = |lock: &str| -> Vec<String> {
        let sources = lock.lines().filter(|line| line.starts_with("source = "));
        sources.filter(|line| !line.contains(DEFAULT_SOURCE)).map(str::to_owned).collect()
    };
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap();
    assert!(lock.contains(DEFAULT_SOURCE));
    assert_eq!(foreign(&lock), Vec::<String>::new());
    assert_eq!(foreign("source = \"registry+https://mirror.example/index\"").len(), 1);
    let pages = std::fs::read_to_string(root().join("ui/package-lock.json")).unwrap();
    assert!(
        pages.contains("\"lockfileVersion\"") && !pages.contains("\"resolved\""),
        "the pages' lock names where it was fetched"
    );
}
