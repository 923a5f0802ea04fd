//! What a customer's device holds and shows: orders, payments, balance, catalogue. The same shapes travel in the sync
//! and reach the window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire::{Instant, Usd};

/// The computing chain of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// NVIDIA.
    Cuda,
    /// AMD.
    Rocm,
}

/// The starting point that is prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Preparation {
    /// A clean interpreter.
    Python,
    /// PyTorch for the card's chain.
    Pytorch,
    /// A notebook with its URL and token.
    Notebook,
    /// A serving engine.
    Inference,
}

/// The hardware facts of an offer. Unknown figures are null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct GpuView {
    /// Name as sold, such as «NVIDIA B200 (HGX/SXM)».
    pub name: String,
    /// `nvidia` or `amd`.
    pub vendor: String,
    /// Computing chain.
    pub backend: Backend,
    /// Architecture, such as Blackwell.
    pub architecture: String,
    /// Names that the driver may report; the acceptance check compares with them.
    pub driver_names: Vec<String>,
    /// Memory of ONE device that PyTorch sees, GB. It never adds up.
    pub memory_gb_per_device: u32,
    /// Memory type, such as HBM3e.
    pub memory_type: Option<String>,
    /// Memory bandwidth of one card, GB/s.
    pub bandwidth_gb_s: Option<u32>,
    /// Devices that PyTorch sees for one GPU (two for a card of two dies).
    pub devices_per_gpu: u32,
    /// GPUs in one lot (two for B200).
    pub gpus_per_lot: u32,
    /// Interconnect, such as NVLink 5.
    pub interconnect: Option<String>,
    /// Oldest CUDA or ROCm that has kernels for it.
    pub min_toolkit: Option<String>,
    /// Oldest driver on which it is handed over, such as `570.26`; null where no source states one.
    pub min_driver: Option<String>,
}

/// A price for one duration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PriceView {
    /// 3, 7 or 30.
    pub days: u32,
    /// For one lot.
    pub per_lot: Usd,
}

/// An offer of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OfferView {
    /// The offer's id.
    pub id: String,
    /// The hardware.
    pub gpu: GpuView,
    /// A price per duration.
    pub prices: Vec<PriceView>,
    /// Lots that can be ordered now.
    pub free_lots: u32,
    /// Until when the others are held by unpaid orders, if they are.
    pub held_until: Option<Instant>,
    /// Whether the prices are samples.
    pub sample: bool,
}

/// The catalogue as the server last told it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CatalogueView {
    /// All visible offers.
    pub offers: Vec<OfferView>,
    /// When the server said so.
    pub as_of: Instant,
}

/// The offer as it stood when the order was placed. It never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OfferSnapshotView {
    /// The offer's id.
    pub offer_id: String,
    /// The hardware.
    pub gpu: GpuView,
    /// Price of one lot for the chosen duration.
    pub per_lot: Usd,
}

/// The three figures, each on its own, and what the hardware really is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FiguresView {
    /// Lots.
    pub lots: u32,
    /// GPUs in them.
    pub gpus: u32,
    /// Devices that PyTorch will see.
    pub devices: u32,
    /// Memory that one process can use on one device, GB.
    pub memory_gb_per_device: u32,
    /// Price of one lot.
    pub per_lot: Usd,
    /// Total.
    pub total: Usd,
    /// Whether so many GPUs can't be one machine (more than eight).
    pub beyond_one_machine: bool,
    /// Whether tensor parallelism is usually refused for this number of devices.
    pub awkward_for_tensor_parallel: bool,
}

/// An order as money sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum OrderState {
    /// Its price stands and it is not paid in full.
    Open,
    /// Paid in full.
    Settled,
    /// Cancelled.
    Cancelled,
    /// Its price lapsed.
    Lapsed,
    /// A newer server knows more.
    #[serde(other)]
    Unknown,
}

