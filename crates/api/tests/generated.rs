//! What is generated and committed must be what the code generates now.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap()))
        .collect()
}

#[test]
fn the_window_reads_the_types_that_the_program_writes() {
    let fresh = tempfile::tempdir().unwrap();
    kernodeck_api::typescript::write_to(fresh.path()).unwrap();
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/lib/api/generated");
    assert_eq!(files(&committed), files(fresh.path()), "stale: run `cargo run -p kernodeck-api --example generate`");
}

#[test]
fn the_openapi_document_is_the_one_of_this_code() {
    let committed = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json")).unwrap();
    let committed: serde_json::Value = serde_json::from_str(&committed).unwrap();
    assert_eq!(
        committed,
        kernodeck_api::openapi::document(),
        "stale: run `cargo run -p kernodeck-api --example generate`"
    );
}
