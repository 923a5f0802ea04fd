//! A process that does nothing but listen: what a server's memory is read beside.

use std::io::Read;
use std::net::TcpListener;

use crate::Outcome;

/// Listens, says so, and waits until standard input ends.
///
/// # Errors
/// When loopback has no free port.
pub fn wait() -> Outcome<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    println!("listening on {}", listener.local_addr()?);
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
