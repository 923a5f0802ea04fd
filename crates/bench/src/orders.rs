//! Orders per second over HTTP, beside one commit for each, beside the use case without HTTP, beside raw batches.

use crate::load::{self, CLIENTS, Call, Load};
use crate::report::{Figure, Report};
use crate::site::{RAISED, Site};
use crate::stats::{per_second, percentile};
use crate::use_case::Orders;
use crate::{Bench, Outcome, raw};

/// Orders of each client.
const EACH: usize = 150;
/// Orders of each client before anything is timed.
const WARM_UP: usize = 3;
/// Orders with a commit of their own.
const ALONE: usize = 2_000;

/// Takes the figures.
///
/// # Errors
/// Whatever a step said.
pub fn measure(bench: &Bench, report: &mut Report) -> Outcome<()> {
    let mut site = Site::started(bench, 1)?;
    let load = Load::registered(&site.url, CLIENTS)?;
    let catalogue = load.catalogue()?;
    load.rush(load::orders(&catalogue, &[WARM_UP; CLIENTS])?)?;
    let plain = load.rush(pages(bench.scaled(EACH)))?;
    let placed = load.rush(load::orders(&catalogue, &[bench.scaled(EACH); CLIENTS])?)?;
    site.stop()?;

    let folder = bench.folder.path();
    let orders = Orders::new(&folder.join("use-case.db"))?;
    orders.one_by_one(CLIENTS)?;
    let alone = per_second(bench.scaled(ALONE), orders.one_by_one(bench.scaled(ALONE))?);
    let together = per_second(bench.scaled(EACH) * CLIENTS, orders.together(bench.scaled(EACH))?);
    orders.close();
    let (count, took) = raw::orders(&folder.join("use-case.db"), &folder.join("raw.db"))?;

    let rate = |rush: &load::Rush| per_second(rush.waits.len(), rush.wall);
    report.add(
        Figure::new(format!("orders over HTTP, {CLIENTS} clients, SQLite"), rate(&placed), "orders/s")
            .beside("one commit per order: same use case, one thread", alone)
            .beside(format!("same use case, {CLIENTS} threads, no HTTP"), together)
            .beside("raw batches of the same rows, 256 per commit", per_second(count, took))
            .beside(format!("HTTP alone: /healthz, {CLIENTS} clients"), rate(&plain))
            .under(RAISED),
    );
    for percent in [50, 99] {
        report.add(
            Figure::new(
                format!("an order over HTTP, {CLIENTS} clients, p{percent}"),
                percentile(&placed.waits, percent),
                "ms",
            )
            .beside(format!("HTTP alone: /healthz, p{percent}"), percentile(&plain.waits, percent)),
        );
    }
    Ok(())
}

/// So many questions of every client that touch nothing: what HTTP itself takes of this machine.
pub fn pages(each: usize) -> Vec<Vec<Call>> {
    (0..CLIENTS).map(|_| (0..each).map(|_| Call::Get("/healthz")).collect()).collect()
}
