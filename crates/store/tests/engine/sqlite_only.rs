//! What only a file can do to its program.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use store::{Settings, Store, StoreError, params};

use crate::cases::{cents_now, put, put_now};
use crate::place::{Host, MIGRATIONS};

/// Two servers on one file would each answer from their own idea of the queue.
#[test]
fn a_second_program_on_the_same_file_is_refused() {
    let place = Host::sqlite().place();
    let store = place.open();
    assert!(matches!(Store::open_with(&place.settings, MIGRATIONS).err(), Some(StoreError::InUse { .. })));
    drop(store);
    drop(place.open());
}

#[test]
fn the_file_is_read_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = Host::sqlite().place();
    let store = place.open();
    put_now(&store, "a", 1);
    for entry in std::fs::read_dir(place.folder.path()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o077, 0, "{:?}", entry.file_name());
    }
}

#[test]
fn commits_are_synced_through_the_log() {
    let place = Host::sqlite().place();
    let store = place.open();
    let setting = |name: &'static str| {
        let row = store.write(move |tx| tx.query_one(&format!("PRAGMA {name}"), &[])).unwrap();
        row.values()[0].clone()
    };
    assert_eq!(setting("journal_mode"), "wal".into());
    assert_eq!(setting("synchronous"), 2_i64.into());
    assert_eq!(setting("foreign_keys"), 1_i64.into());
}

/// A full disk strikes the order that needs the space, not those that were queued with it.
#[test]
fn a_full_disk_fails_only_what_does_not_fit() {
    let place = Host::sqlite().place();
    let store = place.open();
    let pages = store.write(|tx| tx.query_one("PRAGMA page_count", &[])).unwrap().get::<i64>(0).unwrap();
    store.write(move |tx| tx.query(&format!("PRAGMA max_page_count = {}", pages + 20), &[])).unwrap();
    let fitting = Arc::new(AtomicU32::new(0));
    let threads: Vec<_> = (0..12_i64)
        .map(|id| {
            let (store, fitting) = (store.clone(), Arc::clone(&fitting));
            std::thread::spawn(move || {
                let size = if id % 3 == 0 { 1_000_000 } else { 100 };
                let outcome = store.write(move |tx| {
                    let sql = "INSERT INTO note (id, title, body) VALUES ($1, $2, $3)";
                    tx.execute(sql, params![id, id.to_string(), vec![7_u8; size]])
                });
                match outcome {
                    Ok(_) => {
                        fitting.fetch_add(1, Ordering::SeqCst);
                    }
                    Err(error) => assert_eq!((error, size), (StoreError::Full, 1_000_000)),
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(fitting.load(Ordering::SeqCst), 8);
    let rows = store.read(|tx| tx.query_one("SELECT COUNT(*) AS n FROM note", &[])).unwrap();
    assert_eq!(rows.get::<u32>("n"), Ok(8));
}

/// The last clone may die inside a use case, on the writer's own thread: nothing waits for itself.
#[test]
fn the_last_clone_may_be_dropped_by_a_use_case() {
    let place = Host::sqlite().place();
    let store = place.open();
    let mut last = Some(store.clone());
    store
        .write::<_, StoreError>(move |tx| {
            drop(last.take());
            put(tx, "a", 1)
        })
        .unwrap();
    drop(store);
    assert_eq!(cents_now(&place.open(), "a"), Some(1));
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    let place = Host::sqlite().place();
    let Settings::Sqlite { path } = &place.settings else { unreachable!() };
    std::fs::write(path, "my thesis, not a database".repeat(100)).unwrap();
    assert!(Store::open_with(&place.settings, MIGRATIONS).is_err());
    assert!(std::fs::read_to_string(path).unwrap().starts_with("my thesis"));
}
