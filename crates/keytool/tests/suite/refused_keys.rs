//! Keys that would send customers' money where the operator's wallet doesn't look, or that should never have been shown to a
//! program. Each is refused with a sentence that says why, and without repeating the key.

use serde::Deserialize;

use crate::support::*;

#[derive(Deserialize)]
struct Refused {
    keys: Vec<RefusedKey>,
}

#[derive(Deserialize)]
struct RefusedKey {
    prefix: String,
    key: String,
}

/// What the sentence must name.
fn reason(prefix: &str) -> &'static str {
    match prefix {
        "Ypub" | "Zpub" | "Upub" | "Vpub" => "multisig",
        "ypub" | "upub" | "Mtub" => "P2SH-segwit",
        "Ltub" | "ttub" => "legacy",
        _ => "private key",
    }
}

fn refusal(chain: &str, key: &str) -> String {
    let answer = keytool(&["derive", "--network", chain, "--account", key, "--json"], "");
    assert!(!answer.good && answer.output.is_empty(), "{chain}: {answer:?}");
    assert!(
        !answer.error.contains(key.get(8..).filter(|rest| !rest.is_empty()).unwrap_or("\u{0}")),
        "{}",
        answer.error
    );
    answer.error
}

#[test]
fn private_multisig_and_other_script_types_are_refused_on_every_network() {
    let refused: Refused = serde_json::from_str(include_str!("../fixtures/refused_keys.json")).unwrap();
    assert_eq!(refused.keys.len(), 22);
    for RefusedKey { prefix, key } in &refused.keys {
        for chain in ["litecoin", "litecoin-regtest", "bitcoin", "bitcoin-regtest"] {
            let sentence = refusal(chain, key);
            assert!(sentence.contains(reason(prefix)) && sentence.contains(prefix), "{sentence}");
        }
    }
}

#[test]
fn a_damaged_private_key_is_still_called_private() {
    assert!(refusal("litecoin", "zprvAeQSgFiAHcXKa1gcktyukXyGa").contains("private key"));
}

#[test]
fn keys_of_the_other_kind_of_network_are_refused() {
    let main = refusal("litecoin-regtest", LITECOIN_ZPUB);
    assert!(main.contains("main networks") && main.contains("vpub or tpub"), "{main}");
    let test = refusal("litecoin", TEST_VPUB);
    assert!(test.contains("test networks") && test.contains("zpub or xpub"), "{test}");
}

#[test]
fn typing_mistakes_are_named_for_what_they_are() {
    let cut = &LITECOIN_ZPUB[..LITECOIN_ZPUB.len() - 6];
    assert!(refusal("litecoin", cut).contains("cut off"));
    let wrong = LITECOIN_ZPUB.replace("6swA", "6swB");
    assert!(refusal("litecoin", &wrong).contains("checksum"));
    let zero = LITECOIN_ZPUB.replacen("6rPo", "6rP0", 1);
    assert!(refusal("litecoin", &zero).contains("position 8"));
    for text in ["", "hello", "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh", "zpu"] {
        assert!(refusal("litecoin", text).contains("zpub or xpub"), "{text}");
    }
    assert!(refusal("litecoin", "zpub").contains("cut off"));
}

/// Any single changed character is caught: base58's checksum, nothing of it lost on the way.
#[test]
fn no_single_wrong_character_is_taken() {
    let chain = kernodeck_keytool::Chain::Litecoin;
    assert!(kernodeck_keytool::AccountKey::parse(LITECOIN_ZPUB, chain).is_ok());
    for at in 0..LITECOIN_ZPUB.len() {
        for other in ["1", "A", "m", "z"] {
            let mut changed = LITECOIN_ZPUB.to_string();
            changed.replace_range(at..=at, other);
            let parsed = kernodeck_keytool::AccountKey::parse(&changed, chain);
            assert_eq!(parsed.is_ok(), changed == LITECOIN_ZPUB, "{changed}");
        }
    }
}

/// The wallet's payload with other bytes in places, under a right checksum.
fn rewritten(change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = bs58::decode(LITECOIN_ZPUB).with_check(None).into_vec().unwrap();
    change(&mut bytes);
    bs58::encode(bytes).with_check().into_string()
}

#[test]
fn keys_that_are_no_account_keys_are_refused() {
    for depth in [0, 1, 2, 4, 5, 255] {
        let sentence = refusal("litecoin", &rewritten(|bytes| bytes[4] = depth));
        assert!(sentence.contains(&format!("depth {depth}")), "{sentence}");
    }
    assert!(refusal("litecoin", &rewritten(|bytes| bytes[9] = 0)).contains("not hardened"));
    assert!(refusal("litecoin", &rewritten(|bytes| bytes[45] = 5)).contains("no valid public key"));
    // x = 5 lies on no point of secp256k1.
    let off_curve = rewritten(|bytes| {
        bytes[46..].fill(0);
        bytes[77] = 5;
    });
    assert!(refusal("litecoin", &off_curve).contains("no valid public key"));
    let mut longer = bs58::decode(LITECOIN_ZPUB).with_check(None).into_vec().unwrap();
    longer.insert(78, 0);
    let longer = bs58::encode(longer).with_check().into_string();
    assert!(!keytool(&["derive", "--network", "litecoin", "--account", &longer], "").good);
}
