//! Files that the page offers, such as exports: they go into the person's folder for downloads and never over another file.

use std::path::{Path, PathBuf};

use tauri::webview::DownloadEvent;
use tauri::{Manager, Runtime, Webview};

/// How many names are tried before a file is refused.
const MAX_NAMES: u32 = 1_000;

/// Puts a download in its place; whether there is one.
pub fn place<R: Runtime>(webview: Webview<R>, event: DownloadEvent<'_>) -> bool {
    let DownloadEvent::Requested { destination, .. } = event else { return true };
    let folder = webview.path().download_dir().or_else(|_| webview.path().home_dir());
    let Some(name) = destination.file_name().map(PathBuf::from) else { return false };
    match folder.ok().and_then(|folder| free_name(&folder, &name)) {
        Some(free) => {
            *destination = free;
            true
        }
        None => {
            tracing::warn!("no place for a download");
            false
        }
    }
}

/// `name.csv`, or `name 2.csv` and so on when that is taken.
fn free_name(folder: &Path, name: &Path) -> Option<PathBuf> {
    let stem = name.file_stem()?.to_string_lossy().into_owned();
    let end = name.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    let numbered = (2..MAX_NAMES).map(|number| folder.join(format!("{stem} {number}{end}")));
    std::iter::once(folder.join(name)).chain(numbered).find(|path| !path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_never_replaces_another_file() {
        let folder = std::env::temp_dir().join(format!("kernodeck-downloads-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let first = free_name(&folder, Path::new("a.b.csv")).unwrap();
        assert_eq!(first, folder.join("a.b.csv"));
        std::fs::write(&first, "1").unwrap();
        assert_eq!(free_name(&folder, Path::new("a.b.csv")).unwrap(), folder.join("a.b 2.csv"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
