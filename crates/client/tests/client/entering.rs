//! Signing in: whose files open, with which password, and what an ended sign-in leaves.

use api::ErrorCode;
use api::host::{ChangePasswordForm, Host, PasswordCheckRequest, SignInEnd};
use api::server::{Nothing, PaymentRequest, Role};
use testkit::proxy::{Harm, HarmfulProxy};

use crate::sale::{pay, two_lots};
use crate::support::{PASSWORD, Stub, desktop, listing, register_form, sign_in_form};

#[test]
fn passwords_of_14_15_128_and_129_code_points() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let desktop = desktop(folder.path(), &stub.url());
    let check = |password: String| {
        let email = "ada@example.com".into();
        let check = desktop.check_password(&(), PasswordCheckRequest { password, email }).unwrap();
        (check.code_points, check.refused)
    };
    let mixed = |count: usize| {
        "qZ7#wé9!kR2$mB5^tX"
            .chars()
            .cycle()
            .zip(0..)
            .map(|(c, at)| if at % 18 == 17 { char::from(b'a' + (at / 18) as u8) } else { c })
            .take(count)
            .collect::<String>()
    };
    assert_eq!(check(mixed(14)), (14, Some("too_short".into())));
    assert_eq!(check(mixed(15)), (15, None));
    assert_eq!(check(mixed(129)), (129, Some("too_long".into())));
    assert_eq!(check(mixed(128)).0, 128);
    assert_ne!(check(mixed(128)).1, Some("too_long".into()));
}

#[test]
fn an_ended_sign_in_keeps_what_is_held_and_what_is_unsent() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let proxy = HarmfulProxy::start(stub.address()).unwrap();
    let desktop = desktop(folder.path(), &format!("http://{}", proxy.address()));
    desktop.register(&(), register_form("ada@example.com")).unwrap();
    let order = desktop.place_order(&(), two_lots()).unwrap();
    let payment_id = desktop.create_payment(&(), pay(&order)).unwrap().payment.id;
    proxy.set(Harm::CutAfter(0));
    desktop.notice(&(), PaymentRequest { payment_id: payment_id.clone() }).unwrap();
    // The cut try reached the server: the word is there, but this device does not know.
    proxy.set(Harm::None);
    stub.state().tokens.clear();
    let session = desktop.refresh(&(), Nothing {}).unwrap();
    assert_eq!((session.sign_in_ended, session.unsent), (Some(SignInEnd::Expired), 1));
    assert_eq!(desktop.orders(&(), Nothing {}).unwrap().orders.len(), 1, "what is held stays readable");
    let session = desktop.sign_in(&(), sign_in_form("ada@example.com", PASSWORD)).unwrap();
    assert_eq!((session.sign_in_ended, session.unsent), (None, 0));
    assert_eq!(stub.state().notices[&payment_id], 1);
}

#[test]
fn after_a_changed_password_only_the_new_one_opens_the_files() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let proxy = HarmfulProxy::start(stub.address()).unwrap();
    let url = format!("http://{}", proxy.address());
    let program = desktop(folder.path(), &url);
    program.register(&(), register_form("ada@example.com")).unwrap();
    let change = |old: &str, new: &str| {
        program.change_password(
            &(),
            ChangePasswordForm { old_password: old.into(), new_password: new.into(), authenticator_code: None },
        )
    };
    let new = "eighteen quiet lamps";
    assert_eq!(change("not the old password", new).unwrap_err().error, ErrorCode::WrongCredentials);
    change(PASSWORD, new).unwrap();
    drop(program);
    drop(proxy);
    let program = desktop(folder.path(), &url);
    assert!(program.sign_in(&(), sign_in_form("ada@example.com", PASSWORD)).is_err());
    assert!(program.sign_in(&(), sign_in_form("bob@example.com", new)).is_err(), "the files are Ada's");
    program.sign_in(&(), sign_in_form("ada@example.com", new)).unwrap();
}

#[test]
fn a_password_changed_elsewhere_begins_the_files_anew_instead_of_locking_out() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let program = desktop(folder.path(), &stub.url());
    program.register(&(), register_form("ada@example.com")).unwrap();
    program.place_order(&(), two_lots()).unwrap();
    drop(program);
    let new = "eighteen quiet lamps";
    stub.state().accounts.get_mut("ada@example.com").unwrap().1 = new.into();
    let program = desktop(folder.path(), &stub.url());
    program.sign_in(&(), sign_in_form("ada@example.com", new)).unwrap();
    assert_eq!(program.orders(&(), Nothing {}).unwrap().orders.len(), 1, "fetched again");
}

#[test]
fn two_people_on_one_device_never_see_each_other() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let desktop = desktop(folder.path(), &stub.url());
    desktop.register(&(), register_form("ada@example.com")).unwrap();
    desktop.place_order(&(), two_lots()).unwrap();
    let second = desktop.register(&(), register_form("bob@example.com")).unwrap_err();
    assert!(matches!(second.error, ErrorCode::BadRequest { .. }), "Ada signs out first");
    stub.state().tokens.clear();
    desktop.refresh(&(), Nothing {}).unwrap();
    desktop.register(&(), register_form("bob@example.com")).unwrap();
    assert!(desktop.orders(&(), Nothing {}).unwrap().orders.is_empty());
    let folders = listing(&folder.path().join("accounts"));
    assert_eq!(folders.iter().filter(|name| !name.contains('/')).count(), 2);
    assert!(folders.iter().all(|name| !name.contains("ada") && !name.contains("account-")), "{folders:?}");
}

#[test]
fn an_operator_signs_in_without_a_customers_files_or_commands() {
    let (stub, folder) = (Stub::start(), tempfile::tempdir().unwrap());
    let operator = ("account-9".to_owned(), PASSWORD.to_owned(), Some(Role::Fulfilment));
    stub.state().accounts.insert("op@example.com".into(), operator);
    let desktop = desktop(folder.path(), &stub.url());
    let session = desktop.sign_in(&(), sign_in_form("op@example.com", PASSWORD)).unwrap();
    assert_eq!(session.role, Some(Role::Fulfilment));
    let account = session.account.unwrap();
    // No sync tells an operator's name: the sign-in must.
    assert_eq!((account.first_name.as_str(), account.last_name.as_str()), ("Ada", "Nunes"));
    assert_eq!(account.email, "op@example.com");
    assert_eq!(desktop.orders(&(), Nothing {}).unwrap_err().error, ErrorCode::Forbidden);
    assert_eq!(stub.calls("sync"), 0);
}
