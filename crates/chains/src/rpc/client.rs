//! JSON-RPC over HTTP: one question, one whole answer, or an error.

use std::fmt;
use std::io::{self, Read};
use std::time::{Duration, Instant};

use reqwest::blocking::{Client as Http, Response};
use reqwest::{StatusCode, Url, redirect};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::NodeConfig;
use super::wire::bad;
use crate::error::ChainError;

/// Code of a node that is loading its block index (`RPC_IN_WARMUP`).
const IN_WARMUP: i64 = -28;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// A connection is kept for the next question only while questions come quickly. The node closes idle ones itself after 30 s, which could
/// meet a question on its way, and waits for them when it stops.
const IDLE_TIMEOUT: Duration = Duration::from_secs(1);
/// A block of four million weight units, printed with its hex and its MWEB part, or fifty large transactions, stay far below this.
const LARGE_ANSWER_BYTES: u64 = 256 * 1024 * 1024;
/// Ids of half a million waiting transactions.
const MEMPOOL_ANSWER_BYTES: u64 = 32 * 1024 * 1024;
const SMALL_ANSWER_BYTES: u64 = 1024 * 1024;
const PIECE_BYTES: usize = 64 * 1024;
/// Longest part of a node's message that is kept.
const MESSAGE_LIMIT_CHARS: usize = 200;

/// A connection to one node.
pub(crate) struct Client {
    http: Http,
    url: Url,
    user: String,
    password: String,
    timeout: Duration,
    /// Questions asked so far. No two questions share a number, so that an old answer is never taken for a new one.
    asked: u64,
}

/// The whole answer to one question, or to several.
pub(crate) struct Answer {
    call: &'static str,
    body: String,
    first_id: u64,
}

/// Leaves user and password out.
impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Client").field("url", &self.url.as_str()).finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<NodeError>,
}

#[derive(Deserialize)]
struct NodeError {
    code: i64,
    message: String,
}

impl Client {
    pub(crate) fn new(config: &NodeConfig) -> Result<Self, ChainError> {
        let url = Url::parse(&config.url).map_err(|_| ChainError::BadConfig { what: "it is no URL" })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(ChainError::BadConfig { what: "it is neither http nor https" });
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ChainError::BadConfig { what: "user and password stand in the URL" });
        }
        // No proxy from the environment and no redirect: both would hand the password to somebody else.
        let http = Http::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .timeout(config.timeout)
            .build()
            .map_err(|_| ChainError::BadConfig { what: "no HTTP client can be made" })?;
        Ok(Self {
            http,
            url,
            user: config.user.clone(),
            password: config.password.clone(),
            timeout: config.timeout,
            asked: 0,
        })
    }

    /// Asks and reads the result, which borrows nothing.
    pub(crate) fn call<T: DeserializeOwned>(&mut self, call: &'static str, params: &[Value]) -> Result<T, ChainError> {
        self.ask(call, params)?.result()
    }

    /// Asks and gives back the whole answer.
    pub(crate) fn ask(&mut self, call: &'static str, params: &[Value]) -> Result<Answer, ChainError> {
        let first_id = self.number(1);
        let body = self.post(call, &question(first_id, call, params))?;
        Ok(Answer { call, body, first_id })
    }

    /// Asks the same call for many parameters at once.
    pub(crate) fn ask_many(&mut self, call: &'static str, params: &[Vec<Value>]) -> Result<Answer, ChainError> {
        let first_id = self.number(params.len() as u64);
        let questions = (first_id..).zip(params).map(|(id, params)| question(id, call, params));
        let body = self.post(call, &Value::Array(questions.collect()))?;
        Ok(Answer { call, body, first_id })
    }

    /// The first of so many new numbers.
    fn number(&mut self, questions: u64) -> u64 {
        let first = self.asked;
        self.asked += questions;
        first
    }

    fn post(&self, call: &'static str, question: &Value) -> Result<String, ChainError> {
        let deadline = Instant::now() + self.timeout;
        let request = self.http.post(self.url.clone()).basic_auth(&self.user, Some(&self.password));
        let response = request.json(question).send().map_err(|error| broken(call, error))?;
        match response.status() {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(ChainError::Unauthorized),
            StatusCode::SERVICE_UNAVAILABLE => Err(ChainError::NotReady { detail: "too many questions wait".into() }),
            // Errors of a call come with 404 or 500 and a body that says which.
            StatusCode::OK | StatusCode::NOT_FOUND | StatusCode::INTERNAL_SERVER_ERROR => {
                read_whole(call, response, deadline)
            }
            other => Err(bad(call, format!("HTTP status {}", other.as_u16()))),
        }
    }
}

