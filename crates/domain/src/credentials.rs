//! Rules of an account: email, names, and what a password may be (A1, A4). Hashing and throttling are the server's.

mod email;
mod name;
mod password;
mod weak;

pub use email::{Email, EmailRefused};
pub use name::{NameRefused, PersonName};
pub use password::{MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, Password, PasswordContext, PasswordRefused};
pub use weak::Weakness;
