//! Each refusal, with the check behind it taken out of the real programs: the same tests must see it.

use e2e::planted::run;

const RECORDS: &str = "records::a_record_that_does_not_check_shows_no_address";
const MISSING: &str = "instructions::what_is_missing_is_named_and_no_address_is_shown_in_its_place";
const SOLD_OUT: &str = "instructions::lots_that_a_second_customer_took_meanwhile_can_be_neither_paid_nor_ordered";
const PASSWORDS: &str = "passwords::fourteen_and_129_code_points_are_refused_and_15_and_128_are_taken";

/// Every case breaks one rule only, so each of these lines is one fault's.
#[test]
fn a_client_that_leaves_out_a_check_is_caught() {
    let run = run(
        RECORDS,
        &[
            faults::SIGNATURE_UNCHECKED,
            faults::EPOCH_IGNORED,
            faults::LAST_DAY_IGNORED,
            faults::NETWORK_IGNORED,
            faults::ENVIRONMENT_IGNORED,
            faults::CHAIN_IGNORED,
            faults::REUSE_IGNORED,
            faults::AMOUNT_NOT_COMPUTED,
            faults::TOTAL_NOT_COMPARED,
            faults::DEADLINE_LATER,
        ],
    );
    for case in ["bad_signature", "old_epoch", "past_last_day", "address_reused", "wrong_amount", "wrong_total"] {
        run.is_red(&[case, "an address is shown: rltc1"]);
    }
    run.is_red(&["wrong_environment", "an address is shown: ltc1"]);
    // Bitcoin's address is of no litecoin URI: the last layer holds, but the reason is not the one that is tested.
    run.is_red(&["wrong_network", "refused for another reason: bad_address"]);
    run.is_red(&["deadline", "an address is shown after it: rltc1"]);
}

/// Behind network and environment stands the chain.
#[test]
fn a_client_that_accepts_any_key_or_does_not_look_where_a_record_belongs_is_caught() {
    let run = run(RECORDS, &[faults::ANY_KEY, faults::NETWORK_IGNORED, faults::ENVIRONMENT_IGNORED]);
    run.is_red(&["unknown_key", "an address is shown: rltc1"]);
    run.is_red(&["bad_signature", "an address is shown: rltc1"]);
    run.is_red(&["wrong_network", "refused for another reason: wrong_chain"]);
    run.is_red(&["wrong_environment", "refused for another reason: wrong_chain"]);
}

#[test]
fn a_server_that_gives_instructions_without_what_they_need_is_caught() {
    let run = run(MISSING, &[faults::ADDRESS_OF_ANOTHER, faults::STALE_RATES, faults::NODE_DOWN_IGNORED]);
    // The database gives an address to one payment only.
    run.is_red(&["no_address", "litecoin is offered, and asking for it ends in «internal»"]);
    run.is_red(&["no_rate", "an address is shown: rltc1"]);
    run.is_red(&["node_down", "an address is shown: rltc1"]);
}

#[test]
fn a_server_that_sells_the_same_lots_twice_is_caught() {
    let run = run(SOLD_OUT, &[faults::STOCK_UNCHECKED]);
    run.is_red(&["sold_out", "an address is shown"]);
    run.is_red(&["sold_out", "it can be ordered"]);
}

#[test]
fn a_field_or_a_server_that_does_not_count_a_password_is_caught() {
    let run = run(PASSWORDS, &[faults::PASSWORD_LENGTH_UNSAID, faults::PASSWORD_LENGTH_UNCHECKED]);
    for code_points in ["14 code points", "129 code points"] {
        run.is_red(&[code_points, "the field says «»"]);
        run.is_red(&[code_points, "an account was made"]);
    }
}