/// Where fulfilment stands, dates included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum FulfilmentState {
    /// Nothing begun.
    NotStarted,
    /// Machines are being prepared.
    Preparing,
    /// Handed over; the clock runs.
    Active,
    /// The last 72 hours.
    Ending,
    /// Over; 48 hours to export.
    Ended,
    /// Wiped.
    Wiped,
    /// Never to be prepared.
    Cancelled,
    /// The machines did not pass.
    FailedAcceptance,
    /// Stopped by an operator, dates kept.
    Suspended,
    /// A newer server knows more.
    #[serde(other)]
    Unknown,
}

/// What happened to an order. The window has a sentence for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// The order was placed.
    OrderPlaced,
    /// Payment instructions were given out.
    Instructions,
    /// The customer said «I have paid».
    Notice,
    /// A transfer was first seen, in no block.
    Seen,
    /// A transfer is in a block.
    Mined,
    /// A transfer is final.
    Final,
    /// Money waits for the order.
    Held,
    /// The order is paid in full.
    Settled,
    /// Money became balance.
    ToBalance,
    /// What was owed was repaid.
    Repaid,
    /// Credited money was undone by a fork.
    Undone,
    /// Balance was put beside the order.
    BalanceChosen,
    /// The order was cancelled.
    OrderCancelled,
    /// The price of the order lapsed.
    OrderLapsed,
    /// Preparing began.
    Preparing,
    /// The acceptance check passed.
    AcceptancePassed,
    /// The acceptance check found differences.
    AcceptanceDiffers,
    /// Access was handed over; the clock runs.
    Ready,
    /// A newer server knows more.
    #[serde(other)]
    Unknown,
}

/// A dated event of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TimelineEvent {
    /// When.
    pub at: Instant,
    /// What.
    pub kind: EventKind,
    /// The payment it belongs to, if it does.
    pub payment_id: Option<String>,
    /// Amounts, counts and names of the event, by name.
    #[ts(type = "{ [key in string]?: string }")]
    pub data: std::collections::BTreeMap<String, String>,
}

/// What the acceptance check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AcceptanceView {
    /// When it was recorded.
    pub at: Instant,
    /// Whether it passed.
    pub passed: bool,
    /// Devices found.
    pub devices: u32,
    /// Name that every device reported.
    pub device_name: String,
    /// Memory of each device, MiB.
    pub memory_mib_per_device: u32,
    /// The driver's version as the machine reports it, such as `570.124.06`; the toolkit's is not part of it.
    pub driver: String,
    /// Whether the devices are undivided (no MIG or other partitions).
    pub unpartitioned: bool,
    /// Whether the operators' own credentials were removed.
    pub operator_access_removed: bool,
    /// What differs from what was ordered, as short codes.
    pub differences: Vec<String>,
}

/// How the customer gets in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AccessView {
    /// Host name or address.
    pub host: String,
    /// SSH port.
    pub port: u16,
    /// User name.
    pub user: String,
    /// Fingerprint of the host key, `SHA256:…`.
    pub host_key_fingerprint: String,
    /// Password, where the customer gave no public key.
    pub password: Option<String>,
    /// Notebook address.
    pub notebook_url: Option<String>,
    /// Notebook token.
    pub notebook_token: Option<String>,
    /// Anything else.
    pub notes: Option<String>,
}

/// Fulfilment of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct FulfilmentView {
    /// Where it stands.
    pub state: FulfilmentState,
    /// The operator's expected date before the start, if given.
    pub expected_at: Option<Instant>,
    /// When access was verified and the clock began.
    pub starts_at: Option<Instant>,
    /// When the rental ends.
    pub ends_at: Option<Instant>,
    /// Until when things can still be exported.
    pub export_until: Option<Instant>,
    /// The acceptance check.
    pub acceptance: Option<AcceptanceView>,
    /// Whether it waits because money was undone.
    pub paused: bool,
}

