//! What a person would lose: their history, their place in it, or its secrecy.

use api::server::{SyncAnswer, SyncRow};
use api::views::{BalanceEntryView, FulfilmentState, Headline, LastKnown, OrderState, OrderView};
use domain::Timestamp;
use serde_json::{Value, json};

use super::*;

const NOW: Timestamp = Timestamp::from_seconds(1_796_133_787);

fn entry(id: &str, at: i64) -> SyncRow {
    let body = json!({
        "id": id, "at": at.to_string(), "reason": "over", "amount": "12.05", "order_id": null, "payment_id": null
    });
    SyncRow { kind: "balance_entry".into(), id: id.into(), body }
}

fn page(rows: Vec<SyncRow>, cursor: &str) -> SyncAnswer {
    SyncAnswer { reset: false, rows, cursor: cursor.into(), more: false }
}

fn key(byte: u8) -> AccountKey {
    AccountKey::from_bytes([byte; 32])
}

fn ids(cache: &Cache) -> Vec<String> {
    cache.all::<BalanceEntryView>().unwrap().into_iter().map(|entry| entry.id).collect()
}

#[test]
fn history_reads_newest_first_in_the_order_of_its_dates_not_of_its_arrival() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = Cache::open(folder.path(), &key(1)).unwrap();
    cache.take(&page(vec![entry("b", 20), entry("d", 20), entry("a", 10)], "1"), NOW).unwrap();
    cache.take(&page(vec![entry("c", 30)], "2"), NOW).unwrap();
    assert_eq!(ids(&cache), ["c", "d", "b", "a"]);
    // A change leaves a row where it was.
    cache.take(&page(vec![entry("a", 10)], "3"), NOW).unwrap();
    assert_eq!(ids(&cache), ["c", "d", "b", "a"]);
    let plan: String = cache
        .connection
        .query_row("EXPLAIN QUERY PLAN SELECT body FROM history WHERE kind = ?1 ORDER BY place DESC", ["x"], |row| {
            row.get(3)
        })
        .unwrap();
    assert!(plan.contains("history_by_kind"), "{plan}");
}

#[test]
fn a_page_and_its_cursor_survive_together_and_a_reset_drops_the_rows_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = Cache::open(folder.path(), &key(1)).unwrap();
    cache.take(&page(vec![entry("a", 10), entry("b", 20)], "1"), NOW).unwrap();
    drop(cache);
    let mut cache = Cache::open(folder.path(), &key(1)).unwrap();
    assert_eq!((cache.cursor().unwrap().as_deref(), cache.synced_at().unwrap()), (Some("1"), Some(NOW)));
    cache.take(&SyncAnswer { reset: true, ..page(vec![entry("c", 30)], "9") }, NOW).unwrap();
    assert_eq!(ids(&cache), ["c"]);
    assert_eq!(cache.cursor().unwrap().as_deref(), Some("9"));
}

#[test]
fn rows_and_states_of_a_newer_server_are_kept_and_crash_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = Cache::open(folder.path(), &key(1)).unwrap();
    let news = SyncRow { kind: "parcel".into(), id: "p".into(), body: json!({"weight": 3}) };
    let strange = SyncRow { kind: "balance_entry".into(), id: "x".into(), body: json!({"only": "this"}) };
    cache.take(&page(vec![news, strange, entry("a", 10)], "1"), NOW).unwrap();
    assert_eq!(ids(&cache), ["a"]);
    let kept: i64 = cache.connection.query_row("SELECT count(*) FROM history", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 3);
    assert_eq!(serde_json::from_value::<OrderState>(json!("teleported")).unwrap(), OrderState::Unknown);
    let headline = serde_json::from_value::<Headline>(json!({"kind": "melting", "degrees": 3})).unwrap();
    assert_eq!(headline, Headline::Unknown);
}

/// A row of an order as a server of any version may tell it: only its states matter here.
fn order(state: &str, headline: &Value, fulfilment: &str) -> SyncRow {
    let gpu = json!({
        "name": "NVIDIA B200", "vendor": "nvidia", "backend": "cuda", "architecture": "Blackwell", "driver_names": [],
        "memory_gb_per_device": 180, "devices_per_gpu": 1, "gpus_per_lot": 2
    });
    let body = json!({
        "id": "o", "reference": "K4RM-X7TP", "placed_at": "10", "lapses_at": "20",
        "offer": {"offer_id": "b200", "gpu": gpu, "per_lot": "1.00"}, "lots": 1, "gpus": 2, "days": 3,
        "preparation": "pytorch", "total": "1.00", "state": state, "held": "0.00", "missing": "0.00", "has_lots": true,
        "headline": headline, "payment_ids": [], "fulfilment": {"state": fulfilment, "paused": false}, "timeline": []
    });
    SyncRow { kind: "order".into(), id: "o".into(), body }
}

