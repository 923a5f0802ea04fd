//! Commands that the window gives to the program behind it. The Tauri shell and the loopback web host answer the same list.
//!
//! Reads answer from this device's encrypted cache and work without a network; what needs the server says so in its error.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::command::commands;
use crate::server::{
    AuditAnswer, Done, HandOverRequest, ListRequest, MethodsAnswer, Nothing, OperatorOrder, OperatorOrderAnswer,
    OperatorOrdersAnswer, OperatorPaymentsAnswer, OrderRequest, PaymentRequest, PrepareRequest, RecordAcceptanceAnswer,
    RecordAcceptanceRequest, Role, SandboxMineRequest, SandboxSendRequest, SandboxState,
};
use crate::views::{AccountView, BalanceEntryView, CatalogueView, FiguresView, OrderView, PaymentView, Preparation};
use crate::wire::{Instant, Usd};

/// Why a sign-in has ended on this device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SignInEnd {
    /// Not used for too long, ended elsewhere, or its password was changed: signing in again is all it takes.
    Expired,
    /// Two had what one was given; it ended for both.
    Copied,
    /// The account is gone. It never ordered nor topped up.
    Removed,
}

/// What the window needs to know before it draws anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SessionView {
    /// The server's address.
    pub server: String,
    /// Whether this build is the sandbox.
    pub sandbox_build: bool,
    /// `production`, `sandbox` or `regtest`, as last told; null before the first contact.
    pub environment: Option<String>,
    /// Who is signed in.
    pub account: Option<AccountView>,
    /// In which role.
    pub role: Option<Role>,
    /// Why the sign-in has ended, if it has; what is held stays readable.
    pub sign_in_ended: Option<SignInEnd>,
    /// Whether the server has answered within the last 60 seconds.
    pub online: bool,
    /// When what is shown was last fetched.
    pub synced_at: Option<Instant>,
    /// Server clock minus this device's clock, microseconds; null before the first contact.
    pub clock_offset_micros: Option<String>,
    /// Commands kept and not yet sent.
    pub unsent: u32,
    /// How long things are kept, in days, by name, as last told.
    #[ts(type = "{ [key in string]?: number }")]
    pub retention_days: std::collections::BTreeMap<String, u32>,
    /// Fingerprints of the keys whose address records this build accepts.
    pub trusted_keys: Vec<String>,
}

/// A new account.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct RegisterForm {
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// Email.
    pub email: String,
    /// 15 to 128 code points.
    pub password: String,
}

/// Sign in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct SignInForm {
    /// Email.
    pub email: String,
    /// Password.
    pub password: String,
    /// Six digits; asked of operators.
    pub authenticator_code: Option<String>,
}

/// How a password being typed stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PasswordCheck {
    /// Code points.
    pub code_points: u32,
    /// Why it is refused, as a short code; null when it is good.
    pub refused: Option<String>,
}

/// A password being typed, with what it must not be made of.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct PasswordCheckRequest {
    /// The password.
    pub password: String,
    /// The email beside it.
    pub email: String,
}

/// A new password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ChangePasswordForm {
    /// The old one.
    pub old_password: String,
    /// The new one.
    pub new_password: String,
    /// Six digits; asked of operators.
    pub authenticator_code: Option<String>,
}

/// What becomes of what is unsent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum UnsentChoice {
    /// Refuse to sign out while something is unsent.
    Ask,
    /// Send it first.
    Send,
    /// Throw it away.
    Discard,
}

/// Sign out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct SignOutForm {
    /// What becomes of what is unsent.
    pub unsent: UnsentChoice,
}

/// What is being configured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct FiguresRequest {
    /// The offer.
    pub offer_id: String,
    /// 1 to 10.
    pub lots: u32,
    /// 3, 7 or 30.
    pub days: u32,
}

/// Place an order as confirmed on the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct OrderForm {
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
    /// The total on the screen.
    pub confirmed_total: Usd,
}

/// Ask for instructions as confirmed on the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct PaymentForm {
    /// The order to pay.
    pub order_id: String,
    /// The method's code.
    pub method: String,
    /// The total on the screen.
    pub confirmed_total: Usd,
}

/// Why nothing is drawn. Each has its own sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum SlipRefusal {
    /// The record can't be read, or its format is unknown.
    BadRecord,
    /// Signed by a key that this build does not trust.
    UnknownKey,
    /// The signature does not fit what it signs.
    BadSignature,
    /// For another environment.
    WrongEnvironment,
    /// For another network.
    WrongNetwork,
    /// For another chain.
    WrongChain,
    /// Past its last day.
    PastLastDay,
    /// From an older epoch than this device has seen.
    OldEpoch,
    /// The address is not one of this network.
    BadAddress,
    /// This device drew the address for another payment.
    AddressReused,
    /// The method is not the one that was confirmed.
    WrongMethod,
    /// The total is not the one that was confirmed.
    WrongTotal,
    /// The coins asked are not what total and rate give.
    WrongAmount,
}

/// The slip of a payment, after this device's own checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Slip {
    /// Checked and open: pay this.
    Open {
        /// The address, plain, for copying.
        address: String,
        /// The address in groups of four.
        address_groups: Vec<String>,
        /// Coins, decimal with a dot, for typing and copying.
        amount: String,
        /// The payment URI; also what the QR holds.
        uri: String,
        /// The QR as SVG, dark on white with its quiet zone.
        qr_svg: String,
        /// When this device checked the record.
        checked_at: Instant,
        /// Fingerprint of the key that signed it.
        key_fingerprint: String,
    },
    /// A check failed: nothing is shown.
    Refused {
        /// Which one.
        reason: SlipRefusal,
    },
    /// The account was not fetched for 60 seconds, or its sign-in has ended: QR, copying and link are withdrawn. The session
    /// says which: `sign_in_ended`, `online`, `synced_at`.
    Withdrawn {},
    /// Closed: send nothing here. Readable for the history.
    Closed {
        /// The address in groups of four, if its record still checks.
        address_groups: Vec<String>,
        /// Coins, decimal.
        amount: String,
    },
}

