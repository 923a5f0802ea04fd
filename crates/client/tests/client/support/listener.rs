//! Just enough HTTP for the stub.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use api::{ApiError, ErrorCode, server};

use super::Shared;
use super::answers::{Asking, catalogue};

/// Open streams of events.
#[derive(Default)]
pub(super) struct Listeners(Mutex<Vec<TcpStream>>);

impl Listeners {
    pub(super) fn send(&self, name: &str) {
        let text = format!("event: {name}\ndata: {{}}\n\n");
        self.0.lock().unwrap().retain_mut(|stream| stream.write_all(text.as_bytes()).is_ok());
    }

    pub(super) fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

/// Listens until the test ends.
pub(super) fn listen(shared: Arc<Shared>) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                // A connection that breaks off is the test's business.
                let _ = answer(stream, &shared);
            });
        }
    });
    address
}

struct Request {
    path: String,
    token: Option<String>,
    version: Option<String>,
    body: Vec<u8>,
}

fn read(stream: &TcpStream) -> std::io::Result<Request> {
    let mut lines = BufReader::new(stream);
    let mut first = String::new();
    lines.read_line(&mut first)?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut request = Request { path, token: None, version: None, body: Vec::new() };
    let mut length = 0;
    loop {
        let mut line = String::new();
        lines.read_line(&mut line)?;
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => request.token = value.strip_prefix("Bearer ").map(str::to_owned),
            "if-none-match" => request.version = Some(value.trim_matches('"').to_owned()),
            _ => {}
        }
    }
    request.body = vec![0; length];
    lines.read_exact(&mut request.body)?;
    Ok(request)
}

fn answer(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let request = read(&stream)?;
    let name = request.path.strip_prefix("/v1/").unwrap_or_default().to_owned();
    if !shared.state.lock().unwrap().takes(&name) {
        return Ok(());
    }
    match name.as_str() {
        "events" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nevent: beat\ndata: {}\n\n")?;
            shared.listeners.0.lock().unwrap().push(stream);
            Ok(())
        }
        "catalogue" => {
            let answer = catalogue();
            if request.version.as_deref() == Some(answer.version.as_str()) {
                return stream
                    .write_all(b"HTTP/1.1 304 Not Modified\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            }
            write(&mut stream, 200, &serde_json::to_vec(&answer).unwrap())
        }
        _ => {
            let asking = Asking(&shared.state);
            let outcome = server::dispatch(&asking, &request.token, &name, &request.body);
            if shared.state.lock().unwrap().answers_lost_of == Some(name) {
                return Ok(());
            }
            match outcome.unwrap_or_else(|| Err(ErrorCode::UnknownCommand.into())) {
                Ok(body) => write(&mut stream, 200, &body),
                Err(error) => write(&mut stream, 400, &serde_json::to_vec::<ApiError>(&error).unwrap()),
            }
        }
    }
}

fn write(stream: &mut TcpStream, status: u16, body: &[u8]) -> std::io::Result<()> {
    let head =
        format!("HTTP/1.1 {status} X\r\netag: \"1\"\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)
}
