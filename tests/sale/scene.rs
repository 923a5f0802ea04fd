//! What a sale in the window needs: node, server, operator, keyring and data folder.

use std::collections::BTreeSet;
use std::path::PathBuf;

use e2e::bus::Bus;
use e2e::folder;
use e2e::operator::Operator;
use e2e::server::{Server, ServerOptions};
use e2e::window::{Launch, Window};
use tempfile::TempDir;
use testkit::node::Litecoind;

/// Everything of one sale.
pub struct Sale {
    /// Its node.
    pub node: Litecoind,
    /// Its server.
    pub server: Server,
    /// The account of whoever prepares and hands over.
    pub operator: Operator,
    /// The bus with the keyring.
    pub bus: Bus,
    /// The customer's data folder, and beside it what a test keeps.
    pub data: TempDir,
}

impl Sale {
    /// Everything but the window.
    pub fn prepared() -> Self {
        let node = Litecoind::start().unwrap();
        let mut server = Server::prepared(&node, &ServerOptions::default());
        let operator = server.add_operator("fulfilment");
        server.resume();
        Self { node, server, operator, bus: Bus::start(), data: folder::temporary() }
    }

    /// The customer's window.
    pub fn window(&self) -> Window {
        Window::open(&Launch { data: self.data.path(), server: &self.server.url, bus: Some(&self.bus) })
    }

    /// What this device holds of accounts: everything but the window's own cache and the device file.
    pub fn held(&self) -> BTreeSet<PathBuf> {
        let device = |path: &PathBuf| path.to_string_lossy().starts_with("device.");
        folder::listing(&self.data.path().join("data")).into_iter().filter(|path| !device(path)).collect()
    }
}