/// A payment for the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct PaymentScreen {
    /// As the server tells it.
    pub payment: PaymentView,
    /// What may be drawn.
    pub slip: Slip,
    /// The order it pays, if it does.
    pub order: Option<OrderView>,
    /// «I have paid» was said and waits to be sent.
    pub notice_unsent: bool,
    /// When the watcher of its network last looked.
    pub watched_at: Option<Instant>,
}

/// The account's orders, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct OrdersView {
    /// The orders.
    pub orders: Vec<OrderView>,
}

/// The balance and its lines, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct BalanceView {
    /// Available.
    pub available: Usd,
    /// Owed after money was undone.
    pub receivable: Usd,
    /// The lines.
    pub entries: Vec<BalanceEntryView>,
}

/// Whether a public key can be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct SshKeyCheck {
    /// Why it is refused, as a short code; null when it is good.
    pub refused: Option<String>,
}

/// A public key being typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct SshKeyCheckRequest {
    /// The text.
    pub key: String,
}

/// Where history goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct ExportAnswer {
    /// Name of a file to offer.
    pub file_name: String,
    /// Its text.
    pub text: String,
}

/// Which form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// Comma-separated.
    Csv,
    /// JSON.
    Json,
}

/// Export the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    /// Which form.
    pub format: ExportFormat,
}

commands! {
    /// What a host of the window answers: one method per command, so that a missing one does not compile.
    trait Host;
    /// Who is signed in, and how fresh everything is.
    Session session(Nothing) -> SessionView, Everyone;
    /// Fetches what is new and sends what waits, now.
    Refresh refresh(Nothing) -> SessionView, Everyone;
    /// Checks a password as it is typed.
    CheckPassword check_password(PasswordCheckRequest) -> PasswordCheck, Everyone;
    /// Makes an account and signs it in.
    Register register(RegisterForm) -> SessionView, Everyone;
    /// Signs in.
    SignIn sign_in(SignInForm) -> SessionView, Everyone;
    /// Signs out and leaves nothing of the account on this device.
    SignOut sign_out(SignOutForm) -> SessionView, Everyone;
    /// Changes the password.
    ChangePassword change_password(ChangePasswordForm) -> Done, Customer;
    /// The catalogue as last told.
    Catalogue catalogue(Nothing) -> CatalogueView, Everyone;
    /// The three figures of a choice.
    Figures figures(FiguresRequest) -> FiguresView, Everyone;
    /// Checks an SSH public key as it is typed.
    CheckSshKey check_ssh_key(SshKeyCheckRequest) -> SshKeyCheck, Everyone;
    /// Places an order.
    PlaceOrder place_order(OrderForm) -> OrderView, Customer;
    /// Cancels an order.
    CancelOrder cancel_order(OrderRequest) -> OrderView, Customer;
    /// All orders held on this device.
    Orders orders(Nothing) -> OrdersView, Customer;
    /// One order held on this device.
    Order order(OrderRequest) -> OrderView, Customer;
    /// The methods that an order can be paid with.
    Methods methods(OrderRequest) -> MethodsAnswer, Customer;
    /// Asks for instructions.
    CreatePayment create_payment(PaymentForm) -> PaymentScreen, Customer;
    /// A payment, checked afresh each time it is drawn.
    Payment payment(PaymentRequest) -> PaymentScreen, Customer;
    /// Says «I have paid»; kept and sent once when there is no network.
    Notice notice(PaymentRequest) -> PaymentScreen, Customer;
    /// Opens the payment's URI in the system's wallet program.
    OpenWallet open_wallet(PaymentRequest) -> Done, Customer;
    /// The balance.
    Balance balance(Nothing) -> BalanceView, Customer;
    /// The history as a file.
    ExportHistory export_history(ExportRequest) -> ExportAnswer, Customer;
    /// Orders, a page at a time.
    OperatorOrders operator_orders(ListRequest) -> OperatorOrdersAnswer, Operator;
    /// One order with its payments.
    OperatorOrderDetails operator_order(OrderRequest) -> OperatorOrderAnswer, Operator;
    /// Payments and their transfers, a page at a time.
    OperatorPayments operator_payments(ListRequest) -> OperatorPaymentsAnswer, Operator;
    /// Begins to prepare a settled order.
    StartPreparing start_preparing(PrepareForm) -> OperatorOrder, Operator;
    /// Records the acceptance check.
    RecordAcceptance record_acceptance(RecordAcceptanceRequest) -> RecordAcceptanceAnswer, Operator;
    /// Hands over access; the clock starts.
    HandOver hand_over(HandOverRequest) -> OperatorOrder, Operator;
    /// The audit log.
    Audit audit(ListRequest) -> AuditAnswer, Operator;
    /// The simulated network's state.
    SandboxStatus sandbox_status(Nothing) -> SandboxState, Sandbox;
    /// Sends test coins.
    SandboxSend sandbox_send(SandboxSendRequest) -> SandboxState, Sandbox;
    /// Mines or undoes blocks.
    SandboxMine sandbox_mine(SandboxMineRequest) -> SandboxState, Sandbox;
}

/// Begin to prepare; the window leaves `command_id` empty and the host makes one, as for every operator's move.
pub type PrepareForm = PrepareRequest;
