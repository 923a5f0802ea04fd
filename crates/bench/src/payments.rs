//! The server's start and memory, and payment instructions per second.

use std::process::Stdio;
use std::time::{Duration, Instant};

use api::server::{CreatePayment, PlaceOrder};

use crate::load::{self, CLIENTS, Load, Rush};
use crate::process::{self, Program, beside, program};
use crate::report::{Figure, Report};
use crate::site::{RAISED, Site};
use crate::stats::{median, mib, most, per_second, percentile};
use crate::{Bench, Outcome, orders};

/// Signed addresses in the pool.
const ADDRESSES: u32 = 5_000;
/// Instructions that each client asks for, each for a fresh order.
const EACH: usize = 50;
/// Starts that are timed.
const STARTS: usize = 7;
/// After so long without a request a server counts as idle.
const IDLE: Duration = Duration::from_secs(10);
/// Time for the watcher to reach the tip and for the first prices.
const OPEN: Duration = Duration::from_secs(60);

/// Takes the figures.
///
/// # Errors
/// Whatever a step said.
pub fn measure(bench: &Bench, report: &mut Report) -> Outcome<()> {
    let mut site = Site::prepare(bench, ADDRESSES)?;
    start(&mut site, report)?;
    std::thread::sleep(IDLE);
    let idle = process::memory(site.pid()?)?;
    let load = Load::registered(&site.url, CLIENTS)?;
    let (paid, plain) = instructions(bench, &load)?;
    let busy = process::memory(site.pid()?)?;
    site.stop()?;

    let floor = idle_listener(bench)?;
    for (what, memory) in [("idle for 10 s after the start", idle), ("after the payments below", busy)] {
        for (kind, value, least) in [("PSS", memory.pss, floor.pss), ("RSS", memory.rss, floor.rss)] {
            report.add(
                Figure::new(format!("server memory, {what}, {kind}"), mib(value), "MiB")
                    .beside("a process that only listens", mib(least)),
            );
        }
    }
    report_rates(report, &paid, &plain);
    Ok(())
}

/// Spawn to `200` on `/readyz`, on a database with all its addresses; leaves the server running.
fn start(site: &mut Site, report: &mut Report) -> Outcome<()> {
    let mut starts = Vec::with_capacity(STARTS);
    let mut version = Vec::with_capacity(STARTS);
    for number in 0..STARTS {
        if number > 0 {
            site.stop()?;
        }
        starts.push(site.start()?);
        let started = Instant::now();
        process::run(beside(&program("kernodeck-server")?).arg("--version"))?;
        version.push(started.elapsed());
    }
    for (which, of) in [("median", median as fn(&[Duration]) -> f64), ("slowest", most)] {
        report.add(
            Figure::new(format!("server, spawn to ready, {which} of {STARTS}"), of(&starts), "ms")
                .beside("the same program printing its version", of(&version))
                .under(format!("a database with {ADDRESSES} addresses")),
        );
    }
    Ok(())
}

/// Fresh orders first, untimed; then instructions for them from all clients at the same time.
fn instructions(bench: &Bench, load: &Load) -> Outcome<(Rush, Rush)> {
    let catalogue = load.catalogue()?;
    let first = load.ask::<PlaceOrder>(0, &load::order(&catalogue, 0)?)?;
    // Refused until the watcher has reached the tip and there are prices.
    process::until("payment instructions", OPEN, || {
        let asked = load.ask::<CreatePayment>(0, &load::payment(&first.id, first.missing));
        Ok(asked.ok())
    })?;
    let placed = load.rush(load::orders(&catalogue, &[bench.scaled(EACH); CLIENTS])?)?;
    let plain = load.rush(orders::pages(bench.scaled(EACH)))?;
    let paid = load.rush(load::payments(&placed.answers)?)?;
    Ok((paid, plain))
}

fn report_rates(report: &mut Report, paid: &Rush, plain: &Rush) {
    let rate = |rush: &Rush| per_second(rush.waits.len(), rush.wall);
    let name = format!("payment instructions over HTTP, {CLIENTS} clients, SQLite");
    report.add(
        Figure::new(&name, rate(paid), "payments/s")
            .beside(format!("HTTP alone: /healthz, {CLIENTS} clients"), rate(plain))
            .under(RAISED)
            .under(format!(
                "an account and a network per client, a fresh order per payment, a pool of {ADDRESSES} addresses"
            )),
    );
    for percent in [50, 99] {
        report.add(
            Figure::new(format!("{name}, p{percent}"), percentile(&paid.waits, percent), "ms")
                .beside(format!("HTTP alone: /healthz, p{percent}"), percentile(&plain.waits, percent)),
        );
    }
}

fn idle_listener(bench: &Bench) -> Outcome<process::Memory> {
    let mut command = beside(&std::env::current_exe()?);
    command.arg("--idle").stdin(Stdio::piped());
    let mut listener = Program::start(&mut command, bench.folder.path().join("idle.log"))?;
    process::until("a process that listens", Duration::from_secs(20), || {
        listener.lives()?;
        Ok(listener.said().starts_with("listening").then_some(()))
    })?;
    process::memory(listener.pid())
}
