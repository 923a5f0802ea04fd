//! The tests on a real node see a watcher that passes over a block.

use crate::support::run_with;

#[test]
fn a_watcher_that_passes_over_a_block_is_caught() {
    for test in [
        "mempool::a_payment_is_sighted_then_mined_under_the_same_name",
        "reorganisation::a_reorganisation_deeper_than_the_confirmations_moves_the_payment_to_another_block",
    ] {
        let (passed, said) = run_with(faults::WATCHER_SKIPS_BLOCK, test);
        assert!(!passed && said.contains("0 passed; 1 failed"), "the fault was not seen:\n{said}");
    }
}

#[test]
fn a_node_that_counts_without_peers_is_caught() {
    let test = "in_step::a_node_counts_only_while_another_one_is_connected";
    let (passed, said) = run_with(faults::NODE_WITHOUT_PEERS_HEALTHY, test);
    assert!(!passed && said.contains("0 passed; 1 failed"), "the fault was not seen:\n{said}");
}
