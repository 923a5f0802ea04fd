//! From a mined block to `paid` on a customer's screen, beside two bare pollers of the same intervals.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use api::server::{CreatePayment, Payment, PaymentRequest, PlaceOrder};
use api::views::Headline;
use manifest::SignedRecord;
use testkit::node::Litecoind;

use crate::load::{self, Load};
use crate::process;
use crate::report::{Figure, Report};
use crate::site::{NODE_POLL_MS, Site};
use crate::stats::{median, most};
use crate::{Bench, Outcome};

const TIMES: u32 = 10;
/// The customer's program looks this often.
const POLL: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(60);

/// Takes the figures.
///
/// # Errors
/// Whatever a step said.
pub fn measure(bench: &Bench, report: &mut Report) -> Outcome<()> {
    let site = Site::started(bench, 100)?;
    let load = Load::registered(&site.url, 1)?;
    let mut paid = Vec::new();
    let mut bare = Vec::new();
    for turn in 0..TIMES {
        // A customer's looks fall anywhere between two blocks: each time the first one comes a little later.
        let phase = POLL * turn / TIMES;
        paid.push(until_paid(&site, &load, phase)?);
        bare.push(until_known(&site.node, phase, POLL * (turn * 7 % TIMES) / TIMES)?);
    }
    let conditions =
        format!("1 confirmation, node looked at every {NODE_POLL_MS} ms, client every {POLL:?}, a real litecoind");
    for (which, of) in [("median", median as fn(&[Duration]) -> f64), ("slowest", most)] {
        report.add(
            Figure::new(format!("mined block to `paid`, {which} of {TIMES}"), of(&paid), "ms")
                .beside("two bare pollers of the same intervals on the same node", of(&bare))
                .under(&conditions),
        );
    }
    Ok(())
}

/// Buys something, waits until the transfer is seen, mines the block and polls. Time runs from asking the node for the block.
fn until_paid(site: &Site, load: &Load, phase: Duration) -> Outcome<Duration> {
    let order = load.ask::<PlaceOrder>(0, &load::order(&load.catalogue()?, 0)?)?;
    let payment = process::until("payment instructions", PATIENCE, || {
        Ok(load.ask::<CreatePayment>(0, &load::payment(&order.id, order.missing)).ok())
    })?;
    let request = PaymentRequest { payment_id: payment.id };
    let headline = || Ok::<_, crate::Fault>(load.ask::<Payment>(0, &request)?.headline);
    site.node.send(&SignedRecord::from_line(&payment.record)?.record.address, &payment.amount)?;
    process::until("the transfer to be seen", PATIENCE, || Ok((headline()? == Headline::Seen).then_some(())))?;
    let to = site.node.new_address()?;
    let started = Instant::now();
    site.node.mine_to(1, &to)?;
    poll(phase, started, || Ok(headline()? == Headline::Paid))
}

/// The same waiting with nothing between the pollers but a number. The block comes `into` after a look at the node.
fn until_known(node: &Litecoind, phase: Duration, into: Duration) -> Outcome<Duration> {
    let (known, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let height = node.height()?;
    let to = node.new_address()?;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                known.store(node.height().unwrap_or(0), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(NODE_POLL_MS));
            }
        });
        let first = process::until("a first look", PATIENCE, || Ok((known.load(Ordering::Relaxed) > 0).then_some(())));
        std::thread::sleep(into);
        let started = Instant::now();
        let mined = node.mine_to(1, &to);
        let found = poll(phase, started, || Ok(known.load(Ordering::Relaxed) > height));
        stop.store(true, Ordering::Relaxed);
        first?;
        mined?;
        found
    })
}

/// Looks after `phase` and then every [`POLL`]; answers the time since `started` at which it was so.
fn poll(phase: Duration, started: Instant, mut look: impl FnMut() -> Outcome<bool>) -> Outcome<Duration> {
    std::thread::sleep(phase);
    while started.elapsed() < PATIENCE {
        if look()? {
            return Ok(started.elapsed());
        }
        std::thread::sleep(POLL);
    }
    Err("a mined block was not seen in time".into())
}
