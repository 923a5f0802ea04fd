//! Faults planted into the real programs must turn these very tests red.

use e2e::planted;

/// A transaction that is kept in pieces is whole as long as nothing happens. Only a kill shows it.
#[test]
fn a_store_on_sqlite_that_keeps_a_use_case_in_pieces_is_caught() {
    let test = "kills::fifty_kills_on_sqlite_leave_nothing_half_done_and_nothing_doubled";
    planted::run(test, &[faults::HALF_COMMITTED]).is_red(&["half done"]);
}

#[test]
fn a_store_on_postgres_that_keeps_a_use_case_in_pieces_is_caught() {
    let test = "kills::fifty_kills_on_postgres_leave_nothing_half_done_and_nothing_doubled";
    planted::run(test, &[faults::HALF_COMMITTED]).is_red(&["half done"]);
}

/// The books fit with themselves when a lost credit stands: only the chain says that the money is gone.
#[test]
fn a_fork_that_takes_no_credit_back_is_caught_on_sqlite() {
    let test = "reorganisations::a_fork_on_sqlite_takes_the_status_back_and_mining_takes_it_forward_again";
    planted::run(test, &[faults::FORK_NOT_UNDONE]).is_red(&["what the fork took away is not owed"]);
}

#[test]
fn a_fork_that_takes_no_credit_back_is_caught_on_postgres() {
    let test = "reorganisations::a_fork_on_postgres_takes_the_status_back_and_mining_takes_it_forward_again";
    planted::run(test, &[faults::FORK_NOT_UNDONE]).is_red(&["what the fork took away is not owed"]);
}

/// Neither of two servers may trust that the other one has looked.
#[test]
fn two_servers_that_sell_the_last_lot_twice_are_caught() {
    let test = "two_servers::two_customers_who_ask_two_servers_for_the_last_lot_get_it_once";
    planted::run(test, &[faults::STOCK_UNCHECKED]).is_red(&["the last lot of"]);
}

#[test]
fn two_servers_that_credit_a_payment_twice_are_caught() {
    let test = "two_servers::a_payment_that_two_servers_watch_is_credited_once_and_shown_by_both";
    planted::run(test, &[faults::CREDIT_TWICE]).is_red(&["credited is not what was asked"]);
}