/// The connection's error without the URL, which says nothing new.
fn broken(call: &'static str, error: reqwest::Error) -> ChainError {
    if error.is_timeout() {
        return ChainError::Timeout { call };
    }
    let mut detail = error.without_url().to_string();
    detail.truncate(detail.floor_char_boundary(MESSAGE_LIMIT_CHARS));
    ChainError::Unreachable { detail }
}

fn limit_of(call: &str) -> u64 {
    match call {
        "getblock" | "getrawtransaction" => LARGE_ANSWER_BYTES,
        "getrawmempool" => MEMPOOL_ANSWER_BYTES,
        _ => SMALL_ANSWER_BYTES,
    }
}

/// Reads the body to its end. The HTTP client bounds each read and not their sum, so a node that drips is stopped here.
fn read_whole(call: &'static str, mut response: Response, deadline: Instant) -> Result<String, ChainError> {
    let limit_bytes = limit_of(call);
    let mut body = Vec::new();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let length = response.read(&mut piece).map_err(|error| cut(call, &error))?;
        if length == 0 {
            return String::from_utf8(body).map_err(|_| bad(call, "not UTF-8"));
        }
        body.extend_from_slice(&piece[..length]);
        if body.len() as u64 > limit_bytes {
            return Err(ChainError::TooLarge { call, limit_bytes });
        }
        if Instant::now() > deadline {
            return Err(ChainError::Timeout { call });
        }
    }
}

/// Why the body ended before its end.
fn cut(call: &'static str, error: &io::Error) -> ChainError {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<reqwest::Error>());
    if error.kind() == io::ErrorKind::TimedOut || inner.is_some_and(reqwest::Error::is_timeout) {
        return ChainError::Timeout { call };
    }
    ChainError::Unreachable { detail: "the answer was cut short".into() }
}

fn question(id: u64, call: &str, params: &[Value]) -> Value {
    json!({"jsonrpc": "1.0", "id": id, "method": call, "params": params})
}

impl Answer {
    /// The result, or the error in its place.
    pub(crate) fn result<'a, T: Deserialize<'a>>(&'a self) -> Result<T, ChainError> {
        open(self.call, self.first_id, envelope(self.call, &self.body)?)
    }

    /// The results of [`Client::ask_many`], in the order of the questions.
    pub(crate) fn results<'a, T: Deserialize<'a>>(
        &'a self,
        asked: usize,
    ) -> Result<Vec<Result<T, ChainError>>, ChainError> {
        let call = self.call;
        // A node that refuses the whole batch answers with one envelope.
        let Ok(answers) = serde_json::from_str::<Vec<&'a RawValue>>(&self.body) else {
            return Err(self.result::<&RawValue>().err().unwrap_or_else(|| bad(call, "one answer to many questions")));
        };
        if answers.len() != asked {
            return Err(bad(call, format!("{} answers to {asked} questions", answers.len())));
        }
        let numbered = (self.first_id..).zip(answers);
        numbered.map(|(id, answer)| Ok(open(call, id, envelope(call, answer.get())?))).collect()
    }
}

fn envelope<'a>(call: &'static str, json: &'a str) -> Result<Envelope<'a>, ChainError> {
    serde_json::from_str(json).map_err(|_| bad(call, "not the JSON of an answer"))
}

