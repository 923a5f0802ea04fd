//! What a person would lose: a word that was given, or the promise that it is given once.

use api::host::SignInEnd;
use api::server::Role;
use api::views::AccountView;
use api::wire::{Instant, Usd};
use domain::time::SECOND_MICROS;

use super::*;

const NOW: Timestamp = Timestamp::from_seconds(1_796_133_787);

fn open(folder: &Path, now: Timestamp) -> Outbox {
    Outbox::open(folder, &AccountKey::from_bytes([1; 32]), now).unwrap()
}

fn sign_in(token: &str) -> SignIn {
    let profile = AccountView {
        id: "a".into(),
        first_name: String::new(),
        last_name: String::new(),
        email: "ada@example.com".into(),
        created_at: Instant(NOW),
        balance: Usd::default(),
        receivable: Usd::default(),
    };
    let (account_id, email, token) = ("a".into(), "ada@example.com".into(), token.to_owned());
    SignIn { account_id, role: Role::Customer, token, renew_at: NOW, email, profile, ended: None }
}

fn body(id: &str) -> String {
    format!("{{\"command_id\":\"{id}\"}}")
}

#[test]
fn the_same_request_keeps_its_id_over_restarts_until_its_outcome_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let mut outbox = open(folder.path(), NOW);
    let first = outbox.save("place_order", "two lots", Kept::ByThePerson, (NOW, NOW), body).unwrap();
    assert_eq!(first.body, body(&first.id));
    drop(outbox);
    let mut outbox = open(folder.path(), NOW);
    let again = outbox.save("place_order", "two lots", Kept::ByThePerson, (NOW, NOW), body).unwrap();
    assert_eq!(again.id, first.id);
    let other = outbox.save("place_order", "three lots", Kept::ByThePerson, (NOW, NOW), body).unwrap();
    assert_ne!(other.id, first.id);
    outbox.done(&first.id).unwrap();
    let next = outbox.save("place_order", "two lots", Kept::ByThePerson, (NOW, NOW), body).unwrap();
    assert_ne!(next.id, first.id, "a second order of the same kind is a second order");
}

#[test]
fn nothing_is_ordered_or_paid_behind_anybodys_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut outbox = open(folder.path(), NOW);
    outbox.save("place_order", "two lots", Kept::ByThePerson, (NOW, NOW), body).unwrap();
    let notice = outbox.save("notice", "payment 1", Kept::ByItself, (NOW, NOW), body).unwrap();
    assert_eq!(outbox.due(NOW).unwrap().iter().map(|command| &command.id).collect::<Vec<_>>(), [&notice.id]);
    assert_eq!(outbox.unsent().unwrap(), 1);
    drop(outbox);
    let day_later = NOW.plus_micros(25 * HOUR_MICROS);
    let outbox = open(folder.path(), day_later);
    assert!(outbox.find("place_order", "two lots").unwrap().is_none(), "its price no longer stands");
    assert_eq!(outbox.unsent().unwrap(), 1, "a notice is kept however old it is");
}

