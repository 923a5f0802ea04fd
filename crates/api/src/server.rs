//! Commands that the desktop sends to the server: `POST /v1/<name>`, JSON both ways, a bearer token beside them.
//!
//! Whatever changes something carries a `command_id` made by the client (UUIDv7), saved before it is sent: the same id
//! with the same body answers the first result again, with another body it is refused.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::command::commands;
use crate::views::{
    AcceptanceView, AccessView, CatalogueView, MethodChoice, NetworkStatusView, OrderView, PaymentView, Preparation,
};
use crate::wire::{Instant, Usd};

/// An empty answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Done {}

/// Nothing to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// A new account.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RegisterRequest {
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// Email; not verified.
    pub email: String,
    /// 15 to 128 code points.
    pub password: String,
    /// What the device calls itself in the list of devices.
    pub device_name: String,
}

/// Sign in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct SignInRequest {
    /// Email.
    pub email: String,
    /// Password.
    pub password: String,
    /// Six digits; asked of operators.
    pub authenticator_code: Option<String>,
    /// What the device calls itself.
    pub device_name: String,
}

/// Who is signed in, in which role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A customer.
    Customer,
    /// Prepares machines and hands over access.
    Fulfilment,
    /// Decides about money.
    Treasury,
    /// Everything, and other operators.
    Administrator,
}

/// A sign-in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SignedIn {
    /// The account's id.
    pub account_id: String,
    /// In which role.
    pub role: Role,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// 256 random bits, hexadecimal; the server keeps only their hash.
    pub token: String,
    /// From then on the device replaces the token: `renew_sign_in`.
    pub renew_at: Instant,
    /// When the sign-in ends if it is not used.
    pub expires_at: Instant,
}

/// Let another token follow the one that is used. The device made it and saved it before asking: whatever becomes of the
/// answer, it holds a token that is good.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RenewSignInRequest {
    /// SHA-256 of the next token's text, hexadecimal. The token itself travels when it is first used.
    pub next_hash: String,
}

/// A sign-in that was renewed. The token before stays good until the next one was used, and a little longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RenewedSignIn {
    /// From then on it is to be renewed again.
    pub renew_at: Instant,
    /// When the sign-in ends if it is not used.
    pub expires_at: Instant,
}

/// A new password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ChangePasswordRequest {
    /// The old one.
    pub old_password: String,
    /// The new one.
    pub new_password: String,
    /// Six digits; asked of operators.
    pub authenticator_code: Option<String>,
}

/// Place an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct PlaceOrderRequest {
    /// Made by the client.
    pub command_id: String,
    /// The offer.
    pub offer_id: String,
    /// 1 to 10.
    pub lots: u32,
    /// 3, 7 or 30.
    pub days: u32,
    /// The starting point.
    pub preparation: Preparation,
    /// The customer's SSH public key, if given.
    pub ssh_public_key: Option<String>,
    /// The total that the customer confirmed.
    pub confirmed_total: Usd,
}

/// Something about one order that changes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct OrderCommand {
    /// Made by the client.
    pub command_id: String,
    /// The order.
    pub order_id: String,
}

/// Something about one payment that changes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct PaymentCommand {
    /// Made by the client.
    pub command_id: String,
    /// The payment.
    pub payment_id: String,
}

/// Which order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct OrderRequest {
    /// The order.
    pub order_id: String,
}

/// Which payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct PaymentRequest {
    /// The payment.
    pub payment_id: String,
}

/// The methods for an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct MethodsAnswer {
    /// All eight, in the product's order.
    pub methods: Vec<MethodChoice>,
}

/// Ask for payment instructions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct CreatePaymentRequest {
    /// Made by the client.
    pub command_id: String,
    /// The order to pay.
    pub order_id: String,
    /// The method's code.
    pub method: String,
    /// What the customer confirmed to pay.
    pub confirmed_total: Usd,
}

/// What changed since a cursor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct SyncRequest {
    /// The opaque cursor of the last page; null at first.
    pub cursor: Option<String>,
}

/// A row of the sync. Bodies are views; a kind that the client does not know is kept and ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SyncRow {
    /// `account`, `order`, `payment` or `balance_entry`.
    pub kind: String,
    /// The row's id within its kind.
    pub id: String,
    /// The whole row.
    #[ts(type = "unknown")]
    pub body: serde_json::Value,
}

