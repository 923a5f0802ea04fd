//! Several threads of one device at the same moment, against each engine's own way of ordering them.

use api::ErrorCode;

use crate::Case;
use crate::site::Site;

pub const CASES: &[Case] = &[
    ("threads_of_one_device_that_race_stay_signed_in", one_device),
    ("of_two_who_race_to_renew_neither_keeps_the_sign_in", two_devices),
    ("somebody_who_comes_back_races_the_removal_of_the_account", back_in_time),
];

/// Runs one piece of work per thread, all at once.
fn at_once<T: Send>(works: Vec<Box<dyn FnOnce() -> T + Send + '_>>) -> Vec<T> {
    let ready = std::sync::Barrier::new(works.len());
    std::thread::scope(|scope| {
        let threads: Vec<_> = works
            .into_iter()
            .map(|work| {
                let ready = &ready;
                scope.spawn(move || {
                    ready.wait();
                    work()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// What the server says when two were quicker than one another: asking again is the answer.
fn insist(mut ask: impl FnMut() -> Result<(), ErrorCode>) -> Result<(), ErrorCode> {
    loop {
        match ask() {
            Err(ErrorCode::Busy) => {}
            decided => return decided,
        }
    }
}

/// All ask, with the old and the new token, while the same renewal is asked for twice.
fn one_device(site: &mut Site) {
    site.register("ann", "one");
    let site_now = |site: &mut Site| site.pass_days(1);
    for (old, next) in [("one", "two"), ("two", "three"), ("three", "four")] {
        site_now(site);
        let site = &*site;
        let renew = || insist(|| site.renew(old, next));
        let said = at_once::<Result<(), ErrorCode>>(vec![
            Box::new(renew),
            Box::new(renew),
            Box::new(|| site.ask(old).map(|_| ())),
            Box::new(move || site.ask(old).map(|_| ())),
        ]);
        assert_eq!(said, vec![Ok(()); 4]);
        let said = at_once::<Result<String, ErrorCode>>(vec![
            Box::new(|| site.ask(next)),
            Box::new(|| site.ask(old)),
            Box::new(|| site.ask(next)),
            Box::new(|| site.ask(old)),
        ]);
        assert!(said.iter().all(Result::is_ok), "{said:?}");
    }
    assert!(site.audited("sign_in_copied").is_empty());
    assert_eq!(site.count("session_token", "replaced_at IS NULL"), 1);
}

fn two_devices(site: &mut Site) {
    site.register("ann", "one");
    site.pass_days(1);
    let said = {
        let site = &*site;
        at_once::<Result<(), ErrorCode>>(vec![
            Box::new(|| insist(|| site.renew("one", "two"))),
            Box::new(|| insist(|| site.renew("one", "thief's"))),
        ])
    };
    assert!(said.contains(&Err(ErrorCode::SignInCopied)), "two tokens follow one: {said:?}");
    for token in ["one", "two", "thief's"] {
        assert!(site.ask(token).is_err(), "{token} still opens the account");
    }
    assert_eq!(site.audited("sign_in_copied").len(), 1);
}

/// Whoever was first has won, and the account is there or it is not: never half of it.
fn back_in_time(site: &mut Site) {
    let mut came_back = 0;
    for round in 0..8 {
        let (name, token) = (format!("ann{round}"), format!("token {round}"));
        let ann = site.register(&name, &token);
        site.pass_days(30);
        site.pass_seconds(-1);
        let site = &*site;
        let signed_in = {
            let in_time = || site.sign_in(&name, &ann.account_id, &format!("new {round}"), None).map(|_| ());
            let late = || {
                let ids = vec![ann.account_id.clone()];
                let later = site.world.now.plus_micros(2_000_000);
                site.world
                    .write(move |tx, policy, _| backend::accounts::remove_idle(tx, policy, later, &ids))
                    .map(|_| ())
            };
            at_once::<Result<(), backend::Refusal>>(vec![Box::new(in_time), Box::new(late)]).remove(0)
        };
        let there = site.ask(&format!("new {round}"));
        assert_eq!(there.is_ok(), signed_in.is_ok(), "{there:?}, {signed_in:?}");
        let contact = format!("id = '{}' AND email_key IS NOT NULL", ann.account_id);
        assert_eq!(site.count("account", &contact), i64::from(signed_in.is_ok()));
        came_back += u32::from(signed_in.is_ok());
    }
    println!("{came_back} of 8 came back in time");
}
