//! A writer killed at any moment: what it was told is kept is there, the rest is there whole or not at all.
//! (This shows atomicity. That commits survive a power cut is another test: a killed process leaves the page cache.)

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use store::{ServerMigration, Settings, Store, StoreError, Tx, params};

use crate::place::{Host, MIGRATIONS, Place};

const SETTINGS: &str = "KERNODECK_TEST_KILLED_WRITER";
const WRITERS: usize = 8;

/// One «order»: three rows that belong together.
fn order(tx: &mut Tx<'_>, id: i64) -> Result<(), StoreError> {
    for part in 0..3_i64 {
        let title = format!("{id}-{part}");
        tx.execute(
            "INSERT INTO note (id, title, a, b) VALUES ($1, $2, $3, $4)",
            params![id * 3 + part, title, id, part],
        )?;
    }
    Ok(())
}

/// The process that is killed: writes orders from many threads and prints each after its answer.
#[test]
#[ignore = "run by the tests below in a process of its own"]
fn killed_writer() {
    let Ok(target) = std::env::var(SETTINGS) else { return };
    let settings = settings(target);
    let store = Store::open_with(&settings, MIGRATIONS).unwrap();
    let first = store.read(|tx| tx.query_one("SELECT COALESCE(MAX(a), -1) + 1 AS next FROM note", &[])).unwrap();
    let first: i64 = first.get("next").unwrap();
    let threads: Vec<_> = (0..WRITERS)
        .map(|number| {
            let store = store.clone();
            std::thread::spawn(move || {
                for id in (first + i64::try_from(number).unwrap()..).step_by(WRITERS) {
                    store.write_job::<_, StoreError>(move |tx| order(tx, id)).unwrap();
                    let mut out = std::io::stdout().lock();
                    writeln!(out, "kept {id}").unwrap();
                    out.flush().unwrap();
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

fn settings(target: String) -> Settings {
    match target.strip_prefix("sqlite:") {
        Some(path) => Settings::Sqlite { path: path.into() },
        None => Settings::Postgres { url: target },
    }
}

/// One of the ignored tests in a process of its own.
fn child(test: &str, place: &Place) -> Child {
    let target = match &place.settings {
        Settings::Sqlite { path } => format!("sqlite:{}", path.display()),
        Settings::Postgres { url } => url.clone(),
    };
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", test])
        .env(SETTINGS, target)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills a writer after so many answers; the ids it was told are kept.
fn kill_after(place: &Place, answers: usize) -> HashSet<i64> {
    let mut child = child("kill::killed_writer", place);
    let mut kept = HashSet::new();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut read = |line: String| {
        // The test harness may print its own words before ours on the same line.
        if let Some(id) = line.rsplit_once("kept ").and_then(|(_, id)| id.parse().ok()) {
            kept.insert(id);
        }
        kept.len()
    };
    while lines.next().is_some_and(|line| read(line.unwrap()) < answers) {}
    child.kill().unwrap();
    // What was printed before the kill was answered too. The last line may be cut.
    lines.map_while(Result::ok).for_each(|line| {
        read(line);
    });
    child.wait().unwrap();
    kept
}

fn kill_at_random_moments(place: &Place) {
    drop(place.open());
    let mut kept = HashSet::new();
    for round in 0..10_usize {
        let answers = 1 + round * 7 + usize::try_from(std::process::id() % 5).unwrap();
        kept.extend(kill_after(place, answers));
        let store = place.open();
        let rows = store.read(|tx| tx.query("SELECT a, COUNT(*) AS parts FROM note GROUP BY a", &[])).unwrap();
        let mut found = HashSet::new();
        for row in rows {
            let id = row.get::<i64>("a").unwrap();
            assert_eq!(row.get::<i64>("parts").unwrap(), 3, "order {id} is half there");
            found.insert(id);
        }
        let lost: Vec<_> = kept.difference(&found).collect();
        assert!(lost.is_empty(), "told to be kept and lost: {lost:?}");
        assert!(kept.len() > round, "the writers wrote nothing");
    }
}

/// A long way: every step adds a table and counts itself, so that a step applied twice or by half shows.
fn steps() -> &'static [ServerMigration] {
    let step = |at: usize| {
        let sql = match at {
            0 => "CREATE TABLE purse (id TEXT NOT NULL PRIMARY KEY, cents INTEGER NOT NULL)".to_owned(),
            _ => format!(
                "CREATE TABLE t{at} (id TEXT); INSERT INTO purse VALUES ('{at}', {at}); UPDATE purse SET cents = cents + 1"
            ),
        };
        let sql: &str = Box::leak(sql.into_boxed_str());
        ServerMigration { name: Box::leak(format!("{at:04}").into_boxed_str()), sqlite: sql, postgres: sql }
    };
    Box::leak((0..60).map(step).collect::<Vec<_>>().into_boxed_slice())
}

/// The process that is killed: migrates.
#[test]
#[ignore = "run by the tests below in a process of its own"]
fn killed_migration() {
    if let Ok(target) = std::env::var(SETTINGS) {
        println!("kept 1");
        drop(Store::open_with(&settings(target), steps()).unwrap());
    }
}

/// An update killed midway must neither lose the database nor do a step twice.
fn kill_migrations(host: &Host) {
    let steps = steps();
    // How long the whole way takes on this machine, so that the kills are spread over it.
    let whole = Instant::now();
    drop(Store::open_with(&host.place().settings, steps).unwrap());
    let whole = whole.elapsed();
    let mut midway = 0;
    for round in 0..12_u32 {
        let place = host.place();
        let mut child = child("kill::killed_migration", &place);
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        while !line.contains("kept 1") {
            line.clear();
            assert_ne!(out.read_line(&mut line).unwrap(), 0, "the migrating process said nothing");
        }
        std::thread::sleep(whole * round / 8);
        child.kill().unwrap();
        child.wait().unwrap();
        midway += u32::from(Store::open_with(&place.settings, &steps[..1]).is_err());
        let store = Store::open_with(&place.settings, steps).unwrap();
        let sum =
            store.read(|tx| tx.query_one("SELECT COUNT(*) AS n, CAST(SUM(cents) AS BIGINT) AS sum FROM purse", &[]));
        let sum = sum.unwrap();
        assert_eq!((sum.get::<i64>("n"), sum.get::<i64>("sum")), (Ok(59), Ok(2 * 59 * 60 / 2)), "round {round}");
    }
    assert!(midway > 0, "no kill came after the first step: nothing was shown");
}

#[test]
fn a_killed_migration_on_sqlite_continues() {
    kill_migrations(&Host::sqlite());
}

#[test]
fn a_killed_migration_on_postgres_continues() {
    kill_migrations(&Host::postgres());
}

#[test]
fn a_killed_writer_on_sqlite_leaves_whole_orders() {
    kill_at_random_moments(&Host::sqlite().place());
}

#[test]
fn a_killed_writer_on_postgres_leaves_whole_orders() {
    let host = Host::postgres();
    kill_at_random_moments(&host.place());
}
