//! Faults planted into the real parts must turn these very cases red.

use std::process::Command;

const CASES: &str = "every_case_holds_on_both_engines";

/// Runs this test program again with the fault switched on, because the switch is the process's environment.
fn with_fault(fault: &str) -> String {
    let this = std::env::current_exe().unwrap();
    let output =
        Command::new(this).args(["--exact", CASES, "--nocapture"]).env("KERNODECK_FAULTS", fault).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "the planted fault {fault} passed:\n{text}");
    let red: Vec<&str> = text.lines().skip_while(|line| !line.contains("panicked at")).take(5).collect();
    let red = red.join("\n");
    println!("{fault}\n{red}");
    red
}

#[test]
fn a_server_that_sees_no_reuse_is_caught() {
    let red = with_fault(faults::REUSE_UNDETECTED);
    assert!(red.contains("a replaced token still opens the account"), "{red}");
}

#[test]
fn a_removal_that_takes_customers_is_caught() {
    let red = with_fault(faults::IDLE_REMOVAL_TAKES_CUSTOMERS);
    assert!(red.contains("accounts with an order were removed"), "{red}");
}

#[test]
fn a_code_that_is_good_twice_is_caught() {
    let red = with_fault(faults::CODE_REUSED);
    assert!(red.contains("a code signed in twice"), "{red}");
}
