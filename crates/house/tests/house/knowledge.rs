//! Who may know whom: `docs/ARCHITECTURE.md`, «What each room must not know».

use std::collections::BTreeSet;

use house::graph::Graph;

const SERIALISATION: &[&str] = &[
    "serde",
    "serde_core",
    "serde_derive",
    "serde_json",
    "toml",
    "bincode",
    "ciborium",
    "postcard",
    "rmp-serde",
    "schemars",
    "ts-rs",
];
const ASYNC: &[&str] =
    &["tokio", "futures", "futures-core", "futures-util", "async-trait", "async-std", "smol", "mio", "tokio-stream"];
const CLOCKS: &[&str] = &["chrono", "time", "jiff", "quanta", "instant", "web-time"];
const CHANCE: &[&str] = &["rand", "rand_core", "getrandom", "fastrand", "uuid", "ulid"];
const NETWORK: &[&str] = &[
    "reqwest",
    "ureq",
    "hyper",
    "hyper-util",
    "h2",
    "curl",
    "attohttpc",
    "minreq",
    "native-tls",
    "openssl",
    "rustls",
    "socket2",
    "tungstenite",
    "tonic",
    "quinn",
];
const HTTP_SERVERS: &[&str] = &["axum", "actix-web", "warp", "rocket", "tiny_http", "poem", "salvo"];
const DATABASES: &[&str] = &[
    "rusqlite",
    "libsqlite3-sys",
    "postgres",
    "tokio-postgres",
    "postgres-types",
    "sqlx",
    "diesel",
    "sled",
    "redb",
    "heed",
];
/// The server's other database: a customer's program has no use for its driver.
const POSTGRES: &[&str] =
    &["postgres", "tokio-postgres", "postgres-types", "postgres-protocol", "postgres-native-tls", "sqlx-postgres"];
const WINDOWS: &[&str] = &["tauri", "tauri-build", "wry", "tao", "tauri-runtime", "webkit2gtk"];
const OUTPUT: &[&str] = &["tracing", "log", "tracing-core", "tracing-subscriber"];

