//! Typed repositories: rows in and out of the tables, no decisions.

use crate::Statement;

/// The statements of every repository, module by module.
pub static ALL: &[&[Statement]] = &[];
