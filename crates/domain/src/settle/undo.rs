//! Taking back a credit whose block a fork undid (P9, P13).

use super::{Change, Customer, Notice, Outcome, Payable, less, plus};
use crate::asset::Method;
use crate::ledger::{Account, Event, Legs};
use crate::money::Cents;
use crate::order::OrderState;
use crate::payment::{Credit, Place};

/// Reverses one credit: from where it went as far as it is there, then from the balance, then from the rest of what
/// the order holds; what is missing then is owed. `payable` is the order or extension that the payment is for.
///
/// The caller marks the credit as undone in the same transaction; the same credit can't be reversed twice. When several
/// are reversed, `payable` and `customer` are read anew before each.
pub fn undo(credit: &Credit, method: Method, payable: Option<&Payable>, customer: &Customer) -> Outcome {
    let mut legs = Legs::new(Event::Undo(credit.sighting.clone(), credit.part));
    let received = || Account::Received(method);
    let mut outcome = Outcome::nothing();
    match credit.place {
        Place::Own => legs.post(Account::Own, received(), credit.cents),
        Place::Unclaimed => legs.post(Account::Unclaimed, received(), credit.cents),
        Place::Held { .. } | Place::Balance => {
            let taken = take(credit, payable, customer);
            if let Some(payable) = payable {
                legs.post(payable.held_account(), received(), taken.held);
                outcome.change = change(payable, taken.held);
            }
            legs.post(customer.balance_account(), received(), taken.balance);
            legs.post(customer.receivable_account(), received(), taken.owed);
            let owed = plus(customer.receivable, taken.owed);
            outcome.notices.push(Notice::Undone { cents: credit.cents, owed });
        }
    }
    outcome.postings = legs.finish();
    outcome
}

struct Taken {
    held: Cents,
    balance: Cents,
    owed: Cents,
}

fn take(credit: &Credit, payable: Option<&Payable>, customer: &Customer) -> Taken {
    let there = payable.map_or(Cents::ZERO, |payable| payable.held);
    let went_in = match (&credit.place, payable) {
        (Place::Held { id, cents }, Some(payable)) if *id == payable.id => *cents,
        _ => Cents::ZERO,
    };
    let first = credit.cents.min(went_in).min(there);
    let left = less(credit.cents, first);
    let balance = left.min(customer.balance.max(Cents::ZERO));
    let left = less(left, balance);
    let second = left.min(less(there, first));
    Taken { held: plus(first, second), balance, owed: less(left, second) }
}

fn change(payable: &Payable, taken: Cents) -> Change {
    let open = payable.state == OrderState::Open && taken.is_positive();
    if open { Change::Short { missing: less(payable.total, less(payable.held, taken)) } } else { Change::None }
}
