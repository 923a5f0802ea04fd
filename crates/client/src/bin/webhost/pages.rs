//! The built page, from its folder and nowhere else.

use std::fs;
use std::io::Cursor;
use std::path::{Component, Path, PathBuf};

use tiny_http::{Header, Response};

/// A file of the folder; `index.html` for the root.
pub fn page(folder: &Path, url: &str) -> Response<Cursor<Vec<u8>>> {
    let path = url.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
    let path = PathBuf::from(if path.is_empty() { "index.html" } else { path });
    let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    let Some(content) = inside.then(|| fs::read(folder.join(&path)).ok()).flatten() else {
        return Response::from_data(Vec::new()).with_status_code(404);
    };
    let kind = match path.extension().and_then(|end| end.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    };
    let response = Response::from_data(content);
    match Header::from_bytes("content-type", kind) {
        Ok(header) => response.with_header(header),
        Err(()) => response,
    }
}
