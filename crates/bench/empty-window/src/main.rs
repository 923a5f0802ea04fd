//! A Tauri window with nothing behind it. Its page shows three bars, so that a bench can see when it stands there.

use std::path::PathBuf;

use tauri::WebviewWindowBuilder;

fn main() -> tauri::Result<()> {
    let app = tauri::Builder::default().build(tauri::generate_context!())?;
    let window = app.config().app.windows.first().cloned().ok_or(tauri::Error::WindowNotFound)?;
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let mut builder = WebviewWindowBuilder::from_config(&app, &window)?;
    if let Some(folder) = folder {
        builder = builder.data_directory(folder);
    }
    builder.build()?;
    app.run(|_, _| {});
    Ok(())
}
