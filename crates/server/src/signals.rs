//! The system's requests to end: SIGTERM, SIGINT, ctrl-c.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// Listens from its making on. A request that comes before is the system's to answer: it ends the process at once. So this is
/// made before anything starts, and a request that comes while the server starts is kept.
pub struct Signals {
    runtime: Runtime,
    listening: Listening,
}

impl Signals {
    /// Listens.
    ///
    /// # Errors
    /// The system's, when it hands out no signals.
    pub fn listen() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_io().build()?;
        let listening = {
            let _inside = runtime.enter();
            Listening::new()?
        };
        Ok(Self { runtime, listening })
    }

    /// Waits until the system asks for an end, or returns at once when it did already.
    pub fn wait(mut self) {
        self.runtime.block_on(self.listening.asked());
    }
}

#[cfg(unix)]
struct Listening([tokio::signal::unix::Signal; 2]);

#[cfg(unix)]
impl Listening {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self([signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?]))
    }

    async fn asked(&mut self) {
        let Self([terminate, interrupt]) = self;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
}

#[cfg(windows)]
struct Listening(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Listening {
    fn new() -> io::Result<Self> {
        Ok(Self(tokio::signal::windows::ctrl_c()?))
    }

    async fn asked(&mut self) {
        self.0.recv().await;
    }
}