/// An order with its two states and one timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OrderView {
    /// The order's id.
    pub id: String,
    /// The reference that is read aloud, `7F4M-2KQ9`.
    pub reference: String,
    /// When it was placed.
    pub placed_at: Instant,
    /// When its price lapses.
    pub lapses_at: Instant,
    /// The offer as it stood.
    pub offer: OfferSnapshotView,
    /// Lots.
    pub lots: u32,
    /// GPUs.
    pub gpus: u32,
    /// 3, 7 or 30.
    pub days: u32,
    /// The starting point.
    pub preparation: Preparation,
    /// The fixed total.
    pub total: Usd,
    /// The customer's SSH public key, if given.
    pub ssh_public_key: Option<String>,
    /// As money sees it.
    pub state: OrderState,
    /// Money held for it.
    pub held: Usd,
    /// What is missing.
    pub missing: Usd,
    /// When it was settled.
    pub settled_at: Option<Instant>,
    /// Until when its lots are held; null when they are not, or no longer need to be.
    pub lots_held_until: Option<Instant>,
    /// Whether it has its lots.
    pub has_lots: bool,
    /// Headline of its most advanced payment, if there is one.
    pub headline: Option<Headline>,
    /// What new instructions would ask for now; null while a payment is open, while money in sight covers it, and when it is
    /// not to be paid any more.
    #[serde(default)]
    pub to_pay: Option<ToPayView>,
    /// Its payments, newest first.
    pub payment_ids: Vec<String>,
    /// Fulfilment.
    pub fulfilment: FulfilmentView,
    /// How to get in, once handed over.
    pub access: Option<AccessView>,
    /// Everything that happened, oldest first.
    pub timeline: Vec<TimelineEvent>,
    /// What the device knew before a newer server told it a state that it does not know. The device fills it in; a
    /// server has nothing to say here.
    #[serde(default)]
    pub last_known: Option<LastKnown>,
}

/// What new instructions ask for, and of what that is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ToPayView {
    /// What they ask for: what is missing and what is owed, less what is in sight, but never less than five dollars.
    pub asked: Usd,
    /// What the order misses.
    pub missing: Usd,
    /// What the account owes because its network undid money that had been credited. It is repaid first.
    pub owed: Usd,
    /// Money for the order that is on its way.
    pub in_sight: Usd,
}

/// The last states that this version of the device knew (H3).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct LastKnown {
    /// Of the order as money sees it.
    pub state: Option<OrderState>,
    /// Of the payment, or of the order's payment that mattered.
    pub headline: Option<Headline>,
    /// Of fulfilment.
    pub fulfilment: Option<FulfilmentState>,
}

/// The one headline of a payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Headline {
    /// An operator decides, or a deadline does.
    InReview,
    /// Paid, and more than that.
    Overpaid,
    /// Paid.
    Paid,
    /// In a block, not yet final.
    Confirming {
        /// Confirmations so far.
        confirmations: u32,
        /// Confirmations asked.
        required: u32,
    },
    /// Final money is short.
    Underpaid,
    /// Seen, in no block yet.
    Seen,
    /// Money came after the deadline.
    Late,
    /// The deadline passed and nothing came.
    Expired,
    /// Nothing seen yet.
    Waiting,
    /// A newer server knows more.
    #[serde(other)]
    Unknown,
}

/// Several facts can hold at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PaymentFactsView {
    /// Coins in sight, decimal.
    pub received: String,
    /// Coins that are final, decimal.
    pub final_amount: String,
    /// What final money is worth by the rules.
    pub credited: Usd,
    /// Less than asked.
    pub short: bool,
    /// More than asked.
    pub over: bool,
    /// Something came after the deadline.
    pub late: bool,
    /// Something needs a decision.
    pub disputed: bool,
}

