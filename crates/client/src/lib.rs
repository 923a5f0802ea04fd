//! The desktop without a window.
//!
//! [`Desktop`] answers the window's commands ([`api::host::Host`]): it talks to the server, keeps everything of an account
//! encrypted on this device, fetches and sends in the background, and checks every payment before it is drawn. It knows
//! no window: who shows things gives it a callback.

mod account;
pub mod cache;
pub mod clock;
pub mod desktop;
pub mod device;
pub mod error;
mod exports;
mod forms;
mod host;
pub mod http;
pub mod outbox;
mod payment;
mod pull;
pub mod reach;
mod renew;
pub mod sealed;
mod send;
mod session;
mod signal;
pub mod signout;
pub mod slip;
mod sync;
pub mod trusted_keys;
pub mod vault;

pub use desktop::{Desktop, OnChanged, Opener, Options, StartError};
pub use vault::Keeping;
