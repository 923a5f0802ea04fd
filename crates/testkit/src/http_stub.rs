//! A small HTTP server for tests of programs that read from others: it answers well, badly, slowly or not at all.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Time between two bytes of [`Answer::Drip`].
const DRIP_INTERVAL: Duration = Duration::from_millis(20);
/// Lines that a request's head may have.
const MAX_HEAD_LINES: usize = 100;
/// Bytes that a request's body may have.
const MAX_BODY_BYTES: u64 = 16 * 1024 * 1024;

/// What the server does with a request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A complete answer.
    Whole {
        /// The HTTP status.
        status: u16,
        /// More header lines, such as `("Location", "/elsewhere")`.
        headers: Vec<(&'static str, String)>,
        /// The body.
        body: Vec<u8>,
    },
    /// A head that promises the whole body, the first half of it, and the end of the connection.
    Half(Vec<u8>),
    /// A body without a stated length that goes on until the other side hangs up.
    Endless,
    /// A body that arrives one byte at a time, for as long as the other side waits.
    Drip(Vec<u8>),
    /// The request is read and nothing is said until the server stops.
    Silence,
}

impl Answer {
    /// Status 200 with this body.
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::status(200, body)
    }

    /// This status with this body.
    pub fn status(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self::Whole { status, headers: Vec::new(), body: body.into() }
    }

    /// A redirect to that address.
    pub fn redirect(location: impl Into<String>) -> Self {
        Self::Whole { status: 302, headers: vec![("Location", location.into())], body: Vec::new() }
    }
}

type Handler = dyn Fn(&str, &[u8]) -> Answer + Send + Sync;

struct Shared {
    handler: Box<Handler>,
    targets: Mutex<Vec<String>>,
    stopped: Mutex<bool>,
    wake: Condvar,
}

/// A server on 127.0.0.1 with a port of its own; it stops when dropped.
pub struct HttpStub {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

impl HttpStub {
    /// Starts a server that asks `handler` for the answer to each request's path and query.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn start(handler: impl Fn(&str) -> Answer + Send + Sync + 'static) -> io::Result<Self> {
        Self::start_reading(move |target, _| handler(target))
    }

    /// Starts a server that asks `handler` for the answer to each request's path and query and its body.
    ///
    /// # Errors
    /// When no port can be had.
    pub fn start_reading(handler: impl Fn(&str, &[u8]) -> Answer + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            handler: Box::new(handler),
            targets: Mutex::default(),
            stopped: Mutex::default(),
            wake: Condvar::new(),
        });
        let for_acceptor = Arc::clone(&shared);
        let acceptor = thread::spawn(move || accept(&listener, &for_acceptor));
        Ok(Self { address, shared, acceptor: Some(acceptor) })
    }

    /// The address to configure, `http://127.0.0.1:port`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Path and query of every request so far, in the order of arrival.
    pub fn requests(&self) -> Vec<String> {
        lock(&self.shared.targets).clone()
    }
}

impl Drop for HttpStub {
    fn drop(&mut self) {
        *lock(&self.shared.stopped) = true;
        self.shared.wake.notify_all();
        // The acceptor waits for a connection: this one tells it to look at `stopped`.
        let _ = TcpStream::connect(self.address);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut connections = Vec::new();
    for stream in listener.incoming() {
        if *lock(&shared.stopped) {
            break;
        }
        let Ok(stream) = stream else { continue };
        let shared = Arc::clone(shared);
        // A client that hangs up in the middle is part of the tests, not a failure of the server.
        connections.push(thread::spawn(move || drop(serve(&stream, &shared))));
    }
    for connection in connections {
        let _ = connection.join();
    }
}

/// One request per connection.
fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.set_write_timeout(Some(Duration::from_secs(10)))?;
    let Some((target, body)) = read_request(stream)? else { return Ok(()) };
    lock(&shared.targets).push(target.clone());
    match (shared.handler)(&target, &body) {
        Answer::Whole { status, headers, body } => write_whole(stream, status, &headers, &body),
        Answer::Half(body) => {
            write_head(stream, 200, &[], Some(body.len()))?;
            let half = body.len() / 2;
            (&*stream).write_all(body.get(..half).unwrap_or_default())
        }
        Answer::Endless => write_endless(stream),
        Answer::Drip(body) => write_drip(stream, &body, shared),
        Answer::Silence => {
            wait_until_stopped(shared, None);
            Ok(())
        }
    }
}

/// Path and query of a request, and its body.
fn read_request(stream: &TcpStream) -> io::Result<Option<(String, Vec<u8>)>> {
    let mut reader = BufReader::new(stream);
    let mut request_line = String::new();
    reader.read_line(&mut request_line)?;
    let Some(target) = request_line.split(' ').nth(1).map(str::to_owned) else { return Ok(None) };
    let mut length = 0;
    for _ in 0..MAX_HEAD_LINES {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse::<u64>().unwrap_or(0).min(MAX_BODY_BYTES);
        }
    }
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body)?;
    Ok(Some((target, body)))
}

fn write_head(
    mut stream: &TcpStream,
    status: u16,
    headers: &[(&str, String)],
    length: Option<usize>,
) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} Stub\r\nConnection: close\r\nContent-Type: application/json\r\n");
    if let Some(length) = length {
        head.push_str(&format!("Content-Length: {length}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())
}

fn write_whole(mut stream: &TcpStream, status: u16, headers: &[(&str, String)], body: &[u8]) -> io::Result<()> {
    write_head(stream, status, headers, Some(body.len()))?;
    stream.write_all(body)
}

fn write_endless(mut stream: &TcpStream) -> io::Result<()> {
    write_head(stream, 200, &[], None)?;
    io::copy(&mut io::repeat(b' '), &mut stream)?;
    Ok(())
}

fn write_drip(mut stream: &TcpStream, body: &[u8], shared: &Shared) -> io::Result<()> {
    write_head(stream, 200, &[], Some(body.len()))?;
    for byte in body {
        stream.write_all(&[*byte])?;
        if wait_until_stopped(shared, Some(DRIP_INTERVAL)) {
            break;
        }
    }
    Ok(())
}

/// Waits for the server to be stopped, at most for `limit`; says whether it was.
fn wait_until_stopped(shared: &Shared, limit: Option<Duration>) -> bool {
    let stopped = lock(&shared.stopped);
    match limit {
        None => *shared.wake.wait_while(stopped, |stopped| !*stopped).unwrap_or_else(PoisonError::into_inner),
        Some(limit) => {
            let waited = shared.wake.wait_timeout_while(stopped, limit, |stopped| !*stopped);
            *waited.unwrap_or_else(PoisonError::into_inner).0
        }
    }
}
