//! The planted faults that the tests of the command line must catch. The programs that they start inherit the fault.

use crate::faults::run_with_fault;

fn caught(test: &str, fault: &str, sign: &str) {
    let (passed, said) = run_with_fault(&format!("program::{test}"), fault);
    assert!(!passed && said.contains(sign), "{fault} was not seen by {test}: {said}");
}

#[test]
fn a_door_that_is_open_to_every_user_is_caught() {
    caught("beside::the_door_is_closed_to_other_users_of_the_machine", faults::OPEN_DOOR, "left: (438, 493)");
}

#[test]
fn a_door_that_logs_passwords_is_caught() {
    let test = "beside::an_operator_made_beside_the_running_server_signs_in_and_no_log_knows_the_password";
    caught(test, faults::DOOR_LOGS_ANSWERS, "the log knows the password");
}

#[test]
fn a_check_that_compares_no_books_is_caught() {
    caught(
        "check::a_row_that_was_changed_by_hand_is_named_on_both_engines",
        faults::BOOKS_UNCHECKED,
        "the books are not compared",
    );
}
