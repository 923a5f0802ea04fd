//! Ids: UUIDv7, so that rows made together lie together.

use uuid::Uuid;

/// A new id.
pub fn new() -> String {
    Uuid::now_v7().to_string()
}

/// Whether a client's id is a UUID of version 7 in its usual writing.
pub fn is_command_id(text: &str) -> bool {
    Uuid::try_parse(text).is_ok_and(|id| id.get_version_num() == 7 && id.to_string() == text)
}
