//! Registration, sign-in, passwords, and sign-ins that end.

use api::ErrorCode;
use api::server::*;
use domain::time::{DAY_MICROS, SECOND_MICROS};
use server::testing::PASSWORD;

use crate::support::*;

/// As a password manager makes them: neither a repetition nor a sequence.
fn random_like(chars: usize) -> String {
    (0u32..).map(|index| char::from(b'!' + u8::try_from(index * index * 31 % 89).unwrap())).take(chars).collect()
}

fn field(reason: &str) -> ErrorCode {
    ErrorCode::FieldRefused { field: "password".into(), reason: reason.into() }
}

fn passwords_of_14_and_129_characters_are_refused_15_and_128_are_taken(engine: Engine) {
    let server = start(engine);
    let attempt = |chars: usize| {
        let request = registration(&format!("p{chars}@example.com"), &random_like(chars));
        server.call::<Register>(None, &request).map(|_| ()).map_err(|refused| refused.error)
    };
    assert_eq!(attempt(14), Err(field("too_short")));
    assert_eq!(attempt(15), Ok(()));
    assert_eq!(attempt(128), Ok(()));
    assert_eq!(attempt(129), Err(field("too_long")));
    let weak = registration("weak@example.com", "novembernovember1987");
    assert!(matches!(server.call::<Register>(None, &weak), Err(refused) if refused.status == 422));
}

fn a_second_registration_is_refused_and_never_reaches_the_first_account(engine: Engine) {
    let server = start(engine);
    let first = register(&server, "maria@example.com");
    let again = registration("MARIA@example.com", "eleven yellow llamas");
    let refused = server.call::<Register>(None, &again).err().unwrap();
    assert_eq!((refused.status, refused.error), (409, ErrorCode::RegistrationRefused));
    assert_eq!(sign_in(&server, "maria@example.com", "eleven yellow llamas").err().unwrap().status, 401);
    let same = sign_in(&server, "Maria@Example.com", PASSWORD).unwrap();
    assert_eq!(same.account_id, first.account_id);
}

fn a_wrong_password_and_an_unknown_email_are_answered_alike(engine: Engine) {
    let server = start(engine);
    register(&server, "maria@example.com");
    let wrong = sign_in(&server, "maria@example.com", "eleven yellow llamas").err().unwrap();
    let unknown = sign_in(&server, "nobody@example.com", "eleven yellow llamas").err().unwrap();
    assert_eq!(wrong, unknown);
    assert_eq!(wrong.error, ErrorCode::WrongCredentials);
}

fn guessing_is_slowed_down_without_locking_the_name_for_others(engine: Engine) {
    let server = start_with(engine, |parts| parts.serving.forwarded_hops = 1);
    register(&server, "maria@example.com");
    let body = |password: &str| {
        let request = SignInRequest {
            email: "maria@example.com".into(),
            password: password.into(),
            authenticator_code: None,
            device_name: "test".into(),
        };
        serde_json::to_string(&request).unwrap()
    };
    let from = |network: &str, password: &str| {
        let request = server.client().post(format!("{}/v1/sign_in", server.url())).header("x-forwarded-for", network);
        request.body(body(password)).send().unwrap()
    };
    for _ in 0..10 {
        assert_eq!(from("198.51.100.1", "eleven yellow llamas").status().as_u16(), 401);
    }
    let slowed = from("198.51.100.1", PASSWORD);
    assert_eq!(slowed.status().as_u16(), 429);
    assert!(slowed.headers().contains_key("retry-after"));
    assert_eq!(from("203.0.113.1", PASSWORD).status().as_u16(), 200);
    server.advance_seconds(16 * 60);
    assert_eq!(from("198.51.100.1", PASSWORD).status().as_u16(), 200);
}

fn a_sign_in_ends_when_it_is_not_used_for_thirty_days_and_use_moves_the_end(engine: Engine) {
    let server = start(engine);
    let maria = register(&server, "maria@example.com");
    let pull =
        || server.call::<Sync>(Some(&maria.token), &SyncRequest { cursor: None }).map_err(|refused| refused.error);
    let day = DAY_MICROS / SECOND_MICROS;
    server.advance_seconds(29 * day);
    assert!(pull().is_ok());
    server.advance_seconds(29 * day);
    assert!(pull().is_ok());
    server.advance_seconds(31 * day);
    assert_eq!(pull(), Err(ErrorCode::SignInExpired));
}

