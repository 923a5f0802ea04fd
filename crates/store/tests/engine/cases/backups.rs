//! A backup that cannot be restored is not one.

use std::path::{Path, PathBuf};

use store::backup::Restored;
use store::{Settings, Store, StoreError, backup, params};

use super::{cases, cents_now, put_now};
use crate::place::{MIGRATIONS, Place};

cases![
    a_backup_of_a_live_database_comes_back_whole,
    nothing_is_overwritten,
    a_damaged_backup_is_refused,
    a_backup_of_other_content_is_refused,
    a_restore_that_is_not_finished_is_opened_by_nobody,
];

fn filled(place: &Place) -> (Store, PathBuf) {
    let store = place.open();
    put_now(&store, "p", i64::MAX);
    store
        .write::<_, StoreError>(|tx| {
            for id in 0..500_i64 {
                let title = format!("İ 显卡 {id}");
                let body: Vec<u8> = (0..=255).cycle().skip(usize::try_from(id).unwrap()).take(300).collect();
                tx.execute(
                    "INSERT INTO note (id, purse_id, title, body, a, b) VALUES ($1, 'p', $2, $3, NULL, $1)",
                    params![id, title, body],
                )?;
            }
            Ok(())
        })
        .unwrap();
    (store, place.folder.path().join("backup"))
}

/// A restore after which there is nothing to do.
fn restore(settings: &Settings, file: &Path) -> Result<Restored, StoreError> {
    backup::restore_with(settings, file, MIGRATIONS, |_| Ok::<_, StoreError>(())).map(|(restored, ())| restored)
}

fn reason(outcome: Result<impl std::fmt::Debug, StoreError>) -> String {
    match outcome.unwrap_err() {
        StoreError::Backup { reason } => reason,
        StoreError::Io { detail } => detail,
        other => panic!("{other}"),
    }
}

fn a_backup_of_a_live_database_comes_back_whole(place: &Place) {
    let (store, file) = filled(place);
    let sums = backup::create(&place.settings, &file).unwrap();
    let rows: Vec<(&str, u64)> = sums.tables.iter().map(|table| (table.table.as_str(), table.rows)).collect();
    assert_eq!(rows, [("note", 500), ("purse", 1), ("schema_migration", 1)]);
    put_now(&store, "later", 1);
    assert!(backup::verify(&place.settings, &file).unwrap().compared);
    let restored = restore(&place.second, &file).unwrap();
    assert_eq!((restored.compared, &restored.sums), (true, &sums));
    let second = Store::open_with(&place.second, MIGRATIONS).unwrap();
    assert_eq!((cents_now(&second, "p"), cents_now(&second, "later")), (Some(i64::MAX), None));
    assert_eq!(cents_now(&store, "later"), Some(1));
}

fn nothing_is_overwritten(place: &Place) {
    let (store, file) = filled(place);
    backup::create(&place.settings, &file).unwrap();
    let before = std::fs::read(&file).unwrap();
    assert!(reason(backup::create(&place.settings, &file)).contains("not overwritten"));
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let into_live = reason(restore(&place.settings, &file));
    assert!(into_live.contains("absent path") || into_live.contains("empty one"), "{into_live}");
    assert_eq!(cents_now(&store, "p"), Some(i64::MAX));
    let nowhere = place.folder.path().join("missing");
    assert!(!reason(restore(&place.second, &nowhere)).is_empty());
}

fn a_damaged_backup_is_refused(place: &Place) {
    let (_store, file) = filled(place);
    backup::create(&place.settings, &file).unwrap();
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() * 2 / 3]).unwrap();
    assert!(backup::verify(&place.settings, &file).is_err());
    assert!(restore(&place.second, &file).is_err());
    // Only the sums can tell that a byte inside a row is another one.
    let mut flipped = whole;
    if matches!(place.settings, Settings::Sqlite { .. }) {
        let needle = "İ 显卡 250".as_bytes();
        let at = flipped.windows(needle.len()).rposition(|window| window == needle).unwrap();
        flipped[at + needle.len() - 1] = b'z';
        std::fs::write(&file, &flipped).unwrap();
        assert!(restore(&place.second, &file).is_err());
    }
    let second = Store::open_with(&place.second, MIGRATIONS).unwrap();
    assert_eq!(cents_now(&second, "p"), None, "a refused restore left something behind");
}

fn a_backup_of_other_content_is_refused(place: &Place) {
    let (store, file) = filled(place);
    backup::create(&place.settings, &file).unwrap();
    store.write(|tx| tx.execute("UPDATE purse SET cents = cents - 1", &[])).unwrap();
    let other = place.folder.path().join("other");
    backup::create(&place.settings, &other).unwrap();
    std::fs::copy(&other, &file).unwrap();
    assert!(reason(restore(&place.second, &file)).contains("table purse differs"));
    std::fs::write(place.folder.path().join("backup.sums"), "kernodeck-sums 1\nnote 500").unwrap();
    assert!(reason(backup::verify(&place.settings, &file)).contains("damaged"));
    std::fs::remove_file(place.folder.path().join("backup.sums")).unwrap();
    assert!(!backup::verify(&place.settings, &file).unwrap().compared);
}

/// Whoever is killed between the copy and what has to be done to it would leave a database that looks ready.
fn a_restore_that_is_not_finished_is_opened_by_nobody(place: &Place) {
    let (_store, file) = filled(place);
    backup::create(&place.settings, &file).unwrap();
    let stopped = backup::restore_with(&place.second, &file, MIGRATIONS, |tx| {
        tx.execute("UPDATE purse SET cents = 1", &[])?;
        Err::<(), _>(StoreError::Busy)
    });
    assert_eq!(stopped.unwrap_err(), StoreError::Busy);
    match &place.second {
        Settings::Sqlite { path } => {
            let left = std::fs::read_dir(place.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
            let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains("second.db")).collect();
            assert_eq!(left, ["second.db.lock"], "{}", path.display());
        }
        Settings::Postgres { .. } => {
            let refused = Store::open_with(&place.second, MIGRATIONS).err().unwrap();
            assert!(matches!(&refused, StoreError::Unfit { reason } if reason.contains("not finished")), "{refused}");
            let copy = place.folder.path().join("copy");
            assert!(matches!(backup::create(&place.second, &copy), Err(StoreError::Unfit { .. })));
            assert!(matches!(restore(&place.second, &file), Err(StoreError::Unfit { .. })));
            return;
        }
    }
    // What a killed restore leaves beside the file is not taken for the next one's.
    std::fs::write(place.folder.path().join("second.db.partial-wal"), "of another file").unwrap();
    restore(&place.second, &file).unwrap();
    let second = Store::open_with(&place.second, MIGRATIONS).unwrap();
    assert_eq!(cents_now(&second, "p"), Some(i64::MAX));
}
