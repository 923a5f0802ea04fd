//! Every period that sign-up shows: what is over it goes, what must stay stays.

use api::ErrorCode;
use api::server::PlaceOrderRequest;

use crate::Case;
use crate::site::{Site, id_at};
use crate::world::{World, told};

pub const CASES: &[Case] = &[
    ("what_is_known_of_an_ended_sign_in_goes_after_its_period", sign_ins),
    ("a_forgotten_answer_is_never_carried_out_again", commands),
    ("from_which_network_somebody_paid_is_forgotten_and_the_payment_stays", networks),
    ("old_rates_go_and_the_nearest_before_whatever_comes_stays", rates),
    ("books_addresses_and_audit_log_outlive_every_period", kept),
    ("no_period_is_shown_that_nothing_enforces", shown),
];

fn sign_ins(site: &mut Site) {
    let ann = site.register("ann", "one");
    site.sign_in("ann", &ann.account_id, "two", None).unwrap();
    site.world.write(move |tx, _, now| backend::accounts::sign_out(tx, now, &ann)).unwrap();
    site.pass_days(29);
    assert_eq!(site.forget(), 0);
    assert!(site.ask("two").is_ok());
    assert_eq!(site.ask("one"), Err(ErrorCode::SignInExpired), "still told what became of it");
    site.pass_days(1);
    assert_eq!(site.forget(), 1);
    assert_eq!(site.ask("one"), Err(ErrorCode::NotSignedIn));
    assert!(site.ask("two").is_ok(), "one that is used stays");
    // The other one: 30 days without use end it, 30 more and it is forgotten.
    site.pass_days(59);
    assert_eq!(site.forget(), 0);
    assert_eq!(site.ask("two"), Err(ErrorCode::SignInExpired));
    site.pass_days(1);
    assert_eq!(site.forget(), 1);
    assert_eq!(site.count("session", "1 = 1") + site.count("session_token", "1 = 1"), 0);
}

fn request(id: String) -> PlaceOrderRequest {
    PlaceOrderRequest { command_id: id, ..World::order_request("b200", 1, 134_100) }
}

fn commands(site: &mut Site) {
    let ann = site.register("ann", "one");
    let first = request(id_at(site.world.now));
    let ahead = request(id_at(site.world.now.plus_micros(20 * 86_400_000_000)));
    let orders = [&first, &ahead].map(|request| site.world.try_order(&ann, request.clone()).unwrap().id);
    site.pass_days(29);
    assert_eq!(site.forget(), 0);
    assert_eq!(site.world.try_order(&ann, first.clone()).unwrap().id, orders[0], "remembered to the last day");
    site.pass_days(2);
    assert_eq!(site.forget(), 1);
    let too_old = ErrorCode::FieldRefused { field: "command_id".into(), reason: "too_old".into() };
    assert_eq!(told(site.world.try_order(&ann, first)), too_old, "a forgotten order was placed again");
    assert_eq!(
        told(site.world.try_order(&ann, request(id_at(site.world.now.plus_micros(-31 * 86_400_000_000))))),
        too_old
    );
    assert_eq!(site.world.try_order(&ann, ahead).unwrap().id, orders[1], "one whose clock was ahead is still known");
    assert!(site.world.try_order(&ann, request(id_at(site.world.now))).is_ok());
    assert_eq!(site.count("rental_order", "1 = 1"), 3);
    // The server's clock ran a year ahead for an hour: orders are taken when it is right again.
    site.pass_days(365);
    site.forget();
    site.pass_days(-365);
    assert!(site.world.try_order(&ann, request(id_at(site.world.now.plus_micros(1_000)))).is_ok());
}

fn networks(site: &mut Site) {
    let ann = site.register("ann", "one");
    let order = site.world.order(&ann, 1);
    let payment = site.world.pay(&ann, &order);
    site.pass_days(30);
    site.forget();
    assert_eq!(site.count("payment", "network_prefix = 'ann'"), 1, "its deadline was a little later");
    site.pass_days(1);
    site.forget();
    assert_eq!(site.count("payment", "network_prefix <> ''"), 0);
    assert_eq!(site.world.payment(&ann, &payment.id).id, payment.id);
    assert_eq!(site.forget(), 0);
}

fn rates(site: &mut Site) {
    let method = crate::world::LTC.code();
    for _ in 0..5 {
        site.pass_days(1);
        site.world.wait(1);
    }
    let all = site.count("recorded_rate", "1 = 1");
    assert!(all >= 5);
    site.pass_days(397);
    site.forget();
    let left = site.count("recorded_rate", "1 = 1");
    assert!(left < all && left > 1, "{left} of {all} left");
    site.pass_days(1_000);
    site.forget();
    assert_eq!(site.count("recorded_rate", "1 = 1"), 1, "the last one stays");
    let now = site.world.now;
    let (before, _) =
        site.world.store.read::<_, backend::Refusal>(|tx| Ok(store::repo::rate::around(tx, method, now)?)).unwrap();
    assert!(before.is_some(), "money that comes now has no rate before it");
}

const KEPT: [&str; 11] = [
    "rental_order",
    "payment",
    "address",
    "address_file",
    "transfer",
    "sighting",
    "credit",
    "posting",
    "ledger_balance",
    "timeline",
    "audit",
];

fn kept(site: &mut Site) {
    let ann = site.register("ann", "one");
    let order = site.world.order(&ann, 1);
    let payment = site.world.pay(&ann, &order);
    site.world.send(&payment, "13.41");
    site.world.wait(1);
    site.world.mine(12);
    let address = format!("payment_id = '{}'", payment.id);
    assert_eq!(site.count("address", &address), 1);
    let rows = |site: &Site| KEPT.map(|table| (table, site.count(table, "1 = 1")));
    let before = rows(site);
    assert!(before.iter().all(|(_, rows)| *rows > 0), "{before:?}");
    let balances = site.world.balance("revenue");
    site.pass_days(5_000);
    assert!(site.forget() > 0, "nothing was over its period: this shows nothing");
    assert_eq!(site.remove_idle(), 0);
    assert_eq!(rows(site), before);
    assert_eq!(site.world.balance("revenue"), balances);
    assert_eq!(site.count("address", &address), 1, "the address is free for somebody else");
    assert!(site.world.try_pay(&ann, &order).is_err());
}

/// The names are those of the cases above; `0` is «kept for good» and stands for `KEPT`.
fn shown(site: &mut Site) {
    let shown = site.world.policy.limits.retention.shown();
    let names: Vec<(&str, u32)> = shown.iter().map(|(name, days)| (name.as_str(), *days)).collect();
    let expected = [
        ("audit", 0),
        ("command_result", 30),
        ("ended_session", 30),
        ("idle_account", 30),
        ("ledger", 0),
        ("network", 30),
        ("session", 30),
    ];
    assert_eq!(names, expected);
}
