//! Rows as a server would tell them.

use api::host::{RegisterForm, SignInForm};
use api::views::*;
use api::wire::{Instant, Usd};
use domain::time::MINUTE_MICROS;
use domain::{Cents, Environment, Network, Timestamp};
use manifest::{Day, KeyHash, SignedRecord, SigningKey, Terms, sign_file};
use testkit::sandbox_keys::CURRENT_SEED;

use super::answers::PER_LOT;

pub const PASSWORD: &str = "seventeen quiet lamps";
/// What the offer has.
pub const LOTS_TOTAL: u32 = 8;

pub fn register_form(email: &str) -> RegisterForm {
    let (first_name, last_name) = ("Ada".into(), "Nunes".into());
    RegisterForm { first_name, last_name, email: email.into(), password: PASSWORD.into() }
}

pub fn sign_in_form(email: &str, password: &str) -> SignInForm {
    SignInForm { email: email.into(), password: password.into(), authenticator_code: None }
}

pub(super) fn now() -> Timestamp {
    client::clock::system()()
}

/// A good record with an address of its own.
pub fn signed_record(number: u8) -> String {
    let address = KeyHash::new([number; 20]).to_address(Network::Litecoin, Environment::Regtest).unwrap();
    let today = Day::of(now());
    let terms = Terms {
        environment: Environment::Regtest,
        network: Network::Litecoin,
        epoch: 1,
        signed_on: today,
        last_day: today.plus_days(90),
        first_index: 0,
        tokens: Vec::new(),
    };
    let file = sign_file(&SigningKey::from_seed(CURRENT_SEED), terms, &[address]).unwrap();
    let entry = file.entries[0].clone();
    let (header, header_signature) = (file.header.header, file.header.signature);
    SignedRecord { header, header_signature, record: entry.record, signature: entry.signature }.to_line().unwrap()
}

pub(super) fn gpu() -> GpuView {
    GpuView {
        name: "NVIDIA B200 (HGX/SXM)".into(),
        vendor: "nvidia".into(),
        backend: Backend::Cuda,
        architecture: "Blackwell".into(),
        driver_names: vec!["NVIDIA B200".into()],
        memory_gb_per_device: 180,
        memory_type: None,
        bandwidth_gb_s: None,
        devices_per_gpu: 1,
        gpus_per_lot: 2,
        interconnect: None,
        min_toolkit: None,
        min_driver: None,
    }
}

pub(super) fn offer() -> OfferView {
    let prices = vec![PriceView { days: 3, per_lot: PER_LOT }];
    OfferView { id: "b200".into(), gpu: gpu(), prices, free_lots: LOTS_TOTAL, held_until: None, sample: false }
}

pub(super) fn order(number: u32, lots: u32, total: Usd) -> OrderView {
    let at = now();
    OrderView {
        id: format!("order-{number}"),
        reference: "K4RM-X7TP".into(),
        placed_at: Instant(at),
        lapses_at: Instant(at.plus_micros(1_440 * MINUTE_MICROS)),
        offer: OfferSnapshotView { offer_id: "b200".into(), gpu: gpu(), per_lot: PER_LOT },
        lots,
        gpus: 2 * lots,
        days: 3,
        preparation: Preparation::Pytorch,
        total,
        ssh_public_key: None,
        state: OrderState::Open,
        held: Usd(Cents::ZERO),
        missing: total,
        settled_at: None,
        lots_held_until: None,
        has_lots: true,
        to_pay: None,
        headline: None,
        payment_ids: Vec::new(),
        fulfilment: FulfilmentView {
            state: FulfilmentState::NotStarted,
            expected_at: None,
            starts_at: None,
            ends_at: None,
            export_until: None,
            acceptance: None,
            paused: false,
        },
        access: None,
        timeline: Vec::new(),
        last_known: None,
    }
}

pub(super) fn payment(id: &str, order_id: &str, asked: Usd, amount: String, record: String) -> PaymentView {
    let at = now();
    PaymentView {
        id: id.into(),
        purpose: PurposeView::Order { order_id: order_id.into() },
        method: "litecoin:ltc".into(),
        asked,
        amount,
        quote: QuoteView { rate: "98.00".into(), taken_at: Instant(at), sources: Vec::new(), made_up: true },
        issued_at: Instant(at),
        deadline: Instant(at.plus_micros(20 * MINUTE_MICROS)),
        record,
        notice_at: None,
        headline: Headline::Waiting,
        facts: PaymentFactsView {
            received: "0.000000".into(),
            final_amount: "0.000000".into(),
            credited: Usd::default(),
            short: true,
            over: false,
            late: false,
            disputed: false,
        },
        transfers: Vec::new(),
        last_known: None,
    }
}
