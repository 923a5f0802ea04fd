//! Free ports on loopback.

use std::net::TcpListener;

/// A port on which nothing listens now. For programs that can't bind to port 0 themselves: another program may take it
/// before they do, so start them again with another port when they refuse.
///
/// # Errors
/// When loopback has no free port.
pub fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
