//! One list of cases, run on both engines. What only one engine has stands in files named after it.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops where its premise fails

// The name that the other crates know it by.
extern crate kernodeck_store as store;

mod cases;
mod kill;
mod place;
mod postgres_only;
mod schema;
mod sqlite_only;
mod statements;

use std::panic::{AssertUnwindSafe, catch_unwind};

use place::{Host, Place};

/// A behaviour that both engines must show, on a database of its own.
type Case = (&'static str, fn(&Place));

/// Runs every case and returns how many passed; fails with the names of those that did not.
fn run_all(host: &Host) -> usize {
    let cases: Vec<Case> = cases::ALL.iter().copied().flatten().copied().collect();
    let mut failed = Vec::new();
    for (name, case) in &cases {
        let place = host.place();
        if catch_unwind(AssertUnwindSafe(|| case(&place))).is_err() {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "{} of {} cases failed on {host:?}: {failed:?}", failed.len(), cases.len());
    cases.len()
}

/// Whoever moves from one engine to the other would otherwise find another program there.
#[test]
fn both_engines_pass_the_same_cases() {
    let on_sqlite = run_all(&Host::sqlite());
    let on_postgres = run_all(&Host::postgres());
    assert_eq!(on_sqlite, on_postgres);
    assert!(on_sqlite >= 30, "only {on_sqlite} cases were found");
}
