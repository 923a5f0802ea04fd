//! What the figures were taken on: figures of two machines, or of a busy one, must not be compared.

use std::fmt;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::{Bench, Outcome, stats};

/// Syncs that are timed.
const SYNCS: usize = 50;
/// Bytes appended before each: a page of SQLite.
const PAGE: usize = 4096;

/// The machine and the moment.
#[derive(Serialize)]
pub struct Machine {
    cores: usize,
    /// Over the minute before the start.
    load: f64,
    file_system: String,
    /// Median of appending a page and having it on the disk.
    sync_ms: f64,
    build: &'static str,
    quick: bool,
}

/// Looks at the machine and at the disk under the bench's folder.
///
/// # Errors
/// The disk's.
pub fn describe(bench: &Bench) -> Outcome<Machine> {
    let load = fs::read_to_string("/proc/loadavg")?;
    let load = load.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN);
    Ok(Machine {
        cores: std::thread::available_parallelism()?.get(),
        load,
        file_system: file_system(bench.folder.path())?,
        sync_ms: stats::median(&sync_times(bench.folder.path())?),
        build: if cfg!(debug_assertions) { "debug" } else { "release" },
        quick: bench.quick,
    })
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { cores, load, file_system, sync_ms, build, .. } = self;
        write!(
            f,
            "{cores} cores, load {load:.2}, {file_system}, a page is on the disk after {sync_ms:.2} ms, {build}"
        )?;
        if *load > 0.5 {
            write!(f, "\nTHE MACHINE WAS BUSY: these figures compare with no others")?;
        }
        if self.quick {
            write!(f, "\nQUICK: a tenth of the work; these figures mean nothing")?;
        }
        if *build == "debug" {
            write!(f, "\nDEBUG BUILD: these figures mean nothing")?;
        }
        Ok(())
    }
}

/// Type of the file system that the folder is on: the longest mount point above it.
fn file_system(folder: &Path) -> Outcome<String> {
    let folder = folder.canonicalize()?;
    let mounts = fs::read_to_string("/proc/mounts")?;
    let above = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        let (point, kind) = (words.next()?, words.next()?);
        folder.starts_with(point).then(|| (point.len(), kind.to_owned()))
    });
    Ok(above.max_by_key(|(length, _)| *length).map_or_else(|| "unknown".to_owned(), |(_, kind)| kind))
}

fn sync_times(folder: &Path) -> Outcome<Vec<Duration>> {
    let path = folder.join("sync");
    let mut file = File::create(&path)?;
    let mut times = Vec::with_capacity(SYNCS);
    for _ in 0..SYNCS {
        let started = Instant::now();
        file.write_all(&[7; PAGE])?;
        file.sync_data()?;
        times.push(started.elapsed());
    }
    fs::remove_file(path)?;
    Ok(times)
}
