//! Sign-ins that are renewed, and what ends by itself, asked over HTTP while the jobs run.

use api::ErrorCode;
use api::server::*;
use backend::accounts::totp;
use domain::time::{DAY_MICROS, SECOND_MICROS};
use server::testing::{PASSWORD, TestServer};

use crate::support::*;

const DAY_SECONDS: i64 = DAY_MICROS / SECOND_MICROS;

fn pull(server: &TestServer, token: &str) -> Result<(), ErrorCode> {
    let answer = server.call::<Sync>(Some(token), &SyncRequest { cursor: None });
    answer.map(|_| ()).map_err(|refused| refused.error)
}

fn renew(server: &TestServer, token: &str, request: &RenewSignInRequest) -> Result<RenewedSignIn, ErrorCode> {
    server.call::<RenewSignIn>(Some(token), request).map_err(|refused| refused.error)
}

fn a_device_renews_its_sign_in_and_a_copy_of_the_old_token_ends_it(engine: Engine) {
    let server = start(engine);
    let maria = register(&server, "maria@example.com");
    assert!(maria.renew_at.0 > server.clock.now() && maria.renew_at < maria.expires_at);
    let (next, request) = next_token("next");
    assert!(matches!(renew(&server, &maria.token, &request), Err(ErrorCode::Throttled { .. })), "too early");
    server.advance_seconds(DAY_SECONDS);
    // The answer is lost twice: the device asks again, and goes on as before meanwhile.
    for _ in 0..2 {
        let renewed = renew(&server, &maria.token, &request).unwrap();
        assert!(renewed.renew_at.0 > server.clock.now());
        assert_eq!(pull(&server, &maria.token), Ok(()));
    }
    assert_eq!(pull(&server, &next), Ok(()));
    assert_eq!(pull(&server, &maria.token), Ok(()), "what was under way");
    server.advance_seconds(121);
    assert_eq!(pull(&server, &next), Ok(()));
    assert_eq!(pull(&server, &maria.token), Err(ErrorCode::SignInCopied), "the old token came back");
    assert_eq!(pull(&server, &next), Err(ErrorCode::SignInCopied));
    let (status, body) = server.post("sync", Some(&next), "{\"cursor\":null}");
    assert_eq!((status, body.as_str()), (401, r#"{"error":{"code":"sign_in_copied"}}"#));
    assert!(sign_in(&server, "maria@example.com", PASSWORD).is_ok(), "the account itself is not locked");
    let admin = server.operator("ana@example.com", Role::Administrator);
    let admin = server.sign_in_operator(&admin).unwrap();
    let list = ListRequest { list: "all".into(), search: String::new(), cursor: None };
    let log = server.call::<Audit>(Some(&admin.token), &list).unwrap();
    assert!(log.verified);
    let copied: Vec<_> = log.entries.iter().filter(|entry| entry.action == "sign_in_copied").collect();
    assert_eq!((copied.len(), copied[0].actor.as_str()), (1, maria.account_id.as_str()));
}

fn a_next_token_that_can_be_none_is_refused(engine: Engine) {
    let server = start(engine);
    let maria = register(&server, "maria@example.com");
    server.advance_seconds(DAY_SECONDS);
    for next_hash in ["", "00", &"g".repeat(64), &"A".repeat(64), &"0".repeat(63)] {
        let refused = renew(&server, &maria.token, &RenewSignInRequest { next_hash: next_hash.to_owned() });
        let field = ErrorCode::FieldRefused { field: "next_hash".into(), reason: "not_a_hash".into() };
        assert_eq!(refused.err(), Some(field), "{next_hash}");
    }
    assert_eq!(pull(&server, &maria.token), Ok(()));
}

fn an_account_that_did_nothing_is_removed_by_itself_and_one_with_an_order_stays(engine: Engine) {
    let server = start(engine);
    let idle = register(&server, "idle@example.com");
    let customer = register(&server, "customer@example.com");
    let order = place(&server, &customer.token, "b200");
    server.advance_seconds(29 * DAY_SECONDS);
    assert_eq!(pull(&server, &customer.token), Ok(()));
    server.advance_seconds(DAY_SECONDS + 3_600);
    server.until("removed", |server| pull(server, &idle.token) == Err(ErrorCode::AccountRemoved));
    let again = register(&server, "idle@example.com");
    assert_ne!(again.account_id, idle.account_id);
    assert_eq!(pull(&server, &again.token), Ok(()));
    server.advance_seconds(30 * DAY_SECONDS + 3_600);
    server.until("removed too", |server| pull(server, &again.token) == Err(ErrorCode::AccountRemoved));
    assert_eq!(pull(&server, &customer.token), Err(ErrorCode::SignInExpired));
    let back = sign_in(&server, "customer@example.com", PASSWORD).unwrap();
    assert_eq!(back.account_id, customer.account_id);
    assert_eq!(order_of(&server, &back.token, &order.id).reference, order.reference);
}

fn the_periods_that_sign_up_shows_are_those_that_are_kept(engine: Engine) {
    let server = start_with(engine, |parts| parts.policy.limits.retention.ended_session_days = 3);
    let shown = server.call::<Status>(None, &Nothing {}).unwrap().retention_days;
    assert_eq!((shown["ended_session"], shown["idle_account"], shown["ledger"]), (3, 30, 0));
    assert!(!shown.contains_key("log"), "nothing enforces it");
    let maria = register(&server, "maria@example.com");
    server.call::<SignOut>(Some(&maria.token), &Nothing {}).unwrap();
    server.advance_seconds(3 * DAY_SECONDS - 60);
    assert_eq!(pull(&server, &maria.token), Err(ErrorCode::SignInExpired), "still known");
    server.advance_seconds(3_600 + 60);
    server.until("forgotten", |server| pull(server, &maria.token) == Err(ErrorCode::NotSignedIn));
}

fn an_operator_changes_the_password_with_a_code_of_its_own(engine: Engine) {
    let server = start(engine);
    let operator = server.operator("olga@example.com", Role::Treasury);
    let signed_in = server.sign_in_operator(&operator).unwrap();
    let change = |code: Option<String>| {
        let request = ChangePasswordRequest {
            old_password: operator.password.clone(),
            new_password: "eleven yellow llamas".into(),
            authenticator_code: code,
        };
        server.call::<ChangePassword>(Some(&signed_in.token), &request).map(|_| ()).map_err(|refused| refused.error)
    };
    assert_eq!(change(None), Err(ErrorCode::AuthenticatorCodeNeeded));
    let used = totp::code(&operator.secret, server.clock.now());
    assert_eq!(change(used), Err(ErrorCode::WrongCredentials), "the code that signed in is used up");
    server.advance_seconds(60);
    assert_eq!(change(totp::code(&operator.secret, server.clock.now())), Ok(()));
    assert_eq!(pull(&server, &signed_in.token), Ok(()));
}

on_both_engines![
    a_device_renews_its_sign_in_and_a_copy_of_the_old_token_ends_it,
    a_next_token_that_can_be_none_is_refused,
    an_account_that_did_nothing_is_removed_by_itself_and_one_with_an_order_stays,
    the_periods_that_sign_up_shows_are_those_that_are_kept,
    an_operator_changes_the_password_with_a_code_of_its_own,
];
