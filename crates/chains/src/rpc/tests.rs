//! The reader on a node whose answers are written here, for what a real node can't be made to say at will.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use testkit::http_stub::{Answer, HttpStub};

use super::*;
use crate::error::OutOfStep;

/// A node by its answers: what each call says, whatever its parameters.
type Answers = Arc<Mutex<BTreeMap<&'static str, Value>>>;

struct Stubbed {
    answers: Answers,
    reader: BitcoinFamilyReader,
    _server: HttpStub,
}

impl Stubbed {
    /// A node in step with its network, with nothing waiting.
    fn new() -> Self {
        Self::of(Environment::Production)
    }

    fn of(environment: Environment) -> Self {
        let answers = BTreeMap::from([
            ("getblockchaininfo", chain_info(false, 0)),
            ("getnetworkinfo", json!({"connections": 8, "connections_in": 0})),
            ("getblockheader", json!({"time": seconds_ago(0)})),
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
        let timeout = Duration::from_secs(20);
        let config = NodeConfig { url, password: user.clone(), user, timeout, environment };
        Self { answers, reader: BitcoinFamilyReader::litecoin(&config).unwrap(), _server: server }
    }

    fn say(&self, call: &'static str, answer: Value) {
        self.answers.lock().unwrap().insert(call, answer);
    }

    /// Why nothing of the node counts: neither its tip nor what waits there.
    fn out_of_step(&mut self) -> Option<OutOfStep> {
        let why = match self.reader.tip() {
            Ok(_) => None,
            Err(ChainError::OutOfStep(why)) => Some(why),
            Err(other) => panic!("{other}"),
        };
        let view = self.reader.mempool(&WatchSet::new()).map(|view| view.complete);
        assert_eq!(view, why.map_or(Ok(true), |why| Err(why.into())), "the mempool counts only where the tip does");
        why
    }

    fn view(&mut self) -> MempoolView {
        self.reader.mempool(&WatchSet::new()).unwrap()
    }
}

fn seconds_ago(seconds: u64) -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() - seconds
}

fn chain_info(downloading: bool, median_age_seconds: u64) -> Value {
    json!({
        "blocks": 7,
        "bestblockhash": "11".repeat(32),
        "initialblockdownload": downloading,
        "mediantime": seconds_ago(median_age_seconds),
    })
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

/// Such a node sees no payment. Believed, it has every open payment expire unpaid, and goes on being offered.
#[test]
fn a_node_that_downloads_has_no_peers_or_hears_of_no_block_is_out_of_step() {
    let mut node = Stubbed::new();
    assert_eq!(node.out_of_step(), None);
    node.say("getblockchaininfo", chain_info(true, 0));
    assert_eq!(node.out_of_step(), Some(OutOfStep::Downloading { height: 7 }));
    node.say("getblockchaininfo", chain_info(false, 0));
    node.say("getnetworkinfo", json!({"connections": 0}));
    assert_eq!(node.out_of_step(), Some(OutOfStep::NoPeers));
    node.say("getnetworkinfo", json!({"connections": 1}));
    // The median is up to six blocks behind: the tip's own time decides.
    node.say("getblockchaininfo", chain_info(false, 2 * 3_600));
    node.say("getblockheader", json!({"time": seconds_ago(59 * 60)}));
    assert_eq!(node.out_of_step(), None);
    node.say("getblockheader", json!({"time": seconds_ago(61 * 60)}));
    assert_eq!(node.out_of_step(), Some(OutOfStep::OldTip { minutes: 61 }));
}

/// A private chain has no peers, and its blocks come when somebody mines them.
#[test]
fn a_private_chain_is_asked_for_neither_peers_nor_fresh_blocks() {
    for environment in [Environment::Regtest, Environment::Sandbox] {
        let mut node = Stubbed::of(environment);
        node.say("getblockchaininfo", chain_info(true, 1_000_000));
        node.say("getnetworkinfo", json!({"connections": 0}));
        assert_eq!(node.out_of_step(), None);
    }
}

/// What can't be read is not taken for good.
#[test]
fn a_node_that_does_not_say_whether_it_is_in_step_is_refused() {
    let mut node = Stubbed::new();
    node.say("getnetworkinfo", json!({}));
    assert!(matches!(node.reader.tip(), Err(ChainError::BadAnswer { call: "getnetworkinfo", .. })));
    node.say("getblockchaininfo", json!({"blocks": 7, "bestblockhash": "11".repeat(32)}));
    assert!(matches!(node.reader.tip(), Err(ChainError::BadAnswer { call: "getblockchaininfo", .. })));
}
