//! Rates as recorded every minute.

use domain::Timestamp;

use super::record::{all, record};
use crate::{StoreError, Tx, params, statements};

record! {
    /// A recorded rate.
    RateRow {
        /// The method's code.
        method: String,
        /// When.
        at: Timestamp,
        /// USD per coin, decimal text.
        rate: String,
        /// Its sources, JSON.
        quote: String,
    }
}

statements! {
    INSERT = "INSERT INTO recorded_rate (method, at, rate, quote) VALUES ($1, $2, $3, $4) ON CONFLICT (method, at) DO NOTHING";
    BEFORE = "SELECT * FROM recorded_rate WHERE method = $1 AND at <= $2 ORDER BY at DESC LIMIT 1";
    AFTER = "SELECT * FROM recorded_rate WHERE method = $1 AND at > $2 ORDER BY at LIMIT 1";
}

/// Records a rate.
pub fn insert(tx: &mut Tx<'_>, rate: &RateRow) -> Result<(), StoreError> {
    tx.execute(INSERT, &rate.values()).map(|_| ())
}

/// The last rate at or before an instant, and the first one after it.
pub fn around(tx: &mut Tx<'_>, method: &str, at: Timestamp) -> Result<(Option<RateRow>, Option<RateRow>), StoreError> {
    let before = all(&tx.query(BEFORE, params![method, at])?, RateRow::from_row)?.pop();
    let after = all(&tx.query(AFTER, params![method, at])?, RateRow::from_row)?.pop();
    Ok((before, after))
}
