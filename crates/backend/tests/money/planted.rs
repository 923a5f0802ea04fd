//! Faults planted into the real parts must turn these very cases red. Each runs this test program again with the fault
//! switched on, because the switch is the process's environment.

use std::process::Command;

const CASES: &str = "every_case_holds_on_both_engines";

fn with_fault(fault: &str) -> (bool, String) {
    with_fault_in(fault, "")
}

/// Runs the cases alone whose name holds `only`.
fn with_fault_in(fault: &str, only: &str) -> (bool, String) {
    let mut this = Command::new(std::env::current_exe().unwrap());
    this.args(["--exact", CASES, "--nocapture"]).env("KERNODECK_FAULTS", fault).env(crate::ONLY, only);
    let output = this.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

#[test]
fn a_ledger_that_credits_a_sighting_twice_is_caught() {
    let (green, text) = with_fault(faults::CREDIT_TWICE);
    assert!(!green, "the planted fault passed:\n{text}");
    println!("{}", red(&text));
}

#[test]
fn a_watcher_that_skips_a_block_is_caught() {
    let (green, text) = with_fault(faults::WATCHER_SKIPS_BLOCK);
    assert!(!green, "the planted fault passed:\n{text}");
    println!("{}", red(&text));
}

#[test]
fn an_endpoint_without_its_owner_check_is_caught() {
    let (green, text) = with_fault(faults::NO_OWNER_CHECK);
    assert!(!green, "the planted fault passed:\n{text}");
    println!("{}", red(&text));
}

#[test]
fn a_restore_that_keeps_the_free_addresses_is_caught() {
    let (green, text) = with_fault(faults::RESTORE_KEEPS_FREE);
    assert!(!green, "the planted fault passed:\n{text}");
    println!("{}", red(&text));
}

#[test]
fn what_a_watcher_overlooks_is_caught() {
    let expected = [
        (faults::GAP_FORGOTTEN, "what we missed is called late"),
        (faults::PART_IS_WHOLE, "what was not read was called gone"),
        (faults::LOST_BLOCK_FORGOTTEN, "what no block and no pool holds is still seen"),
        (faults::LAG_UNSAID, "a mempool that is never read to its end is no alarm"),
    ];
    for (fault, words) in expected {
        let (green, text) = with_fault(fault);
        assert!(!green && text.contains(words), "the planted fault {fault} passed:\n{text}");
        println!("{fault}: {}", red(&text));
    }
}

#[test]
fn what_a_restore_forgets_is_caught() {
    let expected = [
        (faults::RESTORED_TOO_EARLY, "it is open before it knows that it was restored"),
        (faults::RESTORE_KEEPS_GENERATIONS, "the device keeps what was lost and misses what is new"),
    ];
    for (fault, words) in expected {
        let (green, text) = with_fault_in(fault, "restore_");
        assert!(!green && text.contains(words), "the planted fault {fault} passed:\n{text}");
        println!("{fault}: {}", red(&text));
    }
}

#[test]
fn an_address_that_somebody_paid_to_is_caught_when_it_is_given_out() {
    let (green, text) = with_fault_in(faults::PAID_ADDRESS_GIVEN_OUT, "overlap_an_address");
    assert!(!green && text.contains("an address that somebody else pays to is given out"), "{text}");
    println!("{}", red(&text));
}

/// The lines of the panic.
fn red(text: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.contains("panicked at")).take(6);
    lines.collect::<Vec<_>>().join("\n")
}
