//! The money path of the use cases, on both engines over the simulated network: what a customer or the business would
//! lose if a block were skipped, a credit doubled, a lot sold twice.

// Helpers of tests are not `#[test]`s: what fails in them must fail the test, loudly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod books;
mod forks;
mod overlaps;
mod planted;
mod refusals;
mod restores;
mod sale;
mod time;
mod world;

use std::time::Instant;

use store::Settings;
use testkit::postgres::Postgres;
use world::World;

type Case = (&'static str, fn(&mut World));

const CASES: &[&[Case]] = &[sale::CASES, refusals::CASES, forks::CASES, time::CASES, overlaps::CASES, books::CASES];

/// Names the cases that are run, by a part of their names; without it all are. Tests of planted faults run those that must turn red.
const ONLY: &str = "KERNODECK_CASES";

/// Runs every case in a world of its own and checks the books after each.
fn run(settings: impl Fn(&str) -> Settings) -> usize {
    let only = std::env::var(ONLY).unwrap_or_default();
    let mut done = 0;
    let mut one = |name: &str, case: &dyn Fn(&mut World)| {
        if !name.contains(&only) {
            return;
        }
        let started = Instant::now();
        let mut world = World::new(&settings(name));
        case(&mut world);
        assert_eq!(world.differences(), Vec::<String>::new(), "{name}: the books do not fit");
        println!("{name}: {} ms", started.elapsed().as_millis());
        done += 1;
    };
    for (name, case) in restores::CASES {
        one(name, &|world| case(world, &settings(&format!("{name}-copy"))));
    }
    for (name, case) in CASES.iter().copied().flatten() {
        one(name, case);
    }
    assert!(done > 0, "no case is named so");
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
