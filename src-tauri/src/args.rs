//! What the program is started with.

use std::path::PathBuf;

use clap::Parser;

/// Where the production program finds its server; set when the program is built for release.
const BUILT_IN_SERVER: Option<&str> = option_env!("KERNODECK_SERVER");

/// The Kernodeck desktop program.
#[derive(Clone, Debug, Parser)]
#[command(version)]
pub struct Args {
    /// Where this device's data stands, in place of the system's folder for it.
    #[arg(long, value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
    /// The server's address, in place of the one that was built in.
    #[arg(long, value_name = "URL")]
    pub server: Option<String>,
    /// Keep keys under the password rather than in the system's keyring.
    #[arg(long)]
    pub no_keyring: bool,
}

impl Args {
    /// The server's address, if one was given or built in.
    pub fn server(&self) -> Option<String> {
        self.server.clone().or_else(|| BUILT_IN_SERVER.map(str::to_owned))
    }
}
