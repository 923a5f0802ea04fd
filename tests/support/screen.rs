//! A display that nobody sees, and pictures of it.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::process::Running;
use crate::{folder, programs, wait};

/// A virtual display of its own, so that no other window can cover the one under test.
pub struct Screen {
    _server: Running,
    _folder: TempDir,
    /// `:N`.
    pub display: String,
}

impl Screen {
    /// Starts one large enough for the whole window.
    pub fn start() -> Self {
        let folder = folder::temporary();
        let log = folder.path().join("display");
        // The server chooses a free number and says it.
        let server = Running::start(Path::new("Xvfb"), &log, |command| {
            command.args(["-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-noreset"]);
        });
        let number =
            wait::until("a virtual display", || server.said().lines().find_map(|line| line.trim().parse::<u32>().ok()));
        Self { _server: server, _folder: folder, display: format!(":{number}") }
    }

    /// A picture of all that is on it.
    pub fn picture(&self, to: &Path) {
        programs::run(Command::new("import").args(["-display", &self.display, "-window", "root"]).arg(to));
    }
}

/// The text of the one QR code in a picture, read by another program.
pub fn qr_in(picture: &Path) -> Option<String> {
    let output = programs::output(
        Command::new("zbarimg").args(["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable"]).arg(picture),
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines().filter(|line| !line.is_empty());
    let (first, more) = (lines.next(), lines.next());
    assert!(more.is_none(), "more than one QR code in {}: {text}", picture.display());
    first.map(str::to_owned)
}
