//! A schema moves forward, once, whole, or not at all.

use std::sync::Arc;

use store::{MigrationError, ServerMigration, Store, StoreError};

use super::{cases, cents_now, put_now};
use crate::place::{MIGRATIONS, Place};

cases![
    applied_once_and_continued,
    an_edited_migration_is_refused,
    a_newer_database_is_refused,
    a_failing_migration_leaves_nothing,
    a_migration_whose_record_fails_leaves_nothing,
    unsorted_and_missing_ones_are_refused,
    two_programs_migrate_once,
];

const fn step(name: &'static str, sql: &'static str) -> ServerMigration {
    ServerMigration { name, sqlite: sql, postgres: sql }
}

const SECOND: ServerMigration =
    step("0002_second", "ALTER TABLE purse ADD COLUMN label TEXT; UPDATE purse SET label = id");

fn open(place: &Place, steps: &[ServerMigration]) -> Result<Store, StoreError> {
    Store::open_with(&place.settings, steps)
}

fn refusal(place: &Place, steps: &[ServerMigration]) -> MigrationError {
    match open(place, steps) {
        Err(StoreError::Migration(error)) => error,
        Err(other) => panic!("not a migration's error: {other}"),
        Ok(_) => panic!("opened"),
    }
}

fn applied_once_and_continued(place: &Place) {
    put_now(&place.open(), "a", 1);
    let store = open(place, &[MIGRATIONS[0], SECOND]).unwrap();
    let row = store.read(|tx| tx.query_one("SELECT label FROM purse", &[])).unwrap();
    assert_eq!(row.get::<String>("label").unwrap(), "a");
    drop(store);
    assert_eq!(cents_now(&open(place, &[MIGRATIONS[0], SECOND]).unwrap(), "a"), Some(1));
}

fn an_edited_migration_is_refused(place: &Place) {
    drop(place.open());
    let mut edited = MIGRATIONS[0];
    edited.sqlite = "CREATE TABLE purse (id TEXT)";
    edited.postgres = edited.sqlite;
    assert_eq!(refusal(place, &[edited]), MigrationError::Edited { name: "0001_cases".into() });
}

fn a_newer_database_is_refused(place: &Place) {
    drop(open(place, &[MIGRATIONS[0], SECOND]).unwrap());
    assert_eq!(refusal(place, MIGRATIONS), MigrationError::Newer { name: "0002_second".into() });
}

fn a_failing_migration_leaves_nothing(place: &Place) {
    let bad = step("0002_second", "CREATE TABLE half (id TEXT); INSERT INTO nowhere VALUES (1)");
    match refusal(place, &[MIGRATIONS[0], bad]) {
        MigrationError::Failed { name, message } => {
            assert_eq!(name, "0002_second");
            assert!(message.contains("nowhere"), "{message}");
        }
        other => panic!("{other}"),
    }
    let store = place.open();
    assert!(store.check("SELECT id FROM half").is_err(), "half a migration was kept");
    put_now(&store, "a", 1);
    drop(store);
    drop(open(place, &[MIGRATIONS[0], SECOND]).unwrap());
}

/// A step without its record would be done a second time.
fn a_migration_whose_record_fails_leaves_nothing(place: &Place) {
    let taken =
        "CREATE TABLE half (id TEXT); INSERT INTO schema_migration (name, checksum) VALUES ('0002_second', 'x')";
    let refused = refusal(place, &[MIGRATIONS[0], step("0002_second", taken)]);
    assert!(matches!(&refused, MigrationError::Failed { name, .. } if name == "0002_second"), "{refused}");
    let store = place.open();
    assert!(store.check("SELECT id FROM half").is_err(), "the step was kept without its record");
}

fn unsorted_and_missing_ones_are_refused(place: &Place) {
    let unsorted = MigrationError::Unsorted { name: "0001_cases".into() };
    assert_eq!(refusal(place, &[SECOND, MIGRATIONS[0]]), unsorted);
    drop(open(place, &[MIGRATIONS[0], SECOND]).unwrap());
    let between = step("0001_later", "CREATE TABLE late (id TEXT)");
    let expected = MigrationError::OutOfOrder { expected: "0001_later".into(), found: "0002_second".into() };
    assert_eq!(refusal(place, &[MIGRATIONS[0], between, SECOND]), expected);
}

/// Two servers started together on one database must not both create its tables.
fn two_programs_migrate_once(place: &Place) {
    let settings = Arc::new(place.settings.clone());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let settings = Arc::clone(&settings);
            std::thread::spawn(move || match Store::open_with(&settings, &[MIGRATIONS[0], SECOND]) {
                Ok(store) => Some(store),
                Err(StoreError::InUse { .. }) => None,
                Err(other) => panic!("{other}"),
            })
        })
        .collect();
    let stores: Vec<Store> = threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect();
    assert!(!stores.is_empty());
    put_now(&stores[0], "a", 1);
}
