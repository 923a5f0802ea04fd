//! Each refusal stands beside the good slip in the same harness: what is refused differs from it in one thing only.

use std::convert::Infallible;
use std::process::{Command, Output};

use api::host::{Slip, SlipRefusal};
use api::views::{
    Backend, FulfilmentState, FulfilmentView, GpuView, Headline, OfferSnapshotView, OrderState, OrderView,
    PaymentFactsView, PaymentView, Preparation, PurposeView, QuoteView,
};
use api::wire::{Instant, Usd};
use domain::{Cents, Environment, Method, Network, Timestamp};
use manifest::{Day, KeyHash, SignedRecord, SigningKey, Terms, TrustedKeys, sign_file};
use testkit::sandbox_keys::{CURRENT_SEED, NEXT_SEED};

use super::{Agreed, Case, Ground, slip};
use crate::device::Device;
use crate::outbox::Confirmed;
use crate::trusted_keys::Trust;

const TOTAL: Cents = Cents::new(278_000);
const NOW: i64 = 1_796_133_787;

/// Two addresses that can be paid.
fn addresses(environment: Environment, network: Network) -> Vec<String> {
    let address = |hash| KeyHash::new(hash).to_address(network, environment).unwrap();
    [[0x75; 20], [0x13; 20]].map(address).to_vec()
}

/// How the harness signs; the good one is [`Signing::good`].
struct Signing {
    seed: [u8; 32],
    environment: Environment,
    network: Network,
    epoch: u32,
    last_day: &'static str,
}

impl Signing {
    fn good() -> Self {
        let (environment, network) = (Environment::Regtest, Network::Litecoin);
        Self { seed: *CURRENT_SEED, environment, network, epoch: 4, last_day: "2027-02-01" }
    }

    fn record(&self, index: usize) -> SignedRecord {
        let last_day: Day = self.last_day.parse().unwrap();
        let signed_on = Day::from_days(last_day.days() - 89).unwrap();
        let terms = Terms {
            environment: self.environment,
            network: self.network,
            epoch: self.epoch,
            signed_on,
            last_day,
            first_index: 7,
            tokens: Vec::new(),
        };
        let addresses = addresses(self.environment, self.network);
        let file = sign_file(&SigningKey::from_seed(&self.seed), terms, &addresses).unwrap();
        let entry = file.entries[index].clone();
        SignedRecord {
            header: file.header.header.clone(),
            header_signature: file.header.signature,
            record: entry.record,
            signature: entry.signature,
        }
    }

    fn line(&self) -> String {
        self.record(0).to_line().unwrap()
    }
}

