//! The reader on a node whose answers are written here, for what a real node can't be made to say at will.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use testkit::http_stub::{Answer, HttpStub};

use super::*;

/// A node by its answers: what each call says, whatever its parameters.
type Answers = Arc<Mutex<BTreeMap<&'static str, Value>>>;

struct Stubbed {
    answers: Answers,
    reader: BitcoinFamilyReader,
    _server: HttpStub,
}

impl Stubbed {
    /// A node at its first block, with nothing waiting.
    fn new() -> Self {
        let hash = "11".repeat(32);
        let answers = BTreeMap::from([
            ("getblockchaininfo", json!({"blocks": 7, "bestblockhash": hash})),
            ("getmempoolinfo", json!({"loaded": true, "size": 0})),
            ("getrawmempool", json!([])),
        ]);
        let answers: Answers = Arc::new(Mutex::new(answers));
        let said = Arc::clone(&answers);
        let server = HttpStub::start_reading(move |_, body| {
            let said = said.lock().unwrap();
            let question: Value = serde_json::from_slice(body).unwrap();
            let answer = match &question {
                Value::Array(many) => many.iter().map(|one| answer_to(one, &said)).collect(),
                one => answer_to(one, &said),
            };
            Answer::ok(answer.to_string())
        })
        .unwrap();
        let (url, user) = (server.url(), "user".to_owned());
        let config = NodeConfig { url, password: user.clone(), user, timeout: Duration::from_secs(20) };
        Self { answers, reader: BitcoinFamilyReader::litecoin(&config).unwrap(), _server: server }
    }

    fn say(&self, call: &'static str, answer: Value) {
        self.answers.lock().unwrap().insert(call, answer);
    }

    fn view(&mut self) -> MempoolView {
        self.reader.mempool(&WatchSet::new()).unwrap()
    }
}

/// What was written for the call. A transaction of any id has one output, to a script that nobody watches.
fn answer_to(question: &Value, said: &BTreeMap<&'static str, Value>) -> Value {
    let (id, call) = (&question["id"], question["method"].as_str().unwrap());
    let result = match call {
        "getrawtransaction" => json!({
            "txid": question["params"][0],
            "vin": [{"txid": "22".repeat(32), "vout": 0}],
            "vout": [{"value": 1.0, "n": 0, "scriptPubKey": {"hex": "51"}}],
        }),
        call => said.get(call).cloned().unwrap_or_else(|| panic!("{call} was not expected")),
    };
    json!({"id": id, "result": result, "error": null})
}

/// Called gone, a transfer loses the time at which it was seen, and its payment is said to have expired unpaid.
#[test]
fn a_node_that_still_loads_its_mempool_shows_no_complete_view() {
    let mut node = Stubbed::new();
    assert!(node.view().complete);
    node.say("getmempoolinfo", json!({"loaded": false, "size": 0}));
    assert!(!node.view().complete);
    node.say("getmempoolinfo", json!({"loaded": true, "size": 0}));
    assert!(node.view().complete);
}

#[test]
fn a_view_that_was_cut_at_its_limit_is_not_complete_and_the_next_one_goes_on() {
    let mut node = Stubbed::new();
    let ids: Vec<String> = (0..5_001).map(|number| format!("{number:064x}")).collect();
    node.say("getrawmempool", json!(ids));
    assert!(!node.view().complete);
    assert!(node.view().complete);
}