/// What a package must not be built from.
struct Row {
    package: &'static str,
    /// Packages of this workspace that it may name. Everything else of the house is unknown to it.
    knows: &'static [&'static str],
    /// Crates that it may name; nothing said means any that are not banned.
    only: Option<&'static [&'static str]>,
    /// Crates that it must not name itself, because their use is another package's business.
    never_named: &'static [&'static [&'static str]],
    /// Crates that must not be in what it is built from, however far down.
    never_in_tree: &'static [&'static [&'static str]],
}

const ROWS: &[Row] = &[
    Row {
        package: "kernodeck-domain",
        knows: &[],
        only: Some(&["base64", "ethnum", "thiserror", "unicode-normalization"]),
        never_named: &[],
        never_in_tree: &[SERIALISATION, ASYNC, CLOCKS, CHANCE, NETWORK, HTTP_SERVERS, DATABASES, WINDOWS, OUTPUT],
    },
    Row {
        package: "kernodeck-api",
        knows: &["domain"],
        only: Some(&["schemars", "serde", "serde_json", "thiserror", "ts-rs"]),
        never_named: &[],
        never_in_tree: &[ASYNC, CLOCKS, CHANCE, NETWORK, HTTP_SERVERS, DATABASES, WINDOWS, OUTPUT],
    },
    Row {
        package: "kernodeck-manifest",
        knows: &["domain", "faults"],
        only: None,
        never_named: &[CLOCKS, OUTPUT],
        never_in_tree: &[ASYNC, NETWORK, HTTP_SERVERS, DATABASES, WINDOWS],
    },
    // Its own test looks at its exact tree on the machine at hand; this row at every platform's.
    Row {
        package: "kernodeck-keytool",
        knows: &["domain", "manifest"],
        only: None,
        never_named: &[],
        never_in_tree: &[ASYNC, NETWORK, HTTP_SERVERS, DATABASES, WINDOWS],
    },
    Row {
        package: "kernodeck-migrate",
        knows: &[],
        only: Some(&["hex", "rusqlite", "sha2", "thiserror"]),
        never_named: &[],
        never_in_tree: &[ASYNC, NETWORK, HTTP_SERVERS, POSTGRES, WINDOWS],
    },
    Row {
        package: "kernodeck-store",
        knows: &["domain", "faults", "migrate"],
        only: None,
        never_named: &[CLOCKS, CHANCE, &["reqwest", "hyper"]],
        never_in_tree: &[HTTP_SERVERS, WINDOWS, &["reqwest", "hyper"]],
    },
    Row {
        package: "kernodeck-chains",
        knows: &["domain", "faults"],
        only: None,
        never_named: &[CHANCE],
        never_in_tree: &[HTTP_SERVERS, DATABASES, WINDOWS],
    },
    Row {
        package: "kernodeck-rates",
        knows: &["domain"],
        only: None,
        never_named: &[],
        never_in_tree: &[HTTP_SERVERS, DATABASES, WINDOWS],
    },
    Row {
        package: "kernodeck-backend",
        knows: &["api", "chains", "domain", "faults", "manifest", "store"],
        only: None,
        never_named: &[ASYNC, NETWORK, DATABASES],
        never_in_tree: &[HTTP_SERVERS, WINDOWS],
    },
    Row {
        package: "kernodeck-server",
        knows: &["api", "backend", "chains", "domain", "faults", "manifest", "rates", "store"],
        only: None,
        never_named: &[DATABASES],
        never_in_tree: &[WINDOWS],
    },
    Row {
        package: "kernodeck-client",
        knows: &["api", "domain", "faults", "manifest", "migrate"],
        only: None,
        never_named: &[],
        never_in_tree: &[&["axum", "actix-web", "warp", "rocket"], POSTGRES, WINDOWS],
    },
    Row {
        package: "kernodeck",
        knows: &["api", "client"],
        only: None,
        never_named: &[DATABASES, NETWORK, HTTP_SERVERS],
        // The loopback host is a feature of the client that the window never turns on.
        never_in_tree: &[&["axum", "actix-web", "warp", "rocket"], POSTGRES],
    },
    Row { package: "kernodeck-faults", knows: &[], only: Some(&[]), never_named: &[], never_in_tree: &[] },
];

/// Packages that no program for people is built from: tests, benches and their support.
pub const ONLY_FOR_TESTS: &[&str] =
    &["e2e", "kernodeck-bench", "kernodeck-empty-window", "kernodeck-house", "kernodeck-testkit"];

/// Crates that bring an SQLite of their own or pin another `rusqlite`: with one of them all features flip.
const OTHER_SQLITES: &[&str] = &[
    "sqlx",
    "sqlx-sqlite",
    "sqlx-core",
    "diesel",
    "sea-orm",
    "rusqlite_migration",
    "r2d2_sqlite",
    "deadpool-sqlite",
    "refinery",
];

/// Crates of which two versions in one workspace are two truths.
const ONE_VERSION: &[&str] = &["rusqlite", "libsqlite3-sys", "tauri", "serde", "ed25519-dalek", "reqwest", "uuid"];

/// Only these open a database file.
const OPEN_DATABASES: &[&str] = &["kernodeck-client", "kernodeck-migrate", "kernodeck-store"];

fn violations(graph: &Graph) -> Vec<String> {
    let mut found: Vec<String> = ROWS.iter().flat_map(|row| of_row(graph, row)).collect();
    for package in graph.members.keys().filter(|one| !ONLY_FOR_TESTS.contains(&one.as_str())) {
        if !ROWS.iter().any(|row| row.package == package) {
            found.push(format!("{package} has no row: what must it not know?"));
        }
        for named in graph.direct(package) {
            if ONLY_FOR_TESTS.contains(&named) {
                found.push(format!("{package} is built from {named}, which is for tests"));
            }
            if named == "rusqlite" && !OPEN_DATABASES.contains(&package.as_str()) {
                found.push(format!("{package} opens database files itself"));
            }
        }
    }
    for name in ONE_VERSION.iter().filter(|name| graph.versions(name).len() != 1) {
        found.push(format!("{name} has the versions {:?}, and should have one", graph.versions(name)));
    }
    for name in OTHER_SQLITES.iter().filter(|name| !graph.versions(name).is_empty()) {
        found.push(format!("{name} brings another SQLite"));
    }
    found
}

fn of_row(graph: &Graph, row: &Row) -> Vec<String> {
    let (direct, tree) = (graph.direct(row.package), graph.tree(row.package));
    let knows: BTreeSet<String> = row.knows.iter().map(|name| format!("kernodeck-{name}")).collect();
    let mut found = Vec::new();
    for named in &direct {
        let ours = graph.members.contains_key(*named);
        if ours && !knows.contains(*named) {
            found.push(format!("{} must not know {named}", row.package));
        }
        if !ours && row.only.is_some_and(|only| !only.contains(named)) {
            found.push(format!("{} must not name {named}", row.package));
        }
        if row.never_named.concat().contains(named) {
            found.push(format!("{} must not name {named}: that is another room's", row.package));
        }
    }
    let banned = row.never_in_tree.concat();
    found.extend(
        tree.iter().filter(|name| banned.contains(name)).map(|name| format!("{} is built from {name}", row.package)),
    );
    found
}

#[test]
fn no_room_knows_what_it_must_not_know() {
    let graph = Graph::read();
    assert_eq!(violations(&graph), Vec::<String>::new());
    assert!(graph.tree("kernodeck-backend").contains("rusqlite"), "the tree ends at the first package");
    assert!(
        graph.tree("kernodeck-server").contains("tokio-postgres"),
        "no tree shows the driver that others must not have"
    );
    assert!(graph.locked.len() > 300 && graph.members.len() > 12, "{} crates", graph.locked.len());
}

/// Every ban of every row, planted once where it is named and once at the bottom of the tree.
#[test]
fn every_forbidden_crate_would_be_seen() {
    let graph = Graph::read();
    let mut planted = 0;
    for row in ROWS {
        let by_name = row.never_named.concat();
        for (banned, below) in
            by_name.iter().map(|one| (one, false)).chain(row.never_in_tree.concat().iter().map(|one| (one, true)))
        {
            let mut wrong = graph.clone();
            match below {
                true => wrong.plant(&deepest(&graph, row.package), banned),
                false => wrong.plant(row.package, banned),
            }
            let seen = of_row(&wrong, row);
            assert!(
                seen.iter().any(|one| one.contains(row.package) && one.contains(banned)),
                "{} {banned}: {seen:?}",
                row.package
            );
            planted += 1;
        }
    }
    assert!(planted > 200, "only {planted}");
}

/// A crate that the package gets only through others, else one that it names, else itself.
fn deepest(graph: &Graph, package: &str) -> String {
    let direct = graph.direct(package);
    let foreign = |name: &&&str| !graph.members.contains_key(**name);
    let tree = graph.tree(package);
    let below = tree.iter().filter(foreign).find(|name| !direct.contains(**name));
    below.or_else(|| tree.iter().find(foreign)).map_or(package.to_owned(), |name| (*name).to_owned())
}

#[test]
fn every_unknown_room_would_be_seen() {
    let graph = Graph::read();
    for row in ROWS {
        let known: Vec<String> = row.knows.iter().map(|name| format!("kernodeck-{name}")).collect();
        for other in graph.members.keys().filter(|other| !known.contains(other) && *other != row.package) {
            let mut wrong = graph.clone();
            wrong.plant(row.package, other);
            assert!(!of_row(&wrong, row).is_empty(), "{} may know {other}", row.package);
        }
    }
}

#[test]
fn a_second_version_a_second_sqlite_and_a_room_without_rules_would_be_seen() {
    let graph = Graph::read();
    let seen = |change: fn(&mut Graph)| {
        let mut wrong = graph.clone();
        change(&mut wrong);
        violations(&wrong).join("\n")
    };
    assert!(seen(|graph| graph.plant("kernodeck-store", "rusqlite")).contains("rusqlite has the versions"));
    assert!(seen(|graph| graph.plant("kernodeck", "tauri")).contains("tauri has the versions"));
    assert!(seen(|graph| graph.plant("kernodeck-store", "sqlx-sqlite")).contains("another SQLite"));
    assert!(seen(|graph| graph.plant("kernodeck-server", "rusqlite")).contains("opens database files"));
    assert!(seen(|graph| graph.plant("kernodeck-client", "kernodeck-testkit")).contains("for tests"));
    let room = |graph: &mut Graph| drop(graph.members.insert("kernodeck-new".to_owned(), Default::default()));
    assert!(seen(room).contains("kernodeck-new has no row"));
}
