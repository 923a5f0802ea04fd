//! Checking an installation: configuration, sealing key and node, and whether what its database says is true. Nothing is changed, and
//! a server may run meanwhile.

use backend::{Policy, Refusal, addresses, audit, reconcile};
use chains::{BitcoinFamilyReader, ChainReader};
use domain::Timestamp;
use store::{Look, Settings, Tx};

use super::{Outcome, Place, database, serve};
use crate::clock::Clock;
use crate::config::Config;
use crate::run;

/// Says what is good on standard output; what is not is the error, a line for each.
pub(super) fn check(place: &Place) -> Outcome {
    let config = place.config.as_deref().map(Config::read).transpose()?;
    let (policy, trusted_keys) = database::policy(place)?;
    println!("the configuration and the sealing key are good");
    if trusted_keys.is_none() {
        println!("no address key is named: no address file can be imported");
    }
    let mut wrong = Vec::new();
    if let Some(config) = &config {
        match node(config) {
            Ok(height) => println!("the node is good, at height {height}"),
            Err(error) => wrong.push(format!("the node: {error}")),
        }
    }
    let settings = database::settings(place)?;
    wrong.extend(books(&settings, &policy, Clock::default().now()));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

fn node(config: &Config) -> Result<u64, Box<dyn std::error::Error>> {
    let mut reader = BitcoinFamilyReader::litecoin(&config.litecoin.rpc)?;
    serve::follower(config.environment, config.litecoin.start_height)?.check_identity(&mut reader)?;
    Ok(reader.tip()?.height)
}

/// What is wrong with the database.
fn books(settings: &Settings, policy: &Policy, now: Timestamp) -> Vec<String> {
    let mut look = match Look::open(settings) {
        Ok(Some(look)) => look,
        Ok(None) => {
            println!("there is no database yet: the first start makes it");
            return Vec::new();
        }
        Err(error) => return vec![format!("the database: {error}")],
    };
    let mut wrong: Vec<String> = match look.damage() {
        Ok(damage) => damage.into_iter().map(|what| format!("the database: {what}")).collect(),
        Err(error) => vec![format!("the database: {error}")],
    };
    // What can't be read in one place must not hide what can in the next.
    for one in [belongs, differences, log, stock] {
        match look.read(|tx| one(tx, policy, now)) {
            Ok(found) => wrong.extend(found),
            Err(error) => wrong.push(format!("the database can't be read: {error}")),
        }
    }
    if wrong.is_empty() {
        println!("the database is whole, its books fit, and its audit log is the one that was written");
    }
    wrong
}

type Found = Result<Vec<String>, Refusal>;

fn belongs(tx: &mut Tx<'_>, policy: &Policy, _: Timestamp) -> Found {
    Ok(run::foreign(tx, policy)?.into_iter().collect())
}

fn differences(tx: &mut Tx<'_>, _: &Policy, _: Timestamp) -> Found {
    if faults::planted(faults::BOOKS_UNCHECKED) {
        return Ok(Vec::new());
    }
    Ok(reconcile::differences(tx)?.into_iter().map(|one| format!("the books: {one}")).collect())
}

fn log(tx: &mut Tx<'_>, _: &Policy, _: Timestamp) -> Found {
    let wrong = audit::first_wrong(tx)?;
    let sentence =
        |number| format!("the audit log: record {number} is missing, or was changed after it had been written");
    Ok(wrong.map(sentence).into_iter().collect())
}

/// Only said: few addresses are an alarm, and nothing that contradicts itself.
fn stock(tx: &mut Tx<'_>, _: &Policy, now: Timestamp) -> Found {
    for stock in addresses::stock(tx, now)? {
        let until = stock.free_until.map(|day| format!(", until {day} at the earliest")).unwrap_or_default();
        println!("{}: {} of {} addresses free{until}", stock.network.code(), stock.free, stock.all);
    }
    Ok(Vec::new())
}
