//! Ids: UUIDv7, so that rows made together lie together.

use domain::Timestamp;
use uuid::Uuid;

/// A new id.
pub fn new() -> String {
    Uuid::now_v7().to_string()
}

/// Whether a client's id is a UUID of version 7 in its usual writing.
pub fn is_command_id(text: &str) -> bool {
    Uuid::try_parse(text).is_ok_and(|id| id.get_version_num() == 7 && id.to_string() == text)
}

/// When a client's id was made, by its own clock, to the millisecond (RFC 9562, section 5.7).
pub fn made_at(text: &str) -> Option<Timestamp> {
    let (seconds, nanos) = Uuid::try_parse(text).ok()?.get_timestamp()?.to_unix();
    let seconds = i64::try_from(seconds).ok()?;
    Some(Timestamp::from_seconds(seconds).plus_micros(i64::from(nanos) / 1_000))
}

/// An id's beginning above every id that was made by then.
pub fn highest(by: Timestamp) -> String {
    let millis = u64::try_from(by.micros().div_euclid(1_000)).unwrap_or(0);
    format!("{:08x}-{:04x}-8", millis >> 16, millis & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_the_time_that_they_tell() {
        let id = "019f0000-0001-7000-8000-0000000000c1";
        let at = made_at(id).unwrap();
        assert_eq!(at.micros(), 0x019f_0000_0001 * 1_000);
        assert!(id < highest(at).as_str() && id > highest(at.plus_micros(-1_000)).as_str());
        assert_eq!(made_at("x"), None);
    }
}
