//! A sale through the desktop's library, its commands insisted on while the server is being killed.

use std::time::{Duration, Instant};

use api::host::Host;
use api::server::{HandOverRequest, PrepareRequest, RecordAcceptanceRequest};
use api::views::{AccessView, Headline, MethodReason, OrderState, OrderView};
use api::{ApiError, ErrorCode};
use testkit::node::Litecoind;

use crate::desktop::{Device, open_slip};
use crate::server::now;
use crate::wait::{POLL, abandoned};
use crate::walk::Access;

/// Memory of a B200 as its driver reports it, MiB.
pub const B200_MIB: u32 = 183_359;
/// How long somebody presses a button again and again.
const INSISTENCE: Duration = Duration::from_secs(90);

/// One lot of B200 ordered, paid, mined twice and handed over; the order as the customer holds it then, and its payment's id.
pub fn sell(customer: &Device, operator: &Device, node: &Litecoind) -> (OrderView, String) {
    let order = insist("ordering", || customer.order("b200", 1));
    let screen = insist("asking how to pay", || match customer.instructions(&order) {
        // Just started, the server has not asked its node yet.
        Err(error) if is_node_silent(&error.error) => Err(ErrorCode::Offline.into()),
        other => other,
    });
    let (address, amount, _) = open_slip(&screen);
    node.send(&address, &amount).unwrap();
    let payment_id = screen.payment.id;
    customer
        .until_payment(&payment_id, "the payment to be seen", |screen| screen.payment.headline != Headline::Waiting);
    node.mine(2).unwrap();
    customer.until_order(&order.id, "a settled order", |order| order.state == OrderState::Settled);
    fulfil(operator, &order.id, order.gpus);
    (customer.until_order(&order.id, "access", |order| order.access.is_some()), payment_id)
}

fn is_node_silent(error: &ErrorCode) -> bool {
    matches!(error, ErrorCode::MethodUnavailable { reason: MethodReason::NodeDown | MethodReason::NodeLagging, .. })
}

/// Prepares, checks and hands over an order of B200 GPUs, so many in all.
pub fn fulfil(operator: &Device, order_id: &str, gpus: u32) {
    let host = operator.host();
    let order_id = order_id.to_owned();
    insist("preparing", || {
        let prepare = PrepareRequest { command_id: String::new(), order_id: order_id.clone(), expected_at: None };
        host.start_preparing(&(), prepare)
    });
    let found = acceptance(&order_id, gpus);
    let recorded = insist("the acceptance check", || host.record_acceptance(&(), found.clone()));
    assert!(recorded.acceptance.passed, "{:?}", recorded.acceptance.differences);
    let verified = now().into();
    insist("handing over", || {
        let (command_id, order_id) = (String::new(), order_id.clone());
        host.hand_over(&(), HandOverRequest { command_id, order_id, access: access(), login_verified_at: verified })
    });
}

fn acceptance(order_id: &str, gpus: u32) -> RecordAcceptanceRequest {
    let count = usize::try_from(gpus).unwrap();
    RecordAcceptanceRequest {
        command_id: String::new(),
        order_id: order_id.to_owned(),
        devices: gpus,
        device_names: vec!["NVIDIA B200".into(); count],
        memory_mib: vec![B200_MIB; count],
        driver: "570.124.06".into(),
        unpartitioned: true,
        operator_access_removed: true,
    }
}

/// What is handed over.
pub fn access() -> AccessView {
    let Access { host, user, password, host_key } = Access::EXAMPLE;
    AccessView {
        host: host.into(),
        port: 22,
        user: user.into(),
        host_key_fingerprint: host_key.into(),
        password: Some(password.into()),
        notebook_url: None,
        notebook_token: None,
        notes: None,
    }
}

/// Asks again and again while the server can't be reached: each time the same command, which must happen once.
pub fn insist<T>(what: &str, mut ask: impl FnMut() -> Result<T, ApiError>) -> T {
    let started = Instant::now();
    loop {
        match ask() {
            Ok(answer) => return answer,
            Err(error) if is_outage(&error.error) && started.elapsed() < INSISTENCE && !abandoned() => {
                std::thread::sleep(POLL);
            }
            Err(error) => panic!("{what}: {error}"),
        }
    }
}

/// Whether nothing was decided.
pub fn is_outage(error: &ErrorCode) -> bool {
    matches!(error, ErrorCode::Offline | ErrorCode::UnreadableAnswer | ErrorCode::Busy)
}
