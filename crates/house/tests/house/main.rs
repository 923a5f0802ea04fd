//! The house's rules. Each is shown twice in the same harness: nothing breaks it, and a planted break is seen.

// Tests: what fails here must fail loudly, in helpers too.
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)]

mod hosts;
mod knowledge;
mod lints;
mod planted_faults;
mod purity;
mod size;
mod sql;
mod ui;

use house::files::File;
use house::rust::Source;

/// A Rust source that ends up in a program, with the file it is in.
struct Shipped {
    path: String,
    source: Source,
}

/// Rust files under these folders, without tests and what only tests use.
fn shipped(files: &[File], folders: &[&str]) -> Vec<Shipped> {
    let inside = |path: &str| folders.iter().any(|folder| path.starts_with(&format!("{folder}/")));
    let read = |file: &File| Shipped { path: file.path.clone(), source: Source::parse(&file.text) };
    let mut found: Vec<Shipped> = files.iter().filter(|file| file.is("rs") && inside(&file.path)).map(read).collect();
    let tests: Vec<String> = found.iter().flat_map(test_files).collect();
    found.retain(|one| !tests.contains(&one.path));
    found
}

/// Paths that a module for tests may have.
fn test_files(one: &Shipped) -> Vec<String> {
    let (folder, file) = one.path.rsplit_once('/').unwrap();
    let inner = match file {
        "lib.rs" | "main.rs" | "mod.rs" => folder.to_owned(),
        _ => format!("{folder}/{}", file.trim_end_matches(".rs")),
    };
    let names = one.source.test_modules.iter();
    names.flat_map(|name| [format!("{inner}/{name}.rs"), format!("{inner}/{name}/mod.rs")]).collect()
}

/// A source of our own making, as if it stood in that file.
fn planted(path: &str, text: &str) -> Vec<Shipped> {
    vec![Shipped { path: path.to_owned(), source: Source::parse(text) }]
}

/// Folders of the programs' sources: the packages without what only tests use, and the shell.
const SHIPPED: [&str; 13] = [
    "crates/api/src",
    "crates/backend/src",
    "crates/chains/src",
    "crates/client/src",
    "crates/domain/src",
    "crates/faults/src",
    "crates/keytool/src",
    "crates/manifest/src",
    "crates/migrate/src",
    "crates/rates/src",
    "crates/server/src",
    "crates/store/src",
    "src-tauri/src",
];

/// A rule that looks at no file breaks for nobody.
#[test]
fn every_folder_of_the_programs_is_looked_at() {
    let files = house::files::all();
    for folder in SHIPPED {
        assert!(!shipped(&files, &[folder]).is_empty(), "no source in {folder}");
    }
    let packages = std::fs::read_dir(house::files::root().join("crates")).unwrap();
    for package in packages {
        let name = package.unwrap().file_name().to_string_lossy().into_owned();
        let for_tests = knowledge::ONLY_FOR_TESTS.contains(&format!("kernodeck-{name}").as_str());
        let known = for_tests || SHIPPED.contains(&format!("crates/{name}/src").as_str());
        assert!(known, "crates/{name} is in no list: does it end up in a program?");
    }
}

/// Tests are found where they are declared, and what follows them is still looked at.
#[test]
fn tests_comments_and_strings_are_told_from_code() {
    let text = "// a.unwrap()\nfn f<'a>(x: &'a str) -> char { \"b.unwrap()\"; '\"' } /* c.unwrap() /* */ d.unwrap() */\n\
        #[cfg(feature = \"testing\")]\nmod tests;\n#[cfg(test)]\nmod inner {\n    fn g() { h.unwrap(); \"SELECT 1\" }\n}\n\
        fn after() { r#\"a \" b\"#; i.unwrap() }\n";
    let source = Source::parse(text);
    assert_eq!(source.lines_with(".unwrap()"), [9]);
    assert_eq!(source.strings, [(2, "b.unwrap()".to_owned()), (9, "a \" b".to_owned())]);
    assert_eq!(source.test_modules, ["tests"]);
    let files = [File::planted("crates/a/src/lib.rs", text), File::planted("crates/a/src/tests.rs", "x.unwrap()")];
    let paths: Vec<String> = shipped(&files, &["crates/a/src"]).into_iter().map(|one| one.path).collect();
    assert_eq!(paths, ["crates/a/src/lib.rs"]);
}
