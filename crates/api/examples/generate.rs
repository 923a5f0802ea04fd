//! Writes what is generated from the command lists: `ui/src/lib/api/generated` and `docs/openapi.json`.

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let types = root.join("ui/src/lib/api/generated");
    if types.exists() {
        fs::remove_dir_all(&types)?;
    }
    fs::create_dir_all(&types)?;
    kernodeck_api::typescript::write_to(&types)?;
    let mut document = serde_json::to_string_pretty(&kernodeck_api::openapi::document())?;
    document.push('\n');
    fs::write(root.join("docs/openapi.json"), document)?;
    Ok(())
}
