//! Preparing machines, checking them, handing over access. The clock starts at the commit of the hand-over.

use api::ErrorCode;
use api::server::{HandOverRequest, OperatorOrder, PrepareRequest, RecordAcceptanceAnswer, RecordAcceptanceRequest};
use api::views::{AcceptanceView, AccessView, EventKind};
use domain::Timestamp;
use domain::access::AccessInput;
use domain::catalogue::RentalDays;
use domain::fulfilment::{
    Acceptance, ExpectedMachine, FoundDevice, FoundMachine, HandOver, Move, MoveRefused, VerifiedLogin,
};
use domain::time::{DAY_MICROS, MINUTE_MICROS};
use serde::{Deserialize, Serialize};
use store::Tx;
use store::repo::order::{self, OrderRow};

use crate::caller::Caller;
use crate::policy::Policy;
use crate::refusal::{Outcome, Refusal};
use crate::timeline::{self, Event, data};
use crate::views;
use crate::{audit, command, operators, orders, sync};

/// A login older than this says nothing about the machine as it is handed over.
const LOGIN_FRESH_MICROS: i64 = 60 * MINUTE_MICROS;

/// The acceptance check as stored: what was found, and what the domain says of it is computed again whenever it counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StoredAcceptance {
    at_micros: i64,
    device_names: Vec<String>,
    memory_mib: Vec<u32>,
    driver: String,
    unpartitioned: bool,
    operator_access_removed: bool,
}

/// Begins to prepare a settled order.
pub fn start_preparing(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    request: &PrepareRequest,
) -> Outcome<OperatorOrder> {
    let row = found(tx, caller, &request.order_id)?;
    if request.expected_at.is_some_and(|at| at.0 < now || at.0 > now.plus_micros(60 * DAY_MICROS)) {
        return Err(Refusal::field("expected_at", "out_of_range"));
    }
    command::once(tx, &caller.account_id, ("start_preparing", &request.command_id), request, now, |tx| {
        let mut next = advance(tx, &row, now, Move::Prepare)?;
        next.preparing_at = Some(now);
        next.expected_at = request.expected_at.map(|at| at.0);
        next.acceptance = None;
        finish(tx, policy, now, caller, &next, EventKind::Preparing)?;
        operators::order_view(tx, policy, now, &next.id)
    })
}

/// Records the acceptance check. It may be repeated until the machines are right.
pub fn record_acceptance(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    request: &RecordAcceptanceRequest,
) -> Outcome<RecordAcceptanceAnswer> {
    let row = found(tx, caller, &request.order_id)?;
    let devices = usize::try_from(request.devices).unwrap_or(usize::MAX);
    if request.device_names.len() != devices || request.memory_mib.len() != devices {
        return Err(Refusal::field("devices", "lists_differ"));
    }
    command::once(tx, &caller.account_id, ("record_acceptance", &request.command_id), request, now, |tx| {
        if row.fulfilment != domain::fulfilment::State::Preparing.code() {
            return Err(ErrorCode::WrongMove { from: row.fulfilment.clone(), to: "acceptance".to_owned() }.into());
        }
        let stored = StoredAcceptance {
            at_micros: now.micros(),
            device_names: request.device_names.clone(),
            memory_mib: request.memory_mib.clone(),
            driver: request.driver.clone(),
            unpartitioned: request.unpartitioned,
            operator_access_removed: request.operator_access_removed,
        };
        let text = serde_json::to_string(&stored).map_err(|error| Refusal::broken(error.to_string()))?;
        let next = OrderRow { acceptance: Some(text), ..row.clone() };
        let acceptance = view(&next)?.ok_or_else(|| Refusal::broken("acceptance"))?;
        let kind = if acceptance.passed { EventKind::AcceptancePassed } else { EventKind::AcceptanceDiffers };
        finish(tx, policy, now, caller, &next, kind)?;
        Ok(RecordAcceptanceAnswer { acceptance })
    })
}

/// Hands over access.
pub fn hand_over(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    request: &HandOverRequest,
) -> Outcome<OperatorOrder> {
    let row = found(tx, caller, &request.order_id)?;
    check_access(&row, &request.access)?;
    command::once(tx, &caller.account_id, ("hand_over", &request.command_id), &hashed(request)?, now, |tx| {
        let acceptance = acceptance(&row)?.ok_or(ErrorCode::AcceptanceNotPassed)?;
        let at = request.login_verified_at.0;
        let began = row.preparing_at.unwrap_or(now);
        let fresh = at >= began && at <= now && now.micros_since(at) <= LOGIN_FRESH_MICROS;
        // What was tried and what is handed over came in one request: they are one revision.
        let login = fresh.then_some(VerifiedLogin { access_revision: 1, at });
        let evidence = HandOver { acceptance: &acceptance, login, access_revision: 1 };
        let mut next = advance(tx, &row, now, Move::HandOver(evidence))?;
        let secret = serde_json::to_vec(&request.access).map_err(|error| Refusal::broken(error.to_string()))?;
        next.access_sealed = Some(policy.sealer.seal(&views::access_place(&row.id), &secret)?);
        finish(tx, policy, now, caller, &next, EventKind::Ready)?;
        operators::order_view(tx, policy, now, &next.id)
    })
}