/// Reads the answer to question number `asked`. An answer to another question is none: a proxy may repeat old ones.
fn open<'a, T: Deserialize<'a>>(call: &'static str, asked: u64, envelope: Envelope<'a>) -> Result<T, ChainError> {
    match envelope {
        Envelope { id, .. } if id != Some(asked) => Err(bad(call, "the answer to another question")),
        Envelope { error: Some(NodeError { code: IN_WARMUP, message }), .. } => {
            Err(ChainError::NotReady { detail: shortened(&message) })
        }
        Envelope { error: Some(NodeError { code, message }), .. } => {
            Err(ChainError::Refused { call, code, message: shortened(&message) })
        }
        Envelope { result: Some(result), .. } => {
            serde_json::from_str(result.get()).map_err(|error| bad(call, format!("unexpected shape: {error}")))
        }
        Envelope { .. } => Err(bad(call, "neither result nor error")),
    }
}

fn shortened(message: &str) -> String {
    message.chars().take(MESSAGE_LIMIT_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use testkit::http_stub::{Answer as Stubbed, HttpStub};

    use super::*;

    fn answer(body: &str, first_id: u64) -> Answer {
        Answer { call: "test", body: body.to_owned(), first_id }
    }

    fn is_bad<T: fmt::Debug>(result: Result<T, ChainError>) -> bool {
        matches!(result, Err(ChainError::BadAnswer { .. }))
    }

    #[test]
    fn an_answer_to_another_question_is_none() {
        let body = r#"{"result":7,"error":null,"id":4}"#;
        assert_eq!(answer(body, 4).result::<u64>(), Ok(7));
        assert!(is_bad(answer(body, 5).result::<u64>()));
        let many = r#"[{"result":1,"error":null,"id":4},{"result":null,"error":{"code":-5,"message":"no"},"id":5}]"#;
        let results = answer(many, 4).results::<u64>(2).unwrap();
        assert_eq!(results[0], Ok(1));
        assert_eq!(results[1], Err(ChainError::Refused { call: "test", code: -5, message: "no".into() }));
        assert!(is_bad(answer(many, 4).results::<u64>(3)), "an answer is missing");
        let swapped = answer(many, 5).results::<u64>(2).unwrap();
        assert!(swapped.into_iter().all(is_bad), "answers in another order");
    }

    #[test]
    fn a_node_that_loads_its_blocks_is_not_ready_rather_than_wrong() {
        let body = r#"{"result":null,"error":{"code":-28,"message":"Verifying blocks..."},"id":0}"#;
        let loading = ChainError::NotReady { detail: "Verifying blocks...".into() };
        assert_eq!(answer(body, 0).result::<u64>(), Err(loading));
    }

    #[test]
    fn what_is_no_answer_is_never_a_result() {
        for body in
            ["", "{}", "null", "[]", "<html>", r#"{"id":0}"#, r#"{"result":1.5,"id":0}"#, r#"{"result":null,"id":0}"#]
        {
            assert!(is_bad(answer(body, 0).result::<u64>()), "{body}");
        }
    }

    /// A gateway gone mad must not eat the server's memory, nor hold the watcher for ever.
    #[test]
    fn an_endless_or_dripping_answer_ends() {
        let ask = |stubbed: Stubbed| {
            let server = HttpStub::start(move |_| stubbed.clone()).unwrap();
            let (url, user) = (server.url(), "user".to_owned());
            let config = NodeConfig {
                url,
                password: user.clone(),
                user,
                timeout: Duration::from_secs(2),
                environment: domain::Environment::Production,
            };
            Client::new(&config).unwrap().call::<String>("getblockhash", &[]).unwrap_err()
        };
        let too_large = ChainError::TooLarge { call: "getblockhash", limit_bytes: SMALL_ANSWER_BYTES };
        assert_eq!(ask(Stubbed::Endless), too_large);
        assert_eq!(ask(Stubbed::Drip(vec![b' '; 1_000])), ChainError::Timeout { call: "getblockhash" });
        assert_eq!(ask(Stubbed::Silence), ChainError::Timeout { call: "getblockhash" });
        assert!(matches!(ask(Stubbed::Half(vec![b' '; 100])), ChainError::Unreachable { .. }));
        assert!(is_bad::<()>(Err(ask(Stubbed::redirect("http://127.0.0.1:1/")))), "a redirect is not followed");
    }
}
