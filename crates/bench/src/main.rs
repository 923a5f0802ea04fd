//! The figures of `./x bench`. Each is printed beside its floor: the least that the same machine could do for the same
//! work in the same run. What each one measures and how to read it stands in `docs/BENCHES.md`.

mod idle;
mod load;
mod machine;
mod mined;
mod orders;
mod payments;
mod process;
mod raw;
mod report;
mod screen;
mod site;
mod stats;
mod sync;
mod use_case;
mod window;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use report::Report;

/// What went wrong, in words for whoever runs the benches.
type Fault = Box<dyn Error + Send + Sync>;
type Outcome<T> = Result<T, Fault>;

/// Takes figures, each beside its floor from the same run.
#[derive(Parser)]
#[command(name = "bench")]
struct Args {
    /// Which figures; all of them when none is named.
    figures: Vec<Group>,
    /// A folder on the disk that the databases shall stand on; beside the programs when none is named.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// A tenth of the work, to see that everything runs: the figures mean nothing.
    #[arg(long)]
    quick: bool,
    /// Only listens and waits: the process whose memory is the floor.
    #[arg(long, hide = true)]
    idle: bool,
}

/// Figures that are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Group {
    /// Start, memory, payment instructions, block to `paid`.
    Server,
    /// Orders per second.
    Orders,
    /// 10 000 orders into the encrypted cache.
    Sync,
    /// Exec to first paint, memory and size of the desktop program.
    Window,
}

/// Where and how much is measured.
struct Bench {
    folder: tempfile::TempDir,
    quick: bool,
}

impl Bench {
    fn new(args: &Args) -> Outcome<Self> {
        let parent = args.folder.clone().map_or_else(process::programs, Ok)?;
        std::fs::create_dir_all(&parent)?;
        let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(parent)?;
        Ok(Self { folder, quick: args.quick })
    }

    /// So many of something, or a tenth of them.
    fn scaled(&self, full: usize) -> usize {
        if self.quick { full.div_ceil(10) } else { full }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = if args.idle { idle::wait() } else { measure(&args) };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(args: &Args) -> Outcome<()> {
    let bench = Bench::new(args)?;
    let mut report = Report::new(machine::describe(&bench)?);
    let all = Group::value_variants();
    let chosen: &[Group] = if args.figures.is_empty() { all } else { &args.figures };
    for group in all.iter().filter(|group| chosen.contains(group)) {
        eprintln!("bench: {group:?}");
        let taken = match group {
            Group::Server => payments::measure(&bench, &mut report).and_then(|()| mined::measure(&bench, &mut report)),
            Group::Orders => orders::measure(&bench, &mut report),
            Group::Sync => sync::measure(&bench, &mut report),
            Group::Window => window::measure(&bench, &mut report),
        };
        if let Err(error) = taken {
            report.failed(format!("{group:?}: {error}"));
        }
    }
    report.print()
}
