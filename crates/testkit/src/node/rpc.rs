//! A plain JSON-RPC client for tests. It shares nothing with the reader that it helps to test.

use std::time::Duration;

use serde_json::{Value, json};
use thiserror::Error;

/// A call that gave no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{method} failed with code {code}: {message}")]
pub struct RpcFailure {
    /// The call.
    pub method: String,
    /// The node's code; 0 when there was no answer.
    pub code: i64,
    /// The node's words.
    pub message: String,
}

/// Asks one node.
#[derive(Clone, Debug)]
pub struct NodeRpc {
    http: reqwest::blocking::Client,
    /// `http://127.0.0.1:port`.
    pub url: String,
    /// `rpcuser`.
    pub user: String,
    /// `rpcpassword` of a node that lives as long as a test.
    pub password: String,
}

impl NodeRpc {
    /// A client; nothing is asked yet.
    ///
    /// # Errors
    /// When no HTTP client can be made.
    pub fn new(url: String, user: String, password: String) -> Result<Self, RpcFailure> {
        let http = reqwest::blocking::Client::builder().no_proxy().timeout(Duration::from_secs(60)).build();
        let http = http.map_err(|error| failure("connect", 0, &error.to_string()))?;
        Ok(Self { http, url, user, password })
    }

    /// Asks the node's own methods.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn call(&self, method: &str, params: Value) -> Result<Value, RpcFailure> {
        self.call_at("", method, params)
    }

    /// Asks the methods of the wallet `test`.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn wallet(&self, method: &str, params: Value) -> Result<Value, RpcFailure> {
        self.call_wallet("test", method, params)
    }

    /// Asks the methods of another wallet.
    ///
    /// # Errors
    /// [`RpcFailure`].
    pub fn call_wallet(&self, wallet: &str, method: &str, params: Value) -> Result<Value, RpcFailure> {
        self.call_at(&format!("/wallet/{wallet}"), method, params)
    }

    fn call_at(&self, path: &str, method: &str, params: Value) -> Result<Value, RpcFailure> {
        let question = json!({"jsonrpc": "1.0", "id": "testkit", "method": method, "params": params});
        let request = self.http.post(format!("{}{path}", self.url)).basic_auth(&self.user, Some(&self.password));
        let answer = request.json(&question).send().and_then(reqwest::blocking::Response::json::<Value>);
        let mut answer = answer.map_err(|error| failure(method, 0, &error.to_string()))?;
        match answer.get("error") {
            None | Some(Value::Null) => Ok(answer["result"].take()),
            Some(error) => {
                let message = error["message"].as_str().unwrap_or_default();
                Err(failure(method, error["code"].as_i64().unwrap_or_default(), message))
            }
        }
    }
}

fn failure(method: &str, code: i64, message: &str) -> RpcFailure {
    RpcFailure { method: method.to_owned(), code, message: message.to_owned() }
}
