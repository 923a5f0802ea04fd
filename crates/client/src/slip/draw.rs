//! Drawing: URI, QR and the address in groups, from checked values only.

use api::host::{Slip, SlipRefusal};
use api::wire::Instant;
use domain::Timestamp;
use domain::uri::{PaymentUri, UriError, grouped};
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};

use super::check::record_back_then;
use super::{Case, Checked};

/// The smallest side of the picture; it scales without loss.
const QR_MIN_SIDE: u32 = 260;

/// The open slip.
pub(super) fn open(checked: &Checked, checked_at: Timestamp) -> Result<Slip, SlipRefusal> {
    let method = checked.confirmed.method;
    let uri = PaymentUri::new(method, checked.address.address(), checked.amount).map_err(unfit)?;
    let text = uri.to_string();
    Ok(Slip::Open {
        address: checked.address.address().to_owned(),
        address_groups: groups(checked.address.address()),
        amount: checked.amount.to_coins(method.decimals(), method.quoted_digits()),
        qr_svg: qr(&text)?,
        uri: text,
        checked_at: Instant(checked_at),
        key_fingerprint: checked.address.key().to_string(),
    })
}

/// The closed slip: readable, never payable. An address whose record does not check is not shown here either.
pub(super) fn closed(case: &Case<'_>) -> Slip {
    let address_groups = record_back_then(case).map(|address| groups(address.address())).unwrap_or_default();
    Slip::Closed { address_groups, amount: case.payment.amount.clone() }
}

fn groups(address: &str) -> Vec<String> {
    grouped(address).split(' ').map(str::to_owned).collect()
}

/// Dark on white with the quiet zone, whatever the window's colours are (L2).
fn qr(text: &str) -> Result<String, SlipRefusal> {
    // A payment URI is far below what a code holds; were it not, there would be nothing to pay with.
    let code = QrCode::with_error_correction_level(text, EcLevel::M).map_err(|_| SlipRefusal::BadAddress)?;
    Ok(code
        .render()
        .quiet_zone(true)
        .min_dimensions(QR_MIN_SIDE, QR_MIN_SIDE)
        .dark_color(svg::Color("#000"))
        .light_color(svg::Color("#fff"))
        .build())
}

const fn unfit(error: UriError) -> SlipRefusal {
    match error {
        UriError::Address | UriError::Form => SlipRefusal::BadAddress,
        UriError::NoUriForm { .. } => SlipRefusal::WrongMethod,
        UriError::NoAmount | UriError::TooManyDigits { .. } | UriError::Amount(_) => SlipRefusal::WrongAmount,
    }
}
