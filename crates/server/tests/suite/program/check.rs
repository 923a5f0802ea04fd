//! `check`: what was changed by hand, or by a failing disk, is named. Each test changes one thing, and sees that nothing was said of it
//! before.

use std::fs;
use std::io::{Seek, SeekFrom, Write};

use store::{Settings, Store, StoreError, params};
use testkit::postgres::Postgres;

use super::*;

/// A configured installation with one operator, and no node.
struct Configured {
    folder: tempfile::TempDir,
    settings: Settings,
}

impl Configured {
    fn new(postgres: Option<String>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (settings, database) = match postgres {
            Some(url) => (Settings::Postgres { url: url.clone() }, format!("postgres = \"{url}\"")),
            None => (Settings::Sqlite { path: folder.path().join("k.db") }, "sqlite = \"k.db\"".to_owned()),
        };
        let text = format!(
            "environment = \"regtest\"\n[database]\n{database}\n[litecoin]\nurl = \"http://127.0.0.1:1\"\n[prices]\nmade_up = true\n"
        );
        fs::write(folder.path().join("server.toml"), text).unwrap();
        fs::write(folder.path().join("litecoin.password"), "secret\n").unwrap();
        let new = Self { folder, settings };
        assert!(new.run(&["new-key"]).status.success());
        assert_eq!(new.wrong(), ["node"], "a database that is not there yet is nothing wrong");
        let added = new.run(&["operator", "add", "--email", "o@example.com", "--role", "treasury"]);
        assert!(added.status.success(), "{}", said(&added));
        new
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let config = self.folder.path().join("server.toml").display().to_string();
        run(&[arguments, &["--config", &config]].concat())
    }

    /// What `check` finds wrong: its words, or `node` for the sentence about the node that is not there.
    fn wrong(&self) -> Vec<String> {
        let checked = self.run(&["check"]);
        assert!(!checked.status.success(), "nothing is wrong with a node that is not there: {}", said(&checked));
        let lines = String::from_utf8_lossy(&checked.stderr).lines().map(str::to_owned).collect::<Vec<_>>();
        let named = lines.into_iter().map(|line| if line.starts_with("the node: ") { "node".into() } else { line });
        named.collect()
    }

    fn tamper(&self, sql: &'static str) {
        let store = Store::open(&self.settings).unwrap();
        let changed = store.write::<_, StoreError>(move |tx| tx.execute(sql, params![]));
        assert_eq!(changed, Ok(1), "{sql}");
        store.close();
    }
}

/// What would be lost: money, for as long as nobody compares what the accounts hold with what was posted to them, and the proof of
/// who did it.
#[test]
fn a_row_that_was_changed_by_hand_is_named_on_both_engines() {
    let server = Postgres::start();
    for postgres in [None, Some(server.database())] {
        let place = Configured::new(postgres);
        assert_eq!(place.wrong(), ["node"]);
        place.tamper(
            "INSERT INTO ledger_balance (account, cents, may_be_negative) VALUES ('received:litecoin:ltc', 500, 1)",
        );
        let books = place.wrong();
        assert!(
            books.iter().any(|line| line.starts_with("the books: received:litecoin:ltc") && line.contains("500")),
            "the books are not compared: {books:?}"
        );
        place.tamper("DELETE FROM ledger_balance");
        assert_eq!(place.wrong(), ["node"]);
        place.tamper("UPDATE audit SET actor = 'nobody'");
        let log = place.wrong();
        assert!(log.len() == 2 && log[1].starts_with("the audit log: record 1 "), "{log:?}");
    }
}

/// What would be lost: everything sealed, when a server is pointed at another installation's key.
#[test]
fn another_sealing_key_is_named() {
    let place = Configured::new(None);
    fs::remove_file(place.folder.path().join("sealing.key")).unwrap();
    assert!(place.run(&["new-key"]).status.success());
    assert_eq!(place.wrong(), ["node", "this database was sealed under another sealing key"]);
    let refused = place.run(&["operator", "add", "--email", "p@example.com", "--role", "treasury"]);
    assert!(
        !refused.status.success(),
        "an authenticator's secret was sealed under a key that the server does not have"
    );
}

/// What would be lost: the days until somebody reads the page that the disk lost, and the backups made meanwhile.
#[test]
fn a_page_that_the_disk_lost_is_named() {
    let place = Configured::new(None);
    let Settings::Sqlite { path } = &place.settings else { panic!("a file") };
    let pages = fs::metadata(path).unwrap().len() / 4096;
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    for page in pages / 2..pages {
        file.seek(SeekFrom::Start(page * 4096)).unwrap();
        file.write_all(&[0x5a; 64]).unwrap();
    }
    drop(file);
    let wrong = place.wrong();
    assert!(wrong.iter().any(|line| line.starts_with("the database: ")), "{wrong:?}");
}

/// What would be lost: sales, if the server had to be stopped to be looked at.
#[test]
fn a_sandbox_is_checked_while_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("sandbox").display().to_string();
    let _running = Running::start(&data);
    let checked = run(&["check", "--data", &data]);
    assert!(checked.status.success(), "{}", said(&checked));
    for sentence in ["its books fit", "litecoin: 500 of 500 addresses free, until "] {
        assert!(said(&checked).contains(sentence), "{}", said(&checked));
    }
}
