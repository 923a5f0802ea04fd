//! Typed repositories: rows in and out of the tables, no decisions.

pub mod account;
pub mod address;
pub mod audit;
pub mod catalogue;
pub mod chain;
pub mod command;
pub mod installation;
pub mod ledger;
pub mod order;
pub mod payment;
pub mod rate;
mod record;
pub mod retention;
pub mod session;
pub mod timeline;
pub mod transfer;

use crate::Statement;

/// The statements of every repository, module by module.
pub static ALL: &[&[Statement]] = &[
    account::STATEMENTS,
    address::STATEMENTS,
    audit::STATEMENTS,
    catalogue::STATEMENTS,
    chain::STATEMENTS,
    command::STATEMENTS,
    installation::STATEMENTS,
    ledger::STATEMENTS,
    order::STATEMENTS,
    payment::STATEMENTS,
    rate::STATEMENTS,
    retention::STATEMENTS,
    session::STATEMENTS,
    timeline::STATEMENTS,
    transfer::STATEMENTS,
];
