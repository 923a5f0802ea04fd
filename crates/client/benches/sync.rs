//! Taking 10 000 orders into the encrypted cache, beside bare inserts of the same rows into the same kind of file in the
//! same run. Prints milliseconds; it judges nothing.

extern crate kernodeck_client as client;

use std::error::Error;
use std::time::{Duration, Instant};

use api::server::{SyncAnswer, SyncRow};
use client::cache::Cache;
use client::sealed::{self, AccountKey};
use domain::Timestamp;
use rusqlite::params;
use serde_json::json;

const ORDERS: usize = 10_000;
const PAGE: usize = 500;
const RUNS: usize = 5;

type Work = fn(&[SyncAnswer]) -> Result<Duration, Box<dyn Error>>;

fn order(number: usize) -> SyncRow {
    let placed_at = (1_796_000_000_000_000 + number as i64 * 60_000_000).to_string();
    let timeline: Vec<_> =
        (0..8).map(|_| json!({"at": placed_at, "kind": "seen", "payment_id": null, "data": {}})).collect();
    let body = json!({
        "id": format!("order-{number}"), "reference": "K4RM-X7TP", "placed_at": placed_at, "lots": 2, "days": 7,
        "total": "2782.00", "filler": "x".repeat(900), "timeline": timeline,
    });
    SyncRow { kind: "order".into(), id: format!("order-{number}"), body }
}

/// The pages, and the same rows as texts.
fn pages() -> Vec<SyncAnswer> {
    let rows: Vec<_> = (0..ORDERS).map(order).collect();
    let page = |(at, rows): (usize, &[SyncRow])| SyncAnswer {
        reset: false,
        rows: rows.to_vec(),
        cursor: at.to_string(),
        more: true,
    };
    rows.chunks(PAGE).enumerate().map(page).collect()
}

fn into_the_cache(pages: &[SyncAnswer]) -> Result<Duration, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut cache = Cache::open(folder.path(), &AccountKey::random()?)?;
    let started = Instant::now();
    for page in pages {
        cache.take(page, Timestamp::from_micros(0))?;
    }
    Ok(started.elapsed())
}

fn bare(pages: &[SyncAnswer]) -> Result<Duration, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut connection = sealed::open(folder.path(), "bare.db", &AccountKey::random()?, &[])?;
    connection.execute_batch("CREATE TABLE t (place INTEGER PRIMARY KEY, kind TEXT, id TEXT, body TEXT)")?;
    let texts: Vec<Vec<_>> =
        pages.iter().map(|page| page.rows.iter().map(|row| (row, row.body.to_string())).collect()).collect();
    let started = Instant::now();
    for page in texts {
        let tx = connection.transaction()?;
        for (row, body) in page {
            tx.prepare_cached("INSERT INTO t (kind, id, body) VALUES (?1, ?2, ?3)")?
                .execute(params![row.kind, row.id, body])?;
        }
        tx.commit()?;
    }
    Ok(started.elapsed())
}

/// Milliseconds of the middle run.
fn median(pages: &[SyncAnswer], work: Work) -> Result<u128, Box<dyn Error>> {
    let mut times = (0..RUNS).map(|_| work(pages)).collect::<Result<Vec<_>, _>>()?;
    times.sort();
    Ok(times[RUNS / 2].as_millis())
}

fn main() -> Result<(), Box<dyn Error>> {
    let pages = pages();
    let (cache, bare) = (median(&pages, into_the_cache)?, median(&pages, bare)?);
    println!("sync of {ORDERS} orders into the encrypted cache: {cache} ms; bare inserts: {bare} ms");
    Ok(())
}