#[test]
fn an_unknown_state_stands_beside_the_last_known_one_even_after_a_reset() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = Cache::open(folder.path(), &key(1)).unwrap();
    let (paid, melting) = (json!({"kind": "paid"}), json!({"kind": "melting", "degrees": 3}));
    let told = |cache: &mut Cache, row: SyncRow, cursor: &str, reset: bool| {
        cache.take(&SyncAnswer { reset, ..page(vec![row], cursor) }, NOW).unwrap();
        let order: OrderView = cache.one("o").unwrap().unwrap();
        assert_eq!(cache.all::<OrderView>().unwrap(), std::slice::from_ref(&order));
        order
    };
    let known = told(&mut cache, order("settled", &paid, "preparing"), "1", false);
    assert_eq!(known.last_known, None);
    let strange = told(&mut cache, order("settled", &melting, "teleporting"), "2", false);
    assert_eq!((&strange.headline, strange.fulfilment.state), (&Some(Headline::Unknown), FulfilmentState::Unknown));
    let last = LastKnown { state: None, headline: Some(Headline::Paid), fulfilment: Some(FulfilmentState::Preparing) };
    assert_eq!(strange.last_known.as_ref(), Some(&last));
    // Another unknown one does not push the known one out, and a reset, which a newer server brings, neither.
    assert_eq!(told(&mut cache, order("settled", &melting, "thinking"), "3", false).last_known, Some(last.clone()));
    assert_eq!(told(&mut cache, order("settled", &melting, "thinking"), "4", true).last_known, Some(last.clone()));
    drop(cache);
    let mut cache = Cache::open(folder.path(), &key(1)).unwrap();
    assert_eq!(cache.one::<OrderView>("o").unwrap().unwrap().last_known, Some(last));
    let active = told(&mut cache, order("settled", &paid, "active"), "5", false);
    assert_eq!(active.last_known, None);
    let last = told(&mut cache, order("vanished", &paid, "thinking"), "6", true).last_known.unwrap();
    assert_eq!((last.state, last.headline), (Some(OrderState::Settled), None));
    assert_eq!(last.fulfilment, Some(FulfilmentState::Active), "the newest known one, not the first");
}

#[test]
fn nothing_of_the_history_stands_in_the_files_in_the_clear() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = Cache::open(folder.path(), &key(1)).unwrap();
    let plain = rusqlite::Connection::open(folder.path().join("plain.db")).unwrap();
    plain.execute_batch("CREATE TABLE t (body TEXT)").unwrap();
    for number in 0..200 {
        let row = entry(&format!("findable-{number}"), number);
        plain.execute("INSERT INTO t VALUES (?1)", [row.body.to_string()]).unwrap();
        cache.take(&page(vec![row], "1"), NOW).unwrap();
    }
    drop((cache, plain));
    let found_in = |name: &str| {
        let bytes = fs::read(folder.path().join(name)).unwrap_or_default();
        bytes.windows(8).any(|window| window == b"findable" || window == b"SQLite f")
    };
    assert!(found_in("plain.db"), "this search finds what is not encrypted");
    assert!(!found_in(FILE_NAME) && !found_in("cache.db-wal"));
}

#[test]
fn another_accounts_key_opens_nothing_and_the_cache_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = Cache::open(folder.path(), &key(1)).unwrap();
    cache.take(&page(vec![entry("a", 10)], "1"), NOW).unwrap();
    drop(cache);
    let refused = sealed::open(folder.path(), FILE_NAME, &key(2), SCHEMA);
    assert!(refused.is_err_and(|error| is_beyond_repair(&error)));
    let own = Cache::open(folder.path(), &key(1)).unwrap();
    assert_eq!(ids(&own), ["a"], "a refused key destroys nothing by itself");
    drop(own);
    let cache = Cache::open(folder.path(), &key(2)).unwrap();
    assert!(ids(&cache).is_empty() && cache.cursor().unwrap().is_none());
}

#[test]
fn a_damaged_cache_is_fetched_again_rather_than_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = Cache::open(folder.path(), &key(1)).unwrap();
    cache.take(&page((0..500).map(|at| entry(&at.to_string(), at)).collect(), "1"), NOW).unwrap();
    drop(cache);
    let path = folder.path().join(FILE_NAME);
    let mut bytes = fs::read(&path).unwrap();
    bytes.iter_mut().take(4_096).for_each(|byte| *byte = !*byte);
    fs::write(&path, bytes).unwrap();
    let cache = Cache::open(folder.path(), &key(1)).unwrap();
    assert!(cache.cursor().unwrap().is_none());
}

#[cfg(unix)]
#[test]
fn other_users_of_the_machine_cannot_read_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mut cache = Cache::open(folder.path(), &key(1)).unwrap();
    cache.take(&page(vec![entry("a", 10)], "1"), NOW).unwrap();
    for path in with_side_files(&folder.path().join(FILE_NAME)).iter().filter(|path| path.exists()) {
        let mode = fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", path.display());
    }
}
