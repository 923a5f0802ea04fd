//! Payments on the screen: each is checked afresh whenever it is drawn.

use std::sync::Arc;

use api::host::{PaymentForm, PaymentScreen, Slip};
use api::server::{self, CreatePaymentRequest, Done, PaymentCommand};
use api::views::{OrderView, PaymentView, PurposeView};
use api::{Command, ErrorCode};
use domain::time::{DAY_MICROS, MINUTE_MICROS};
use domain::{Cents, Method, Network};

use crate::account::{Account, Files};
use crate::clock;
use crate::desktop::Inner;
use crate::error::{ClientError, StorageError};
use crate::outbox::{Confirmed, Kept};
use crate::send::written;
use crate::slip::{Agreed, Case, Ground, slip};

/// Instructions that came so close to a confirmation whose answer was lost are held against that confirmation.
const LOST_ANSWER_MICROS: i64 = 30 * MINUTE_MICROS;

impl Inner {
    /// Asks for instructions, as confirmed on the screen.
    pub fn create_payment(&self, form: PaymentForm) -> Result<PaymentScreen, ClientError> {
        let account = self.customer()?;
        let PaymentForm { order_id, method, confirmed_total } = form;
        let unknown = || ErrorCode::FieldRefused { field: "method".into(), reason: "unknown".into() };
        let confirmed = Confirmed { method: Method::from_code(&method).ok_or_else(unknown)?, total: confirmed_total.0 };
        let request = CreatePaymentRequest { command_id: String::new(), order_id, method, confirmed_total };
        let now = self.now();
        let payment = self.send_and::<server::CreatePayment>(&account, request, |files, command, payment| {
            // The answer is all there is to show until the pages come, and the line may be cut before they do.
            files.cache.keep_answer(&payment.id, payment, now)?;
            files.outbox.confirm(&payment.id, confirmed, &command.id)
        })?;
        self.pull_after(&account);
        self.screen_of(&account, &payment.id)
    }

    /// A payment for the screen.
    pub fn payment(&self, payment_id: &str) -> Result<PaymentScreen, ClientError> {
        let account = self.customer()?;
        self.screen_of(&account, payment_id)
    }

    /// «I have paid»: kept, and sent as soon as it can be.
    pub fn notice(&self, payment_id: &str) -> Result<PaymentScreen, ClientError> {
        let account = self.customer()?;
        let screen = self.screen_of(&account, payment_id)?;
        if screen.payment.notice_at.is_some() {
            return Ok(screen);
        }
        let request = PaymentCommand { command_id: String::new(), payment_id: payment_id.to_owned() };
        self.save::<server::Notice>(&account, request, Kept::ByItself)?;
        match self.flush(&account) {
            Ok(()) => self.pull_after(&account),
            Err(error) => {
                tracing::info!(%error, "the notice waits");
                self.signal.hint();
            }
        }
        self.screen_of(&account, payment_id)
    }

    /// Opens the checked URI in the system's wallet program.
    pub fn open_wallet(&self, payment_id: &str) -> Result<Done, ClientError> {
        match self.payment(payment_id)?.slip {
            Slip::Open { uri, .. } if (self.opener)(&uri) => Ok(Done {}),
            Slip::Open { .. } => Err(ErrorCode::NoWallet.into()),
            Slip::Withdrawn {} if self.customer()?.has_ended() => Err(ErrorCode::SignInExpired.into()),
            Slip::Withdrawn {} => Err(ErrorCode::Offline.into()),
            Slip::Refused { .. } | Slip::Closed { .. } => Err(ErrorCode::PaymentClosed.into()),
        }
    }

    fn screen_of(&self, account: &Arc<Account>, payment_id: &str) -> Result<PaymentScreen, ClientError> {
        let held = account.files(|files| files.cache.one::<PaymentView>(payment_id))?;
        let mut payment = held.ok_or_else(|| self.missing())?;
        if faults::planted(faults::DEADLINE_LATER) {
            payment.deadline.0 = payment.deadline.0.plus_micros(DAY_MICROS);
        }
        let (order, agreed, notice_unsent) = account.files(|files| {
            let order = order_of(files, &payment)?;
            let agreed = self.agreed(files, &payment, order.as_ref())?;
            Ok((order, agreed, notice_waits(files, payment_id)?))
        })?;
        let slip = self.slip(account, &payment, order.as_ref(), agreed)?;
        let network = Method::from_code(&payment.method).map(Method::network);
        Ok(PaymentScreen { watched_at: self.watched_at(network), payment, slip, order, notice_unsent })
    }

