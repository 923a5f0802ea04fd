//! What only tests may switch on is off in what people get.

use std::collections::BTreeSet;

use house::files::{File, all};
use house::graph::Graph;

use crate::{SHIPPED, shipped};

/// Features that a program for people must never have, and a program that is built from the package.
const NEVER: &[(&str, &str)] = &[
    ("kernodeck-client/planted-faults", "kernodeck"),
    ("kernodeck-client/webhost", "kernodeck"),
    ("kernodeck-faults/planted", "kernodeck-server"),
    ("kernodeck-server/planted-faults", "kernodeck-server"),
    ("kernodeck-server/testing", "kernodeck-server"),
];

/// Features that make the window trust the published test keys and the test networks' prefixes.
const NOT_IN_PRODUCTION: &[&str] = &["kernodeck-client/sandbox", "kernodeck-manifest/test-networks"];

fn on<'a>(graph: &BTreeSet<String>, features: &[&'a str]) -> Vec<&'a str> {
    features.iter().copied().filter(|feature| graph.contains(*feature)).collect()
}

#[test]
fn no_program_is_built_with_planted_faults() {
    let graph = Graph::read();
    let never: Vec<&str> = NEVER.iter().map(|(feature, _)| *feature).collect();
    for (program, chosen) in
        [("kernodeck", ""), ("kernodeck", "sandbox"), ("kernodeck-server", ""), ("kernodeck-keytool", "")]
    {
        assert_eq!(on(&graph.turned_on(program, &[chosen]), &never), Vec::<&str>::new(), "{program}");
    }
    // As a default feature would turn it on for everybody.
    for (feature, program) in NEVER {
        let (package, name) = feature.split_once('/').unwrap();
        let mut wrong = graph.clone();
        let features = &mut wrong.members.get_mut(package).unwrap().features;
        assert!(features.contains_key(name), "there is no {feature} any more");
        features.entry("default".to_owned()).or_default().push(name.to_owned());
        assert!(wrong.turned_on(program, &[]).contains(*feature), "{feature} would not be seen");
    }
}

#[test]
fn the_production_window_trusts_no_test_network_and_the_sandbox_does() {
    let mut graph = Graph::read();
    assert_eq!(on(&graph.turned_on("kernodeck", &[]), NOT_IN_PRODUCTION), Vec::<&str>::new());
    assert_eq!(on(&graph.turned_on("kernodeck", &["sandbox"]), NOT_IN_PRODUCTION), NOT_IN_PRODUCTION);
    // As a declaration of a dependency would turn it on for everybody.
    let client = graph.members.get_mut("kernodeck-client").unwrap();
    let manifest = client.dependencies.iter_mut().find(|one| one.package == "kernodeck-manifest").unwrap();
    manifest.features.push("test-networks".to_owned());
    assert_eq!(on(&graph.turned_on("kernodeck", &[]), NOT_IN_PRODUCTION), ["kernodeck-manifest/test-networks"]);
}

/// Names of the faults that no program's own code asks for, or that no test switches on.
fn idle(files: &[File]) -> Vec<String> {
    let declared = files.iter().find(|file| file.path == "crates/faults/src/lib.rs").unwrap();
    let names =
        declared.text.lines().filter_map(|line| Some(line.strip_prefix("pub const ")?.split_once(": &str = ")?.0));
    let programs = shipped(files, &SHIPPED);
    let in_a_program = |file: &File| programs.iter().any(|one| one.path == file.path);
    let tests: Vec<&File> = files.iter().filter(|file| file.is("rs") && !in_a_program(file)).collect();
    let asked = |name: &str| programs.iter().any(|one| !one.source.lines_with(&format!("faults::{name}")).is_empty());
    let caught = |name: &str| {
        let words = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
        tests.iter().any(|file| words(&file.text))
    };
    names.filter(|name| !asked(name) || !caught(name)).map(str::to_owned).collect()
}

#[test]
fn every_fault_is_planted_in_a_program_and_switched_on_by_a_test() {
    let mut files = all();
    assert_eq!(idle(&files), Vec::<String>::new());
    let declared = files.iter_mut().find(|file| file.path == "crates/faults/src/lib.rs").unwrap();
    declared.text.push_str("\npub const FORGOTTEN_ONE: &str = \"forgotten-one\";\n");
    // Built from two words here, as this file counts as a test of it otherwise.
    assert_eq!(idle(&files), [["FORGOTTEN", "ONE"].join("_")], "a fault that nobody uses would not be seen");
}

/// The script without the one stage that builds programs for tests.
fn without_planted_build(script: &str) -> String {
    let start = script.find("\nplanted_build() {\n").unwrap();
    let end = start + script[start..].find("\n}\n").unwrap();
    script[..start].to_owned() + &script[end..]
}

#[test]
fn the_script_plants_faults_in_no_build_but_the_one_that_is_put_aside() {
    let script = std::fs::read_to_string(house::files::root().join("x")).unwrap();
    assert!(script.contains("planted-faults"), "there is no build with planted faults any more");
    assert!(!without_planted_build(&script).contains("planted-faults"));
}
