//! A wrong address here is every customer's money gone: addresses are compared with those of independent wallets.

use serde::Deserialize;

use crate::support::*;

#[derive(Deserialize)]
struct Accounts {
    words: String,
    rows: Vec<Account>,
}

#[derive(Deserialize)]
struct Account {
    chain: String,
    account_path: String,
    account_keys: Vec<String>,
    receive: Vec<String>,
}

#[derive(Deserialize)]
struct Words {
    rows: Vec<WordsRow>,
}

#[derive(Deserialize)]
struct WordsRow {
    words: String,
    passphrase: String,
    chain: String,
    receive: Vec<String>,
}

fn accounts() -> Accounts {
    serde_json::from_str(include_str!("../fixtures/bip84.json")).unwrap()
}

fn expected(account: &Account, from: usize) -> Vec<Derived> {
    let row = |(index, address): (usize, &String)| Derived {
        index: u32::try_from(index).unwrap(),
        path: format!("{}/0/{index}", account.account_path),
        address: address.clone(),
    };
    account.receive.iter().enumerate().skip(from).map(row).collect()
}

#[test]
fn account_keys_give_the_addresses_that_wallets_give() {
    let accounts = accounts();
    assert_eq!(accounts.rows.len(), 6);
    for account in &accounts.rows {
        for key in &account.account_keys {
            for from in [0, 2] {
                let count = account.receive.len() - from;
                let found = derive(&account.chain, &["--account", key], u32::try_from(from).unwrap(), count, "");
                assert_eq!(found, expected(account, from), "{} {key}", account.chain);
            }
        }
    }
}

#[test]
fn words_give_the_addresses_that_wallets_give() {
    let accounts = accounts();
    for account in &accounts.rows {
        let input = format!("{}\n", accounts.words);
        let found = derive(&account.chain, &["--words", "-"], 0, account.receive.len(), &input);
        assert_eq!(found, expected(account, 0), "{}", account.chain);
    }
}

#[test]
fn a_passphrase_gives_its_own_addresses_also_with_letters_beyond_ascii() {
    let words: Words = serde_json::from_str(include_str!("../fixtures/words.json")).unwrap();
    assert!(words.rows.len() >= 24);
    for row in &words.rows {
        let input = format!("{}\n{}\n", row.words, row.passphrase);
        let found = derive(&row.chain, &["--words", "-", "--passphrase"], 0, row.receive.len(), &input);
        let addresses: Vec<String> = found.into_iter().map(|derived| derived.address).collect();
        assert_eq!(addresses, row.receive, "{} {:?}", row.chain, row.passphrase);
    }
}

#[test]
fn words_with_a_mistake_give_no_address_and_are_not_repeated() {
    let good = accounts().words;
    let cases = [
        (good.replace("about", "abandon"), "checksum"),
        (good.replace("about", "abouts"), "word 12 is not in the English list"),
        (good.replace(" about", ""), "11 words"),
        (String::new(), "0 words"),
    ];
    for (words, sentence) in cases {
        let answer = keytool(&["derive", "--network", "litecoin", "--words", "-"], &format!("{words}\n"));
        assert!(!answer.good && answer.error.contains(sentence), "{answer:?}");
        assert!(!answer.error.contains("abandon") && answer.output.is_empty(), "{answer:?}");
    }
    let on_command_line = keytool(&["derive", "--network", "litecoin", "--words", &good], "");
    assert!(!on_command_line.good && on_command_line.error.contains("standard input only"), "{on_command_line:?}");
    assert!(!on_command_line.error.contains("abandon"));
}

#[test]
fn indexes_that_a_public_key_cannot_derive_are_refused() {
    for (from, count) in [("2147483647", "2"), ("4294967295", "2"), ("0", "0"), ("0", "50001")] {
        let args = ["derive", "--network", "litecoin", "--account", LITECOIN_ZPUB, "--from", from, "--count", count];
        assert!(!keytool(&args, "").good, "{from} {count}");
    }
    assert_eq!(derive("litecoin", &["--account", LITECOIN_ZPUB], 2_147_483_647, 1, "").len(), 1);
}

/// What people read without `--json` is the same address.
#[test]
fn the_list_for_people_holds_the_same_addresses() {
    let answer = keytool(&["derive", "--network", "litecoin", "--account", LITECOIN_ZPUB], "");
    let derived = derive("litecoin", &["--account", LITECOIN_ZPUB], 0, 3, "");
    assert_eq!(answer.output.lines().count(), 3);
    for (line, Derived { address, path, .. }) in answer.output.lines().zip(derived) {
        assert!(line.contains(&path) && line.ends_with(&address), "{line}");
    }
}