#[test]
fn tries_wait_longer_and_longer_but_never_over_five_minutes() {
    let folder = tempfile::tempdir().unwrap();
    let mut outbox = open(folder.path(), NOW);
    outbox.save("notice", "payment 1", Kept::ByItself, (NOW, NOW), body).unwrap();
    let mut waits = Vec::new();
    let mut now = NOW;
    for _ in 0..12 {
        let command = outbox.due(now).unwrap().remove(0);
        outbox.failed(&command, "the line is cut", now).unwrap();
        let mut wait = 0;
        while outbox.due(now.plus_micros(wait * SECOND_MICROS)).unwrap().is_empty() {
            wait += 1;
        }
        waits.push(wait);
        now = now.plus_micros(wait * SECOND_MICROS);
    }
    assert_eq!(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    let command = outbox.due(now).unwrap().remove(0);
    assert_eq!((command.attempts, command.last_error.as_deref()), (12, Some("the line is cut")));
    outbox.failed(&command, "again", now).unwrap();
    assert!(outbox.due(now).unwrap().is_empty());
    outbox.wake().unwrap();
    assert_eq!(outbox.due(now).unwrap().len(), 1);
}

#[test]
fn what_was_confirmed_first_stands() {
    let folder = tempfile::tempdir().unwrap();
    let mut outbox = open(folder.path(), NOW);
    let command = outbox.save("create_payment", "x", Kept::ByThePerson, (NOW, NOW), body).unwrap();
    let confirmed = Confirmed { method: Method::LtcLitecoin, total: Cents::new(278_000) };
    outbox.confirm("payment-1", confirmed, &command.id).unwrap();
    outbox.confirm("payment-1", Confirmed { total: Cents::new(1), ..confirmed }, "-").unwrap();
    assert_eq!(outbox.confirmed("payment-1").unwrap(), Some(confirmed));
    assert_eq!(outbox.confirmed("payment-2").unwrap(), None);
    assert!(outbox.find("create_payment", "x").unwrap().is_none());
}

#[test]
fn an_ended_sign_in_is_remembered_and_a_newer_one_is_not_ended_by_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut outbox = open(folder.path(), NOW);
    let sign_in = sign_in("one");
    outbox.keep_sign_in(&sign_in).unwrap();
    assert!(outbox.sign_in().unwrap() == Some(sign_in.clone()));
    outbox.end_sign_in("another", SignInEnd::Copied).unwrap();
    assert_eq!(outbox.sign_in().unwrap().unwrap().ended, None);
    for end in [SignInEnd::Expired, SignInEnd::Copied, SignInEnd::Removed] {
        outbox.end_sign_in("one", end).unwrap();
        assert_eq!(outbox.sign_in().unwrap().unwrap().ended, Some(end));
    }
}

#[test]
fn the_next_token_is_the_same_until_the_server_has_taken_it_and_is_used_only_then() {
    let folder = tempfile::tempdir().unwrap();
    let mut outbox = open(folder.path(), NOW);
    outbox.keep_sign_in(&sign_in("one")).unwrap();
    assert_eq!(outbox.next_token("two").unwrap(), "two");
    drop(outbox);
    let mut outbox = open(folder.path(), NOW);
    assert_eq!(outbox.next_token("other").unwrap(), "two", "asked for again after a kill it is the same");
    assert_eq!(outbox.sign_in().unwrap().unwrap().token, "one", "not used before the server has taken it");
    let later = NOW.plus_micros(SECOND_MICROS);
    outbox.go_on_with("never offered", later).unwrap();
    assert_eq!(outbox.sign_in().unwrap().unwrap().token, "one");
    outbox.go_on_with("two", later).unwrap();
    drop(outbox);
    let mut outbox = open(folder.path(), NOW);
    let held = outbox.sign_in().unwrap().unwrap();
    assert_eq!((held.token.as_str(), held.renew_at), ("two", later));
    assert_eq!(outbox.next_token("three").unwrap(), "three");
    outbox.forget_next_token("three").unwrap();
    assert_eq!(outbox.next_token("four").unwrap(), "four");
    outbox.keep_sign_in(&sign_in("new")).unwrap();
    assert_eq!(outbox.next_token("five").unwrap(), "five", "another sign-in begins without one");
}

#[test]
fn a_commands_id_tells_the_servers_time() {
    let folder = tempfile::tempdir().unwrap();
    let server_now = Timestamp::from_micros(0x019f_0000_0001 * 1_000);
    let saved = open(folder.path(), NOW).save("notice", "x", Kept::ByItself, (NOW, server_now), body).unwrap();
    assert!(saved.id.starts_with("019f0000-0001-7"), "{}", saved.id);
}

#[test]
fn a_wrong_key_leaves_the_outbox_alone() {
    let folder = tempfile::tempdir().unwrap();
    open(folder.path(), NOW).save("notice", "payment 1", Kept::ByItself, (NOW, NOW), body).unwrap();
    assert!(Outbox::open(folder.path(), &AccountKey::from_bytes([2; 32]), NOW).is_err());
    assert_eq!(open(folder.path(), NOW).unsent().unwrap(), 1);
}
