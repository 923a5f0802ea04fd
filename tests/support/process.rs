//! A program that runs beside a test: it ends with its owner, and with the test's thread however that ends.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::wait;

/// A running program. Dropping it kills it, and nothing else.
pub struct Running {
    child: Child,
    log: PathBuf,
}

impl Running {
    /// Starts a program whose words go to a file, so that nothing that outlives it can hold the test's own output.
    pub fn start(program: &Path, log: &Path, set_up: impl FnOnce(&mut Command)) -> Self {
        let output = File::options().create(true).append(true).open(log).unwrap();
        // The kernel ends the program when the thread that started it does: a killed test leaves nothing behind.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "--"]).arg(program);
        command.stdin(Stdio::null()).stdout(output.try_clone().unwrap()).stderr(output);
        set_up(&mut command);
        let child = command.spawn().unwrap_or_else(|error| panic!("{} did not start: {error}", program.display()));
        Self { child, log: log.to_owned() }
    }

    /// Its id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it was given as standard input, if it was piped.
    pub fn stdin(&mut self) -> Option<std::process::ChildStdin> {
        self.child.stdin.take()
    }

    /// How it ended, once it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// All that it has said.
    pub fn said(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Asks it to end and waits until it has.
    pub fn terminate(&mut self, patience: Duration) -> ExitStatus {
        signal(self.pid(), "TERM");
        wait::within(patience, || self.ended()).unwrap_or_else(|| panic!("it did not end in time:\n{}", self.said()))
    }

    /// Kills it in the middle of whatever it does.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Sends a signal to one process.
pub fn signal(pid: u32, name: &str) {
    let _ = Command::new("kill").args([format!("-{name}"), pid.to_string()]).stderr(Stdio::null()).status();
}

/// Whether a process of that id runs.
pub fn lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // A dead child that nobody has waited for is «Z»; the state stands behind the name in brackets.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// The processes that this one started.
pub fn children(pid: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| parent(*id) == Some(pid)).collect()
}

fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}
