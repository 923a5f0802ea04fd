//! The ledger's own rules, and the confirmations policy.

use domain::confirmations::{ConfirmationPolicy, PolicyError, Required, Tier};
use domain::ledger::{Account, Book, BookError, Event, Legs, Part, SightingKey};
use domain::payment::{Purpose, Terms, TermsError, tolerance};
use domain::{Cents, Method, Network};
use proptest::prelude::*;

use crate::world::{START, rate, usd};

fn accounts() -> Vec<Account> {
    let ids = ["0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", "a", "with:colon"];
    let named = ids.into_iter().flat_map(|id| {
        [Account::Customer(id.into()), Account::Held(id.into()), Account::Receivable(id.into())].into_iter()
    });
    let business =
        [Account::Unclaimed, Account::Revenue, Account::Refunds, Account::Adjustments, Account::Rounding, Account::Own];
    named.chain(Method::ALL.map(Account::Received)).chain(business).collect()
}

#[test]
fn an_account_read_back_from_the_database_is_the_same_account() {
    for account in accounts() {
        assert_eq!(account.to_string().parse(), Ok(account));
    }
    assert_eq!(Account::Received(Method::LtcLitecoin).to_string(), "received:litecoin:ltc");
    for text in ["", "customer", "customer:", "held:", "Revenue", "revenue:x", "received:litecoin", "received:tron:ltc"]
    {
        assert!(text.parse::<Account>().is_err(), "{text:?}");
    }
}

fn sighting(round: u32) -> SightingKey {
    SightingKey { network: Network::Litecoin, block: "b".into(), transaction: "t".into(), index: 0, round }
}

#[test]
fn the_same_credit_is_refused_however_it_is_split() {
    let event = || Event::Credit(sighting(0), Part::OnTime);
    let received = || Account::Received(Method::LtcLitecoin);
    let mut book = Book::default();
    let mut first = Legs::new(event());
    first.post(received(), Account::Customer("a".into()), usd("10"));
    book.post(&first.finish()).unwrap();
    let mut again = Legs::new(event());
    again.post(received(), Account::Receivable("a".into()), Cents::ZERO);
    again.post(received(), Account::Held("o".into()), usd("10"));
    let refused = book.post(&again.finish());
    assert_eq!(refused, Err(BookError::AlreadyPosted { cause: "credit:litecoin:b:t:0:0:on-time#0".into() }));
    assert_eq!(book.balance(&Account::Held("o".into())), Cents::ZERO);
}

#[test]
fn a_balance_below_zero_is_refused_whole() {
    let mut legs = Legs::new(Event::Settlement("o".into()));
    legs.post(Account::Adjustments, Account::Held("o".into()), usd("1"));
    legs.post(Account::Held("o".into()), Account::Revenue, usd("2"));
    let mut book = Book::default();
    assert!(matches!(book.post(&legs.finish()), Err(BookError::Negative { .. })));
    assert_eq!(book.balances().count(), 0);
}

#[test]
fn causes_of_different_events_differ() {
    let key = || sighting(0);
    let id = || "x".to_owned();
    let mut events: Vec<String> = [Part::OnTime, Part::Rest]
        .into_iter()
        .flat_map(|part| {
            [
                Event::Credit(key(), part),
                Event::Undo(key(), part),
                Event::Claim(key(), part),
                Event::Release(key(), part),
            ]
        })
        .chain([Event::Credit(sighting(1), Part::OnTime)])
        .chain([Event::Settlement(id()), Event::Closing(id()), Event::Return(id())])
        .chain([Event::ChosenBalance(id()), Event::Outage(id())])
        .map(|event| event.to_string())
        .collect();
    let count = events.len();
    events.sort();
    events.dedup();
    assert_eq!(events.len(), count);
}

#[test]
fn larger_sums_wait_longer() {
    let policy = ConfirmationPolicy::default();
    let cases = [
        (Network::Bitcoin, "499.99", Required::Blocks(1)),
        (Network::Bitcoin, "500", Required::Blocks(2)),
        (Network::Bitcoin, "3000", Required::Blocks(3)),
        (Network::Litecoin, "999.99", Required::Blocks(6)),
        (Network::Litecoin, "1000", Required::Blocks(12)),
        (Network::Ethereum, "1999.99", Required::Blocks(12)),
        (Network::Ethereum, "2000", Required::Finalized),
        (Network::Tron, "0.01", Required::Finalized),
        (Network::Solana, "0.01", Required::Finalized),
    ];
    for (network, sum, required) in cases {
        assert_eq!(policy.required(network, usd(sum)), required, "{network:?} {sum}");
    }
}

#[test]
fn a_policy_with_a_hole_or_without_confirmations_is_refused() {
    let tier = |below: Option<&str>, required| Tier { below: below.map(usd), required };
    let with = |tiers| ConfirmationPolicy::default().with(Network::Litecoin, tiers).map(|_| ());
    let (one, two) = (Required::Blocks(1), Required::Blocks(2));
    assert_eq!(with(vec![]), Err(PolicyError::NoLastTier));
    assert_eq!(with(vec![tier(Some("5"), one)]), Err(PolicyError::NoLastTier));
    let falling = vec![tier(Some("5"), one), tier(Some("5"), one), tier(None, one)];
    assert_eq!(with(falling), Err(PolicyError::LimitsDoNotRise));
    assert_eq!(with(vec![tier(None, one), tier(None, one)]), Err(PolicyError::LimitsDoNotRise));
    assert_eq!(with(vec![tier(Some("5"), two), tier(None, one)]), Err(PolicyError::NeedsLess));
    assert_eq!(with(vec![tier(None, Required::Blocks(0))]), Err(PolicyError::NoConfirmation));
    assert_eq!(with(vec![tier(Some("5"), one), tier(None, two)]), Ok(()));
}

#[test]
fn the_tolerance_is_half_a_percent_and_never_above_a_dollar() {
    for (total, expected) in
        [("0", "0"), ("1", "0"), ("1.99", "0"), ("2", "0.01"), ("100", "0.50"), ("200", "1"), ("90000", "1")]
    {
        assert_eq!(tolerance(usd(total)), usd(expected), "{total}");
    }
    assert_eq!(tolerance(Cents::new(-5)), Cents::ZERO);
}

#[test]
fn instructions_for_nothing_are_refused() {
    let issue = |asked| Terms::issue(Method::LtcLitecoin, Purpose::TopUp, asked, asked, rate("100"), START);
    assert_eq!(issue(Cents::ZERO), Err(TermsError::NothingAsked));
    assert_eq!(issue(usd("-1")), Err(TermsError::NothingAsked));
    assert_eq!(issue(usd("500")).unwrap().tolerance, Cents::ZERO);
}

proptest! {
    #[test]
    fn an_account_text_is_read_back_or_refused(text in "[a-z]{1,12}(:[a-z0-9:-]{0,12})?") {
        if let Ok(account) = text.parse::<Account>() {
            prop_assert_eq!(account.to_string(), text);
        }
    }
}
