//! The shared subset of SQL means the same on both engines.

use store::{StoreError, params};

use super::{cases, put};
use crate::place::Place;

cases![
    parameters_are_bound_by_number,
    a_wrong_number_of_parameters_is_refused,
    numbers_in_literals_are_no_parameters,
    upserts_and_returning_work,
    row_locks_are_accepted_everywhere,
    text_compares_by_bytes,
    counts_and_sums_are_integers,
    one_row_means_one_row,
    a_statement_is_checked_without_running,
];

fn parameters_are_bound_by_number(place: &Place) {
    let sql = "SELECT CAST($2 AS TEXT) AS b, CAST($1 AS TEXT) AS a, CAST($2 AS TEXT) AS again";
    let row = place.open().read(|tx| tx.query_one(sql, params!["first", "second"])).unwrap();
    let read = |name: &str| row.get::<String>(name).unwrap();
    assert_eq!([read("a"), read("b"), read("again")], ["first", "second", "second"]);
}

fn a_wrong_number_of_parameters_is_refused(place: &Place) {
    let store = place.open();
    let sql = "SELECT id FROM purse WHERE id = $1 AND cents = $2";
    let refused = |given: usize| store.read(|tx| tx.query(sql, &params!["a", 1, 2][..given])).unwrap_err();
    assert_eq!(refused(1), StoreError::ParameterCount { wanted: 2, given: 1 });
    assert_eq!(refused(3), StoreError::ParameterCount { wanted: 2, given: 3 });
}

fn numbers_in_literals_are_no_parameters(place: &Place) {
    let sql = "SELECT '$2 it''s $3' AS text, CAST($1 AS TEXT) AS one /* $4 */ -- $5";
    let row = place.open().read(|tx| tx.query_one(sql, params!["x"])).unwrap();
    assert_eq!(row.get::<String>("text").unwrap(), "$2 it's $3");
    assert_eq!(row.get::<String>("one").unwrap(), "x");
}

fn upserts_and_returning_work(place: &Place) {
    let store = place.open();
    let bump = "INSERT INTO purse (id, cents) VALUES ($1, 1) \
        ON CONFLICT (id) DO UPDATE SET cents = purse.cents + excluded.cents RETURNING cents";
    let bumped = || store.write(move |tx| tx.query_one(bump, params!["a"])).unwrap().get::<i64>("cents").unwrap();
    assert_eq!([bumped(), bumped(), bumped()], [1, 2, 3]);
    let ignored = "INSERT INTO purse (id, cents) VALUES ($1, 9) ON CONFLICT (id) DO NOTHING";
    assert_eq!(store.write(move |tx| tx.execute(ignored, params!["a"])), Ok(0));
    assert_eq!(store.write(move |tx| tx.execute(ignored, params!["b"])), Ok(1));
    assert_eq!(store.write(|tx| tx.execute("UPDATE purse SET cents = cents", &[])), Ok(2), "rows matched are counted");
}

fn row_locks_are_accepted_everywhere(place: &Place) {
    let store = place.open();
    let taken = store.write::<_, StoreError>(|tx| {
        put(tx, "a", 1)?;
        put(tx, "b", 2)?;
        tx.query("SELECT id FROM purse ORDER BY id FOR UPDATE", &[])?;
        tx.query_one(
            "UPDATE purse SET cents = 0 WHERE id = \
             (SELECT id FROM purse WHERE cents > 0 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id",
            &[],
        )
    });
    assert_eq!(taken.unwrap().get::<String>("id").unwrap(), "a");
}

/// Pages of a list would skip or repeat rows if the engines sorted differently.
fn text_compares_by_bytes(place: &Place) {
    let store = place.open();
    let ids = ["a-b", "ab", "B", "a", "á", "z", "_", "A", "ä"];
    store.write::<_, StoreError>(move |tx| ids.iter().try_for_each(|id| put(tx, id, 0))).unwrap();
    let listed = store.read(|tx| tx.query("SELECT id FROM purse ORDER BY id", &[])).unwrap();
    let listed: Vec<String> = listed.iter().map(|row| row.get("id").unwrap()).collect();
    let mut sorted = ids;
    sorted.sort_unstable();
    assert_eq!(listed, sorted);
    let like = store.read(|tx| tx.query("SELECT id FROM purse WHERE id LIKE 'a%' ORDER BY id", &[])).unwrap();
    assert_eq!(like.len(), 3, "LIKE tells upper case from lower");
}

fn counts_and_sums_are_integers(place: &Place) {
    let store = place.open();
    let sums = "SELECT COUNT(*) AS n, CAST(COALESCE(SUM(cents), 0) AS BIGINT) AS sum, \
        EXISTS (SELECT 1 FROM purse WHERE cents > 1) AS rich FROM purse";
    let read = || {
        let row = store.read(|tx| tx.query_one(sums, &[])).unwrap();
        (row.get::<u64>("n").unwrap(), row.get::<i64>("sum").unwrap(), row.get::<bool>("rich").unwrap())
    };
    assert_eq!(read(), (0, 0, false));
    store.write::<_, StoreError>(|tx| put(tx, "a", i64::MAX - 1).and_then(|()| put(tx, "b", 1))).unwrap();
    assert_eq!(read(), (2, i64::MAX, true));
    store.write::<_, StoreError>(|tx| put(tx, "c", 1)).unwrap();
    let overflow = store.read(|tx| tx.query_one(sums, &[]));
    assert!(overflow.is_err(), "a sum past 64 bits is an error, never another number");
}

fn one_row_means_one_row(place: &Place) {
    let store = place.open();
    let all = "SELECT id FROM purse";
    assert_eq!(store.read(|tx| tx.query_one(all, &[])), Err(StoreError::RowMissing));
    assert_eq!(store.read(|tx| tx.query_opt(all, &[])), Ok(None));
    store.write::<_, StoreError>(|tx| put(tx, "a", 1).and_then(|()| put(tx, "b", 1))).unwrap();
    assert_eq!(store.read(|tx| tx.query_one(all, &[])), Err(StoreError::TooManyRows));
    assert_eq!(store.read(|tx| tx.query_opt(all, &[])), Err(StoreError::TooManyRows));
}

fn a_statement_is_checked_without_running(place: &Place) {
    let store = place.open();
    assert_eq!(store.check("DELETE FROM purse WHERE id = $1"), Ok(()));
    assert_eq!(store.check("SELECT id FROM purse WHERE cents = $1 FOR UPDATE"), Ok(()));
    assert!(matches!(store.check("SELECT missing FROM purse"), Err(StoreError::Sql { .. })));
    assert!(matches!(store.check("SELEKT 1"), Err(StoreError::Sql { .. })));
}
