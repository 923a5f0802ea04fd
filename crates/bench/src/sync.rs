//! 10 000 orders into a device's encrypted cache, beside fetching them alone and beside raw inserts of the same bodies.

use std::path::Path;
use std::time::{Duration, Instant};

use api::host::{Host, SignInForm};
use api::server::{Nothing, Register, RegisterRequest, SignedIn, Sync, SyncAnswer, SyncRequest};
use client::cache::SCHEMA;
use client::sealed::{self, AccountKey};
use client::{Desktop, Keeping, Options};
use rusqlite::params;

use crate::load::{self, CLIENTS, Load, PASSWORD};
use crate::report::{Figure, Report};
use crate::site::Site;
use crate::stats::{median, most};
use crate::{Bench, Outcome};

const ORDERS: usize = 10_000;
/// Devices that fetch everything, one after the other; and raw files.
const TIMES: usize = 5;
const EMAIL: &str = "ada@example.org";

/// Takes the figures.
///
/// # Errors
/// Whatever a step said.
pub fn measure(bench: &Bench, report: &mut Report) -> Outcome<()> {
    let site = Site::started(bench, 1)?;
    let load = Load::new(&site.url)?.shared("");
    let signed_in = register(&load)?;
    // Signed in while there is nothing to fetch: signing in costs a password hash, and is not what is measured.
    let folder = bench.folder.path();
    let devices = (0..TIMES).map(|number| device(&folder.join(format!("device-{number}")), &site.url));
    let devices = devices.collect::<Outcome<Vec<_>>>()?;

    let load = load.shared(&signed_in.token);
    let count = bench.scaled(ORDERS);
    let counts: Vec<usize> =
        (0..CLIENTS).map(|client| count / CLIENTS + usize::from(client < count % CLIENTS)).collect();
    load.rush(load::orders(&load.catalogue()?, &counts)?)?;

    let (mut synced, mut fetched, mut inserted) = (Vec::new(), Vec::new(), Vec::new());
    for (number, device) in devices.iter().enumerate() {
        synced.push(sync(device, count)?);
        let (pages, took) = fetch(&load)?;
        fetched.push(took);
        inserted.push(insert(&folder.join(format!("raw-{number}")), &pages, count)?);
    }
    for (which, of) in [("median", median as fn(&[Duration]) -> f64), ("slowest", most)] {
        report.add(
            Figure::new(
                format!("sync of {count} orders into the encrypted cache, {which} of {TIMES}"),
                of(&synced),
                "ms",
            )
            .beside("raw inserts of the same bodies, same key settings, same commits", of(&inserted))
            .beside("fetching the same pages and keeping nothing", of(&fetched)),
        );
    }
    Ok(())
}

fn register(load: &Load) -> Outcome<SignedIn> {
    load.ask::<Register>(
        0,
        &RegisterRequest {
            first_name: "Ada".into(),
            last_name: "Teste".into(),
            email: EMAIL.into(),
            password: PASSWORD.into(),
            device_name: "bench".into(),
        },
    )
}

/// A desktop without a window and without background work.
fn device(folder: &Path, url: &str) -> Outcome<Desktop> {
    let options = Options { keeping: Keeping::PasswordOnly, ..Options::new(folder.to_owned(), url) };
    let desktop = Desktop::open(options)?;
    let form = SignInForm { email: EMAIL.into(), password: PASSWORD.into(), authenticator_code: None };
    desktop.sign_in(&(), form)?;
    Ok(desktop)
}

/// One round of the real client; what it holds afterwards is counted.
fn sync(device: &Desktop, count: usize) -> Outcome<Duration> {
    let before = device.orders(&(), Nothing {})?.orders.len();
    let started = Instant::now();
    device.refresh(&(), Nothing {})?;
    let took = started.elapsed();
    let after = device.orders(&(), Nothing {})?.orders.len();
    if (before, after) == (0, count) {
        return Ok(took);
    }
    Err(format!("the sync took the cache from {before} to {after} orders, not from none to {count}").into())
}

/// The same pages from the same server, read and let go.
fn fetch(load: &Load) -> Outcome<(Vec<SyncAnswer>, Duration)> {
    let started = Instant::now();
    let mut pages = Vec::new();
    let mut cursor = None;
    loop {
        let page = load.ask::<Sync>(0, &SyncRequest { cursor })?;
        cursor = Some(page.cursor.clone());
        let more = page.more;
        pages.push(page);
        if !more {
            return Ok((pages, started.elapsed()));
        }
    }
}

/// The bodies as they stand into a file with the cache's key settings and schema, a commit per page as the sync does.
fn insert(folder: &Path, pages: &[SyncAnswer], count: usize) -> Outcome<Duration> {
    sealed::private_folder(folder)?;
    let mut file = sealed::open(folder, "cache.db", &AccountKey::random()?, SCHEMA)?;
    let body = |row: &api::server::SyncRow| (row.kind.clone(), row.id.clone(), row.body.to_string());
    let pages: Vec<Vec<_>> = pages.iter().map(|page| page.rows.iter().map(body).collect()).collect();
    let started = Instant::now();
    let mut place = 0_i64;
    for page in &pages {
        let tx = file.transaction()?;
        let mut statement = tx.prepare_cached("INSERT INTO history (place, kind, id, body) VALUES (?1, ?2, ?3, ?4)")?;
        for (kind, id, body) in page {
            place += 1;
            statement.execute(params![place, kind, id, body])?;
        }
        drop(statement);
        tx.commit()?;
    }
    let took = started.elapsed();
    let kept: i64 = file.query_row("SELECT count(*) FROM history WHERE kind = 'order'", [], |row| row.get(0))?;
    if usize::try_from(kept)? == count { Ok(took) } else { Err(format!("{kept} raw rows, not {count}").into()) }
}
