//! The window's commands, each answered in a line or two.

use api::host::{
    BalanceView, ChangePasswordForm, ExportAnswer, ExportRequest, FiguresRequest, Host, OrderForm, OrdersView,
    PasswordCheck, PasswordCheckRequest, PaymentForm, PaymentScreen, PrepareForm, RegisterForm, SessionView,
    SignInForm, SignOutForm, SshKeyCheck, SshKeyCheckRequest,
};
use api::server::{
    self, AuditAnswer, Done, HandOverRequest, ListRequest, MethodsAnswer, Nothing, OperatorOrder, OperatorOrderAnswer,
    OperatorOrdersAnswer, OperatorPaymentsAnswer, OrderCommand, OrderRequest, PaymentRequest, PlaceOrderRequest,
    RecordAcceptanceAnswer, RecordAcceptanceRequest, SandboxMineRequest, SandboxSendRequest, SandboxState,
};
use api::views::{CatalogueView, FiguresView, OrderView};
use api::wire::Usd;
use api::{ApiError, Command, ErrorCode};

use crate::desktop::{Desktop, Inner};
use crate::error::ClientError;
use crate::forms;
use crate::send::Identified;

type Answer<T> = Result<T, ApiError>;

impl Host for Desktop {
    type Caller = ();

    fn session(&self, (): &(), _: Nothing) -> Answer<SessionView> {
        Ok(self.inner.session()?)
    }

    fn refresh(&self, (): &(), _: Nothing) -> Answer<SessionView> {
        self.inner.refresh();
        Ok(self.inner.session()?)
    }

    fn check_password(&self, (): &(), request: PasswordCheckRequest) -> Answer<PasswordCheck> {
        Ok(forms::check_password(&request))
    }

    fn register(&self, (): &(), form: RegisterForm) -> Answer<SessionView> {
        Ok(self.inner.register(form)?)
    }

    fn sign_in(&self, (): &(), form: SignInForm) -> Answer<SessionView> {
        Ok(self.inner.sign_in(form)?)
    }

    fn sign_out(&self, (): &(), form: SignOutForm) -> Answer<SessionView> {
        Ok(self.inner.sign_out(form, &mut |_| {})?)
    }

    fn change_password(&self, (): &(), form: ChangePasswordForm) -> Answer<Done> {
        Ok(self.inner.change_password(form)?)
    }

    fn catalogue(&self, (): &(), _: Nothing) -> Answer<CatalogueView> {
        Ok(self.inner.catalogue()?)
    }

    fn figures(&self, (): &(), request: FiguresRequest) -> Answer<FiguresView> {
        Ok(self.inner.figures(&request)?)
    }

    fn check_ssh_key(&self, (): &(), request: SshKeyCheckRequest) -> Answer<SshKeyCheck> {
        Ok(forms::check_ssh_key(&request))
    }

    fn place_order(&self, (): &(), form: OrderForm) -> Answer<OrderView> {
        Ok(self.inner.place_order(form)?)
    }

    fn cancel_order(&self, (): &(), request: OrderRequest) -> Answer<OrderView> {
        let command = OrderCommand { command_id: String::new(), order_id: request.order_id };
        Ok(self.inner.change_order::<server::CancelOrder>(command)?)
    }

    fn orders(&self, (): &(), _: Nothing) -> Answer<OrdersView> {
        Ok(OrdersView { orders: self.inner.orders()? })
    }

    fn order(&self, (): &(), request: OrderRequest) -> Answer<OrderView> {
        Ok(self.inner.order(&request.order_id)?)
    }

    fn methods(&self, (): &(), request: OrderRequest) -> Answer<MethodsAnswer> {
        self.inner.pass::<server::Methods>(&request)
    }

    fn create_payment(&self, (): &(), form: PaymentForm) -> Answer<PaymentScreen> {
        Ok(self.inner.create_payment(form)?)
    }

    fn payment(&self, (): &(), request: PaymentRequest) -> Answer<PaymentScreen> {
        Ok(self.inner.payment(&request.payment_id)?)
    }

    fn notice(&self, (): &(), request: PaymentRequest) -> Answer<PaymentScreen> {
        Ok(self.inner.notice(&request.payment_id)?)
    }

    fn open_wallet(&self, (): &(), request: PaymentRequest) -> Answer<Done> {
        Ok(self.inner.open_wallet(&request.payment_id)?)
    }

    fn balance(&self, (): &(), _: Nothing) -> Answer<BalanceView> {
        Ok(self.inner.balance()?)
    }

    fn export_history(&self, (): &(), request: ExportRequest) -> Answer<ExportAnswer> {
        Ok(self.inner.export_history(request.format)?)
    }

    fn operator_orders(&self, (): &(), request: ListRequest) -> Answer<OperatorOrdersAnswer> {
        self.inner.pass::<server::OperatorOrders>(&request)
    }

