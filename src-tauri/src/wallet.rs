//! Payment links in the system's own program for them.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long the system's launcher may take to say that it found no program.
const LAUNCH: Duration = Duration::from_secs(3);

/// Opens a link; says whether a program took it. Starting the launcher says nothing: it starts and then finds no program. One
/// that is still busy after a while has found one, as some launchers stay until the program ends.
pub fn opens(uri: &str) -> bool {
    let (told, answer) = mpsc::channel();
    let uri = uri.to_owned();
    thread::spawn(move || {
        let opened = open::that(&uri);
        if let Err(error) = &opened {
            tracing::info!(%error, "no program opens the payment link");
        }
        // Nobody listens any more after a while.
        let _ = told.send(opened.is_ok());
    });
    answer.recv_timeout(LAUNCH).unwrap_or(true)
}
