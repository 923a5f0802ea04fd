//! When an extension takes effect (O6).

use crate::time::{DAY_MICROS, HOUR_MICROS, Timestamp};

/// After a rental's end the machine is kept this long, for export only; then it is wiped (O3).
pub const EXPORT_MICROS: i64 = 48 * HOUR_MICROS;

/// What a paid extension does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extended {
    /// The rental ends then.
    Until(Timestamp),
    /// The machine is gone: the money becomes balance.
    TooLate,
}

/// The new end of a rental whose extension settles at `settled_at`: within `[…, old end)` the old end + days, within
/// `[old end, old end + 48 h)` the settlement + days, later none.
pub fn extended_end(old_end: Timestamp, days: u32, settled_at: Timestamp) -> Extended {
    let span = i64::from(days).saturating_mul(DAY_MICROS);
    if settled_at < old_end {
        Extended::Until(old_end.plus_micros(span))
    } else if settled_at < old_end.plus_micros(EXPORT_MICROS) {
        Extended::Until(settled_at.plus_micros(span))
    } else {
        Extended::TooLate
    }
}
