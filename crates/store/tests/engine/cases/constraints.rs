//! Constraints carry the invariants: what they refuse is named, alike on both engines.

use store::{Store, StoreError, Value, params};

use super::{cases, put_now};
use crate::place::Place;

cases![a_taken_key_names_its_constraint, checks_foreign_keys_and_nulls_are_named, a_refused_statement_leaves_no_trace,];

fn insert(store: &Store, id: i64, purse: Option<&'static str>, title: Option<&'static str>, a: i64) -> StoreError {
    let sql = "INSERT INTO note (id, purse_id, title, a, b) VALUES ($1, $2, $3, $4, 7)";
    store.write(move |tx| tx.execute(sql, params![id, purse, title, a])).unwrap_err()
}

fn a_taken_key_names_its_constraint(place: &Place) {
    let store = place.open();
    put_now(&store, "p", 1);
    store
        .write(|tx| tx.execute("INSERT INTO note (id, purse_id, title, a, b) VALUES (1, 'p', 't', 1, 7)", &[]))
        .unwrap();
    let unique = |constraint: &str| StoreError::Unique { constraint: constraint.into() };
    assert_eq!(insert(&store, 1, None, Some("u"), 2), unique("note_pkey"));
    assert_eq!(insert(&store, 2, None, Some("t"), 2), unique("note_title_key"));
    assert_eq!(insert(&store, 2, None, Some("u"), 1), unique("note_pair"));
    let pair = "INSERT INTO note (id, purse_id, title, a, b) VALUES (2, 'p', 'u', 2, 7)";
    assert_eq!(store.write(move |tx| tx.execute(pair, &[])).unwrap_err(), unique("note_b_purse_id_key"));
    let first = "INSERT INTO note (id, purse_id, title, a, b) VALUES (2, 'p', 'u', 1, 8)";
    assert_eq!(store.write(move |tx| tx.execute(first, &[])).unwrap_err(), unique("note_first"));
    let again = "INSERT INTO purse (id, cents) VALUES ('p', 1)";
    assert_eq!(store.write(move |tx| tx.execute(again, &[])).unwrap_err(), unique("purse_pkey"));
}

fn checks_foreign_keys_and_nulls_are_named(place: &Place) {
    let store = place.open();
    put_now(&store, "p", 1);
    let overdraw = store.write(|tx| tx.execute("UPDATE purse SET cents = cents - 2", &[]));
    assert_eq!(overdraw, Err(StoreError::Check { constraint: "purse_not_negative".into() }));
    assert_eq!(insert(&store, 1, Some("nobody"), Some("t"), 1), StoreError::ForeignKey);
    assert_eq!(insert(&store, 1, Some("p"), None, 1), StoreError::NotNull { column: "note.title".into() });
    store.write(|tx| tx.execute("INSERT INTO note (id, purse_id, title) VALUES (1, 'p', 't')", &[])).unwrap();
    assert_eq!(store.write(|tx| tx.execute("DELETE FROM purse", &[])), Err(StoreError::ForeignKey));
}

fn a_refused_statement_leaves_no_trace(place: &Place) {
    let store = place.open();
    put_now(&store, "p", 1);
    let two = "INSERT INTO purse (id, cents) VALUES ('q', 1), ('p', 1)";
    assert!(store.write(move |tx| tx.execute(two, &[])).is_err());
    let rows = store.read(|tx| tx.query("SELECT id FROM purse", &[])).unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].values(), [Value::from("p")]);
}
