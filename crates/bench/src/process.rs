//! Programs that run beside the bench, and the memory they take.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;

/// Between two looks at something that is waited for and not itself measured.
pub const LOOK: Duration = Duration::from_millis(2);

/// The folder of the programs: cargo puts them beside this one.
///
/// # Errors
/// The system's.
pub fn programs() -> Outcome<PathBuf> {
    let own = std::env::current_exe()?;
    let folder = own.ancestors().skip(1).find(|folder| !folder.ends_with("deps"));
    folder.map(Path::to_owned).ok_or_else(|| "this program stands in no folder".into())
}

/// One of the programs that are measured.
///
/// # Errors
/// When it was not built.
pub fn program(name: &str) -> Outcome<PathBuf> {
    let path = programs()?.join(name);
    if path.exists() { Ok(path) } else { Err(format!("{name} is not built: `./x bench` builds it first").into()) }
}

/// A command that the system ends when the bench ends, however that ends.
pub fn beside(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--"]).arg(program);
    command
}

/// Runs a command to its end.
///
/// # Errors
/// What it said when it failed.
pub fn run(command: &mut Command) -> Outcome<()> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr).trim()).into())
}

/// Looks until there is something.
///
/// # Errors
/// The look's, or that nothing came in time.
pub fn until<T>(what: &str, patience: Duration, mut look: impl FnMut() -> Outcome<Option<T>>) -> Outcome<T> {
    let started = Instant::now();
    loop {
        if let Some(found) = look()? {
            return Ok(found);
        }
        if started.elapsed() > patience {
            return Err(format!("waited {patience:?} in vain for {what}").into());
        }
        std::thread::sleep(LOOK);
    }
}

/// A running program. Dropping it kills it and what it started, and nothing else.
pub struct Program {
    child: Child,
    log: PathBuf,
}

impl Program {
    /// Starts a command; what it says goes to a file.
    ///
    /// # Errors
    /// The system's.
    pub fn start(command: &mut Command, log: PathBuf) -> Outcome<Self> {
        let output = File::options().create(true).append(true).open(&log)?;
        command.stdout(output.try_clone()?).stderr(output);
        Ok(Self { child: command.spawn()?, log })
    }

    /// Its id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// All that it has said.
    pub fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// An error with its words when it has ended.
    ///
    /// # Errors
    /// That it has ended.
    pub fn lives(&mut self) -> Outcome<()> {
        match self.child.try_wait()? {
            None => Ok(()),
            Some(status) => Err(format!("a program ended, {status}:\n{}", self.said()).into()),
        }
    }

    /// Asks it to end and waits until it has.
    ///
    /// # Errors
    /// That it did not end in time, or not in good order.
    pub fn terminate(mut self, patience: Duration) -> Outcome<()> {
        signal(self.pid(), "TERM");
        let ended: ExitStatus = until("an orderly stop", patience, || Ok(self.child.try_wait()?))?;
        if ended.success() { Ok(()) } else { Err(format!("stopped with {ended}:\n{}", self.said()).into()) }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let started = tree(self.pid());
            let _ = self.child.kill();
            let _ = self.child.wait();
            for pid in started.into_iter().skip(1) {
                signal(pid, "KILL");
            }
        }
    }
}

fn signal(pid: u32, name: &str) {
    let _ = Command::new("kill").args([format!("-{name}"), pid.to_string()]).stderr(Stdio::null()).status();
}

/// Memory of processes, KiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Resident: shared pages counted in full.
    pub rss: u64,
    /// Proportional: a page shared by n processes counts 1/n in each.
    pub pss: u64,
}

/// Memory of one process.
///
/// # Errors
/// When it is gone.
pub fn memory(pid: u32) -> Outcome<Memory> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    let line = |name: &str| {
        text.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix(" kB")?.trim().parse().ok())
    };
    match (line("Rss:"), line("Pss:")) {
        (Some(rss), Some(pss)) => Ok(Memory { rss, pss }),
        _ => Err(format!("the memory of process {pid} can't be read").into()),
    }
}

/// Memory of a process with all that it started.
///
/// # Errors
/// When it is gone.
pub fn memory_of_tree(pid: u32) -> Outcome<Memory> {
    let mut sum = memory(pid)?;
    for child in tree(pid).into_iter().skip(1) {
        // One that ended meanwhile takes none.
        let part = memory(child).unwrap_or_default();
        sum = Memory { rss: sum.rss + part.rss, pss: sum.pss + part.pss };
    }
    Ok(sum)
}

/// A process and all that it started, itself first.
pub fn tree(pid: u32) -> Vec<u32> {
    let parents: Vec<(u32, u32)> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|child| Some((child, parent(child)?)))
        .collect();
    let mut found = vec![pid];
    let mut at = 0;
    while let Some(above) = found.get(at).copied() {
        found.extend(parents.iter().filter(|(_, parent)| *parent == above).map(|(child, _)| *child));
        at += 1;
    }
    found
}

fn parent(pid: u32) -> Option<u32> {
    // The name in brackets may hold anything; the parent is the second word behind it.
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window's memory is mostly that of the processes it starts.
    #[test]
    fn the_tree_holds_children_of_children_and_ends_with_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = beside(Path::new("sh"));
        command.args(["-c", "sh -c 'sleep 60; true'; true"]).stdin(Stdio::null());
        let program = Program::start(&mut command, folder.path().join("log")).unwrap();
        let found = until("three processes", Duration::from_secs(20), || {
            Ok(Some(tree(program.pid())).filter(|found| found.len() == 3))
        });
        let found = found.unwrap();
        let sum = memory_of_tree(program.pid()).unwrap();
        assert!(sum.pss > 0 && sum.rss >= sum.pss, "{sum:?}");
        drop(program);
        let gone = |pid: &u32| !Path::new(&format!("/proc/{pid}")).exists() || memory(*pid).is_err();
        until("the end of all", Duration::from_secs(20), || Ok(found.iter().all(gone).then_some(()))).unwrap();
    }
}
