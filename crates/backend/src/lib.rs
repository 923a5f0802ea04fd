//! Use cases: plain synchronous functions of a transaction, the time and a command. They have no other effect, so they
//! can be run again; what reaches outside goes through tables. No SQL and no HTTP here: rows come from `store`, rules
//! from `domain`, wire shapes from `api`.

pub mod accounts;
pub mod addresses;
pub mod attribute;
pub mod audit;
mod book;
pub mod caller;
pub mod catalogue;
mod command;
pub mod fulfilment;
mod hardware;
mod ids;
mod lag;
pub mod operators;
pub mod orders;
pub mod payments;
mod picture;
pub mod policy;
pub mod prices;
mod reading;
pub mod reconcile;
pub mod refusal;
pub mod restored;
pub mod retention;
pub mod seal;
pub mod sweep;
pub mod sync;
mod timeline;
pub mod views;
pub mod watch;

pub use caller::Caller;
pub use policy::Policy;
pub use refusal::Refusal;
