//! The wire.
//!
//! Everything that travels between the desktop and the server, and between the window and the program behind it, is
//! declared here once: requests, answers, error codes, and the two lists of commands ([`server`] and [`host`]). The
//! server's routes, the desktop's handlers, the OpenAPI document and the TypeScript types all come from these lists.
//! Money, instants and other 64-bit integers travel as strings, because a JSON number is a float on the other side.

mod command;
pub mod error;
pub mod host;
pub mod openapi;
pub mod server;
pub mod typescript;
pub mod views;
pub mod wire;

pub use command::{Audience, Command, CommandInfo};
pub use error::{ApiError, ErrorCode};
