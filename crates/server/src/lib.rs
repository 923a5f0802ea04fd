//! The server: routes, sign-ins, jobs, configuration, metrics. It holds no rule: every decision is made in `backend` and
//! `domain`; what is here carries requests to them and answers back, and keeps the jobs going.

mod access;
mod app;
pub mod cli;
pub mod clock;
pub mod config;
mod control;
mod handlers;
mod hints;
mod http;
mod jobs;
mod key_file;
pub mod logs;
mod metrics;
pub mod password;
mod run;
pub mod sandbox;
mod signals;
mod stop;
#[cfg(feature = "testing")]
pub mod testing;
mod token;

pub use app::{App, Serving};
pub use jobs::{AlarmTarget, PriceFeed, Watcher};
pub use run::{Parts, Running, StartError, start};
