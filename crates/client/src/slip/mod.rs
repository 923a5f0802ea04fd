//! The slip: what a person may be shown to pay (P4, P5). Nothing in it comes from the server unchecked; a bad record shows
//! nothing and says why. The claim that this makes true: a breached server can't make the program show an address that the
//! owner did not sign.

mod check;
mod draw;

use api::host::{Slip, SlipRefusal};
use api::views::{Headline, OrderState, OrderView, PaymentView};
use domain::{BaseUnits, Cents, Environment, Timestamp};
use manifest::{CheckedAddress, Day, TrustedKeys};

use crate::outbox::Confirmed;

/// What the amount and the method are held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreed {
    /// What the person confirmed on this very device.
    Here(Confirmed),
    /// Confirmed on another device: the order's own total is all that is known.
    Elsewhere {
        /// The order's total.
        order_total: Cents,
        /// Whether the order was paid in part before, so that less may be asked.
        in_part: bool,
    },
}

/// What this device knows by itself.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    /// The environment of the server, if this build takes its records.
    pub environment: Option<Environment>,
    /// The keys that this build trusts, without the retired one; none when it trusts none.
    pub keys: Option<TrustedKeys>,
    /// The same keys with the retired one, for what was drawn before it was.
    pub keys_ever: Option<TrustedKeys>,
    /// The lowest epoch in force: the highest seen, or the release's floor.
    pub epoch_floor: u32,
    /// Today, by the later of the device's clock and the day the program was built.
    pub today: Day,
    /// The device's clock moved by the server's offset.
    pub server_now: Timestamp,
    /// Whether the account was fetched within the last 60 seconds and its sign-in holds: else the order may be cancelled, or the
    /// payment paid, and nobody here would know.
    pub online: bool,
}

/// Everything that decides what is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The payment as the server tells it.
    pub payment: &'a PaymentView,
    /// The order that it pays, if it is held here.
    pub order: Option<&'a OrderView>,
    /// What it is held against.
    pub agreed: Agreed,
    /// What this device knows by itself.
    pub ground: &'a Ground,
}

/// What may be drawn. `claim` is asked last, before anything is drawn: it remembers durably that the address is this
/// payment's, and says no when this device drew it for another one.
///
/// # Errors
/// Those of `claim`: without its memory the device draws nothing.
pub fn slip<E>(case: &Case<'_>, claim: impl FnOnce(&CheckedAddress) -> Result<bool, E>) -> Result<Slip, E> {
    if is_closed(case) {
        return Ok(draw::closed(case));
    }
    let checked = match check::whole(case) {
        Ok(checked) => checked,
        Err(reason) => return Ok(Slip::Refused { reason }),
    };
    if !case.ground.online {
        return Ok(Slip::Withdrawn {});
    }
    if !claim(&checked.address)? {
        return Ok(Slip::Refused { reason: SlipRefusal::AddressReused });
    }
    Ok(draw::open(&checked, case.ground.server_now).unwrap_or_else(|reason| Slip::Refused { reason }))
}

/// A record, a method and an amount that all fit together.
struct Checked {
    address: CheckedAddress,
    confirmed: Confirmed,
    amount: BaseUnits,
}

/// Whether nothing must be sent any more: the deadline passed, the order needs nothing, or the coins are on their way.
fn is_closed(case: &Case<'_>) -> bool {
    let payment = case.payment;
    let over = case.ground.server_now >= payment.deadline.0;
    let paid = matches!(payment.headline, Headline::Paid | Headline::Overpaid);
    let needs_nothing = case.order.is_some_and(|order| order.state != OrderState::Open);
    over || paid || needs_nothing || is_covered(payment)
}

/// Whether what was seen already covers what was asked: an open slip would invite paying twice.
fn is_covered(payment: &PaymentView) -> bool {
    let Some(method) = domain::Method::from_code(&payment.method) else { return false };
    let units = |text: &str| BaseUnits::parse_coins(text, method.decimals()).ok();
    match (units(&payment.facts.received), units(&payment.amount)) {
        (Some(received), Some(asked)) => !asked.is_zero() && received >= asked,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
