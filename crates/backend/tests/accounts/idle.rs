//! Accounts that were never used for anything end; nobody who ever ordered or paid loses theirs.

use api::ErrorCode;
use domain::time::DAY_MICROS;

use crate::Case;
use crate::site::Site;
use crate::world::told;

pub const CASES: &[Case] = &[
    ("an_account_that_did_nothing_is_gone_after_thirty_days_and_its_email_is_free", gone),
    ("whoever_comes_back_keeps_the_account", used),
    ("no_account_with_an_order_or_money_is_ever_removed", customers),
    ("no_operator_is_ever_removed", operators),
    ("removing_again_or_later_changes_nothing", once),
    ("the_days_are_configuration_and_many_are_removed_in_small_steps", many),
];

fn gone(site: &mut Site) {
    let ann = site.register("ann", "one");
    site.pass_days(29);
    assert_eq!(site.remove_idle(), 0);
    site.pass_days(1);
    assert_eq!(site.remove_idle(), 1);
    assert_eq!(site.ask("one"), Err(ErrorCode::AccountRemoved), "the desktop is told why");
    assert!(!site.texts().contains("ann"), "contact data is left: {}", site.texts());
    let records = site.audited("account_removed");
    assert_eq!((records.len(), records[0].subject.as_str()), (1, ann.account_id.as_str()));
    assert_eq!(records[0].actor, "idle-accounts");
    assert_eq!(told(site.sign_in("ann", &ann.account_id, "two", None)), ErrorCode::WrongCredentials);
    let again = site.register("ann", "three");
    assert_ne!(again.account_id, ann.account_id, "a new account, not the old one");
    assert_eq!(site.ask("three"), Ok(again.account_id));
    assert_eq!(site.ask("one"), Err(ErrorCode::AccountRemoved));
}

fn used(site: &mut Site) {
    let ann = site.register("ann", "one");
    let ben = site.register("ben", "his");
    for _ in 0..4 {
        site.pass_days(20);
        // One comes back by using the sign-in, the other by signing in anew.
        assert!(site.ask("one").is_ok());
        site.sign_in("ben", &ben.account_id, &format!("at {}", site.world.now.micros()), None).unwrap();
        assert_eq!(site.remove_idle(), 0);
    }
    assert_eq!(site.ask("one"), Ok(ann.account_id));
}

fn customers(site: &mut Site) {
    let ordered = site.register("olga", "ordered");
    let paid = site.register("petra", "paid");
    let late = site.register("lars", "late");
    let nothing = site.register("nina", "nothing");
    // Never paid, lapsed long ago.
    let unpaid = site.world.order(&ordered, 1);
    let order = site.world.order(&paid, 1);
    let payment = site.world.pay(&paid, &order);
    let other = site.world.order(&late, 1);
    let late_payment = site.world.pay(&late, &other);
    site.world.send(&payment, "13.41");
    site.world.wait(1);
    site.world.mine(12);
    site.world.wait(24 * 3600 + 1);
    site.pass_days(400);
    site.world.wait(1);
    assert_eq!(site.remove_idle(), 1, "accounts with an order were removed");
    for (who, order) in [(&ordered, &unpaid), (&paid, &order), (&late, &other)] {
        assert_eq!(site.world.show(who, &order.id).id, order.id, "an order without its customer");
        let there = format!("id = '{}' AND status = 'active' AND email_key IS NOT NULL", who.account_id);
        assert_eq!(site.count("account", &there), 1, "{} lost the account", who.network_prefix);
    }
    assert_eq!(site.ask("nothing"), Err(ErrorCode::AccountRemoved));
    let _ = nothing;
    // Money that comes a year late still finds its customer.
    site.world.send(&late_payment, "13.41");
    site.world.wait(1);
    site.world.mine(12);
    site.world.wait(72 * 3600 + 1);
    let balance = site.world.balance(&format!("customer:{}", late.account_id));
    assert!(balance > 0, "late money found nobody");
}

fn operators(site: &mut Site) {
    let id = site.operator("oskar");
    let blocked = site.register("bianca", "one");
    let block = format!("UPDATE account SET status = 'blocked' WHERE id = '{}'", blocked.account_id);
    site.world.write(move |tx, _, _| Ok(tx.execute(&block, &[])?)).unwrap();
    site.pass_days(1_000);
    assert_eq!(site.remove_idle(), 0);
    let ids = vec![id.clone(), blocked.account_id];
    let removed = site.world.write(move |tx, policy, now| backend::accounts::remove_idle(tx, policy, now, &ids));
    assert_eq!(removed.unwrap(), 0, "asked for by name they stay too");
    assert!(site.sign_in("oskar", &id, "one", Some(site.code())).is_ok());
}

fn once(site: &mut Site) {
    let ann = site.register("ann", "one");
    site.pass_days(30);
    for expected in [1, 0, 0] {
        let ids = vec![ann.account_id.clone()];
        let removed = site.world.write(move |tx, policy, now| backend::accounts::remove_idle(tx, policy, now, &ids));
        assert_eq!(removed.unwrap(), expected);
    }
    assert_eq!(site.audited("account_removed").len(), 1);
    // Found as idle, used before it was removed.
    let ben = site.register("ben", "his");
    site.pass_days(30);
    let (policy, now) = (site.world.policy.clone(), site.world.now);
    let page = site.world.store.read(|tx| backend::accounts::find_idle(tx, &policy, now, None)).unwrap();
    assert_eq!(page.removable, std::slice::from_ref(&ben.account_id));
    site.sign_in("ben", &ben.account_id, "new", None).unwrap();
    let ids = page.removable;
    let removed = site.world.write(move |tx, policy, now| backend::accounts::remove_idle(tx, policy, now, &ids));
    assert_eq!(removed.unwrap(), 0);
    assert_eq!(site.ask("new"), Ok(ben.account_id));
}

fn many(site: &mut Site) {
    site.world.policy.limits.retention.idle_account_days = 90;
    for number in 0..120 {
        site.register(&format!("ann{number}"), &format!("token {number}"));
        site.pass_seconds(1);
    }
    let keeper = site.register("keeper", "kept");
    site.world.order(&keeper, 1);
    site.pass_days(89);
    assert_eq!(site.remove_idle(), 0);
    site.pass_micros(DAY_MICROS);
    assert_eq!(site.remove_idle(), 120);
    assert_eq!(site.count("account", "status = 'active' AND role = 'customer'"), 1);
    assert_eq!(site.audited("account_removed").len(), 120);
}
