//! One method per command: each runs one use case in one transaction.

mod account;

use std::sync::Arc;

use api::ApiError;
use api::server::{
    AuditAnswer, ChangePasswordRequest, CreatePaymentRequest, Done, HandOverRequest, Handlers, ListRequest,
    MethodsAnswer, Nothing, OperatorOrder, OperatorOrderAnswer, OperatorOrdersAnswer, OperatorPaymentsAnswer,
    OrderCommand, OrderRequest, PaymentCommand, PaymentRequest, PlaceOrderRequest, PrepareRequest,
    RecordAcceptanceAnswer, RecordAcceptanceRequest, RegisterRequest, RenewSignInRequest, RenewedSignIn,
    SandboxMineRequest, SandboxSendRequest, SandboxState, SignInRequest, SignedIn, StatusAnswer, SyncAnswer,
    SyncRequest,
};
use api::views::{OrderView, PaymentView};
use backend::refusal::Outcome;
use backend::{Caller, Policy, audit, fulfilment, operators, orders, payments, sync, views};
use domain::Timestamp;
use store::Tx;

use crate::access::Asking;
use crate::app::{App, told};
use crate::sandbox::Sandbox;

/// Answers the commands.
pub struct Host {
    app: Arc<App>,
}

/// What a use case is given beside its transaction.
struct Given<'a> {
    policy: &'a Policy,
    now: Timestamp,
    caller: &'a Caller,
}

impl Host {
    /// For the running server.
    pub fn new(app: Arc<App>) -> Self {
        Self { app }
    }

    /// A use case that changes something. The time is the one at which it runs.
    fn write<T: Send + 'static>(
        &self,
        asking: &Asking,
        mut use_case: impl FnMut(&mut Tx<'_>, &Given<'_>) -> Outcome<T> + Send + 'static,
    ) -> Result<T, ApiError> {
        let caller = asking.caller()?.clone();
        let (policy, clock) = (self.app.policy.clone(), self.app.clock.clone());
        let written =
            self.app.store.write(move |tx| use_case(tx, &Given { policy: &policy, now: clock.now(), caller: &caller }));
        self.app.hints.wake();
        written.map_err(told)
    }

    /// A use case that only looks.
    fn read<T>(
        &self,
        asking: &Asking,
        mut use_case: impl FnMut(&mut Tx<'_>, &Given<'_>) -> Outcome<T>,
    ) -> Result<T, ApiError> {
        let given = Given { policy: &self.app.policy, now: self.app.clock.now(), caller: asking.caller()? };
        self.app.store.read(|tx| use_case(tx, &given)).map_err(told)
    }

    fn sandbox(&self) -> Result<&Sandbox, ApiError> {
        self.app.sandbox.as_ref().ok_or_else(|| api::ErrorCode::UnknownCommand.into())
    }
}

impl Handlers for Host {
    type Caller = Asking;

    fn status(&self, _: &Asking, _: Nothing) -> Result<StatusAnswer, ApiError> {
        let now = self.app.clock.now();
        self.app.store.read(|tx| views::status(tx, &self.app.policy, now)).map_err(told)
    }

    fn register(&self, asking: &Asking, request: RegisterRequest) -> Result<SignedIn, ApiError> {
        account::register(&self.app, asking, &request)
    }

    fn sign_in(&self, asking: &Asking, request: SignInRequest) -> Result<SignedIn, ApiError> {
        account::sign_in(&self.app, asking, &request)
    }

    fn sign_out(&self, asking: &Asking, _: Nothing) -> Result<Done, ApiError> {
        self.write(asking, |tx, given| backend::accounts::sign_out(tx, given.now, given.caller))?;
        Ok(Done {})
    }

    fn renew_sign_in(&self, asking: &Asking, request: RenewSignInRequest) -> Result<RenewedSignIn, ApiError> {
        account::renew(&self.app, asking, &request)
    }

    fn change_password(&self, asking: &Asking, request: ChangePasswordRequest) -> Result<Done, ApiError> {
        account::change_password(&self.app, asking, &request)
    }

    fn sync(&self, asking: &Asking, request: SyncRequest) -> Result<SyncAnswer, ApiError> {
        self.read(asking, |tx, given| sync::pull(tx, given.policy, given.now, given.caller, &request))
    }

