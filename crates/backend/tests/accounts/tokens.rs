//! One token after another: answers that are lost, programs that are killed, tokens that were stolen.

use api::ErrorCode;

use crate::Case;
use crate::site::Site;

pub const CASES: &[Case] = &[
    ("a_token_is_replaced_and_the_old_one_ends", replaced),
    ("an_answer_that_is_lost_costs_nobody_the_sign_in", lost_answer),
    ("a_program_killed_before_or_after_it_asked_goes_on", killed),
    ("a_stolen_old_token_ends_the_sign_in_for_both", stolen_old),
    ("a_thief_who_renews_first_is_found_by_the_owner", stolen_and_renewed),
    ("two_successors_of_one_token_end_the_sign_in", two_successors),
    ("a_copied_sign_in_leaves_the_other_devices_alone", other_devices),
    ("a_token_is_not_renewed_before_its_age_and_never_by_one_that_is_taken", refused),
    ("a_sign_in_lives_on_by_use_and_not_by_its_token", idle_days),
    ("a_line_that_listens_outlives_its_token", listening),
];

/// Of this sign-in nothing is left, for nobody; and it is in the log once, without contact data.
fn ended_for_both(site: &Site, tokens: &[&str]) {
    for token in tokens {
        assert_eq!(site.ask(token), Err(ErrorCode::SignInCopied), "{token} still opens the account");
    }
    let records = site.audited("sign_in_copied");
    assert_eq!(records.len(), 1, "one record of the copied sign-in");
    assert!(!records[0].data.contains('@') && !records[0].data.contains("ann"), "{}", records[0].data);
}

fn replaced(site: &mut Site) {
    let ann = site.register("ann", "one");
    site.pass_hours(24);
    assert_eq!(site.renew("one", "two"), Ok(()));
    assert_eq!(site.ask("one"), Ok(ann.account_id.clone()), "good until the next one was used");
    assert_eq!(site.ask("two"), Ok(ann.account_id.clone()));
    site.pass_seconds(119);
    assert_eq!(site.ask("one"), Ok(ann.account_id), "what was under way when the next one was used");
    assert!(site.audited("sign_in_copied").is_empty());
    site.pass_seconds(2);
    assert_eq!(site.ask("one"), Err(ErrorCode::SignInCopied), "a replaced token still opens the account");
    ended_for_both(site, &["one", "two"]);
}

/// The server has committed, the device knows nothing of it: it goes on with the old token, for days, and asks again.
fn lost_answer(site: &mut Site) {
    let ann = site.register("ann", "one");
    for day in 1..=20 {
        site.pass_hours(24);
        assert_eq!(site.ask("one"), Ok(ann.account_id.clone()), "day {day}");
        assert_eq!(site.renew("one", "two"), Ok(()), "asked again on day {day}");
    }
    assert_eq!(site.ask("two"), Ok(ann.account_id));
    assert_eq!(site.count("session_token", "1 = 1"), 2);
    assert!(site.audited("sign_in_copied").is_empty());
}

fn killed(site: &mut Site) {
    let ann = site.register("ann", "one");
    // Killed after «two» was saved and before it was asked for: it is asked for at the next start.
    site.pass_days(3);
    assert_eq!(site.ask("two"), Err(ErrorCode::NotSignedIn));
    assert_eq!(site.ask("one"), Ok(ann.account_id.clone()));
    assert_eq!(site.renew("one", "two"), Ok(()));
    // Killed after the switch was saved and before it was used: it is used at the next start.
    site.pass_days(3);
    assert_eq!(site.ask("two"), Ok(ann.account_id.clone()));
    // And on from there, with the next one's answer lost for good: the old one was never given up.
    site.pass_days(1);
    assert_eq!(site.renew("two", "three"), Ok(()));
    site.pass_days(10);
    assert_eq!(site.renew("two", "three"), Ok(()));
    assert_eq!(site.ask("three"), Ok(ann.account_id));
    assert!(site.audited("sign_in_copied").is_empty());
}

