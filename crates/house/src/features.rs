//! Which features of the workspace's packages a build turns on.

use std::collections::BTreeSet;

use crate::graph::{Dependency, Graph};

/// A feature of a package: `package/feature`.
pub type Feature = String;

impl Graph {
    /// Everything that building a package alone turns on in the packages of this workspace.
    ///
    /// `chosen` are the features asked for on the command line, beside the default ones. An optional dependency counts as
    /// used: the answer may name a feature too many, never one too few.
    pub fn turned_on(&self, package: &str, chosen: &[&str]) -> BTreeSet<Feature> {
        let mut on = BTreeSet::new();
        let mut open: Vec<Feature> = chosen.iter().map(|feature| format!("{package}/{feature}")).collect();
        open.push(format!("{package}/default"));
        while let Some(feature) = open.pop() {
            if on.insert(feature.clone()) {
                open.extend(self.follows(&feature));
            }
        }
        on
    }

    fn follows(&self, feature: &str) -> Vec<Feature> {
        let Some((package, feature)) = feature.split_once('/') else { return Vec::new() };
        let Some(member) = self.members.get(package) else { return Vec::new() };
        // Being built at all turns on what the declarations of its dependencies say.
        let mut all: Vec<Feature> = member.dependencies.iter().flat_map(declared).collect();
        for item in member.features.get(feature).into_iter().flatten() {
            match item.split_once('/') {
                Some((alias, inner)) => {
                    let alias = alias.trim_end_matches('?');
                    let meant = member.dependencies.iter().filter(|one| one.alias == alias);
                    all.extend(meant.map(|one| format!("{}/{inner}", one.package)));
                }
                None if item.starts_with("dep:") => {}
                None => all.push(format!("{package}/{item}")),
            }
        }
        all
    }
}

fn declared(one: &Dependency) -> Vec<Feature> {
    // A package without its default features is still built: the name that no feature has stands for that.
    let base = if one.uses_default { "default" } else { "" };
    let chosen = one.features.iter().map(String::as_str);
    chosen.chain([base]).map(|feature| format!("{}/{feature}", one.package)).collect()
}
