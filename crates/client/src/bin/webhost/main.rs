//! The window's host without a window: the same commands over HTTP on this machine's loopback, for work on the window and
//! for tests in a browser. It serves the built page too. It is not part of what people install.

mod pages;

use std::error::Error;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use api::host::{COMMANDS, dispatch};
use api::{ApiError, ErrorCode};
use clap::Parser;
use kernodeck_client::{Desktop, Keeping, Options};
use tiny_http::{Header, Method, Request, Response, Server};

/// The longest request that is read, bytes.
const MAX_REQUEST_BYTES: u64 = 256 * 1024;
/// Requests that are answered at once: commands wait for the server.
const THREADS: usize = 8;

/// Answers the window's commands on http://127.0.0.1.
#[derive(Parser)]
struct Args {
    /// The folder for this device's data.
    #[arg(long, value_name = "FOLDER")]
    data_dir: PathBuf,
    /// The server's address.
    #[arg(long, value_name = "URL")]
    server: String,
    /// The built page.
    #[arg(long, value_name = "FOLDER", default_value = "ui/build")]
    ui: PathBuf,
    /// The port; 0 takes a free one, which is printed.
    #[arg(long, default_value_t = 0)]
    port: u16,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let desktop = Desktop::open(Options {
        keeping: Keeping::PasswordOnly,
        opener: Box::new(|_| true),
        ..Options::new(args.data_dir, args.server)
    })?;
    desktop.start();
    let server = Arc::new(Server::http(("127.0.0.1", args.port)).map_err(|error| error.to_string())?);
    let address = server.server_addr().to_ip().ok_or("no address")?;
    println!("http://{address}");
    let shared = Arc::new((desktop, args.ui, format!("127.0.0.1:{}", address.port())));
    let threads: Vec<_> = (0..THREADS)
        .map(|_| {
            let (server, shared) = (Arc::clone(&server), Arc::clone(&shared));
            thread::spawn(move || {
                for request in server.incoming_requests() {
                    answer(request, &shared.0, &shared.1, &shared.2);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().map_err(|_| "a thread ended")?;
    }
    Ok(())
}

fn answer(mut request: Request, desktop: &Desktop, ui: &std::path::Path, own: &str) {
    let response = if is_foreign(&request, own) {
        Response::from_data(Vec::new()).with_status_code(403)
    } else if let (Method::Post, Some(name)) = (request.method(), request.url().strip_prefix("/host/")) {
        let name = name.to_owned();
        command(&mut request, desktop, &name)
    } else {
        pages::page(ui, request.url())
    };
    // Whoever asked may be gone.
    let _ = request.respond(response);
}

/// Another site's page must not reach the commands, neither by a request of its own nor by a name that leads here.
fn is_foreign(request: &Request, own: &str) -> bool {
    let header = |name: &'static str| request.headers().iter().find(|header| header.field.equiv(name));
    let localhost = own.replace("127.0.0.1", "localhost");
    let is_own = |host: &str| host == own || host == localhost;
    let host = header("Host").is_some_and(|host| is_own(host.value.as_str()));
    let origin = header("Origin").is_none_or(|origin| is_own(origin.value.as_str().trim_start_matches("http://")));
    !(host && origin)
}

fn command(request: &mut Request, desktop: &Desktop, name: &str) -> Response<std::io::Cursor<Vec<u8>>> {
    let mut body = Vec::new();
    let read = request.as_reader().take(MAX_REQUEST_BYTES).read_to_end(&mut body);
    let known = COMMANDS.iter().any(|command| command.name == name);
    let outcome = match read {
        Err(error) => Err(ErrorCode::BadRequest { reason: error.to_string() }.into()),
        Ok(_) if !known => Err(ErrorCode::UnknownCommand.into()),
        Ok(_) => dispatch(desktop, &(), name, &body).unwrap_or_else(|| Err(ErrorCode::UnknownCommand.into())),
    };
    let (status, body) = match outcome {
        Ok(body) => (200, body),
        Err(error) => (400, serde_json::to_vec::<ApiError>(&error).unwrap_or_default()),
    };
    let response = Response::from_data(body).with_status_code(status);
    match Header::from_bytes("content-type", "application/json") {
        Ok(header) => response.with_header(header),
        Err(()) => response,
    }
}
