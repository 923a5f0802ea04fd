//! Which configuration and which permissions the window is built with.

use std::error::Error;

use serde_json::Value;

fn main() -> Result<(), Box<dyn Error>> {
    // Tauri's own build step looks at its default folder only.
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    println!("cargo:rerun-if-changed=tauri.sandbox.conf.json");
    if std::env::var_os("CARGO_FEATURE_SANDBOX").is_some() {
        wear_the_sandbox()?;
    }
    let commands = tauri_build::AppManifest::new().commands(&["customer_call", "operator_call", "sandbox_call"]);
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/**/*")
        .app_manifest(commands);
    tauri_build::try_build(attributes)?;
    Ok(())
}

/// The feature alone decides: whoever builds the sandbox gets its name, app id and data folder without saying so twice.
/// Tauri's macro reads `TAURI_CONFIG` while the program is compiled, so what a caller put there is kept and completed.
fn wear_the_sandbox() -> Result<(), Box<dyn Error>> {
    let mut config: Value = match std::env::var("TAURI_CONFIG") {
        Ok(given) => serde_json::from_str(&given)?,
        Err(_) => Value::Object(serde_json::Map::new()),
    };
    let sandbox: Value = serde_json::from_str(&std::fs::read_to_string("tauri.sandbox.conf.json")?)?;
    merge(&mut config, &sandbox);
    println!("cargo:rustc-env=TAURI_CONFIG={config}");
    Ok(())
}

/// RFC 7396 without deletions: objects are merged, everything else is replaced.
fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (name, value) in from {
                merge(into.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from.clone(),
    }
}