/// A page of the sync.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SyncAnswer {
    /// The cursor did not fit: drop what is held and start from these rows.
    pub reset: bool,
    /// Whole rows, whole transactions.
    pub rows: Vec<SyncRow>,
    /// Where to go on.
    pub cursor: String,
    /// Whether there is more now.
    pub more: bool,
}

/// The server's clock and its watchers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct StatusAnswer {
    /// `production`, `sandbox` or `regtest`.
    pub environment: String,
    /// The server's clock.
    pub now: Instant,
    /// Every watched network.
    pub networks: Vec<NetworkStatusView>,
    /// How long things are kept, in days, by name (product A6); 0 is for good.
    #[ts(type = "{ [key in string]?: number }")]
    pub retention_days: std::collections::BTreeMap<String, u32>,
}

/// The catalogue with its version, which is also its ETag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CatalogueAnswer {
    /// The ETag.
    pub version: String,
    /// The catalogue.
    pub catalogue: CatalogueView,
}

/// A page of a list that lives on the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ListRequest {
    /// `all`, or a work list of the command's own.
    pub list: String,
    /// Reference, address, transaction or email; empty for everything.
    pub search: String,
    /// The cursor of the page before.
    pub cursor: Option<String>,
}

/// Who ordered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct CustomerView {
    /// The account's id.
    pub account_id: String,
    /// First and last name.
    pub name: String,
    /// Email.
    pub email: String,
}

/// An order as operators see it. Access is never in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OperatorOrder {
    /// The order, without access.
    pub order: OrderView,
    /// Who ordered.
    pub customer: CustomerView,
}

/// A page of orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OperatorOrdersAnswer {
    /// The page.
    pub orders: Vec<OperatorOrder>,
    /// The next page, if there is one.
    pub cursor: Option<String>,
    /// Orders to prepare, in all.
    pub to_prepare: u32,
}

/// A payment as operators see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OperatorPayment {
    /// The payment.
    pub payment: PaymentView,
    /// The order's reference, if it pays one.
    pub reference: Option<String>,
    /// The address.
    pub address: String,
    /// Who pays.
    pub customer: CustomerView,
}

/// A page of payments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OperatorPaymentsAnswer {
    /// The page.
    pub payments: Vec<OperatorPayment>,
    /// The next page, if there is one.
    pub cursor: Option<String>,
}

/// One order for an operator, whole, with its payments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OperatorOrderAnswer {
    /// The order.
    pub order: OperatorOrder,
    /// Its payments.
    pub payments: Vec<PaymentView>,
}

/// Begin to prepare.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct PrepareRequest {
    /// Made by the client.
    pub command_id: String,
    /// The order.
    pub order_id: String,
    /// When access is expected, if known.
    pub expected_at: Option<Instant>,
}

/// Record what the acceptance check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RecordAcceptanceRequest {
    /// Made by the client.
    pub command_id: String,
    /// The order.
    pub order_id: String,
    /// Devices found.
    pub devices: u32,
    /// Name of every device, one entry each.
    pub device_names: Vec<String>,
    /// Memory of every device, MiB, one entry each.
    pub memory_mib: Vec<u32>,
    /// Driver and toolkit version.
    pub driver: String,
    /// Whether the devices are undivided.
    pub unpartitioned: bool,
    /// Whether the operators' own credentials were removed.
    pub operator_access_removed: bool,
}

/// The acceptance check as recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct RecordAcceptanceAnswer {
    /// What it found.
    pub acceptance: AcceptanceView,
}

/// Hand over access: the clock starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct HandOverRequest {
    /// Made by the client.
    pub command_id: String,
    /// The order.
    pub order_id: String,
    /// How the customer gets in.
    pub access: AccessView,
    /// When the operator signed in with these very credentials.
    pub login_verified_at: Instant,
}

/// A record of the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AuditEntry {
    /// Its number, from 1, without gaps.
    pub number: u32,
    /// When.
    pub at: Instant,
    /// Who: an account id, or `command-line`.
    pub actor: String,
    /// The account's name, if it still is one.
    pub actor_name: Option<String>,
    /// What.
    pub action: String,
    /// Of what, by its id.
    pub subject: String,
    /// An order's reference, or an account's name.
    pub subject_name: Option<String>,
    /// SHA-256 over the entry and the hash before it, hexadecimal.
    pub hash: String,
}

