//! The running server's door for the command line: a Unix socket beside an SQLite database, which one process alone may open.
//!
//! One question per connection: a command as JSON up to the end of the stream, then its outcome as JSON. Only the server's own user
//! comes this far: the socket (mode 600) lies in a folder of mode 700 that is made anew at each start.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use thiserror::Error;
use tokio::net::UnixListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use super::{AdminCommand, Installation};

/// The longest command: twice the largest address file (25 MB), whose quotes are escaped.
const LONGEST: u64 = 64 * 1024 * 1024;
/// A command line that says nothing for this long is hung up on: others wait.
const SILENCE: Duration = Duration::from_secs(5);
/// The longest wait for an outcome: the largest address file, behind others.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is answered: what to print, or why nothing was changed.
type Reply = Result<String, String>;

/// Why the running server could not be asked.
#[derive(Debug, Error)]
pub(crate) enum AskError {
    /// Nobody listens.
    #[error("what has it open takes no commands; stop that first, then run this again")]
    Nobody,
    /// The system has no room for the socket's name.
    #[error(
        "{path} is too long for the name of a socket: stop the server first, then run this again (or keep the database, or name it, \
         by a shorter path)"
    )]
    TooLong { path: PathBuf },
    /// The socket is another user's, or broken.
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    /// The server went away, or is of another version.
    #[error("the server ended the conversation: look whether the change was made before you ask again")]
    NoAnswer,
}

/// An open door, and the thread behind it.
pub(crate) struct Door {
    stop: watch::Sender<bool>,
    thread: JoinHandle<()>,
    folder: PathBuf,
}

impl Door {
    /// Opens the door of a database whose lock this process holds. So whatever lies in its place was left by a server that was
    /// killed, and is replaced.
    ///
    /// # Errors
    /// The system's; `InvalidInput` when the path is too long for a socket.
    pub fn open(database: &Path, installation: Installation) -> io::Result<Self> {
        let (folder, socket) = place(database);
        SocketAddr::from_pathname(&socket)?;
        remove(&folder)?;
        let (folder_mode, socket_mode) = modes();
        DirBuilder::new().mode(folder_mode).create(&folder)?;
        let runtime = Builder::new_current_thread().enable_io().build()?;
        let listener = {
            let _inside = runtime.enter();
            UnixListener::bind(&socket)?
        };
        fs::set_permissions(&socket, Permissions::from_mode(socket_mode))?;
        let (stop, stopped) = watch::channel(false);
        let thread = thread::Builder::new()
            .name("control".to_owned())
            .spawn(move || answer_all(&runtime, &listener, stopped, &installation))?;
        Ok(Self { stop, thread, folder })
    }

    /// Finishes what was begun, and leaves nothing behind.
    pub fn close(self) {
        self.stop.send_replace(true);
        if self.thread.join().is_err() {
            tracing::error!("the door for the command line broke down");
        }
        if let Err(error) = remove(&self.folder) {
            tracing::warn!(%error, "the door for the command line could not be taken away");
        }
    }
}

/// Who may enter the folder, and who may speak through the socket: this user alone.
fn modes() -> (u32, u32) {
    if faults::planted(faults::OPEN_DOOR) { (0o755, 0o666) } else { (0o700, 0o600) }
}

/// The folder beside the database, and the socket in it.
fn place(database: &Path) -> (PathBuf, PathBuf) {
    let mut name = database.as_os_str().to_owned();
    name.push(".control");
    let folder = PathBuf::from(name);
    let socket = folder.join("socket");
    (folder, socket)
}

fn remove(folder: &Path) -> io::Result<()> {
    let absent = |error: io::Error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) };
    fs::remove_file(folder.join("socket")).or_else(absent)?;
    fs::remove_dir(folder).or_else(absent)
}

fn answer_all(runtime: &Runtime, listener: &UnixListener, mut stopped: watch::Receiver<bool>, on: &Installation) {
    loop {
        let next = runtime.block_on(async {
            tokio::select! {
                biased;
                // The sender is gone only when it is time to stop, too.
                _ = stopped.wait_for(|stopped| *stopped) => None,
                accepted = listener.accept() => Some(accepted),
            }
        });
        let Some(accepted) = next else { return };
        let answered = accepted.and_then(|(stream, _)| answer(stream.into_std()?, on));
        if let Err(error) = answered {
            tracing::warn!(%error, "a command line could not be answered");
        }
    }
}

/// Answers one connection. What is said may hold a password: the log gets the command's name and outcome.
fn answer(mut stream: UnixStream, on: &Installation) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(SILENCE))?;
    stream.set_write_timeout(Some(SILENCE))?;
    let mut said = Vec::new();
    Read::by_ref(&mut stream).take(LONGEST).read_to_end(&mut said)?;
    let reply: Reply = match serde_json::from_slice::<AdminCommand>(&said) {
        Ok(command) => {
            let name = command.name();
            let outcome = on.carry_out(command);
            tracing::info!(command = name, done = outcome.is_ok(), "asked by the command line");
            if faults::planted(faults::DOOR_LOGS_ANSWERS) {
                tracing::info!(?outcome, "answered the command line");
            }
            outcome.map_err(|error| error.to_string())
        }
        Err(_) => {
            Err("the running server does not know this command, or it is too long: are both of one version?".into())
        }
    };
    stream.write_all(&serde_json::to_vec(&reply)?)
}

/// Asks the server that has the database open.
///
/// # Errors
/// [`AskError`].
pub(crate) fn ask(database: &Path, command: &AdminCommand) -> Result<Reply, AskError> {
    let (_, path) = place(database);
    let address = SocketAddr::from_pathname(&path).map_err(|_| AskError::TooLong { path: path.clone() })?;
    let failed = |source| AskError::Io { path: path.clone(), source };
    let mut stream = UnixStream::connect_addr(&address).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::ConnectionRefused => AskError::Nobody,
        _ => failed(error),
    })?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(failed)?;
    let text = serde_json::to_vec(command).map_err(|error| failed(error.into()))?;
    let mut reply = Vec::new();
    let heard = stream
        .write_all(&text)
        .and_then(|()| stream.shutdown(Shutdown::Write))
        .and_then(|()| stream.take(LONGEST).read_to_end(&mut reply));
    heard.ok().and_then(|_| serde_json::from_slice(&reply).ok()).ok_or(AskError::NoAnswer)
}
