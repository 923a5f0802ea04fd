//! The harness of `forks` sees a watcher that passes over a block.

use crate::support::run_with;

#[test]
fn a_watcher_that_passes_over_a_block_is_caught() {
    let test = "forks::whatever_the_network_does_the_transfers_are_those_of_its_best_chain";
    let (passed, said) = run_with(faults::WATCHER_SKIPS_BLOCK, test);
    assert!(!passed, "the fault was not seen:\n{said}");
    assert!(said.contains("the transfers are not those of the best chain"), "{said}");
    let (passed, said) = run_with("", test);
    assert!(passed && said.contains("1 passed"), "the same run without the fault:\n{said}");
}
