//! Each reason for which a customer is shown no address, and that the good record beside it is shown.

use domain::{Environment, Network};
use manifest::{
    AddressError, Expectations, KeyRole, Refusal, SignError, SignedRecord, Terms, Token, TrustedKeys, check_record,
    sign_file,
};

use crate::support::*;

/// What the check says to a genuine record under other expectations.
fn refusal(change: impl FnOnce(&mut Expectations)) -> Option<Refusal> {
    let mut expectations = expected();
    change(&mut expectations);
    check_record(&first(&file(1)), &expectations, &trusted()).err()
}

#[test]
fn a_good_record_is_shown_as_it_was_signed() {
    let checked = check_record(&first(&file(1)), &expected(), &trusted()).unwrap();
    assert_eq!(checked.address(), address(1));
    assert_eq!(checked.script_pubkey_hex(), format!("0014{}", "01".repeat(20)));
    assert_eq!((checked.network(), checked.environment()), (NETWORK, ENVIRONMENT));
    assert_eq!((checked.index(), checked.epoch(), checked.last_day()), (100, 3, day("2027-03-01")));
    assert_eq!((checked.key(), checked.key_role()), (public(1).fingerprint(), KeyRole::Current));
    assert!(checked.tokens().is_empty());
}

#[test]
fn another_network_environment_or_chain_than_was_chosen() {
    let found = Network::Litecoin;
    let wrong = Refusal::WrongNetwork { expected: Network::Bitcoin, found };
    assert_eq!(refusal(|expected| expected.network = Network::Bitcoin), Some(wrong));
    let wrong = Refusal::WrongEnvironment { expected: Environment::Regtest, found: Environment::Production };
    assert_eq!(refusal(|expected| expected.environment = Environment::Regtest), Some(wrong));
    let chain = expected().chain_id;
    let other = "00".repeat(32);
    let wrong = Refusal::WrongChain { expected: other.clone(), found: chain };
    assert_eq!(refusal(|expected| expected.chain_id = other), Some(wrong));
}

#[test]
fn the_last_day_itself_is_good_and_the_next_is_not() {
    let last_day = day("2027-03-01");
    assert_eq!(refusal(|expected| expected.today = last_day), None);
    let today = last_day.plus_days(1);
    assert_eq!(refusal(|expected| expected.today = today), Some(Refusal::PastLastDay { last_day, today }));
}

#[test]
fn an_epoch_that_was_withdrawn() {
    assert_eq!(refusal(|expected| expected.epoch_floor = 2), None);
    assert_eq!(refusal(|expected| expected.epoch_floor = 4), Some(Refusal::EpochBelowFloor { found: 3, floor: 4 }));
}

#[test]
fn a_key_that_is_not_the_owners() {
    let stranger = first(&file_under(&key(9), terms(), 1));
    let refused = Refusal::UnknownKey { found: public(9).fingerprint() };
    assert_eq!(check_record(&stranger, &expected(), &trusted()).err(), Some(refused));
    // The stranger names the owner's key over his own signatures.
    let mut dressed_up = stranger;
    dressed_up.header.key = public(1).fingerprint();
    assert_eq!(check_record(&dressed_up, &expected(), &trusted()).err(), Some(Refusal::BadSignature));
}

#[test]
fn the_next_key_is_recognised_and_retires_the_current_one() {
    let both = TrustedKeys::new(public(1), Some(public(2)));
    let (old, new) = (first(&file(1)), first(&file_under(&key(2), terms(), 1)));
    assert_eq!(check_record(&new, &expected(), &both).unwrap().key_role(), KeyRole::Next);
    assert_eq!(check_record(&old, &expected(), &both).unwrap().key_role(), KeyRole::Current);
    let after = both.current_retired();
    assert!(check_record(&new, &expected(), &after).is_ok());
    let refused = Refusal::UnknownKey { found: public(1).fingerprint() };
    assert_eq!(check_record(&old, &expected(), &after).err(), Some(refused));
}

/// What the check says to a record that the owner's own key signed, on a machine whose program was patched to check nothing.
fn refusal_of_signed(change: impl FnOnce(&mut SignedRecord)) -> Option<Refusal> {
    let mut record = first(&file(1));
    change(&mut record);
    sign_anyway(&mut record, 1);
    check_record(&record, &expected(), &trusted()).err()
}

#[test]
fn a_record_that_would_outlive_90_days() {
    let (signed_on, last_day) = (day("2026-12-01"), day("2027-03-02"));
    let too_long = Refusal::ValidTooLong { signed_on, last_day };
    assert_eq!(refusal_of_signed(|record| record.header.last_day = last_day), Some(too_long.clone()));
    let signing = sign_file(&key(1), Terms { last_day, ..terms() }, &[address(1)]);
    assert_eq!(signing.err(), Some(SignError::Refused(too_long)));
    let backwards = sign_file(&key(1), Terms { last_day: day("2026-11-30"), ..terms() }, &[address(1)]);
    assert!(matches!(backwards, Err(SignError::Refused(Refusal::BadFormat { .. }))));
}

