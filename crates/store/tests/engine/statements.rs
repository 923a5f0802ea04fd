//! Every statement of the product is prepared on both engines.

use std::path::Path;

use store::{Store, repo};

use crate::place::Host;

fn prepare_all(host: &Host) -> usize {
    let place = host.place();
    let store = Store::open(&place.settings).unwrap();
    let statements = repo::ALL.iter().copied().flatten();
    let failed: Vec<String> = statements
        .clone()
        .filter_map(|statement| {
            let error = store.check(statement.sql).err()?;
            Some(format!("{}::{}: {error}\n    {}", statement.module, statement.name, statement.sql))
        })
        .collect();
    assert!(failed.is_empty(), "on {host:?}:\n{}", failed.join("\n"));
    statements.count()
}

#[test]
fn every_statement_can_be_prepared_on_both_engines() {
    let on_sqlite = prepare_all(&Host::sqlite());
    let on_postgres = prepare_all(&Host::postgres());
    assert_eq!(on_sqlite, on_postgres);
    assert!(on_sqlite > 0, "no statement is listed");
}

/// A repository that is not in the list would first be prepared in front of a customer.
#[test]
fn every_repository_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/repo");
    let mut declaring = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let module = path.file_stem().unwrap().to_string_lossy().into_owned();
        if text.contains("statements! {") {
            declaring.push(module);
        } else if module != "mod" {
            for sql in ["\"SELECT ", "\"INSERT ", "\"UPDATE ", "\"DELETE "] {
                assert!(!text.contains(sql), "{module} holds SQL outside statements!");
            }
        }
    }
    let mut listed: Vec<String> = repo::ALL
        .iter()
        .filter_map(|module| module.first())
        .map(|statement| statement.module.rsplit("::").next().unwrap().to_owned())
        .collect();
    declaring.sort();
    listed.sort();
    assert_eq!(listed, declaring);
}