    /// What the person agreed to: here, in a confirmation whose answer was lost, or on another device.
    fn agreed(&self, files: &Files, payment: &PaymentView, order: Option<&OrderView>) -> Result<Agreed, StorageError> {
        if let Some(confirmed) = files.outbox.confirmed(&payment.id)? {
            return Ok(Agreed::Here(confirmed));
        }
        let offset = self.reach().offset_micros().unwrap_or(0);
        for command in files.outbox.named(server::CreatePayment::NAME)? {
            let Ok(request) = serde_json::from_str::<CreatePaymentRequest>(&command.body) else { continue };
            let same_order =
                matches!(&payment.purpose, PurposeView::Order { order_id } if *order_id == request.order_id);
            let apart = payment.issued_at.0.micros_since(command.made_at.plus_micros(offset)).abs();
            if let (true, Some(method)) =
                (same_order && apart <= LOST_ANSWER_MICROS, Method::from_code(&request.method))
            {
                return Ok(Agreed::Here(Confirmed { method, total: request.confirmed_total.0 }));
            }
        }
        Ok(match order {
            Some(order) => Agreed::Elsewhere { order_total: order.total.0, in_part: order.payment_ids.len() > 1 },
            // Without its order nothing says what was agreed, and no total fits.
            None => Agreed::Elsewhere { order_total: Cents::ZERO, in_part: false },
        })
    }

    fn slip(
        &self,
        account: &Account,
        payment: &PaymentView,
        order: Option<&OrderView>,
        agreed: Agreed,
    ) -> Result<Slip, StorageError> {
        let ground = self.ground(account, Method::from_code(&payment.method).map(Method::network))?;
        let current = self.trust.current.map(|key| key.fingerprint().to_hex()).unwrap_or_default();
        let case = Case { payment, order, agreed, ground: &ground };
        slip(&case, |address| self.device().claim(address, &payment.id, &current))
    }

    /// What this device knows by itself about records of that network, and whether its rows of the account are current.
    fn ground(&self, account: &Account, network: Option<Network>) -> Result<Ground, StorageError> {
        let (environment, now) = (self.environment(), self.now());
        let device = self.device();
        let mut epoch_floor = network.map_or(0, |network| self.trust.floor(network));
        if let (Some(environment), Some(network)) = (environment, network) {
            epoch_floor = epoch_floor.max(device.highest_epoch(environment, network)?);
        }
        let keys_ever = self.trust.keys();
        let retired = match &self.trust.current {
            Some(key) => device.is_retired(&key.fingerprint().to_hex())?,
            None => false,
        };
        drop(device);
        Ok(Ground {
            environment,
            keys: keys_ever.map(|keys| if retired { keys.current_retired() } else { keys }),
            keys_ever,
            epoch_floor,
            today: clock::today(now),
            server_now: self.server_now(),
            online: self.is_current(account),
        })
    }

    /// When the watcher of a network last looked, as last told.
    fn watched_at(&self, network: Option<Network>) -> Option<api::wire::Instant> {
        let code = network?.code();
        let reach = self.reach();
        reach.status()?.networks.iter().find(|status| status.network == code)?.checked_at
    }
}

fn order_of(files: &Files, payment: &PaymentView) -> Result<Option<OrderView>, StorageError> {
    match &payment.purpose {
        PurposeView::Order { order_id } => files.cache.one(order_id),
        PurposeView::TopUp | PurposeView::Unknown => Ok(None),
    }
}

/// Whether «I have paid» was said for it and not yet sent.
fn notice_waits(files: &Files, payment_id: &str) -> Result<bool, StorageError> {
    let subject = written(&PaymentCommand { command_id: String::new(), payment_id: payment_id.to_owned() })?;
    Ok(files.outbox.find(server::Notice::NAME, &subject)?.is_some())
}