    fn operator_order(&self, (): &(), request: OrderRequest) -> Answer<OperatorOrderAnswer> {
        self.inner.pass::<server::OperatorOrderDetails>(&request)
    }

    fn operator_payments(&self, (): &(), request: ListRequest) -> Answer<OperatorPaymentsAnswer> {
        self.inner.pass::<server::OperatorPayments>(&request)
    }

    fn start_preparing(&self, (): &(), form: PrepareForm) -> Answer<OperatorOrder> {
        self.inner.operate::<server::StartPreparing>(form)
    }

    fn record_acceptance(&self, (): &(), request: RecordAcceptanceRequest) -> Answer<RecordAcceptanceAnswer> {
        self.inner.operate::<server::RecordAcceptance>(request)
    }

    fn hand_over(&self, (): &(), request: HandOverRequest) -> Answer<OperatorOrder> {
        self.inner.operate::<server::HandOver>(request)
    }

    fn audit(&self, (): &(), request: ListRequest) -> Answer<AuditAnswer> {
        self.inner.pass::<server::Audit>(&request)
    }

    fn sandbox_status(&self, (): &(), request: Nothing) -> Answer<SandboxState> {
        self.inner.sandbox::<server::SandboxStatus>(&request)
    }

    fn sandbox_send(&self, (): &(), request: SandboxSendRequest) -> Answer<SandboxState> {
        self.inner.sandbox::<server::SandboxSend>(&request)
    }

    fn sandbox_mine(&self, (): &(), request: SandboxMineRequest) -> Answer<SandboxState> {
        self.inner.sandbox::<server::SandboxMine>(&request)
    }
}

impl Inner {
    /// Fetches what is new and sends what waits, now.
    fn refresh(&self) {
        if let Some(account) = self.somebody()
            && let Err(error) = account.files(|files| files.outbox.wake())
        {
            tracing::warn!(%error, "what waits is sent at its own time");
        }
        self.round();
    }

    fn place_order(&self, form: OrderForm) -> Result<OrderView, ClientError> {
        let OrderForm { offer_id, lots, days, preparation, ssh_public_key, confirmed_total } = form;
        let command_id = String::new();
        self.change_order::<server::PlaceOrder>(PlaceOrderRequest {
            command_id,
            offer_id,
            lots,
            days,
            preparation,
            ssh_public_key,
            confirmed_total,
        })
    }

    /// Gives a command that answers an order, fetches what it changed, and answers the order as held.
    fn change_order<C>(&self, request: C::Request) -> Result<OrderView, ClientError>
    where
        C: Command<Answer = OrderView>,
        C::Request: Identified,
    {
        let (account, now) = (self.customer()?, self.now());
        let order = self.send_and::<C>(&account, request, |files, command, order| {
            files.cache.keep_answer(&order.id, order, now)?;
            files.outbox.done(&command.id)
        })?;
        self.pull_after(&account);
        Ok(account.files(|files| files.cache.one(&order.id))?.unwrap_or(order))
    }

    fn orders(&self) -> Result<Vec<OrderView>, ClientError> {
        Ok(self.customer()?.files(|files| files.cache.all())?)
    }

    fn order(&self, order_id: &str) -> Result<OrderView, ClientError> {
        let held = self.customer()?.files(|files| files.cache.one(order_id))?;
        held.ok_or_else(|| self.missing())
    }

    fn balance(&self) -> Result<BalanceView, ClientError> {
        Ok(self.customer()?.files(|files| {
            let account = files.cache.account()?;
            let entries = files.cache.all()?;
            let (available, receivable) =
                account.map_or((Usd::default(), Usd::default()), |account| (account.balance, account.receivable));
            Ok(BalanceView { available, receivable, entries })
        })?)
    }

    /// Asks the server in the name of whoever is signed in, and keeps nothing.
    fn pass<C: Command>(&self, request: &C::Request) -> Result<C::Answer, ApiError> {
        let account = self.account()?;
        self.ask::<C>(Some(&account), request).map_err(|error| ClientError::from(error).into())
    }

    /// An operator's move: saved under an id of its own before it is sent.
    fn operate<C>(&self, request: C::Request) -> Result<C::Answer, ApiError>
    where
        C: Command,
        C::Request: Identified,
    {
        if !self.is_operator() {
            self.account()?;
            return Err(ErrorCode::Forbidden.into());
        }
        let answer = self.send::<C>(&*self.account()?, request)?;
        (self.on_changed)();
        Ok(answer)
    }

    /// The sandbox's panel. The production build has no such command.
    fn sandbox<C: Command>(&self, request: &C::Request) -> Result<C::Answer, ApiError> {
        if !cfg!(feature = "sandbox") {
            return Err(ErrorCode::UnknownCommand.into());
        }
        let answer = self.ask::<C>(self.somebody().as_deref(), request).map_err(ClientError::from)?;
        self.signal.hint();
        Ok(answer)
    }
}
