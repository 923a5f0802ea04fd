//! Packages and what they are built from.
//!
//! Read from `Cargo.lock` and from `cargo metadata --no-deps`, because both need nothing that was not cloned: the whole
//! `cargo metadata` asks for every crate of every platform, the window's too. The lock file names every crate that some
//! feature of the workspace turns on, on any platform, so what it does not show is in no build.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::files;

/// A crate in the lock file: `name version`.
pub type Node = String;

/// A dependency as a package of the workspace declares it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependency {
    /// Name of the package that is meant.
    pub package: String,
    /// Name by which the sources and the features call it.
    pub alias: String,
    /// Features that the declaration turns on.
    pub features: Vec<String>,
    /// Whether its default features are on.
    pub uses_default: bool,
}

/// A package of this workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    /// What its programs are built from; tests and build scripts left out.
    pub dependencies: Vec<Dependency>,
    /// Its features and what each turns on.
    pub features: BTreeMap<String, Vec<String>>,
    /// Text of its `Cargo.toml`.
    pub manifest: String,
}

/// The workspace and everything it can be built from.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Packages of this workspace by name.
    pub members: BTreeMap<String, Member>,
    /// Every crate, with the crates it is built from.
    pub locked: BTreeMap<Node, BTreeSet<Node>>,
}

fn name(node: &str) -> &str {
    node.split(' ').next().unwrap_or(node)
}

impl Graph {
    /// This workspace's.
    pub fn read() -> Self {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--offline", "--no-deps", "--format-version", "1"])
            .current_dir(files::root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let lock = std::fs::read_to_string(files::root().join("Cargo.lock")).unwrap();
        Self { members: members(&serde_json::from_slice(&output.stdout).unwrap()), locked: locked(&lock) }
    }

    /// Names of the packages that a package's programs name themselves.
    pub fn direct(&self, package: &str) -> BTreeSet<&str> {
        self.members[package].dependencies.iter().map(|one| one.package.as_str()).collect()
    }

    /// Names of all packages that a package's programs are built from, its own left out.
    pub fn tree<'g>(&'g self, package: &'g str) -> BTreeSet<&'g str> {
        let direct = self.direct(package);
        let mut open: Vec<&Node> = self.nodes(package).flat_map(|(_, needs)| needs).collect();
        open.retain(|node| direct.contains(name(node)));
        let mut seen = BTreeSet::new();
        while let Some(node) = open.pop() {
            if seen.insert(node) {
                let needs: Vec<&Node> = self.locked.get(node).into_iter().flatten().collect();
                match self.members.contains_key(name(node)) {
                    true => open.extend(needs.into_iter().filter(|one| self.direct(name(node)).contains(name(one)))),
                    false => open.extend(needs),
                }
            }
        }
        seen.into_iter().map(|node| name(node)).collect()
    }

    /// Versions of a crate that some program is built from.
    pub fn versions<'g>(&'g self, package: &'g str) -> Vec<&'g str> {
        self.nodes(package).filter_map(|(node, _)| node.split(' ').nth(1)).collect()
    }

    /// Adds a dependency that is not there, to show that a rule would see it.
    pub fn plant(&mut self, package: &str, dependency: &str) {
        if let Some(member) = self.members.get_mut(package) {
            let planted =
                Dependency { package: dependency.to_owned(), alias: dependency.to_owned(), ..Dependency::default() };
            member.dependencies.push(planted);
        }
        let node = format!("{dependency} 9.9.9");
        let found: Vec<Node> = self.nodes(package).map(|(node, _)| node.clone()).collect();
        assert!(!found.is_empty(), "no package {package}");
        for one in found {
            self.locked.get_mut(&one).unwrap().insert(node.clone());
        }
        self.locked.entry(node).or_default();
    }

    fn nodes<'g>(&'g self, package: &'g str) -> impl Iterator<Item = (&'g Node, &'g BTreeSet<Node>)> {
        self.locked.iter().filter(move |(node, _)| name(node) == package)
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}

fn members(metadata: &Value) -> BTreeMap<String, Member> {
    let packages = metadata["packages"].as_array().unwrap();
    packages.iter().map(|package| (text(&package["name"]), member(package))).collect()
}

fn member(package: &Value) -> Member {
    let declared = package["dependencies"].as_array().unwrap().iter().filter(|one| one["kind"].is_null());
    let dependencies = declared.map(|one| Dependency {
        package: text(&one["name"]),
        alias: one["rename"].as_str().or(one["name"].as_str()).unwrap_or_default().to_owned(),
        features: texts(&one["features"]),
        uses_default: one["uses_default_features"] == true,
    });
    let features = package["features"].as_object().unwrap().iter();
    Member {
        dependencies: dependencies.collect(),
        features: features.map(|(feature, turns_on)| (feature.clone(), texts(turns_on))).collect(),
        manifest: std::fs::read_to_string(text(&package["manifest_path"])).unwrap(),
    }
}

fn locked(lock: &str) -> BTreeMap<Node, BTreeSet<Node>> {
    let lock: toml::Table = lock.parse().unwrap();
    let packages = lock["package"].as_array().unwrap();
    let field = |package: &toml::Value, field: &str| package[field].as_str().unwrap().to_owned();
    let ids: Vec<(String, String)> = packages.iter().map(|one| (field(one, "name"), field(one, "version"))).collect();
    let node = |needed: &str| match needed.split(' ').nth(1) {
        Some(version) => format!("{} {version}", name(needed)),
        None => ids.iter().find(|(name, _)| name == needed).map(|(name, version)| format!("{name} {version}")).unwrap(),
    };
    let needs = |package: &toml::Value| {
        let needs = package.get("dependencies").and_then(toml::Value::as_array).into_iter().flatten();
        needs.map(|needed| node(needed.as_str().unwrap())).collect()
    };
    ids.iter().zip(packages).map(|((name, version), package)| (format!("{name} {version}"), needs(package))).collect()
}
