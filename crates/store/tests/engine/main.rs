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

/// Moving house is verified by comparing sums: equal content must give equal sums on both engines.
#[test]
fn both_engines_sum_alike() {
    let (sqlite, postgres) = (Host::sqlite(), Host::postgres());
    let places = [sqlite.place(), postgres.place()];
    let sums = |change: &'static str| {
        places.each_ref().map(|place| {
            let store = place.open();
            store.write(move |tx| tx.execute(change, &[])).unwrap();
            let file = place.folder.path().join(format!("{}", change.len()));
            store::backup::create(&place.settings, &file)
                .unwrap()
                .tables
                .into_iter()
                .filter(|sums| sums.table != "schema_migration")
                .collect::<Vec<_>>()
        })
    };
    let [left, right] = sums("INSERT INTO purse (id, cents) VALUES ('İ', 9223372036854775807), ('b', 2)");
    assert_eq!(left, right);
    let [changed, _] = sums("UPDATE purse SET cents = 3 WHERE id = 'b'");
    assert_ne!(left, changed, "another cent is another sum");
}
