//! Every package obeys the workspace's lints, and nothing loosens them for a whole program.

use house::files::{all, root};
use house::graph::Graph;

use crate::{SHIPPED, Shipped, planted, shipped};

/// Lints of the workspace without which a rule of the house is only a sentence.
const NEEDED: &[(&str, &str, &str)] = &[
    ("rust", "unsafe_code", "forbid"),
    ("rust", "missing_docs", "warn"),
    ("clippy", "unwrap_used", "warn"),
    ("clippy", "expect_used", "warn"),
    ("clippy", "panic", "warn"),
];

fn inherits(manifest: &str) -> bool {
    let table: toml::Table = manifest.parse().unwrap();
    table.get("lints").and_then(|lints| lints.get("workspace")).and_then(toml::Value::as_bool) == Some(true)
}

fn missing(manifest: &str) -> Vec<&'static str> {
    let table: toml::Table = manifest.parse().unwrap();
    let level = |group: &str, lint: &str| table["workspace"]["lints"][group].get(lint).and_then(toml::Value::as_str);
    NEEDED.iter().filter(|(group, lint, wanted)| level(group, lint) != Some(wanted)).map(|(_, lint, _)| *lint).collect()
}

#[test]
fn every_package_inherits_the_lints() {
    let graph = Graph::read();
    for (name, member) in &graph.members {
        assert!(inherits(&member.manifest), "{name} has lints of its own");
    }
    assert!(
        !inherits("[package]\nname = \"a\"\n[lints.rust]\nunsafe_code = \"allow\""),
        "a loose package would not be seen"
    );
    let root = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert_eq!(missing(&root), Vec::<&str>::new());
    assert_eq!(missing(&root.replace("unsafe_code = \"forbid\"", "")), ["unsafe_code"]);
}

/// `allow` of a lint that the house needs.
fn loosened(sources: &[Shipped]) -> Vec<String> {
    let mut found = Vec::new();
    for one in sources {
        for (number, line) in one.source.code.lines().enumerate() {
            let allows = line.contains("allow(") || line.contains("expect(") && line.trim_start().starts_with('#');
            if allows && NEEDED.iter().any(|(_, lint, _)| line.contains(lint)) {
                found.push(format!("{}:{}", one.path, number + 1));
            }
        }
    }
    found
}

#[test]
fn no_program_allows_what_the_house_forbids() {
    assert_eq!(loosened(&shipped(&all(), &SHIPPED)), Vec::<String>::new());
    assert_eq!(loosened(&planted("x.rs", "#![allow(clippy::unwrap_used)]\n")), ["x.rs:1"]);
    assert_eq!(loosened(&planted("x.rs", "\n#[expect(missing_docs)]\nfn f() {}")), ["x.rs:2"]);
}
