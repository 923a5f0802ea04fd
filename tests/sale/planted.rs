//! A sale and signing out, with parts taken out of the real programs: the same tests must see it.

use e2e::planted::run;

const SALE: &str = "in_the_window::a_first_sale_from_the_window_to_the_disk";
const SIGNING_OUT: &str = "signing_out::signing_out_leaves_no_file_and_no_key_and_an_older_copy_stays_shut";

#[test]
fn a_program_that_leaves_something_behind_is_caught() {
    let run = run(SIGNING_OUT, &[faults::SIGN_OUT_KEEPS_FILES, faults::SIGN_OUT_KEEPS_KEY, faults::FILES_IN_CLEAR]);
    run.is_red(&["folder: signing out left", "cache.db"]);
    run.is_red(&["keyring: signing out left"]);
    run.is_red(&["copy: it opens again"]);
    run.is_red(&["copy: readable as it lies", "cache.db"]);
}

#[test]
fn a_server_that_believes_a_notice_is_caught() {
    run(SALE, &[faults::NOTICE_BELIEVED]).is_red(&["a notice proves nothing"]);
}

#[test]
fn a_watcher_that_skips_a_block_is_caught() {
    run(SALE, &[faults::WATCHER_SKIPS_BLOCK]).is_red(&["in vain for «payment-headline» with data-kind=confirming"]);
}

#[test]
fn a_ledger_that_credits_a_sighting_twice_is_caught() {
    run(SALE, &[faults::CREDIT_TWICE]).is_red(&["received:litecoin:ltc stands at", "credits that stand sum to"]);
}
