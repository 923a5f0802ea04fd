//! The server program.

use std::process::ExitCode;

fn main() -> ExitCode {
    kernodeck_server::cli::main()
}
