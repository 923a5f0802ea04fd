//! The numbered pictures of a walk.

use std::cell::Cell;
use std::path::PathBuf;

use e2e::wait;
use e2e::window::Window;

/// A folder of pictures, numbered in the order in which they are taken.
pub struct Album {
    folder: PathBuf,
    taken: Cell<u32>,
}

impl Album {
    /// An album that begins at 1; pictures of an earlier walk make room.
    pub fn new(folder: PathBuf) -> Self {
        std::fs::create_dir_all(&folder).unwrap();
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let numbered = name.chars().take(2).all(|letter| letter.is_ascii_digit());
            if numbered && name.ends_with(".png") {
                std::fs::remove_file(entry.path()).unwrap();
            }
        }
        Self { folder, taken: Cell::new(0) }
    }

    /// Takes a picture once the page has come to rest.
    pub fn take(&self, window: &Window, name: &str) {
        let number = self.taken.get() + 1;
        self.taken.set(number);
        rest(window);
        let picture = self.folder.join(format!("{number:02}-{name}.png"));
        window.picture(&picture);
        println!("{}", picture.display());
    }
}

/// Two frames have been drawn, all fonts are there, and nothing moves any more.
fn rest(window: &Window) {
    let script = "if (document.fonts.status !== 'loaded') return false;
        return document.getAnimations().every((one) => one.playState !== 'running');";
    wait::until("the page to come to rest", || {
        (window.execute(script, serde_json::json!([])) == serde_json::json!(true)).then_some(())
    });
    window.next_frame();
}
