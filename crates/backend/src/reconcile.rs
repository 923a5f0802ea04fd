//! Whether the books fit: each account's sum against its postings, what the ledger says was received against the credits
//! that stand, and no credit twice or on a lost block.

use std::collections::BTreeMap;

use domain::Method;
use domain::ledger::{Account, Side};
use store::Tx;
use store::repo::{ledger, transfer};

use crate::refusal::{Outcome, Refusal};

/// Every difference, named once; none when the books fit.
pub fn differences(tx: &mut Tx<'_>) -> Outcome<Vec<String>> {
    let mut found = sums(tx)?;
    found.extend(received(tx)?);
    let twice = transfer::credited_twice(tx)?;
    found.extend(twice.into_iter().map(|id| format!("transfer {id} has two credits that stand")));
    let lost = transfer::credited_on_lost(tx)?;
    found.extend(lost.into_iter().map(|id| format!("{id} is in a lost block and its credit stands")));
    Ok(found)
}

fn sums(tx: &mut Tx<'_>) -> Outcome<Vec<String>> {
    let mut sums = BTreeMap::<String, i64>::new();
    for posting in ledger::everything(tx)? {
        for (text, side) in [(&posting.debit, Side::Debit), (&posting.credit, Side::Credit)] {
            let account: Account = text.parse().map_err(|_| Refusal::broken(format!("ledger account {text}")))?;
            let moved = if account.side() == side { posting.cents } else { -posting.cents };
            *sums.entry(text.clone()).or_default() += moved;
        }
    }
    let mut found = Vec::new();
    for (account, cents) in ledger::balances(tx)? {
        let sum = sums.remove(&account).unwrap_or_default();
        if sum != cents {
            found.push(format!("{account} is kept at {cents} and its postings sum to {sum}"));
        }
    }
    found.extend(sums.into_iter().map(|(account, sum)| format!("{account} sums to {sum} and is not kept")));
    Ok(found)
}

fn received(tx: &mut Tx<'_>) -> Outcome<Vec<String>> {
    let live: BTreeMap<String, i64> = transfer::live_by_method(tx)?.into_iter().collect();
    let mut found = Vec::new();
    for method in Method::ALL {
        let account = Account::Received(method).to_string();
        let (kept, credits) = (ledger::balance(tx, &account)?, live.get(method.code()).copied().unwrap_or(0));
        if kept != credits {
            found.push(format!("{account} stands at {kept} and the credits that stand sum to {credits}"));
        }
    }
    Ok(found)
}
