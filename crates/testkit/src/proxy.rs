//! A TCP proxy that cuts, delays and repeats answers.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What is done to the answers of each connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harm {
    /// Everything goes through.
    None,
    /// So many bytes of answers go through; then the connection ends.
    CutAfter(usize),
    /// Every piece of an answer waits.
    Delay(Duration),
    /// Every piece of an answer comes twice.
    Repeat,
}

/// A proxy in front of one server on loopback.
#[derive(Debug)]
pub struct HarmfulProxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    upstream: SocketAddr,
    harm: Mutex<Harm>,
    open: Mutex<Vec<TcpStream>>,
    stopped: AtomicBool,
    harmed: AtomicUsize,
}

impl HarmfulProxy {
    /// A proxy that does no harm yet.
    ///
    /// # Errors
    /// When loopback has no free port.
    pub fn start(upstream: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            upstream,
            harm: Mutex::new(Harm::None),
            open: Mutex::new(Vec::new()),
            stopped: AtomicBool::new(false),
            harmed: AtomicUsize::new(0),
        });
        let theirs = Arc::clone(&shared);
        let accepting = thread::spawn(move || accept(&listener, &theirs));
        Ok(Self { address, shared, accepting: Some(accepting) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends all connections and harms the coming ones so.
    pub fn set(&self, harm: Harm) {
        *lock(&self.shared.harm) = harm;
        self.shared.end_all();
    }

    /// How many pieces of answers were cut, delayed or repeated: a test shows by it that harm was done.
    pub fn harmed(&self) -> usize {
        self.shared.harmed.load(Ordering::SeqCst)
    }
}

impl Drop for HarmfulProxy {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        self.shared.end_all();
        // Wakes the thread that accepts.
        drop(TcpStream::connect(self.address));
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

impl Shared {
    fn end_all(&self) {
        for stream in lock(&self.open).drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for client in listener.incoming() {
        if shared.stopped.load(Ordering::SeqCst) {
            return;
        }
        if let Ok(client) = client {
            let _ = connect(client, shared);
        }
    }
}

/// Copies both ways on two threads, which end with the connection.
fn connect(client: TcpStream, shared: &Arc<Shared>) -> io::Result<()> {
    let harm = *lock(&shared.harm);
    let server = TcpStream::connect(shared.upstream)?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    lock(&shared.open).extend([client.try_clone()?, server.try_clone()?]);
    let (mut client_reads, mut server_writes) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || {
        let _ = io::copy(&mut client_reads, &mut server_writes);
        let _ = server_writes.shutdown(Shutdown::Both);
    });
    let shared = Arc::clone(shared);
    thread::spawn(move || {
        let _ = answer(&server, &client, harm, &shared);
        let _ = server.shutdown(Shutdown::Both);
        let _ = client.shutdown(Shutdown::Both);
    });
    Ok(())
}

fn answer(mut server: &TcpStream, mut client: &TcpStream, harm: Harm, shared: &Shared) -> io::Result<()> {
    let mut piece = [0; 4096];
    let mut passed = 0;
    loop {
        let length = server.read(&mut piece)?;
        if length == 0 {
            return Ok(());
        }
        let whole = &piece[..length];
        if harm != Harm::None && !matches!(harm, Harm::CutAfter(limit) if passed + length <= limit) {
            shared.harmed.fetch_add(1, Ordering::SeqCst);
        }
        match harm {
            Harm::CutAfter(limit) if passed + length > limit => return client.write_all(&whole[..limit - passed]),
            Harm::Delay(time) => thread::sleep(time),
            Harm::Repeat => client.write_all(whole)?,
            Harm::None | Harm::CutAfter(_) => {}
        }
        client.write_all(whole)?;
        passed += length;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
