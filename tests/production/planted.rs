//! The same tests, pointed at a sandbox build as if it were the production build: each must be red.

use e2e::planted::run;

#[test]
fn a_program_with_test_keys_and_test_networks_is_caught() {
    let run = run("no_test_key_and_no_test_network_is_in_the_program", &[]);
    run.is_red(&["left: [", "\"tltc\"", "\"rltc\"", "\"seed ", "\"public key "]);
}

#[test]
fn a_program_that_takes_records_of_tests_is_caught() {
    for (test, prefix) in [
        ("a_record_of_regtest_is_refused_and_the_sandbox_build_takes_it", "rltc1"),
        ("a_record_of_the_sandbox_is_refused_and_the_sandbox_build_takes_it", "tltc1"),
    ] {
        let run = run(test, &[]);
        run.is_red(&["record: accepted: the slip is \"open\""]);
        run.is_red(&["reason: no reason"]);
        run.is_red(&["address: shown: ", prefix]);
        run.is_red(&["build: it says that it is a sandbox"]);
    }
}

#[test]
fn a_program_that_starts_where_others_could_drive_its_window_is_caught() {
    let run = run("the_program_does_not_start_where_others_could_drive_its_window", &[]);
    run.is_red(&["it went on to open its window"]);
}

#[test]
fn a_program_that_takes_planted_faults_is_caught() {
    let run = run("no_fault_can_be_planted_into_the_programs_that_people_get", &[]);
    run.is_red(&["kernodeck: the production build takes planted faults"]);
    run.is_red(&["kernodeck-server: it takes planted faults"]);
}
