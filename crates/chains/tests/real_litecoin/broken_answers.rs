//! Answers cut, delayed and repeated on their way.

use std::collections::BTreeSet;
use std::time::Duration;

use chains::{BitcoinFamilyReader, ChainError, NodeConfig};
use testkit::proxy::{Harm, HarmfulProxy};

use crate::scene::{Scene, config};

/// A node with payments in it, and a reader that reaches it through a proxy only.
fn through_proxy(timeout: Duration) -> (Scene, HarmfulProxy) {
    let mut scene = Scene::new();
    let to: Vec<String> = (0..20).map(|number| scene.issue(number)).collect();
    for payment in 0..3 {
        let payments: Vec<_> = to.iter().map(|to| (to.clone(), format!("0.0{}", payment + 1))).collect();
        scene.node.send_many(&payments).unwrap();
        scene.node.mine(1).unwrap();
    }
    scene.node.send(&to[0], "0.5").unwrap();
    let direct = config(&scene.node.rpc);
    let upstream = direct.url.strip_prefix("http://").unwrap().parse().unwrap();
    let proxy = HarmfulProxy::start(upstream).unwrap();
    let config = NodeConfig { url: format!("http://{}", proxy.address()), timeout, ..direct };
    scene.reader = BitcoinFamilyReader::litecoin(&config).unwrap();
    (scene, proxy)
}

/// Half a block is no block: what its other half pays would be lost for ever.
#[test]
fn an_answer_cut_anywhere_never_moves_the_cursor() {
    let (mut scene, proxy) = through_proxy(Duration::from_secs(20));
    while scene.book.height() != Some(101) {
        scene.book.step(&mut scene.reader).unwrap();
    }
    let before = scene.book.chain.clone();
    let mut kinds = BTreeSet::new();
    let (mut limit, mut cuts) = (0, 0);
    // The step asks several questions over one connection; the last one's answer is the block.
    loop {
        proxy.set(Harm::CutAfter(limit));
        match scene.book.step(&mut scene.reader) {
            Ok(_) => break,
            Err(error) => kinds.insert(format!("{error:?}").split([' ', '{']).next().map(str::to_owned)),
        };
        assert_eq!(scene.book.chain, before, "cut after {limit} bytes");
        cuts += 1;
        limit += 37;
    }
    assert!(cuts > 100, "only {cuts} cuts up to {limit} bytes");
    assert_eq!(kinds, BTreeSet::from([Some("Unreachable".to_owned())]));
    assert!(proxy.harmed() >= cuts);
    proxy.set(Harm::None);
    scene.follow();
    assert_eq!(scene.book.transfers().len(), 60);
}

/// A sighting missing from half an answer would look vanished.
#[test]
fn a_view_of_the_mempool_is_whole_or_an_error() {
    let (mut scene, proxy) = through_proxy(Duration::from_secs(20));
    let whole = scene.sightings();
    assert_eq!(whole.len(), 1);
    let config = NodeConfig { url: format!("http://{}", proxy.address()), ..config(&scene.node.rpc) };
    for limit in (0..4_000).step_by(61) {
        proxy.set(Harm::CutAfter(limit));
        let mut fresh = BitcoinFamilyReader::litecoin(&config).unwrap();
        match chains::ChainReader::mempool(&mut fresh, &scene.book.watch) {
            Ok(view) => assert_eq!(view.transfers, whole, "cut after {limit} bytes"),
            Err(error) => assert!(matches!(error, ChainError::Unreachable { .. }), "{error:?}"),
        }
    }
}

#[test]
fn an_answer_that_does_not_come_in_time_is_an_error_and_not_an_end() {
    let (mut scene, proxy) = through_proxy(Duration::from_millis(400));
    scene.book.step(&mut scene.reader).unwrap();
    proxy.set(Harm::Delay(Duration::from_secs(2)));
    let late = scene.book.step(&mut scene.reader);
    assert!(matches!(late, Err(ChainError::Timeout { .. })), "{late:?}");
    assert_eq!(scene.book.chain.len(), 1);
    proxy.set(Harm::None);
    scene.follow();
    assert_eq!(scene.book.transfers().len(), 60);
}

/// An old answer must not be taken for the answer to the next question.
#[test]
fn repeated_answers_change_nothing() {
    let (mut scene, proxy) = through_proxy(Duration::from_secs(20));
    proxy.set(Harm::Repeat);
    let mut failures = 0;
    for _ in 0..2_000 {
        match scene.book.step(&mut scene.reader) {
            Ok(crate::support::Outcome::AtTip) => break,
            Ok(_) => {}
            Err(_) => failures += 1,
        }
    }
    assert!(proxy.harmed() > 0);
    proxy.set(Harm::None);
    assert_eq!(scene.follow(), 0, "after {failures} failures");
    assert_eq!(scene.book.transfers().len(), 60);
}
