//! Whoever moves from one engine to the other must find the same server there.

use std::collections::BTreeSet;
use std::process::Command;

/// Tests of one engine alone, or of none, by module or name.
const ALONE: &[&str] = &[
    "engines::",
    // The program's sandbox, which is one folder, and its command line; the other engine's is in the whole-product tests.
    "program::",
    // The lock of a file.
    "life::a_file_serves_one_server_at_a_time",
];

/// Every test of this program.
fn names() -> Vec<String> {
    let listed = Command::new(std::env::current_exe().unwrap()).arg("--list").output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    listed.lines().filter_map(|line| line.strip_suffix(": test").map(str::to_owned)).collect()
}

#[test]
fn every_case_runs_on_both_engines() {
    let names = names();
    let on = |engine: &str| -> BTreeSet<String> {
        names.iter().filter(|name| name.contains(engine)).map(|name| name.replacen(engine, "::", 1)).collect()
    };
    let (sqlite, postgres) = (on("::sqlite::"), on("::postgres::"));
    assert_eq!(sqlite, postgres);
    assert!(sqlite.len() >= 26, "only {} cases were found", sqlite.len());
    let one = names.iter().filter(|name| !name.contains("::sqlite::") && !name.contains("::postgres::"));
    let forgotten: Vec<&String> = one.filter(|name| !ALONE.iter().any(|alone| name.starts_with(alone))).collect();
    assert!(forgotten.is_empty(), "on one engine only: {forgotten:?}");
}
