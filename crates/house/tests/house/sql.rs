//! SQL is written in `store`, and in `client` for the device's own files. Nowhere else.

use house::files::all;

use crate::{Shipped, planted, shipped};

const WITHOUT_SQL: &[&str] = &[
    "crates/api/src",
    "crates/backend/src",
    "crates/chains/src",
    "crates/domain/src",
    "crates/keytool/src",
    "crates/manifest/src",
    "crates/rates/src",
    "crates/server/src",
    "src-tauri/src",
];

/// Whether a string is a statement, or a piece of one, in whatever case it is written.
fn is_sql(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(str::to_uppercase).collect();
    let starts = |first: &str, later: &str| {
        words.first().is_some_and(|word| word == first) && words.iter().any(|word| word == later)
    };
    let pair = |first: &str, second: &str| words.windows(2).any(|two| two[0] == first && two[1] == second);
    // A clause alone counts in capitals only: «order by» is also a sentence.
    let clause = ["ORDER BY ", "GROUP BY ", " WHERE ", "RETURNING ", "ON CONFLICT", "FOR UPDATE"]
        .iter()
        .any(|clause| text.contains(clause));
    let starting = [
        ("SELECT", "FROM"),
        ("SELECT", "1"),
        ("UPDATE", "SET"),
        ("PRAGMA", "="),
        ("WITH", "SELECT"),
        ("BEGIN", "IMMEDIATE"),
    ];
    clause
        || starting.iter().any(|(first, later)| starts(first, later))
        || [("INSERT", "INTO"), ("DELETE", "FROM"), ("CREATE", "TABLE"), ("DROP", "TABLE"), ("ALTER", "TABLE")]
            .iter()
            .any(|(first, second)| pair(first, second))
}

fn violations(sources: &[Shipped]) -> Vec<String> {
    let of = |one: &Shipped| -> Vec<String> {
        let strings = one.source.strings.iter().filter(|(_, text)| is_sql(text));
        strings.map(|(line, text)| format!("{}:{line} {text}", one.path)).collect()
    };
    sources.iter().flat_map(of).collect()
}

#[test]
fn sql_stands_in_the_store_alone_and_would_be_seen_elsewhere() {
    let files = all();
    assert_eq!(violations(&shipped(&files, WITHOUT_SQL)), Vec::<String>::new());
    let in_store = violations(&shipped(&files, &["crates/store/src"]));
    assert!(in_store.len() > 40, "only {} of the store's own statements were seen", in_store.len());
    for text in [
        "select id from orders",
        "SELECT 1",
        "Insert Into orders VALUES ($1)",
        "UPDATE orders SET total_cents = 0",
        "DELETE FROM orders",
        "AND x = 1 ORDER BY id",
        "PRAGMA synchronous = OFF",
    ] {
        assert_eq!(violations(&planted("x.rs", &format!("fn f() {{ g(\"{text}\") }}"))).len(), 1, "{text}");
    }
    assert!(
        !is_sql("choose an offer, update its price, then delete it from the list"),
        "a sentence is not a statement"
    );
}
