//! Writing postings: the row, and the two sums it moves, in one transaction.

use domain::ledger::{Account, Event, Posting, Side};
use domain::settle::Customer;
use domain::{Cents, Timestamp};
use store::Tx;
use store::repo::installation::{self, AlarmRow};
use store::repo::ledger::{self, PostingRow};
use store::repo::order;

use crate::refusal::{Outcome, Refusal};
use crate::sync::Head;

/// Kind of the alarm that an account owes something; its subject is the account's id.
const RECEIVABLE: &str = "receivable";

/// Whom and what postings concern.
pub struct About<'a> {
    /// The account's head as this transaction moved it: lines of the balance are marked on it.
    pub head: &'a Head<'a>,
    /// The customer.
    pub account_id: &'a str,
    /// The order.
    pub order_id: Option<&'a str>,
    /// The payment.
    pub payment_id: Option<&'a str>,
}

/// Posts everything. A cause that was posted before is refused by its key and ends the transaction: nothing doubles.
pub fn post(tx: &mut Tx<'_>, now: Timestamp, about: &About<'_>, postings: &[Posting]) -> Outcome<()> {
    for posting in postings {
        write(tx, now, about, posting, posting.cause().to_string())?;
        let credited = matches!(posting.cause().event, Event::Credit(..));
        if credited && faults::planted(faults::CREDIT_TWICE) {
            write(tx, now, about, posting, format!("{} again", posting.cause()))?;
        }
    }
    let owed = Account::Receivable(about.account_id.to_owned());
    if postings.iter().any(|posting| *posting.debit() == owed || *posting.credit() == owed) {
        debt_moved(tx, now, about, &owed)?;
    }
    Ok(())
}

/// P13: what the customer owes pauses every order that is not `ready`, whichever it came from, so each is sent to the devices
/// again; and it is urgent for operators for as long as anything is owed.
fn debt_moved(tx: &mut Tx<'_>, now: Timestamp, about: &About<'_>, owed: &Account) -> Outcome<()> {
    for row in order::of_account(tx, about.account_id)?.into_iter().filter(|row| row.wiped_at.is_none()) {
        about.head.touch(tx, "order", &row.id)?;
    }
    let cents = balance(tx, owed)?;
    let (kind, subject) = (RECEIVABLE, about.account_id);
    if !cents.is_positive() {
        installation::clear(tx, kind, subject)?;
        return Ok(());
    }
    let detail = format!("{cents} USD are owed after a reorganisation");
    let alarm = AlarmRow { kind: kind.to_owned(), subject: subject.to_owned(), detail, since: now };
    Ok(installation::raise(tx, &alarm)?)
}

fn write(tx: &mut Tx<'_>, now: Timestamp, about: &About<'_>, posting: &Posting, cause: String) -> Outcome<()> {
    let own = Account::Customer(about.account_id.to_owned());
    if *posting.debit() == own || *posting.credit() == own {
        about.head.touch(tx, "balance_entry", &cause)?;
    }
    let row = PostingRow {
        cause,
        debit: posting.debit().to_string(),
        credit: posting.credit().to_string(),
        cents: posting.cents().get(),
        at: now,
        reason: reason(&posting.cause().event).to_owned(),
        account_id: Some(about.account_id.to_owned()),
        order_id: about.order_id.map(str::to_owned),
        payment_id: about.payment_id.map(str::to_owned),
    };
    ledger::insert(tx, &row)?;
    shift(tx, posting.debit(), Side::Debit, posting.cents())?;
    shift(tx, posting.credit(), Side::Credit, posting.cents())
}

fn shift(tx: &mut Tx<'_>, account: &Account, side: Side, cents: Cents) -> Outcome<()> {
    let moved = if account.side() == side { cents.get() } else { -cents.get() };
    Ok(ledger::shift(tx, &account.to_string(), moved, !account.never_negative())?)
}

/// The short reason that people read beside a line.
const fn reason(event: &Event) -> &'static str {
    match event {
        Event::Credit(..) => "received",
        Event::Undo(..) => "undone",
        Event::Claim(..) => "claimed",
        Event::Settlement(_) => "settled",
        Event::Release(..) | Event::Closing(_) => "released",
        Event::Return(_) => "returned",
        Event::ChosenBalance(_) => "chosen",
        Event::Outage(_) => "outage",
    }
}

/// The sum of one ledger account.
pub fn balance(tx: &mut Tx<'_>, account: &Account) -> Outcome<Cents> {
    Ok(Cents::new(ledger::balance(tx, &account.to_string())?))
}

/// The customer's accounts.
pub fn customer(tx: &mut Tx<'_>, account_id: &str) -> Outcome<Customer> {
    Ok(Customer {
        id: account_id.to_owned(),
        balance: balance(tx, &Account::Customer(account_id.to_owned()))?,
        receivable: balance(tx, &Account::Receivable(account_id.to_owned()))?,
    })
}

/// Since when the customer owes something: the last time that nothing was owed and then something was.
pub fn receivable_since(tx: &mut Tx<'_>, account_id: &str) -> Outcome<Option<Timestamp>> {
    let account = Account::Receivable(account_id.to_owned()).to_string();
    if ledger::balance(tx, &account)? == 0 {
        return Ok(None);
    }
    let mut owed = 0i64;
    let mut since = None;
    for posting in ledger::of_ledger_account(tx, &account)? {
        let before = owed;
        let signed = if posting.debit == account { posting.cents } else { -posting.cents };
        owed = owed.checked_add(signed).ok_or_else(|| Refusal::broken("receivable out of range"))?;
        if before <= 0 && owed > 0 {
            since = Some(posting.at);
        }
    }
    Ok(since)
}
