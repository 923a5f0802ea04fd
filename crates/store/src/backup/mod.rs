//! Backup and restore, each verified before it counts.
