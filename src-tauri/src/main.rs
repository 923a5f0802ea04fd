//! The Kernodeck desktop program.

// No terminal beside the window on Windows.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    kernodeck_lib::run()
}
