//! Accounts and sign-ins on both engines: what somebody would lose if a copied sign-in went on, an account with an order were
//! removed, or something were forgotten that must stay.

// Helpers of tests are not `#[test]`s: what fails in them must fail the test, loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod codes;
mod idle;
mod periods;
mod planted;
mod races;
mod site;
mod tokens;
#[allow(dead_code, reason = "the money cases use the rest of it")]
#[path = "../money/world.rs"]
mod world;

use site::Site;
use store::Settings;
use testkit::postgres::Postgres;

type Case = (&'static str, fn(&mut Site));

const CASES: &[&[Case]] = &[tokens::CASES, races::CASES, idle::CASES, periods::CASES, codes::CASES];

/// Runs every case on a site of its own and checks books and audit log after each.
fn run(settings: impl Fn(&str) -> Settings) -> usize {
    let mut done = 0;
    for (name, case) in CASES.iter().copied().flatten() {
        let mut site = Site::new(&settings(name));
        println!("{name} on {:?}", site.world.store.engine());
        case(&mut site);
        assert_eq!(site.world.differences(), Vec::<String>::new(), "{name}: the books do not fit");
        assert!(site.audit_holds(), "{name}: the audit log does not verify");
        done += 1;
    }
    done
}

#[test]
fn every_case_holds_on_both_engines() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = run(|name| Settings::Sqlite { path: folder.path().join(format!("{name}.db")) });
    let server = Postgres::start();
    let postgres = run(|_| Settings::Postgres { url: server.database() });
    assert_eq!(sqlite, postgres);
    println!("{sqlite} cases on each engine");
}
