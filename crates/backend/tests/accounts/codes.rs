//! An operator's authenticator: asked again for a new password, and each code is good for one thing.

use api::ErrorCode;

use crate::Case;
use crate::site::Site;
use crate::world::told;

pub const CASES: &[Case] = &[
    ("an_operator_needs_a_code_for_a_new_password", asked),
    ("a_code_is_good_for_one_thing_only", single_use),
    ("a_customer_is_asked_for_no_code", customer),
];

fn asked(site: &mut Site) {
    let id = site.operator("oskar");
    let here = site.sign_in("oskar", &id, "one", Some(site.code())).unwrap();
    site.pass_seconds(60);
    site.sign_in("oskar", &id, "elsewhere", Some(site.code())).unwrap();
    site.pass_seconds(60);
    assert_eq!(told(site.change_password(&here, "oskar", "new", None)), ErrorCode::AuthenticatorCodeNeeded);
    assert_eq!(told(site.change_password(&here, "oskar", "new", Some("000000".into()))), ErrorCode::WrongCredentials);
    assert!(site.ask("elsewhere").is_ok(), "a refused change ends nothing");
    site.change_password(&here, "oskar", "new", Some(site.code())).unwrap();
    assert!(site.ask("one").is_ok());
    assert_eq!(site.ask("elsewhere"), Err(ErrorCode::SignInExpired));
    assert_eq!(site.audited("password_changed").len(), 1);
    // The answer was lost and the use case runs again: it finds what it did, and asks for no second code.
    site.change_password(&here, "oskar", "new", Some(site.code())).unwrap();
    assert_eq!(site.audited("password_changed").len(), 1);
}

fn single_use(site: &mut Site) {
    let id = site.operator("oskar");
    let code = Some(site.code());
    let here = site.sign_in("oskar", &id, "one", code.clone()).unwrap();
    let again = site.sign_in("oskar", &id, "two", code.clone());
    assert!(again.is_err(), "a code signed in twice");
    assert_eq!(told(again), ErrorCode::WrongCredentials);
    let changed = site.change_password(&here, "oskar", "new", code);
    assert!(changed.is_err(), "the code of the sign-in changed the password");
    assert_eq!(told(changed), ErrorCode::WrongCredentials);
    site.pass_seconds(30);
    let code = Some(site.code());
    site.change_password(&here, "oskar", "hash of oskar's password once more", code.clone()).unwrap();
    site.pass_seconds(-30);
    // One that was shown before the used one is used up with it.
    let earlier = site.change_password(&here, "oskar", "newer", Some(site.code()));
    assert_eq!(told(earlier), ErrorCode::WrongCredentials);
}

fn customer(site: &mut Site) {
    let ann = site.register("ann", "one");
    site.change_password(&ann, "ann", "new", None).unwrap();
    assert!(site.ask("one").is_ok());
}
