//! The stub's answers. Only what the desktop's own tests need is answered; the rest is refused.

use std::sync::Mutex;

use api::server::*;
use api::views::*;
use api::wire::{Instant, Usd};
use api::{ApiError, ErrorCode};
use domain::{Cents, Rate, Timestamp};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::State;
use super::samples::{now, offer, order, payment, signed_record};

type Answer<T> = Result<T, ApiError>;

/// A request in the middle of being answered.
pub(super) struct Asking<'a>(pub &'a Mutex<State>);

/// The catalogue never changes.
pub(super) fn catalogue() -> CatalogueAnswer {
    let as_of = Instant(Timestamp::from_seconds(1));
    CatalogueAnswer { version: "1".into(), catalogue: CatalogueView { offers: vec![offer()], as_of } }
}

impl Asking<'_> {
    fn who(&self, token: &Option<String>) -> Answer<String> {
        let token = token.as_ref().ok_or(ErrorCode::NotSignedIn)?;
        let mut state = self.0.lock().unwrap();
        if let Some(before) = state.next_tokens.remove(&hash(token)) {
            let account = state.tokens.remove(&before).ok_or(ErrorCode::SignInExpired)?;
            state.tokens.insert(token.clone(), account.clone());
            state.replaced_tokens.insert(before, account);
        }
        if let Some(account) = state.replaced_tokens.get(token).cloned() {
            state.reused.push(token.clone());
            return Ok(account);
        }
        let ended = state.ended_as.clone().unwrap_or(ErrorCode::SignInExpired);
        Ok(state.tokens.get(token).cloned().ok_or(ended)?)
    }

    /// Answers a command once per id.
    fn once<R: Serialize, T: Serialize + serde::de::DeserializeOwned>(
        &self,
        who: &str,
        id: &str,
        request: &R,
        effect: impl FnOnce(&mut State) -> Answer<T>,
    ) -> Answer<T> {
        let mut state = self.0.lock().unwrap();
        let (key, body) = ((who.to_owned(), id.to_owned()), serde_json::to_string(request).unwrap());
        assert!(!id.is_empty(), "a command without an id");
        if let Some((before, answer)) = state.commands.get(&key) {
            if *before != body {
                return Err(ErrorCode::CommandReused.into());
            }
            return Ok(serde_json::from_value(answer.clone()).unwrap());
        }
        let answer = effect(&mut state)?;
        state.commands.insert(key, (body, serde_json::to_value(&answer).unwrap()));
        Ok(answer)
    }

    fn signed_in(&self, state: &mut State, account_id: String, role: Option<Role>) -> SignedIn {
        let token = format!("token-{}", state.number());
        state.tokens.insert(token.clone(), account_id.clone());
        let expires_at = Instant(Timestamp::from_micros(i64::MAX));
        let (first_name, last_name) = ("Ada".into(), "Nunes".into());
        let (role, renew_at) = (role.unwrap_or(Role::Customer), renew_at(state));
        SignedIn { account_id, role, first_name, last_name, token, renew_at, expires_at }
    }

    fn row<T: serde::de::DeserializeOwned>(&self, kind: &str, id: &str) -> Answer<T> {
        let row = self.0.lock().unwrap().row(kind, id).ok_or(ErrorCode::NotFound)?;
        Ok(serde_json::from_value(row).unwrap())
    }
}

fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}

/// When a token that was made now is to be replaced.
fn renew_at(state: &State) -> Instant {
    Instant(Timestamp::from_micros(if state.renew_at_once { 0 } else { i64::MAX }))
}

fn refuse<T>(code: ErrorCode) -> Answer<T> {
    Err(code.into())
}