fn signing_out_ends_this_sign_in_only(engine: Engine) {
    let server = start(engine);
    let first = register(&server, "maria@example.com");
    let second = sign_in(&server, "maria@example.com", PASSWORD).unwrap();
    server.call::<SignOut>(Some(&first.token), &Nothing {}).unwrap();
    let pull =
        |token: &str| server.call::<Sync>(Some(token), &SyncRequest { cursor: None }).map_err(|refused| refused.error);
    assert_eq!(pull(&first.token), Err(ErrorCode::SignInExpired));
    assert!(pull(&second.token).is_ok());
    assert_eq!(pull(&"0".repeat(64)), Err(ErrorCode::NotSignedIn));
    assert_eq!(pull("x"), Err(ErrorCode::NotSignedIn));
}

fn a_changed_password_needs_the_old_one_and_ends_every_other_sign_in(engine: Engine) {
    let server = start(engine);
    let here = register(&server, "maria@example.com");
    let elsewhere = sign_in(&server, "maria@example.com", PASSWORD).unwrap();
    let change = |old: &str, new: &str| {
        let request =
            ChangePasswordRequest { old_password: old.into(), new_password: new.into(), authenticator_code: None };
        server.call::<ChangePassword>(Some(&here.token), &request).map(|_| ()).map_err(|refused| refused.error)
    };
    assert_eq!(change("twelve orange llamas", "eleven yellow llamas"), Err(ErrorCode::WrongCredentials));
    let short = change(PASSWORD, "short");
    assert_eq!(short, Err(ErrorCode::FieldRefused { field: "new_password".into(), reason: "too_short".into() }));
    assert_eq!(change(PASSWORD, "eleven yellow llamas"), Ok(()));
    let pull =
        |token: &str| server.call::<Sync>(Some(token), &SyncRequest { cursor: None }).map_err(|refused| refused.error);
    assert!(pull(&here.token).is_ok());
    assert_eq!(pull(&elsewhere.token), Err(ErrorCode::SignInExpired));
    assert!(sign_in(&server, "maria@example.com", PASSWORD).is_err());
    assert!(sign_in(&server, "maria@example.com", "eleven yellow llamas").is_ok());
}

fn an_operator_needs_a_code_and_each_code_is_good_once(engine: Engine) {
    let server = start(engine);
    let operator = server.operator("olga@example.com", Role::Treasury);
    let without = sign_in(&server, "olga@example.com", &operator.password).err().unwrap();
    assert_eq!(without.error, ErrorCode::AuthenticatorCodeNeeded);
    let wrong_password = sign_in(&server, "olga@example.com", PASSWORD).err().unwrap();
    assert_eq!(wrong_password.error, ErrorCode::WrongCredentials);
    assert_eq!(server.sign_in_operator(&operator).unwrap().role, Role::Treasury);
    assert_eq!(server.sign_in_operator(&operator).err().unwrap().error, ErrorCode::WrongCredentials);
    server.advance_seconds(30);
    let signed_in = server.sign_in_operator(&operator).unwrap();
    assert_eq!((signed_in.first_name.as_str(), signed_in.last_name.as_str()), ("Olga", "Operator"));
    let admin = server.operator("ana@example.com", Role::Administrator);
    let admin = server.sign_in_operator(&admin).unwrap();
    let list = ListRequest { list: "all".into(), search: String::new(), cursor: None };
    let log = server.call::<Audit>(Some(&admin.token), &list).unwrap();
    assert!(log.verified);
    let count = |action: &str, actor: &str| {
        log.entries.iter().filter(|entry| entry.action == action && entry.actor == actor).count()
    };
    assert_eq!(count("signed_in", &signed_in.account_id), 2);
    assert_eq!(count("operator_added", "command-line"), 2);
}

fn a_blocked_account_is_let_in_nowhere(engine: Engine) {
    let server = start(engine);
    let maria = register(&server, "maria@example.com");
    let id = maria.account_id.clone();
    let block = "UPDATE account SET status = 'blocked' WHERE id = $1";
    server.app().store.write(move |tx| tx.execute(block, store::params![&id])).unwrap();
    let pull = server.call::<Sync>(Some(&maria.token), &SyncRequest { cursor: None });
    assert_eq!(pull.err().unwrap().error, ErrorCode::Forbidden);
    assert_eq!(sign_in(&server, "maria@example.com", PASSWORD).err().unwrap().error, ErrorCode::WrongCredentials);
}

on_both_engines![
    passwords_of_14_and_129_characters_are_refused_15_and_128_are_taken,
    a_second_registration_is_refused_and_never_reaches_the_first_account,
    a_wrong_password_and_an_unknown_email_are_answered_alike,
    guessing_is_slowed_down_without_locking_the_name_for_others,
    a_sign_in_ends_when_it_is_not_used_for_thirty_days_and_use_moves_the_end,
    signing_out_ends_this_sign_in_only,
    a_changed_password_needs_the_old_one_and_ends_every_other_sign_in,
    an_operator_needs_a_code_and_each_code_is_good_once,
    a_blocked_account_is_let_in_nowhere,
];
