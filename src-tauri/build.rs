fn main() {
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    tauri_build::build();
}
