//! The planted fault that the matrix must catch.

use std::process::Command;

use crate::support::*;

/// Runs one test of this suite in a process of its own, with a fault switched on.
pub fn run_with_fault(test: &str, fault: &str) -> (bool, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--test-threads=1"])
        .env("KERNODECK_FAULTS", fault)
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn the_matrix_sees_an_endpoint_without_its_owner_check(engine: Engine) {
    let test = match engine {
        Engine::Sqlite => "matrix::sqlite::every_cell_is_as_written",
        Engine::Postgres => "matrix::postgres::every_cell_is_as_written",
    };
    let (passed, said) = run_with_fault(test, faults::NO_OWNER_CHECK);
    assert!(!passed, "the fault was not seen");
    for cell in ["order × Other: ok, not not_found", "payment × Other: ok, not not_found", "cancel_order × Other"] {
        assert!(said.contains(cell), "{cell}: {said}");
    }
}

on_both_engines![the_matrix_sees_an_endpoint_without_its_owner_check];