    fn place_order(&self, asking: &Asking, request: PlaceOrderRequest) -> Result<OrderView, ApiError> {
        self.write(asking, move |tx, given| orders::place(tx, given.policy, given.now, given.caller, &request))
    }

    fn cancel_order(&self, asking: &Asking, request: OrderCommand) -> Result<OrderView, ApiError> {
        self.write(asking, move |tx, given| orders::cancel(tx, given.policy, given.now, given.caller, &request))
    }

    fn order(&self, asking: &Asking, request: OrderRequest) -> Result<OrderView, ApiError> {
        self.read(asking, |tx, given| orders::show(tx, given.policy, given.now, given.caller, &request.order_id))
    }

    fn payment(&self, asking: &Asking, request: PaymentRequest) -> Result<PaymentView, ApiError> {
        self.read(asking, |tx, given| payments::show(tx, given.policy, given.now, given.caller, &request.payment_id))
    }

    fn methods(&self, asking: &Asking, request: OrderRequest) -> Result<MethodsAnswer, ApiError> {
        let prices = self.app.prices();
        self.read(asking, |tx, given| {
            payments::methods(tx, given.policy, given.now, given.caller, &request.order_id, &prices)
        })
    }

    fn create_payment(&self, asking: &Asking, request: CreatePaymentRequest) -> Result<PaymentView, ApiError> {
        let prices = self.app.prices();
        self.write(asking, move |tx, given| {
            payments::create(tx, given.policy, given.now, given.caller, &request, &prices)
        })
    }

    fn notice(&self, asking: &Asking, request: PaymentCommand) -> Result<Done, ApiError> {
        self.write(asking, move |tx, given| payments::notice(tx, given.policy, given.now, given.caller, &request))
    }

    fn operator_orders(&self, asking: &Asking, request: ListRequest) -> Result<OperatorOrdersAnswer, ApiError> {
        self.read(asking, |tx, given| operators::orders(tx, given.policy, given.now, given.caller, &request))
    }

    fn operator_order(&self, asking: &Asking, request: OrderRequest) -> Result<OperatorOrderAnswer, ApiError> {
        self.read(asking, |tx, given| operators::order(tx, given.policy, given.now, given.caller, &request.order_id))
    }

    fn operator_payments(&self, asking: &Asking, request: ListRequest) -> Result<OperatorPaymentsAnswer, ApiError> {
        self.read(asking, |tx, given| operators::payments(tx, given.policy, given.now, given.caller, &request))
    }

    fn start_preparing(&self, asking: &Asking, request: PrepareRequest) -> Result<OperatorOrder, ApiError> {
        self.write(asking, move |tx, given| {
            fulfilment::start_preparing(tx, given.policy, given.now, given.caller, &request)
        })
    }

    fn record_acceptance(
        &self,
        asking: &Asking,
        request: RecordAcceptanceRequest,
    ) -> Result<RecordAcceptanceAnswer, ApiError> {
        self.write(asking, move |tx, given| {
            fulfilment::record_acceptance(tx, given.policy, given.now, given.caller, &request)
        })
    }

    fn hand_over(&self, asking: &Asking, request: HandOverRequest) -> Result<OperatorOrder, ApiError> {
        self.write(asking, move |tx, given| fulfilment::hand_over(tx, given.policy, given.now, given.caller, &request))
    }

    fn audit(&self, asking: &Asking, request: ListRequest) -> Result<AuditAnswer, ApiError> {
        self.read(asking, |tx, given| audit::list(tx, given.caller, &request))
    }

    fn sandbox_status(&self, _: &Asking, _: Nothing) -> Result<SandboxState, ApiError> {
        Ok(self.sandbox()?.state(&self.app.prices(), self.app.clock.now()))
    }

    fn sandbox_send(&self, _: &Asking, request: SandboxSendRequest) -> Result<SandboxState, ApiError> {
        self.sandbox()?.send(self.app.clock.now(), &request)?;
        self.sandbox_status(&Asking::nobody(), Nothing {})
    }

    fn sandbox_mine(&self, _: &Asking, request: SandboxMineRequest) -> Result<SandboxState, ApiError> {
        self.sandbox()?.mine(self.app.clock.now(), &request)?;
        self.sandbox_status(&Asking::nobody(), Nothing {})
    }
}
