//! The checks, in their order; the first that fails is the one that is said.

use api::host::SlipRefusal;
use domain::{BaseUnits, Method, Rate, Timestamp};
use manifest::{CheckedAddress, Day, Expectations, Refusal, SignedRecord, TrustedKeys, check_record};

use super::{Agreed, Case, Checked};
use crate::outbox::Confirmed;

/// Record, then method and total, then the coins.
pub(super) fn whole(case: &Case<'_>) -> Result<Checked, SlipRefusal> {
    let method = Method::from_code(&case.payment.method).ok_or(SlipRefusal::WrongMethod)?;
    let address = record(case, method, case.ground.keys, case.ground.today, case.ground.epoch_floor)?;
    let confirmed = terms(case, method)?;
    let amount = coins(case, confirmed)?;
    Ok(Checked { address, confirmed, amount })
}

/// The record as it stood when the instructions were issued, for the history: its last day and its epoch may have passed
/// since, and its key may have been retired. Everything else still holds or the address is not shown.
pub(super) fn record_back_then(case: &Case<'_>) -> Result<CheckedAddress, SlipRefusal> {
    let method = Method::from_code(&case.payment.method).ok_or(SlipRefusal::WrongMethod)?;
    let issued_on = Day::of(case.payment.issued_at.0.max(Timestamp::from_micros(0)));
    record(case, method, case.ground.keys_ever, issued_on.min(case.ground.today), 0)
}

fn record(
    case: &Case<'_>,
    method: Method,
    keys: Option<TrustedKeys>,
    today: Day,
    epoch_floor: u32,
) -> Result<CheckedAddress, SlipRefusal> {
    let signed = SignedRecord::from_line(&case.payment.record).map_err(|refusal| said(&refusal))?;
    let keys = keys.ok_or(SlipRefusal::UnknownKey)?;
    let environment = case.ground.environment.ok_or(SlipRefusal::WrongEnvironment)?;
    let expected = Expectations::new(environment, method.network(), today, epoch_floor);
    let expected = expected.map_err(|refusal| said(&refusal))?;
    check_record(&signed, &expected, &keys).map_err(|refusal| said(&refusal))
}

/// Method and total are the ones that the person confirmed.
fn terms(case: &Case<'_>, method: Method) -> Result<Confirmed, SlipRefusal> {
    let asked = case.payment.asked.0;
    let total_fits = match case.agreed {
        Agreed::Here(confirmed) => {
            if confirmed.method != method {
                return Err(SlipRefusal::WrongMethod);
            }
            confirmed.total == asked
        }
        Agreed::Elsewhere { order_total, in_part: false } => asked == order_total,
        Agreed::Elsewhere { order_total, in_part: true } => asked <= order_total,
    };
    let total_fits = total_fits || faults::planted(faults::TOTAL_NOT_COMPARED);
    if !total_fits || !asked.is_positive() {
        return Err(SlipRefusal::WrongTotal);
    }
    Ok(Confirmed { method, total: asked })
}

/// The coins are what the domain computes from total and rate, to the last digit.
fn coins(case: &Case<'_>, confirmed: Confirmed) -> Result<BaseUnits, SlipRefusal> {
    let Confirmed { method, total } = confirmed;
    let wrong = SlipRefusal::WrongAmount;
    let told = BaseUnits::parse_coins(&case.payment.amount, method.decimals()).map_err(|_| wrong)?;
    let rate = Rate::parse(&case.payment.quote.rate).map_err(|_| wrong)?;
    let computed = rate.amount_ceil(total, method.decimals(), method.quoted_digits()).ok_or(wrong)?;
    if told == computed || faults::planted(faults::AMOUNT_NOT_COMPUTED) { Ok(told) } else { Err(wrong) }
}

/// The window's code for a refusal of the record.
const fn said(refusal: &Refusal) -> SlipRefusal {
    match refusal {
        Refusal::BadFormat { .. } | Refusal::UnknownFormat { .. } | Refusal::ValidTooLong { .. } => {
            SlipRefusal::BadRecord
        }
        Refusal::UnknownKey { .. } => SlipRefusal::UnknownKey,
        Refusal::BadSignature => SlipRefusal::BadSignature,
        Refusal::UnknownEnvironment { .. } | Refusal::WrongEnvironment { .. } => SlipRefusal::WrongEnvironment,
        Refusal::WrongNetwork { .. } => SlipRefusal::WrongNetwork,
        Refusal::WrongChain { .. } => SlipRefusal::WrongChain,
        Refusal::PastLastDay { .. } => SlipRefusal::PastLastDay,
        Refusal::EpochBelowFloor { .. } => SlipRefusal::OldEpoch,
        Refusal::BadAddress(_) => SlipRefusal::BadAddress,
    }
}
