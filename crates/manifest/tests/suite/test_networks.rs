//! The builds that know the sandbox and regtest.

use domain::{Environment, Network};
use manifest::{AddressError, Expectations, KeyHash, Refusal, Terms, chain_id, check_record, sign_file};

use crate::support::*;

fn regtest_address(number: u8) -> String {
    KeyHash::new([number; 20]).to_address(NETWORK, Environment::Regtest).unwrap()
}

#[test]
fn each_environment_has_prefixes_and_chain_ids_of_its_own() {
    let prefixes = [
        (Environment::Production, Network::Bitcoin, "bc1q"),
        (Environment::Production, Network::Litecoin, "ltc1q"),
        (Environment::Sandbox, Network::Bitcoin, "tb1q"),
        (Environment::Sandbox, Network::Litecoin, "tltc1q"),
        (Environment::Regtest, Network::Bitcoin, "bcrt1q"),
        (Environment::Regtest, Network::Litecoin, "rltc1q"),
    ];
    let mut ids = std::collections::HashSet::new();
    for (environment, network, prefix) in prefixes {
        let address = KeyHash::new([5; 20]).to_address(network, environment).unwrap();
        assert!(address.starts_with(prefix), "{address}");
        assert!(ids.insert(chain_id(environment, network).unwrap()));
        for (other_environment, other_network, _) in prefixes {
            let read = KeyHash::from_address(&address, other_network, other_environment);
            assert_eq!(read.is_ok(), (other_environment, other_network) == (environment, network));
        }
    }
}

/// Run once against `litecoind -regtest`: `getblockhash 0`.
#[test]
fn litecoin_regtest_is_the_chain_that_the_node_serves() {
    let genesis = "530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9";
    assert_eq!(chain_id(Environment::Regtest, Network::Litecoin).as_deref(), Some(genesis));
}

#[test]
fn a_regtest_record_is_good_on_regtest_and_nowhere_else() {
    let terms = Terms { environment: Environment::Regtest, ..terms() };
    let record = first(&sign_file(&key(1), terms.clone(), &[regtest_address(1)]).unwrap());
    let on = |environment| Expectations::new(environment, NETWORK, day("2026-12-24"), 0).unwrap();
    assert!(check_record(&record, &on(Environment::Regtest), &trusted()).is_ok());
    for expected in [Environment::Production, Environment::Sandbox] {
        let refused = Refusal::WrongEnvironment { expected, found: Environment::Regtest };
        assert_eq!(check_record(&record, &on(expected), &trusted()).err(), Some(refused));
    }
    let refused = Refusal::BadAddress(AddressError::WrongPrefix { expected: "rltc" });
    assert_eq!(sign_file(&key(1), terms, &[address(1)]).err(), Some(refused.into()));
    // The record that the production build's test refuses is this one.
    let fixture = include_str!("../fixtures/regtest_record.json").trim_end();
    assert_eq!(record.to_line().as_deref(), Ok(fixture));
}