/// The request with its secrets hashed: what is kept to recognise a repeated command must not hold access.
fn hashed(request: &HandOverRequest) -> Outcome<serde_json::Value> {
    use sha2::{Digest, Sha256};
    let secret = serde_json::to_vec(&request.access).map_err(|error| Refusal::broken(error.to_string()))?;
    Ok(serde_json::json!({
        "order_id": request.order_id,
        "access": hex::encode(Sha256::digest(secret)),
        "login_verified_at": request.login_verified_at,
    }))
}

fn found(tx: &mut Tx<'_>, caller: &Caller, order_id: &str) -> Outcome<OrderRow> {
    caller.fulfilment()?;
    Ok(order::by_id(tx, order_id)?.ok_or(ErrorCode::NotFound)?)
}

fn advance(tx: &mut Tx<'_>, row: &OrderRow, now: Timestamp, step: Move<'_>) -> Outcome<OrderRow> {
    let days = RentalDays::from_days(row.days).ok_or_else(|| Refusal::broken("days of an order"))?;
    let situation = orders::situation(tx, row, now)?;
    let to = step.target();
    let next = orders::fulfilment(row)?.after(step, days, &situation).map_err(|refused| match refused {
        MoveRefused::AcceptanceNotPassed { .. } => ErrorCode::AcceptanceNotPassed,
        MoveRefused::LoginNotVerified => {
            ErrorCode::FieldRefused { field: "login_verified_at".to_owned(), reason: "not_fresh".to_owned() }
        }
        other => ErrorCode::WrongMove { from: row.fulfilment.clone(), to: format!("{}:{}", to.code(), other.reason()) },
    })?;
    let mut changed = row.clone();
    changed.fulfilment = next.state().code().to_owned();
    changed.ready_at = next.dates().map(|dates| dates.started_at);
    changed.ends_at = next.dates().map(|dates| dates.ends_at);
    Ok(changed)
}

fn finish(
    tx: &mut Tx<'_>,
    policy: &Policy,
    now: Timestamp,
    caller: &Caller,
    row: &OrderRow,
    kind: EventKind,
) -> Outcome<()> {
    let head = sync::Head::bump(tx, &row.account_id)?;
    order::update(tx, row)?;
    orders::refresh(tx, policy, now, &row.id, &head)?;
    let code = timeline::code(kind)?;
    let event = Event {
        cause: format!("{code}:{}:{}", row.id, now.micros()),
        account_id: &row.account_id,
        order_id: Some(&row.id),
        payment_id: None,
        kind,
        data: data([]),
    };
    timeline::write(tx, now, &event)?;
    audit::record(tx, now, &caller.account_id, &code, &row.id, &serde_json::json!({"reference": row.reference}))?;
    head.touch(tx, "order", &row.id)
}

/// Refuses access values that a shell or `ssh` could take for something else (O4).
fn check_access(row: &OrderRow, access: &AccessView) -> Outcome<()> {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let input = AccessInput {
        host: access.host.clone(),
        port: access.port.into(),
        user: access.user.clone(),
        host_key: access.host_key_fingerprint.clone(),
        // The customer's own key is preferred; a password is for orders without one.
        public_key: if access.password.is_none() { text(&row.ssh_public_key) } else { String::new() },
        password: text(&access.password),
        notebook_url: text(&access.notebook_url),
        notebook_token: text(&access.notebook_token),
        notes: text(&access.notes),
    };
    match input.check() {
        Ok(_) => Ok(()),
        Err(refused) => match refused.first() {
            Some(first) => Err(Refusal::field(first.field.code(), first.reason.reason())),
            None => Err(Refusal::broken("access refused without a reason")),
        },
    }
}

fn stored(row: &OrderRow) -> Outcome<Option<StoredAcceptance>> {
    let Some(text) = &row.acceptance else { return Ok(None) };
    serde_json::from_str(text).map(Some).map_err(|error| Refusal::broken(format!("acceptance: {error}")))
}

/// The check, judged against what was ordered.
fn acceptance(row: &OrderRow) -> Outcome<Option<Acceptance>> {
    let Some(stored) = stored(row)? else { return Ok(None) };
    let terms = orders::terms(row)?;
    let expected = ExpectedMachine::of(terms.snapshot(), terms.figures().torch_devices);
    let devices = stored.device_names.iter().zip(&stored.memory_mib).map(|(name, memory)| FoundDevice {
        name: name.clone(),
        memory_mib: u64::from(*memory),
        partitioned: !stored.unpartitioned,
    });
    let found = FoundMachine {
        devices: devices.collect(),
        driver: stored.driver.clone(),
        operator_credentials_removed: stored.operator_access_removed,
    };
    Ok(Some(Acceptance::check(&expected, &found)))
}

/// The check as the wire shows it.
pub(crate) fn view(row: &OrderRow) -> Outcome<Option<AcceptanceView>> {
    let (Some(stored), Some(judged)) = (stored(row)?, acceptance(row)?) else { return Ok(None) };
    Ok(Some(AcceptanceView {
        at: Timestamp::from_micros(stored.at_micros).into(),
        passed: judged.passed(),
        devices: u32::try_from(stored.device_names.len()).unwrap_or(u32::MAX),
        device_name: stored.device_names.first().cloned().unwrap_or_default(),
        memory_mib_per_device: stored.memory_mib.iter().copied().min().unwrap_or(0),
        driver: stored.driver,
        unpartitioned: stored.unpartitioned,
        operator_access_removed: stored.operator_access_removed,
        differences: judged.differences().iter().map(|one| one.reason().to_owned()).collect(),
    }))
}