fn payment() -> PaymentView {
    PaymentView {
        id: "payment-1".into(),
        purpose: PurposeView::Order { order_id: "order-1".into() },
        method: Method::LtcLitecoin.code().into(),
        asked: Usd(TOTAL),
        // 2780 / 98 = 28.367346938…, rounded up at the sixth place.
        amount: "28.367347".into(),
        quote: QuoteView {
            rate: "98.00".into(),
            taken_at: Instant(Timestamp::from_seconds(NOW - 60)),
            sources: Vec::new(),
            made_up: false,
        },
        issued_at: Instant(Timestamp::from_seconds(NOW - 60)),
        deadline: Instant(Timestamp::from_seconds(NOW + 1_140)),
        record: Signing::good().line(),
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

fn order(state: OrderState) -> OrderView {
    let at = Instant(Timestamp::from_seconds(NOW - 600));
    let gpu = GpuView {
        name: "NVIDIA B200 (HGX/SXM)".into(),
        vendor: "nvidia".into(),
        backend: Backend::Cuda,
        architecture: "Blackwell".into(),
        driver_names: Vec::new(),
        memory_gb_per_device: 180,
        memory_type: None,
        bandwidth_gb_s: None,
        devices_per_gpu: 1,
        gpus_per_lot: 2,
        interconnect: None,
        min_toolkit: None,
        min_driver: None,
    };
    OrderView {
        id: "order-1".into(),
        reference: "K4RM-X7TP".into(),
        placed_at: at,
        lapses_at: at,
        offer: OfferSnapshotView { offer_id: "b200".into(), gpu, per_lot: Usd(Cents::new(139_000)) },
        lots: 2,
        gpus: 4,
        days: 3,
        preparation: Preparation::Pytorch,
        total: Usd(TOTAL),
        ssh_public_key: None,
        state,
        held: Usd::default(),
        missing: Usd(TOTAL),
        settled_at: None,
        lots_held_until: None,
        has_lots: true,
        to_pay: None,
        headline: None,
        payment_ids: vec!["payment-1".into()],
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

fn ground() -> Ground {
    let keys = Trust::built_in().unwrap().keys();
    Ground {
        environment: Some(Environment::Regtest),
        keys,
        keys_ever: keys,
        epoch_floor: 4,
        today: "2026-12-01".parse().unwrap(),
        server_now: Timestamp::from_seconds(NOW),
        online: true,
    }
}

fn agreed() -> Agreed {
    Agreed::Here(Confirmed { method: Method::LtcLitecoin, total: TOTAL })
}

/// Draws on a device that drew nothing before.
fn draw(payment: &PaymentView, agreed: Agreed, ground: &Ground) -> Slip {
    let order = order(OrderState::Open);
    let case = Case { payment, order: Some(&order), agreed, ground };
    slip(&case, |_| Ok::<bool, Infallible>(true)).unwrap()
}

/// Whether anything that could be paid is in what is drawn.
fn shows_an_address(slip: &Slip) -> bool {
    let text = serde_json::to_string(slip).unwrap();
    addresses(Environment::Regtest, Network::Litecoin).iter().any(|address| text.contains(address.as_str()))
        || text.contains("ltc1")
}

#[test]
fn the_good_slip_shows_address_amount_and_a_qr_of_exactly_both() {
    let Slip::Open { address, address_groups, amount, uri, qr_svg, .. } = draw(&payment(), agreed(), &ground()) else {
        panic!("the good one must be drawn");
    };
    assert_eq!(address, addresses(Environment::Regtest, Network::Litecoin)[0]);
    assert_eq!(address_groups.concat(), address);
    assert_eq!(amount, "28.367347");
    assert_eq!(uri, format!("litecoin:{address}?amount=28.367347"));
    assert!(qr_svg.contains("fill=\"#000\"") && qr_svg.contains("fill=\"#fff\""));
}

/// One thing is wrong with the record, and the same harness draws the good one.
#[test]
fn a_record_that_is_not_the_owners_is_never_drawn() {
    let with = |change: &dyn Fn(&mut Signing)| {
        let mut signing = Signing::good();
        change(&mut signing);
        signing.line()
    };
    let tampered = {
        let mut record = Signing::good().record(0);
        record.record.address = addresses(Environment::Regtest, Network::Litecoin)[1].clone();
        record.to_line().unwrap()
    };
    let renamed = {
        let mut record = Signing { seed: [9; 32], ..Signing::good() }.record(0);
        record.header.key = Signing::good().record(0).header.key;
        record.to_line().unwrap()
    };
    let other_chain = {
        let mut record = Signing::good().record(0);
        record.header.chain_id = "00".repeat(32);
        record.to_line().unwrap()
    };
    let table = [
        ("another key", with(&|signing| signing.seed = [9; 32]), SlipRefusal::UnknownKey),
        ("another key under a trusted name", renamed, SlipRefusal::BadSignature),
        ("a swapped address", tampered, SlipRefusal::BadSignature),
        ("another chain", other_chain, SlipRefusal::BadSignature),
        ("a lower epoch", with(&|signing| signing.epoch = 3), SlipRefusal::OldEpoch),
        ("past its last day", with(&|signing| signing.last_day = "2026-11-30"), SlipRefusal::PastLastDay),
        ("the sandbox's", with(&|signing| signing.environment = Environment::Sandbox), SlipRefusal::WrongEnvironment),
        ("production's", with(&|signing| signing.environment = Environment::Production), SlipRefusal::WrongEnvironment),
        ("bitcoin's", with(&|signing| signing.network = Network::Bitcoin), SlipRefusal::WrongNetwork),
        ("no record", "{}".into(), SlipRefusal::BadRecord),
        ("a bare address", addresses(Environment::Regtest, Network::Litecoin)[0].clone(), SlipRefusal::BadRecord),
        ("nothing", String::new(), SlipRefusal::BadRecord),
    ];
    assert!(shows_an_address(&draw(&payment(), agreed(), &ground())), "the good one, in this harness");
    for (what, record, reason) in table {
        let slip = draw(&PaymentView { record, ..payment() }, agreed(), &ground());
        assert_eq!(slip, Slip::Refused { reason }, "{what}");
        assert!(!shows_an_address(&slip), "{what}");
    }
}

#[test]
fn another_method_total_or_amount_than_agreed_is_never_drawn() {
    let bitcoin = {
        let record = Signing { network: Network::Bitcoin, ..Signing::good() }.line();
        PaymentView { method: Method::BtcBitcoin.code().into(), amount: "28.36734694".into(), record, ..payment() }
    };
    let asked = |cents| PaymentView { asked: Usd(Cents::new(cents)), ..payment() };
    let amount = |text: &str| PaymentView { amount: text.into(), ..payment() };
    let rate = |text: &str| PaymentView { quote: QuoteView { rate: text.into(), ..payment().quote }, ..payment() };
    let table = [
        ("another method", bitcoin, SlipRefusal::WrongMethod),
        ("an unknown method", PaymentView { method: "litecoin:usdt".into(), ..payment() }, SlipRefusal::WrongMethod),
        ("a cent more", asked(278_001), SlipRefusal::WrongTotal),
        ("a cent less", asked(277_999), SlipRefusal::WrongTotal),
        ("a step more", amount("28.367348"), SlipRefusal::WrongAmount),
        ("a step less", amount("28.367346"), SlipRefusal::WrongAmount),
        ("ten times as much", amount("283.67347"), SlipRefusal::WrongAmount),
        ("a decimal comma", amount("28,367347"), SlipRefusal::WrongAmount),
        ("another rate", rate("97.99"), SlipRefusal::WrongAmount),
        ("no rate", rate("0"), SlipRefusal::WrongAmount),
    ];
    for (what, payment, reason) in table {
        assert_eq!(draw(&payment, agreed(), &ground()), Slip::Refused { reason }, "{what}");
    }
    // The same amount written shorter is the same amount.
    assert!(matches!(draw(&amount("28.3673470"), agreed(), &ground()), Slip::Open { .. }));
}

#[test]
fn on_another_device_the_orders_own_total_is_what_was_agreed() {
    let elsewhere = |cents, in_part| Agreed::Elsewhere { order_total: Cents::new(cents), in_part };
    assert!(matches!(draw(&payment(), elsewhere(278_000, false), &ground()), Slip::Open { .. }));
    assert!(matches!(draw(&payment(), elsewhere(300_000, true), &ground()), Slip::Open { .. }));
    for (cents, in_part) in [(278_001, false), (277_999, false), (277_999, true), (0, false)] {
        let slip = draw(&payment(), elsewhere(cents, in_part), &ground());
        assert_eq!(slip, Slip::Refused { reason: SlipRefusal::WrongTotal }, "{cents} {in_part}");
    }
}

#[test]
fn after_the_deadline_nothing_can_be_paid_but_the_address_stays_readable() {
    let at = |seconds| Ground { server_now: Timestamp::from_seconds(NOW + seconds), ..ground() };
    assert!(matches!(draw(&payment(), agreed(), &at(1_139)), Slip::Open { .. }));
    let Slip::Closed { address_groups, amount } = draw(&payment(), agreed(), &at(1_140)) else { panic!("closed") };
    assert_eq!(address_groups.concat(), addresses(Environment::Regtest, Network::Litecoin)[0]);
    assert_eq!(amount, "28.367347");
    // A year later the record is long out of date, and still it was the owner's.
    let later = Ground { today: "2027-12-01".parse().unwrap(), epoch_floor: 9, ..at(31_536_000) };
    assert!(
        matches!(draw(&payment(), agreed(), &later), Slip::Closed { address_groups, .. } if !address_groups.is_empty())
    );
    // What the owner never signed is not shown in the history either.
    let forged = PaymentView { record: Signing { seed: [9; 32], ..Signing::good() }.line(), ..payment() };
    assert!(
        matches!(draw(&forged, agreed(), &later), Slip::Closed { address_groups, .. } if address_groups.is_empty())
    );
}

#[test]
fn what_needs_no_more_money_shows_no_open_slip() {
    let facts = |received: &str| PaymentFactsView { received: received.into(), ..payment().facts };
    let seen = |received: &str| PaymentView { headline: Headline::Seen, facts: facts(received), ..payment() };
    assert!(matches!(draw(&seen("28.367346"), agreed(), &ground()), Slip::Open { .. }));
    assert!(matches!(draw(&seen("28.367347"), agreed(), &ground()), Slip::Closed { .. }));
    let paid = PaymentView { headline: Headline::Paid, ..payment() };
    assert!(matches!(draw(&paid, agreed(), &ground()), Slip::Closed { .. }));
    for state in [OrderState::Settled, OrderState::Cancelled, OrderState::Lapsed, OrderState::Unknown] {
        let (payment, order, ground) = (payment(), order(state), ground());
        let case = Case { payment: &payment, order: Some(&order), agreed: agreed(), ground: &ground };
        let drawn = slip(&case, |_| Ok::<bool, Infallible>(true)).unwrap();
        assert!(matches!(drawn, Slip::Closed { .. }), "{state:?}");
    }
}

#[test]
fn without_the_server_a_good_slip_is_withdrawn_and_a_bad_one_still_says_why() {
    let offline = Ground { online: false, ..ground() };
    assert_eq!(draw(&payment(), agreed(), &offline), Slip::Withdrawn {});
    let forged = PaymentView { record: Signing { seed: [9; 32], ..Signing::good() }.line(), ..payment() };
    assert_eq!(draw(&forged, agreed(), &offline), Slip::Refused { reason: SlipRefusal::UnknownKey });
}

/// With the device's real memory: an address belongs to the first payment that it was drawn for, for ever.
#[test]
fn an_address_that_was_drawn_for_another_payment_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let draw_for = |id: &str, record: String| {
        let mut device = Device::open(folder.path()).unwrap();
        let (payment, order) = (PaymentView { id: id.into(), record, ..payment() }, order(OrderState::Open));
        let floor = device.highest_epoch(Environment::Regtest, Network::Litecoin).unwrap();
        let ground = Ground { epoch_floor: floor, ..ground() };
        let case = Case { payment: &payment, order: Some(&order), agreed: agreed(), ground: &ground };
        slip(&case, |address| device.claim(address, id, "current")).unwrap()
    };
    let first = Signing::good().line();
    let second = Signing::good().record(1).to_line().unwrap();
    assert!(matches!(draw_for("one", first.clone()), Slip::Open { .. }));
    assert!(matches!(draw_for("one", first.clone()), Slip::Open { .. }), "the same payment again");
    assert_eq!(draw_for("two", first.clone()), Slip::Refused { reason: SlipRefusal::AddressReused });
    assert!(matches!(draw_for("two", second), Slip::Open { .. }), "an address of its own");
    // The device remembers the epoch as well: what the owner withdrew stays withdrawn.
    let withdrawn = Signing { epoch: 5, ..Signing::good() };
    assert!(matches!(draw_for("three", withdrawn.record(1).to_line().unwrap()), Slip::Refused { .. }), "reused");
    assert!(matches!(draw_for("one", withdrawn.line()), Slip::Open { .. }));
    assert_eq!(draw_for("one", first), Slip::Refused { reason: SlipRefusal::OldEpoch });
}

#[test]
fn the_first_record_under_the_next_key_retires_the_current_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut device = Device::open(folder.path()).unwrap();
    let current = SigningKey::from_seed(CURRENT_SEED).public_key().unwrap().fingerprint().to_hex();
    let next = PaymentView { record: Signing { seed: *NEXT_SEED, ..Signing::good() }.line(), ..payment() };
    let (order, ground) = (order(OrderState::Open), ground());
    assert!(!device.is_retired(&current).unwrap());
    let case = Case { payment: &next, order: Some(&order), agreed: agreed(), ground: &ground };
    let drawn = slip(&case, |address| device.claim(address, &next.id, &current)).unwrap();
    assert!(matches!(drawn, Slip::Open { .. }));
    assert!(device.is_retired(&current).unwrap());
    let retired = Ground { keys: ground.keys.map(TrustedKeys::current_retired), ..ground };
    assert_eq!(draw(&payment(), agreed(), &retired), Slip::Refused { reason: SlipRefusal::UnknownKey });
    assert!(matches!(draw(&next, agreed(), &retired), Slip::Open { .. }));
}

#[test]
fn a_build_without_keys_draws_nothing() {
    let bare = Ground { keys: None, keys_ever: None, ..ground() };
    assert_eq!(draw(&payment(), agreed(), &bare), Slip::Refused { reason: SlipRefusal::UnknownKey });
}

#[test]
fn an_environment_that_this_build_does_not_take_draws_nothing() {
    let strange = Ground { environment: None, ..ground() };
    assert_eq!(draw(&payment(), agreed(), &strange), Slip::Refused { reason: SlipRefusal::WrongEnvironment });
}

/// The test keys that everybody may know are the ones that the sandbox build trusts.
#[test]
fn the_published_seeds_belong_to_the_sandbox_keys() {
    let trust = Trust::built_in().unwrap();
    let public = |seed| Some(SigningKey::from_seed(seed).public_key().unwrap());
    assert_eq!((trust.current, trust.next), (public(CURRENT_SEED), public(NEXT_SEED)));
}

/// The table of records above must turn red when the check believes any signature; a suite that stays green proves nothing.
#[test]
fn a_client_that_accepts_any_key_is_caught() {
    let run = |faults: &str| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "slip::tests::a_record_that_is_not_the_owners_is_never_drawn"])
            .env("KERNODECK_FAULTS", faults)
            .output()
            .unwrap()
    };
    let ran_one = |output: &Output| String::from_utf8_lossy(&output.stdout).contains("running 1 test");
    let (sound, faulty) = (run(""), run(faults::ANY_KEY));
    assert!(ran_one(&sound) && sound.status.success(), "the sound client passes");
    assert!(ran_one(&faulty) && !faulty.status.success(), "the faulty client must fail");
}