#[test]
fn what_the_owners_key_should_never_have_signed_is_refused_all_the_same() {
    assert_eq!(refusal_of_signed(|_| ()), None);
    let bitcoin =
        |record: &mut SignedRecord| record.record.address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4".into();
    let wrong = Refusal::BadAddress(AddressError::WrongPrefix { expected: "ltc" });
    assert_eq!(refusal_of_signed(bitcoin), Some(wrong));
    let upper = |record: &mut SignedRecord| record.record.address = record.record.address.to_uppercase();
    assert_eq!(refusal_of_signed(upper), Some(Refusal::BadAddress(AddressError::NotLowerCase)));
    assert_eq!(refusal_of_signed(|record| record.header.format = 2), Some(Refusal::UnknownFormat { found: 2 }));
    let contract = || Token { method: domain::Method::UsdtEthereum, contract: "0x0".into(), decimals: 6 };
    let contradictions: [fn(&mut SignedRecord); 5] = [
        |record| record.record.index = 101,
        |record| record.record.index = 99,
        |record| record.header.count = 0,
        |record| record.header.first_index = u32::MAX,
        |record| record.header.last_day = "2026-11-30".parse().unwrap(),
    ];
    for contradiction in contradictions {
        assert!(matches!(refusal_of_signed(contradiction), Some(Refusal::BadFormat { .. })));
    }
    let with_token = refusal_of_signed(|record| record.header.tokens.push(contract()));
    assert!(matches!(with_token, Some(Refusal::BadFormat { .. })));
}

#[test]
fn what_every_check_would_refuse_is_not_signed() {
    let bitcoin = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4".to_string();
    let refused = SignError::Refused(Refusal::BadAddress(AddressError::WrongPrefix { expected: "ltc" }));
    assert_eq!(sign_file(&key(1), terms(), &[bitcoin]).err(), Some(refused));
    let method = domain::Method::UsdtTron;
    let tokens = vec![Token { method, contract: "T".into(), decimals: 6 }];
    assert!(sign_file(&key(1), Terms { tokens, ..terms() }, &[address(1)]).is_err());
    assert!(sign_file(&key(1), terms(), &[]).is_err());
    assert!(sign_file(&key(1), Terms { first_index: 1 << 31, ..terms() }, &[address(1)]).is_err());
}

#[test]
fn a_record_of_a_later_format_says_so() {
    let line = first(&file(1)).to_line().unwrap().replace("\"format\":1", "\"format\":2,\"new\":true");
    assert_eq!(manifest::SignedRecord::from_line(&line).err(), Some(Refusal::UnknownFormat { found: 2 }));
}

#[test]
fn unknown_and_doubled_fields_are_refused() {
    let line = first(&file(1)).to_line().unwrap();
    let read = |line: &str| manifest::SignedRecord::from_line(line).err();
    assert_eq!(read(&line), None);
    for changed in [
        line.replacen("\"index\":", "\"memo\":1,\"index\":", 1),
        line.replacen("\"index\":100", "\"index\":100,\"index\":100", 1),
        line.replacen("\"index\":100", "\"index\":100.0", 1),
        line.replacen("\"index\":100", "\"index\":\"100\"", 1),
        line.replacen("\"epoch\":3,", "", 1),
        format!("{line}{line}"),
        format!("{line}{}", " ".repeat(9000)),
    ] {
        assert!(matches!(read(&changed), Some(Refusal::BadFormat { .. })), "{changed}");
    }
}

#[cfg(not(feature = "test-networks"))]
#[test]
fn a_production_build_does_not_know_the_test_environments() {
    for environment in [Environment::Sandbox, Environment::Regtest] {
        let refused = Refusal::UnknownEnvironment { environment };
        assert_eq!(Expectations::new(environment, NETWORK, day("2026-12-01"), 0).err(), Some(refused.clone()));
        let signing = sign_file(&key(1), Terms { environment, ..terms() }, &[address(1)]);
        assert_eq!(signing.err(), Some(SignError::Refused(refused)));
    }
}

/// The production build's own refusal of a genuine regtest record, which a build with test networks signed under a trusted key.
#[cfg(not(feature = "test-networks"))]
#[test]
fn a_genuine_record_of_regtest_is_refused_by_a_production_build() {
    let line = include_str!("../fixtures/regtest_record.json").trim_end();
    let record = manifest::SignedRecord::from_line(line).unwrap();
    let refused = Refusal::UnknownEnvironment { environment: Environment::Regtest };
    assert_eq!(check_record(&record, &expected(), &trusted()).err(), Some(refused));
}