fn stolen_old(site: &mut Site) {
    let ann = site.register("ann", "one");
    for (old, next) in [("one", "two"), ("two", "three")] {
        site.pass_days(1);
        assert_eq!(site.renew(old, next), Ok(()));
        assert_eq!(site.ask(next), Ok(ann.account_id.clone()));
    }
    site.pass_days(2);
    // From a backup of the device, say.
    assert_eq!(site.ask("one"), Err(ErrorCode::SignInCopied), "a stolen token still opens the account");
    ended_for_both(site, &["one", "two", "three"]);
    assert_eq!(site.audited("sign_in_copied")[0].subject, ann.session_id);
}

/// The thief is quicker: uses and renews what the owner still has. The owner's next question ends it.
fn stolen_and_renewed(site: &mut Site) {
    site.register("ann", "one");
    site.pass_days(1);
    assert_eq!(site.renew("one", "thief's"), Ok(()));
    assert!(site.ask("thief's").is_ok());
    site.pass_hours(1);
    assert_eq!(site.ask("one"), Err(ErrorCode::SignInCopied), "the owner goes on beside the thief");
    ended_for_both(site, &["one", "thief's"]);
}

/// Both renew the same token, neither has used the next one yet.
fn two_successors(site: &mut Site) {
    site.register("ann", "one");
    site.pass_days(1);
    assert_eq!(site.renew("one", "two"), Ok(()));
    assert_eq!(site.renew("one", "thief's"), Err(ErrorCode::SignInCopied), "two tokens follow one");
    ended_for_both(site, &["one", "two"]);
    assert_eq!(site.ask("thief's"), Err(ErrorCode::NotSignedIn));
}

fn other_devices(site: &mut Site) {
    let ann = site.register("ann", "one");
    let elsewhere = site.sign_in("ann", &ann.account_id, "tablet", None).unwrap();
    site.pass_days(1);
    site.renew("one", "two").unwrap();
    site.ask("two").unwrap();
    site.pass_days(1);
    assert_eq!(site.ask("one"), Err(ErrorCode::SignInCopied));
    assert_eq!(site.ask("tablet"), Ok(elsewhere.account_id));
    site.sign_in("ann", &ann.account_id, "again", None).unwrap();
    assert_eq!(site.ask("again"), Ok(ann.account_id));
    ended_for_both(site, &["one", "two"]);
}

fn refused(site: &mut Site) {
    site.register("ann", "one");
    site.register("bob", "his");
    let early = site.renew("one", "two");
    assert_eq!(early, Err(ErrorCode::Throttled { retry_after_seconds: 24 * 3600 + 1 }));
    site.pass_days(1);
    for taken in ["his", "one"] {
        let field = ErrorCode::FieldRefused { field: "next_hash".into(), reason: "taken".into() };
        assert_eq!(site.renew("one", taken), Err(field));
    }
    assert_eq!(site.renew("nobody's", "two"), Err(ErrorCode::NotSignedIn));
    assert_eq!(site.renew("one", "two"), Ok(()));
}

fn idle_days(site: &mut Site) {
    site.register("ann", "one");
    site.pass_days(29);
    site.renew("one", "two").unwrap();
    site.pass_days(29);
    assert!(site.ask("two").is_ok());
    site.pass_days(30);
    assert_eq!(site.ask("two"), Err(ErrorCode::SignInExpired));
    assert_eq!(site.renew("two", "three"), Err(ErrorCode::SignInExpired));
}

fn listening(site: &mut Site) {
    let ann = site.register("ann", "one");
    site.pass_days(1);
    site.renew("one", "two").unwrap();
    site.ask("two").unwrap();
    site.pass_days(1);
    let session_id = ann.session_id.clone();
    let now = site.world.now;
    assert!(site.world.store.read(|tx| backend::accounts::still_signed_in(tx, now, &session_id)).unwrap());
    let noted = ann.session_id.clone();
    site.world
        .write(move |tx, policy, now| backend::accounts::note_presence(tx, policy, now, &noted))
        .expect("the line's own use counts");
    let listening = |site: &Site| {
        let now = site.world.now;
        site.world.store.read(|tx| backend::accounts::still_signed_in(tx, now, &session_id))
    };
    assert!(!listening(site).unwrap(), "just noted");
    site.world.write(move |tx, _, now| backend::accounts::sign_out(tx, now, &ann)).unwrap();
    assert_eq!(crate::world::told(listening(site)), ErrorCode::SignInExpired);
}
