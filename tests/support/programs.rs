//! Where the programs under test are, and how programs of the system are run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the programs that cargo built beside this one.
pub fn built() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let folder = own.ancestors().skip(1).find(|folder| !folder.ends_with("deps"));
    folder.expect("a folder of programs").to_owned()
}

/// The variable that sends every look-up to one folder of programs that were put aside: a test runs itself again on them.
pub const ASIDE: &str = "KERNODECK_TEST_PROGRAMS";
/// The folder of the programs that take planted faults. They are sandbox builds.
pub const PLANTED: &str = "planted";

/// One of the programs under test.
pub fn program(name: &str) -> PathBuf {
    match std::env::var(ASIDE) {
        Ok(folder) => aside(&folder, name),
        Err(_) => there(built().join(name)),
    }
}

/// One of the programs as people install them, without the sandbox.
pub fn production(name: &str) -> PathBuf {
    aside(&std::env::var(ASIDE).unwrap_or_else(|_| "production".to_owned()), name)
}

/// One of the programs that are put aside, because cargo keeps one of a name.
pub fn aside(folder: &str, name: &str) -> PathBuf {
    there(built().parent().unwrap().join(folder).join(name))
}

fn there(path: PathBuf) -> PathBuf {
    assert!(path.exists(), "{} is missing: `./x test` builds it before the tests", path.display());
    path
}

/// The checkout.
pub fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Runs a command to its end and answers what it printed; panics with its own words when it fails.
pub fn run(command: &mut Command) -> String {
    let output = output(command);
    assert!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a command to its end.
pub fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?} can't be run (`./x test` installs it): {error}"))
}
