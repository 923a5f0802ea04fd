//! What goes in comes out.

use store::{Row, Store, StoreError, Value, params};

use super::cases;
use crate::place::Place;

cases![
    integers_keep_all_64_bits,
    text_keeps_every_character_but_nul,
    bytes_and_nulls_come_back,
    a_column_is_read_as_what_it_is_or_not_at_all,
    columns_are_found_by_name_and_place,
];

fn echo(store: &Store, value: Value) -> Result<Row, StoreError> {
    store.write(move |tx| {
        tx.execute("DELETE FROM note", &[])?;
        let column = match value {
            Value::Text(_) => "memo",
            Value::Blob(_) => "body",
            _ => "a",
        };
        let insert = format!("INSERT INTO note (id, title, {column}) VALUES (1, 't', $1)");
        tx.execute(&insert, std::slice::from_ref(&value))?;
        tx.query_one("SELECT memo, body, a FROM note", &[])
    })
}

/// A sum cut to fewer bits would be someone's money.
fn integers_keep_all_64_bits(place: &Place) {
    let store = place.open();
    for number in [i64::MIN, i64::MIN + 1, -1, 0, 1, 1 << 53, (1 << 53) + 1, i64::MAX] {
        assert_eq!(echo(&store, number.into()).unwrap().get::<i64>("a").unwrap(), number);
    }
}

fn text_keeps_every_character_but_nul(place: &Place) {
    let store = place.open();
    for text in ["", "İıŞğ ção 显卡 🖥️", "e\u{301}", "\u{10FFFF}", "'; DROP TABLE note; --", "a\tb\nc\r\\%_$1?1"]
    {
        assert_eq!(echo(&store, text.into()).unwrap().get::<String>("memo").unwrap(), text);
    }
    let long = "ß".repeat(300_000);
    assert_eq!(echo(&store, long.as_str().into()).unwrap().get::<String>("memo").unwrap(), long);
    assert_eq!(echo(&store, "a\0b".into()).unwrap_err(), StoreError::NulInText);
}

fn bytes_and_nulls_come_back(place: &Place) {
    let store = place.open();
    let all: Vec<u8> = (0..=255).collect();
    for bytes in [Vec::new(), vec![0], all.repeat(1000)] {
        assert_eq!(echo(&store, bytes.clone().into()).unwrap().get::<Vec<u8>>("body").unwrap(), bytes);
    }
    let row = echo(&store, Value::Null).unwrap();
    assert_eq!((row.get::<Option<i64>>("a").unwrap(), row.get::<Option<Vec<u8>>>("body").unwrap()), (None, None));
}

fn a_column_is_read_as_what_it_is_or_not_at_all(place: &Place) {
    let store = place.open();
    let row = echo(&store, 4_294_967_296_i64.into()).unwrap();
    assert!(matches!(row.get::<u32>("a"), Err(StoreError::Type { .. })), "does not fit 32 bits");
    assert_eq!(row.get::<u64>("a").unwrap(), 4_294_967_296);
    assert!(matches!(row.get::<String>("a"), Err(StoreError::Type { .. })));
    assert!(matches!(row.get::<bool>("a"), Err(StoreError::Type { .. })), "only 0 and 1 are booleans");
    let row = echo(&store, Value::Null).unwrap();
    assert!(matches!(row.get::<i64>("a"), Err(StoreError::Type { .. })), "null is not zero");
    let row = echo(&store, (-1_i64).into()).unwrap();
    assert!(matches!(row.get::<u64>("a"), Err(StoreError::Type { .. })));
}

fn columns_are_found_by_name_and_place(place: &Place) {
    let store = place.open();
    let row = store
        .read(|tx| tx.query_one("SELECT CAST($1 AS BIGINT) AS one, CAST($2 AS TEXT) AS two", params![true, "x"]))
        .unwrap();
    assert!(row.get::<bool>(0).unwrap());
    assert_eq!(row.get::<String>("two").unwrap(), "x");
    assert_eq!(row.get::<i64>("three").unwrap_err(), StoreError::NoColumn { column: "three".into() });
    assert_eq!(row.get::<i64>(2).unwrap_err(), StoreError::NoColumn { column: "2".into() });
}
