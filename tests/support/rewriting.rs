//! A server between the desktop and the real one that changes what is said of payments: what a breached server could do.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Map, Value};
use tiny_http::{Header, Request, Response};

/// Changes a payment before the desktop reads it.
pub type Change = Box<dyn Fn(&mut Map<String, Value>) + Send>;

/// A running go-between. Dropping it stops it.
pub struct Rewriting {
    /// Where it listens.
    pub url: String,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

struct Shared {
    server: tiny_http::Server,
    upstream: String,
    http: reqwest::blocking::Client,
    change: Mutex<Option<Change>>,
    last_record: Mutex<Option<String>>,
}

impl Rewriting {
    /// One that changes nothing yet.
    pub fn start(upstream: &str) -> Self {
        let server = tiny_http::Server::http("127.0.0.1:0").unwrap();
        let url = format!("http://{}", server.server_addr());
        let http = reqwest::blocking::Client::builder().no_proxy().timeout(Duration::from_secs(60)).build().unwrap();
        let shared = Arc::new(Shared {
            server,
            upstream: upstream.to_owned(),
            http,
            change: Mutex::default(),
            last_record: Mutex::default(),
        });
        let theirs = Arc::clone(&shared);
        let accepting = thread::spawn(move || {
            while let Ok(request) = theirs.server.recv() {
                let shared = Arc::clone(&theirs);
                thread::spawn(move || shared.pass(request));
            }
        });
        Self { url, shared, accepting: Some(accepting) }
    }

    /// Changes every payment from now on.
    pub fn change(&self, change: impl Fn(&mut Map<String, Value>) + Send + 'static) {
        *self.shared.change.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(change));
    }

    /// Passes payments on as they are.
    pub fn change_nothing(&self) {
        *self.shared.change.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The address record of the last payment that passed, as the server gave it.
    pub fn last_record(&self) -> String {
        self.shared.last_record.lock().unwrap_or_else(PoisonError::into_inner).clone().expect("a payment passed")
    }
}

impl Drop for Rewriting {
    fn drop(&mut self) {
        self.shared.server.unblock();
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

impl Shared {
    fn pass(&self, mut request: Request) {
        // The line of hints never ends; without it the desktop asks by itself.
        let answer = if request.url().starts_with("/v1/events") { None } else { self.ask(&mut request).ok() };
        let answer = answer.unwrap_or_else(|| Response::from_data(Vec::new()).with_status_code(502));
        let _ = request.respond(answer);
    }

    fn ask(&self, request: &mut Request) -> Result<Response<std::io::Cursor<Vec<u8>>>, Box<dyn std::error::Error>> {
        let mut body = Vec::new();
        request.as_reader().read_to_end(&mut body)?;
        let method = reqwest::Method::from_bytes(request.method().as_str().as_bytes())?;
        let mut asked = self.http.request(method, format!("{}{}", self.upstream, request.url()));
        for header in request.headers() {
            let name = header.field.as_str().as_str();
            if ["authorization", "content-type", "if-none-match"].contains(&name.to_ascii_lowercase().as_str()) {
                asked = asked.header(name, header.value.as_str());
            }
        }
        let answer = asked.body(body).send()?;
        let status = answer.status().as_u16();
        let kept: Vec<Header> = answer.headers().iter().filter_map(kept).collect();
        let mut told = Response::from_data(self.rewritten(answer.bytes()?.to_vec())).with_status_code(status);
        for header in kept {
            told.add_header(header);
        }
        Ok(told)
    }

    fn rewritten(&self, body: Vec<u8>) -> Vec<u8> {
        let Ok(mut value) = serde_json::from_slice::<Value>(&body) else { return body };
        self.visit(&mut value);
        value.to_string().into_bytes()
    }

    /// Payments are found by their shape, wherever they travel: alone, or as rows of the sync.
    fn visit(&self, value: &mut Value) {
        match value {
            Value::Object(fields) if fields.contains_key("record") && fields.contains_key("quote") => {
                let record = fields["record"].as_str().map(str::to_owned);
                *self.last_record.lock().unwrap_or_else(PoisonError::into_inner) = record;
                if let Some(change) = &*self.change.lock().unwrap_or_else(PoisonError::into_inner) {
                    change(fields);
                }
            }
            Value::Object(fields) => fields.values_mut().for_each(|value| self.visit(value)),
            Value::Array(values) => values.iter_mut().for_each(|value| self.visit(value)),
            _ => {}
        }
    }
}

fn kept((name, value): (&reqwest::header::HeaderName, &reqwest::header::HeaderValue)) -> Option<Header> {
    let wanted = ["content-type", "etag", "retry-after"].contains(&name.as_str());
    wanted.then(|| Header::from_bytes(name.as_str(), value.as_bytes()).ok()).flatten()
}
