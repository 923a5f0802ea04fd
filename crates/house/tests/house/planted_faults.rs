//! What only tests may switch on is off in what people get.

use std::collections::BTreeSet;

use house::graph::Graph;

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