/// A transfer as a customer may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct TransferView {
    /// Transaction id.
    pub tx_id: String,
    /// Output index.
    pub out_index: u32,
    /// Coins, decimal.
    pub amount: String,
    /// When our node first saw it.
    pub first_seen_at: Instant,
    /// Block height, once in a block.
    pub height: Option<u32>,
    /// Whether it has vanished without being mined.
    pub vanished: bool,
}

/// A price source in a quote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct QuoteSourceView {
    /// Its name.
    pub name: String,
    /// USD per coin, decimal.
    pub rate: String,
    /// When we fetched it.
    pub fetched_at: Instant,
}

/// The rate of a payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct QuoteView {
    /// USD per coin, decimal.
    pub rate: String,
    /// When it was taken.
    pub taken_at: Instant,
    /// The sources whose median it is.
    pub sources: Vec<QuoteSourceView>,
    /// Whether the prices are made up (sandbox).
    pub made_up: bool,
}

/// What a payment pays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PurposeView {
    /// An order.
    Order {
        /// The order.
        order_id: String,
    },
    /// A top-up.
    TopUp,
    /// A newer server knows more.
    #[serde(other)]
    Unknown,
}

/// A payment as the server tells it. Nothing in here is drawn before the device has checked the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PaymentView {
    /// The payment's id.
    pub id: String,
    /// What it pays.
    pub purpose: PurposeView,
    /// The method's code, such as `litecoin:ltc`.
    pub method: String,
    /// What is asked.
    pub asked: Usd,
    /// Coins to send, decimal with the method's quoted digits.
    pub amount: String,
    /// The rate.
    pub quote: QuoteView,
    /// When the instructions were issued.
    pub issued_at: Instant,
    /// Until when they hold.
    pub deadline: Instant,
    /// The signed record of the address, as text.
    pub record: String,
    /// When the customer said «I have paid».
    pub notice_at: Option<Instant>,
    /// The headline.
    pub headline: Headline,
    /// The facts.
    pub facts: PaymentFactsView,
    /// What was seen.
    pub transfers: Vec<TransferView>,
    /// What the device knew before a newer server told it a headline that it does not know. The device fills it in; a
    /// server has nothing to say here.
    #[serde(default)]
    pub last_known: Option<LastKnown>,
}

/// A line of the balance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BalanceEntryView {
    /// Its id.
    pub id: String,
    /// When.
    pub at: Instant,
    /// Why, such as `over`, `late`, `top_up`, `lapsed`, `spent`, `reversed`.
    pub reason: String,
    /// Above zero when it adds to the balance.
    pub amount: Usd,
    /// The order it belongs to.
    pub order_id: Option<String>,
    /// The payment it belongs to.
    pub payment_id: Option<String>,
}

/// The account's own row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AccountView {
    /// The account's id.
    pub id: String,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// Email.
    pub email: String,
    /// When it was made.
    pub created_at: Instant,
    /// Available balance.
    pub balance: Usd,
    /// What the customer owes after money was undone.
    pub receivable: Usd,
}

/// Whether a method can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MethodChoice {
    /// The method's code.
    pub method: String,
    /// Asset and network, one word.
    pub label: String,
    /// Why it can't; null when it can.
    pub unavailable: Option<MethodReason>,
    /// What it would cost now, rounded for reading; the exact amount stands on the slip alone.
    pub about: Option<String>,
}

/// Why a method can't be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum MethodReason {
    /// Not built yet.
    Coming,
    /// Switched off by the operator.
    SwitchedOff,
    /// Fewer than three good prices.
    NoRate,
    /// The node can't be reached.
    NodeDown,
    /// The node lags behind.
    NodeLagging,
    /// No free address.
    NoAddress,
    /// A newer server knows more.
    #[serde(other)]
    Unknown,
}

/// What the server says of a network's watcher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct NetworkStatusView {
    /// The network's code.
    pub network: String,
    /// Height of the last block read.
    pub height: u32,
    /// When the watcher last looked.
    pub checked_at: Option<Instant>,
    /// Whether it keeps up.
    pub healthy: bool,
}
