//! The money rules on a ledger in memory: the worked examples, odd cases, and properties over random histories.

mod ledger;
mod odd;
mod properties;
mod rows;
mod world;