impl Handlers for Asking<'_> {
    type Caller = Option<String>;

    fn status(&self, _: &Self::Caller, _: Nothing) -> Answer<StatusAnswer> {
        let ahead = self.0.lock().unwrap().ahead_seconds;
        let at = Instant(now().plus_micros(ahead * 1_000_000));
        let network = "litecoin".into();
        let networks = vec![NetworkStatusView { network, height: 7, checked_at: Some(at), healthy: true }];
        Ok(StatusAnswer { environment: "regtest".into(), now: at, networks, retention_days: Default::default() })
    }

    fn register(&self, _: &Self::Caller, request: RegisterRequest) -> Answer<SignedIn> {
        let mut state = self.0.lock().unwrap();
        if state.accounts.contains_key(&request.email) {
            return refuse(ErrorCode::RegistrationRefused);
        }
        let id = format!("account-{}", state.number());
        let view = AccountView {
            id: id.clone(),
            first_name: request.first_name,
            last_name: request.last_name,
            email: request.email.clone(),
            created_at: Instant(now()),
            balance: Usd::default(),
            receivable: Usd::default(),
        };
        state.touch(&id, "account", &id, serde_json::to_value(view).unwrap());
        state.accounts.insert(request.email, (id.clone(), request.password, None));
        Ok(self.signed_in(&mut state, id, None))
    }

    fn sign_in(&self, _: &Self::Caller, request: SignInRequest) -> Answer<SignedIn> {
        let mut state = self.0.lock().unwrap();
        match state.accounts.get(&request.email).cloned() {
            Some((id, password, role)) if password == request.password => Ok(self.signed_in(&mut state, id, role)),
            _ => refuse(ErrorCode::WrongCredentials),
        }
    }

    fn sign_out(&self, token: &Self::Caller, _: Nothing) -> Answer<Done> {
        self.who(token)?;
        self.0.lock().unwrap().tokens.remove(token.as_ref().unwrap());
        Ok(Done {})
    }

    fn renew_sign_in(&self, token: &Self::Caller, request: RenewSignInRequest) -> Answer<RenewedSignIn> {
        self.who(token)?;
        let (mut state, token) = (self.0.lock().unwrap(), token.clone().unwrap());
        let taken = state.next_tokens.iter().find(|(_, before)| **before == token).map(|(next, _)| next.clone());
        assert!(taken.is_none_or(|next| next == request.next_hash), "two tokens follow one");
        state.next_tokens.insert(request.next_hash, token);
        let expires_at = Instant(Timestamp::from_micros(i64::MAX));
        Ok(RenewedSignIn { renew_at: renew_at(&state), expires_at })
    }

    fn change_password(&self, token: &Self::Caller, request: ChangePasswordRequest) -> Answer<Done> {
        let who = self.who(token)?;
        let mut state = self.0.lock().unwrap();
        let account = state.accounts.values_mut().find(|(id, ..)| *id == who).unwrap();
        if account.1 != request.old_password {
            return refuse(ErrorCode::WrongCredentials);
        }
        account.1 = request.new_password;
        // Every other sign-in of the account ends.
        state.tokens.retain(|held, owner| *owner != who || Some(held) == token.as_ref());
        Ok(Done {})
    }

    fn sync(&self, token: &Self::Caller, request: SyncRequest) -> Answer<SyncAnswer> {
        let who = self.who(token)?;
        let state = self.0.lock().unwrap();
        // The cursor is the generation and the number of the last change seen.
        let told = request.cursor.as_ref().and_then(|cursor| {
            let (generation, seen) = cursor.split_once(' ')?;
            (generation == state.generation.to_string()).then(|| seen.parse::<u32>().unwrap())
        });
        let reset = request.cursor.is_some() && told.is_none();
        let seen = told.unwrap_or(0);
        let mut news = state.rows.iter().filter(|(owner, number, _)| *owner == who && *number > seen);
        let page: Vec<_> = news.by_ref().take(state.page_size).collect();
        let last = page.last().map_or(seen, |(_, number, _)| *number);
        let rows = page.iter().map(|(_, _, row)| row.clone()).collect();
        Ok(SyncAnswer { reset, rows, cursor: format!("{} {last}", state.generation), more: news.next().is_some() })
    }

    fn place_order(&self, token: &Self::Caller, request: PlaceOrderRequest) -> Answer<OrderView> {
        let who = self.who(token)?;
        self.once(&who, &request.command_id, &request, |state| {
            let view = order(state.number(), request.lots, request.confirmed_total);
            state.touch(&who, "order", &view.id, serde_json::to_value(&view).unwrap());
            Ok(view)
        })
    }

    fn cancel_order(&self, token: &Self::Caller, request: OrderCommand) -> Answer<OrderView> {
        let who = self.who(token)?;
        let mut view: OrderView = self.row("order", &request.order_id)?;
        self.once(&who, &request.command_id, &request, |state| {
            view.state = OrderState::Cancelled;
            state.touch(&who, "order", &view.id, serde_json::to_value(&view).unwrap());
            Ok(view)
        })
    }

    fn order(&self, _: &Self::Caller, request: OrderRequest) -> Answer<OrderView> {
        self.row("order", &request.order_id)
    }

    fn payment(&self, _: &Self::Caller, request: PaymentRequest) -> Answer<PaymentView> {
        self.row("payment", &request.payment_id)
    }

    fn methods(&self, token: &Self::Caller, _: OrderRequest) -> Answer<MethodsAnswer> {
        self.who(token)?;
        Ok(MethodsAnswer { methods: Vec::new() })
    }

    fn create_payment(&self, token: &Self::Caller, request: CreatePaymentRequest) -> Answer<PaymentView> {
        let who = self.who(token)?;
        let order: OrderView = self.row("order", &request.order_id)?;
        self.once(&who, &request.command_id, &request, |state| {
            let id = format!("payment-{}", state.number());
            let record = match state.record_instead.take() {
                Some(record) => record,
                None => {
                    state.next_address += 1;
                    signed_record(state.next_address)
                }
            };
            let rate = Rate::parse("98").unwrap();
            let coins = rate.amount_ceil(order.missing.0, 8, 6).unwrap().to_coins(8, 6);
            let view = payment(&id, &order.id, order.missing, coins, record);
            let mut order = order;
            order.payment_ids.insert(0, id.clone());
            state.touch(&who, "order", &order.id.clone(), serde_json::to_value(&order).unwrap());
            state.touch(&who, "payment", &id, serde_json::to_value(&view).unwrap());
            Ok(view)
        })
    }

    fn notice(&self, token: &Self::Caller, request: PaymentCommand) -> Answer<Done> {
        let who = self.who(token)?;
        let mut view: PaymentView = self.row("payment", &request.payment_id)?;
        self.once(&who, &request.command_id, &request, |state| {
            *state.notices.entry(view.id.clone()).or_default() += 1;
            view.notice_at = Some(Instant(now()));
            state.touch(&who, "payment", &view.id, json!(view));
            Ok(Done {})
        })
    }

    fn operator_orders(&self, _: &Self::Caller, _: ListRequest) -> Answer<OperatorOrdersAnswer> {
        refuse(ErrorCode::Forbidden)
    }

    fn operator_order(&self, _: &Self::Caller, _: OrderRequest) -> Answer<OperatorOrderAnswer> {
        refuse(ErrorCode::Forbidden)
    }

    fn operator_payments(&self, _: &Self::Caller, _: ListRequest) -> Answer<OperatorPaymentsAnswer> {
        refuse(ErrorCode::Forbidden)
    }

    fn start_preparing(&self, _: &Self::Caller, _: PrepareRequest) -> Answer<OperatorOrder> {
        refuse(ErrorCode::Forbidden)
    }

    fn record_acceptance(&self, _: &Self::Caller, _: RecordAcceptanceRequest) -> Answer<RecordAcceptanceAnswer> {
        refuse(ErrorCode::Forbidden)
    }

    fn hand_over(&self, _: &Self::Caller, _: HandOverRequest) -> Answer<OperatorOrder> {
        refuse(ErrorCode::Forbidden)
    }

    fn audit(&self, _: &Self::Caller, _: ListRequest) -> Answer<AuditAnswer> {
        refuse(ErrorCode::Forbidden)
    }

    fn sandbox_status(&self, _: &Self::Caller, _: Nothing) -> Answer<SandboxState> {
        Ok(SandboxState { height: 7, waiting: 0, rate: None, mining: false })
    }

    fn sandbox_send(&self, _: &Self::Caller, _: SandboxSendRequest) -> Answer<SandboxState> {
        refuse(ErrorCode::Forbidden)
    }

    fn sandbox_mine(&self, _: &Self::Caller, _: SandboxMineRequest) -> Answer<SandboxState> {
        refuse(ErrorCode::Forbidden)
    }
}

/// The price of one lot for three days.
pub(super) const PER_LOT: Usd = Usd(Cents::new(139_000));
