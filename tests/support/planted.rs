//! A test run again on programs with a fault planted: it must turn red, and say why.

use std::process::Command;

use crate::programs::{self, ASIDE, PLANTED};

/// The variable that switches faults on, in programs that take them.
pub const FAULTS: &str = "KERNODECK_FAULTS";

/// How a test ended that was run again.
pub struct Run {
    passed: bool,
    said: String,
}

/// Runs a test of this very test program again, by its whole name, on the programs that take planted faults, with these
/// faults switched on. Nothing else differs.
pub fn run(test: &str, faults: &[&str]) -> Run {
    // With this process, should it be killed, the other one ends too.
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--"]).arg(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(ASIDE, PLANTED).env(FAULTS, faults.join(","));
    let output = programs::output(&mut command);
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("\nrunning 1 test\n"), "there is no test {test}:\n{said}");
    Run { passed: output.status.success(), said }
}

impl Run {
    /// Fails unless the test failed with a line that holds all of these words; prints that line.
    #[track_caller]
    pub fn is_red(&self, words: &[&str]) {
        assert!(!self.passed, "the planted fault passed: no {words:?} in\n{}", self.said);
        let line = self.said.lines().find(|line| words.iter().all(|word| line.contains(word)));
        println!("{}", line.unwrap_or_else(|| panic!("red, but not for {words:?}:\n{}", self.said)).trim());
    }
}