/// A page of the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct AuditAnswer {
    /// Newest first.
    pub entries: Vec<AuditEntry>,
    /// The next page, if there is one.
    pub cursor: Option<String>,
    /// Whether the whole chain verifies.
    pub verified: bool,
}

/// The simulated network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SandboxState {
    /// Height of the newest block.
    pub height: u32,
    /// Transactions waiting for a block.
    pub waiting: u32,
    /// USD per coin of the made-up prices, decimal.
    pub rate: Option<String>,
    /// Whether blocks come by themselves.
    pub mining: bool,
}

/// Send test coins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct SandboxSendRequest {
    /// The address.
    pub address: String,
    /// Coins, decimal.
    pub amount: String,
}

/// Mine blocks, or undo some and mine others in their place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct SandboxMineRequest {
    /// Blocks to mine.
    pub blocks: u32,
    /// Newest blocks to undo first.
    pub undo: u32,
}

commands! {
    /// What a server answers: one method per command, so that a missing one does not compile.
    trait Handlers;
    /// The server's clock, environment and watchers.
    Status status(Nothing) -> StatusAnswer, Everyone;
    /// Makes an account and signs it in.
    Register register(RegisterRequest) -> SignedIn, Everyone;
    /// Signs in on this device.
    SignIn sign_in(SignInRequest) -> SignedIn, Everyone;
    /// Ends this sign-in.
    SignOut sign_out(Nothing) -> Done, Customer;
    /// Lets another token follow the one that is used.
    RenewSignIn renew_sign_in(RenewSignInRequest) -> RenewedSignIn, Customer;
    /// Changes the password; every other sign-in of the account ends.
    ChangePassword change_password(ChangePasswordRequest) -> Done, Customer;
    /// Everything of the account that changed since a cursor.
    Sync sync(SyncRequest) -> SyncAnswer, Customer;
    /// Places an order. Its lots are held from the first payment instructions on.
    PlaceOrder place_order(PlaceOrderRequest) -> OrderView, Customer;
    /// Cancels an order that is not being prepared.
    CancelOrder cancel_order(OrderCommand) -> OrderView, Customer;
    /// One order, whole.
    Order order(OrderRequest) -> OrderView, Customer;
    /// One payment, whole.
    Payment payment(PaymentRequest) -> PaymentView, Customer;
    /// The methods that an order can be paid with.
    Methods methods(OrderRequest) -> MethodsAnswer, Customer;
    /// Issues instructions: one address, one amount, one deadline.
    CreatePayment create_payment(CreatePaymentRequest) -> PaymentView, Customer;
    /// The customer says «I have paid». It is shown and proves nothing.
    Notice notice(PaymentCommand) -> Done, Customer;
    /// Orders, a page at a time.
    OperatorOrders operator_orders(ListRequest) -> OperatorOrdersAnswer, Operator;
    /// One order with its payments.
    OperatorOrderDetails operator_order(OrderRequest) -> OperatorOrderAnswer, Operator;
    /// Payments and their transfers, a page at a time.
    OperatorPayments operator_payments(ListRequest) -> OperatorPaymentsAnswer, Operator;
    /// Begins to prepare a settled order.
    StartPreparing start_preparing(PrepareRequest) -> OperatorOrder, Operator;
    /// Records the acceptance check.
    RecordAcceptance record_acceptance(RecordAcceptanceRequest) -> RecordAcceptanceAnswer, Operator;
    /// Hands over access; the clock starts at this commit.
    HandOver hand_over(HandOverRequest) -> OperatorOrder, Operator;
    /// The audit log, newest first.
    Audit audit(ListRequest) -> AuditAnswer, Operator;
    /// The simulated network's state.
    SandboxStatus sandbox_status(Nothing) -> SandboxState, Sandbox;
    /// Sends test coins.
    SandboxSend sandbox_send(SandboxSendRequest) -> SandboxState, Sandbox;
    /// Mines or undoes blocks.
    SandboxMine sandbox_mine(SandboxMineRequest) -> SandboxState, Sandbox;
}
