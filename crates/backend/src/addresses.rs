//! Importing signed address files: everything is checked before anything is stored.

use domain::quote::QUOTE_VALID_MICROS;
use domain::{Environment, Network, Timestamp};
use manifest::{AddressFile, CheckedFile, Day, Expectations, TrustedKeys, check_file};
use sha2::{Digest, Sha256};
use store::repo::address::{self, AddressRow, FileRow};
use store::{StoreError, Tx};

use crate::policy::{BUILT, Policy};
use crate::refusal::{Outcome, Refusal};
use crate::{audit, ids};

/// What an import did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Addresses that are new.
    pub added: u32,
    /// Unissued addresses that got a newer record.
    pub renewed: u32,
    /// Addresses that a payment has already, or may have had before a restore; their record stays.
    pub issued_before: u32,
}

/// Checks a whole file and stores it. A file that was imported before changes nothing.
pub fn import(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    actor: &str,
    text: &str,
    keys: &TrustedKeys,
) -> Outcome<Imported> {
    let mut imported = Imported { added: 0, renewed: 0, issued_before: 0 };
    let text_hash = Sha256::digest(text).to_vec();
    if address::file_known(tx, &text_hash)? {
        return Ok(imported);
    }
    let file = checked(policy.environment, now, text, keys)?;
    let row = file_row(&file, now, text_hash)?;
    address::insert_file(tx, &row)?;
    for (checked, record) in file.records() {
        let new = AddressRow {
            id: ids::new(),
            network: row.network.clone(),
            address: checked.address().to_owned(),
            script_hex: checked.script_pubkey_hex(),
            derivation_index: checked.index(),
            epoch: checked.epoch(),
            last_day: checked.last_day().to_string(),
            record: record.to_line().map_err(|refusal| Refusal::field("file", &refusal.to_string()))?,
            file_id: row.id.clone(),
            payment_id: None,
            issued_at: None,
            set_aside_at: None,
        };
        store_one(tx, &new, &mut imported)?;
    }
    let told = serde_json::json!({"network": row.network, "epoch": row.epoch, "addresses": row.addresses});
    audit::record(tx, now, actor, "addresses_imported", &row.id, &told)?;
    Ok(imported)
}

/// Sets every free address aside, for ever, and answers how many those were. A database that was restored from a backup can't
/// know which of them were given out after it: given out once more, one customer's money would count for another. They stay
/// watched; new ones have to be imported.
pub fn set_free_aside(tx: &mut Tx<'_>, now: Timestamp, actor: &str) -> Outcome<u64> {
    let count = if faults::planted(faults::RESTORE_KEEPS_FREE) { 0 } else { address::set_free_aside(tx, now)? };
    audit::record(tx, now, actor, "addresses_set_aside", "restore", &serde_json::json!({"addresses": count}))?;
    Ok(count)
}

/// The day that a record must still be good on to be given out now: the client refuses it afterwards, and instructions stay open
/// until then.
pub fn good_until(now: Timestamp) -> String {
    Day::of(now.plus_micros(QUOTE_VALID_MICROS)).to_string()
}

/// Raises an alarm for every network whose free addresses run low, and clears it when there are enough again.
pub fn watch_pools(tx: &mut Tx<'_>, policy: &Policy, now: Timestamp) -> Outcome<()> {
    use store::repo::installation::{self, AlarmRow};
    let good_until = good_until(now);
    for method in BUILT {
        let network = method.network().code();
        let (free, all) = address::pool(tx, network, &good_until)?;
        if policy.limits.is_low(free, all) {
            let detail = format!("{free} free addresses of {all}");
            let (kind, subject) = ("address_pool".to_owned(), network.to_owned());
            installation::raise(tx, &AlarmRow { kind, subject, detail, since: now })?;
        } else {
            installation::clear(tx, "address_pool", network)?;
        }
    }
    Ok(())
}

/// What is left of a network's addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stock {
    /// Which network.
    pub network: Network,
    /// Addresses that a payment can still get.
    pub free: u32,
    /// All of the newest epoch.
    pub all: u32,
    /// The earliest day after which free ones are none any more, ISO.
    pub free_until: Option<String>,
}

/// What is left of each network's addresses.
pub fn stock(tx: &mut Tx<'_>, now: Timestamp) -> Outcome<Vec<Stock>> {
    let today = Day::of(now).to_string();
    let of = |network: Network| {
        let (free, all) = address::pool(tx, network.code(), &today)?;
        Ok(Stock { network, free, all, free_until: address::free_until(tx, network.code(), &today)? })
    };
    BUILT.iter().map(|method| method.network()).map(of).collect()
}

fn checked(environment: Environment, now: Timestamp, text: &str, keys: &TrustedKeys) -> Outcome<CheckedFile> {
    let refused = |reason: String| Refusal::field("file", &reason);
    let file = AddressFile::parse(text).map_err(|error| refused(error.to_string()))?;
    let network: Network = file.header.header.network;
    let expected =
        Expectations::new(environment, network, Day::of(now), 0).map_err(|error| refused(error.to_string()))?;
    check_file(text, &expected, keys).map_err(|report| refused(report.to_string()))
}

fn file_row(file: &CheckedFile, now: Timestamp, text_hash: Vec<u8>) -> Outcome<FileRow> {
    let header = file.header();
    Ok(FileRow {
        id: ids::new(),
        network: header.network.code().to_owned(),
        epoch: header.epoch,
        key_fingerprint: header.key.to_hex(),
        header: serde_json::to_string(header).map_err(|error| Refusal::broken(error.to_string()))?,
        addresses: header.count,
        last_day: header.last_day.to_string(),
        imported_at: now,
        text_hash,
    })
}

fn store_one(tx: &mut Tx<'_>, new: &AddressRow, imported: &mut Imported) -> Outcome<()> {
    match address::by_address(tx, &new.network, &new.address)? {
        None => {
            address::insert(tx, new).map_err(|error| match error {
                StoreError::Unique { .. } => Refusal::field("file", "script_of_another_address"),
                other => other.into(),
            })?;
            imported.added += 1;
        }
        Some(known) if known.payment_id.is_some() || known.set_aside_at.is_some() => imported.issued_before += 1,
        Some(known) if known.epoch > new.epoch => return Err(Refusal::field("file", "older_epoch")),
        Some(_) => {
            address::renew(tx, new)?;
            imported.renewed += 1;
        }
    }
    Ok(())
}
