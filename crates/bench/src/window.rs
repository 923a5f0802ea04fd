//! Exec to first paint, memory and size of the desktop program, beside an empty Tauri window that was built alike.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::process::{self, Memory, Program, beside, program};
use crate::report::{Figure, Report};
use crate::screen::{COLOURS_OF_A_PAGE, Screen};
use crate::site::Site;
use crate::stats::{median, mib, middle, most};
use crate::{Bench, Outcome};

/// Starts that are timed, of each program.
const TIMES: usize = 7;
/// Between the first paint and the look at the memory.
const SETTLED: Duration = Duration::from_secs(4);
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that opens a window.
struct Window<'a> {
    name: &'static str,
    arguments: Vec<String>,
    folder: &'a Path,
    paints: Vec<Duration>,
    memories: Vec<Memory>,
}

/// Takes the figures.
///
/// # Errors
/// Whatever a step said.
pub fn measure(bench: &Bench, report: &mut Report) -> Outcome<()> {
    let site = Site::started(bench, 1)?;
    let folder = bench.folder.path();
    let data = |name: &str| folder.join(name).display().to_string();
    let own = ["--data-dir", &data("desktop"), "--server", &site.url, "--no-keyring"].map(str::to_owned).to_vec();
    let window = |name, arguments| Window { name, arguments, folder, paints: Vec::new(), memories: Vec::new() };
    let mut windows = [window("kernodeck", own), window("kernodeck-empty-window", vec![data("empty")])];
    // Once each before anything is timed: the files are then in memory and the folders made, for both.
    for turn in 0..=bench.scaled(TIMES) {
        for window in &mut windows {
            let (paint, memory) = open(bench, window)?;
            if turn > 0 {
                window.paints.push(paint);
                window.memories.push(memory);
            }
        }
    }
    add(&windows[0], &windows[1], report)
}

/// Opens the window on a display of its own, waits for its page, looks at the memory and closes it.
fn open(bench: &Bench, window: &Window<'_>) -> Outcome<(Duration, Memory)> {
    let screen = Screen::start(bench)?;
    let mut command = beside(&program(window.name)?);
    command.args(&window.arguments).env("DISPLAY", &screen.display).env("HOME", window.folder);
    // Both run with the renderer that the desktop chooses for itself, and without anybody's message bus.
    command.env_remove("DBUS_SESSION_BUS_ADDRESS").env_remove("WAYLAND_DISPLAY").stdin(Stdio::null());
    if window.name != "kernodeck" {
        command.env("WEBKIT_DISABLE_DMABUF_RENDERER", "1");
    }
    let started = Instant::now();
    let mut program = Program::start(&mut command, window.folder.join(format!("{}.log", window.name)))?;
    let paint = process::until("a page on the display", PATIENCE, || {
        program.lives()?;
        Ok((screen.colours()? >= COLOURS_OF_A_PAGE).then(|| started.elapsed()))
    })?;
    std::thread::sleep(SETTLED);
    program.lives()?;
    Ok((paint, process::memory_of_tree(program.pid())?))
}

fn add(own: &Window<'_>, empty: &Window<'_>, report: &mut Report) -> Outcome<()> {
    let floor = "an empty Tauri window built alike";
    let times = own.paints.len();
    for (which, of) in [("median", median as fn(&[Duration]) -> f64), ("slowest", most)] {
        report.add(
            Figure::new(format!("desktop, exec to first paint, {which} of {times}"), of(&own.paints), "ms")
                .beside(floor, of(&empty.paints))
                .under("sandbox build, nobody signed in, no message bus, a virtual display without acceleration"),
        );
    }
    let pss = |window: &Window<'_>| mib(middle(&window.memories.iter().map(|memory| memory.pss).collect::<Vec<_>>()));
    report.add(Figure::new("desktop, PSS of all its processes, median", pss(own), "MiB").beside(floor, pss(empty)));
    let size = |name| Ok::<_, crate::Fault>(mib(program(name)?.metadata()?.len() / 1024));
    report.add(Figure::new("desktop, size of the program", size(own.name)?, "MiB").beside(floor, size(empty.name)?));
    Ok(())
}
