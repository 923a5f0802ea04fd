//! The desktop without a window: the same library that the window is drawn from, with a data folder of its own.

use std::path::PathBuf;

use api::ApiError;
use api::host::{Host, OrderForm, PaymentForm, PaymentScreen, RegisterForm, SignInForm, Slip};
use api::server::{Nothing, OrderRequest, PaymentRequest};
use api::views::{OrderView, Preparation};
use client::{Desktop, Keeping, Options};
use tempfile::TempDir;

use crate::{folder, wait};

/// A password that everybody may know, of a customer who is made up.
pub const PASSWORD: &str = "seven green kettles sing";

/// A customer's or operator's desktop.
pub struct Device {
    desktop: Option<Desktop>,
    server: String,
    folder: TempDir,
}

impl Device {
    /// A new device.
    pub fn new(server: &str) -> Self {
        let mut device = Self { desktop: None, server: server.to_owned(), folder: folder::temporary() };
        device.start();
        device
    }

    /// Starts the program, after [`Device::stop`] on the same data.
    pub fn start(&mut self) {
        let options = Options { keeping: Keeping::PasswordOnly, ..Options::new(self.data(), self.server.clone()) };
        let desktop = Desktop::open(options).unwrap();
        desktop.start();
        self.desktop = Some(desktop);
    }

    /// Ends the program.
    pub fn stop(&mut self) {
        self.desktop = None;
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The program.
    pub fn host(&self) -> &impl Host<Caller = ()> {
        self.desktop.as_ref().expect("a running program")
    }

    /// Registers a customer.
    pub fn register(&self, email: &str) {
        let form = RegisterForm {
            first_name: "Ada".into(),
            last_name: "Teste".into(),
            email: email.into(),
            password: PASSWORD.into(),
        };
        self.host().register(&(), form).unwrap();
    }

    /// Signs in.
    ///
    /// # Errors
    /// The program's own.
    pub fn sign_in(&self, email: &str, password: &str, code: Option<String>) -> Result<(), ApiError> {
        let form = SignInForm { email: email.into(), password: password.into(), authenticator_code: code };
        self.host().sign_in(&(), form).map(drop)
    }

    /// Orders lots of an offer for seven days at the price that the catalogue shows.
    ///
    /// # Errors
    /// The program's own.
    pub fn order(&self, offer_id: &str, lots: u32) -> Result<OrderView, ApiError> {
        let figures =
            self.host().figures(&(), api::host::FiguresRequest { offer_id: offer_id.into(), lots, days: 7 })?;
        let form = OrderForm {
            offer_id: offer_id.into(),
            lots,
            days: 7,
            preparation: Preparation::Pytorch,
            ssh_public_key: None,
            confirmed_total: figures.total,
        };
        self.host().place_order(&(), form)
    }

    /// Asks how to pay an order in litecoin.
    ///
    /// # Errors
    /// The program's own.
    pub fn instructions(&self, order: &OrderView) -> Result<PaymentScreen, ApiError> {
        let method = domain::Method::LtcLitecoin.code().to_owned();
        let form = PaymentForm { order_id: order.id.clone(), method, confirmed_total: order.missing };
        self.host().create_payment(&(), form)
    }

    /// Fetches what is new, and the payment, once this device holds it.
    pub fn payment(&self, payment_id: &str) -> PaymentScreen {
        wait::until("the payment on this device", || {
            self.host().refresh(&(), Nothing {}).unwrap();
            self.host().payment(&(), PaymentRequest { payment_id: payment_id.into() }).ok()
        })
    }

    /// Fetches what is new, and the order, once this device holds it.
    pub fn order_now(&self, order_id: &str) -> OrderView {
        wait::until("the order on this device", || {
            self.host().refresh(&(), Nothing {}).unwrap();
            self.host().order(&(), OrderRequest { order_id: order_id.into() }).ok()
        })
    }

    /// Waits until a payment is as wanted.
    pub fn until_payment(&self, payment_id: &str, what: &str, fits: impl Fn(&PaymentScreen) -> bool) -> PaymentScreen {
        let mut last = None;
        let found = wait::within(wait::PATIENCE, || {
            let screen = self.payment(payment_id);
            last =
                Some((screen.payment.headline.clone(), screen.payment.facts.clone(), screen.payment.transfers.clone()));
            Some(screen).filter(|screen| fits(screen))
        });
        found.unwrap_or_else(|| panic!("in vain for {what}; last: {last:#?}"))
    }

    /// Waits until an order is as wanted.
    pub fn until_order(&self, order_id: &str, what: &str, fits: impl Fn(&OrderView) -> bool) -> OrderView {
        wait::until(what, || Some(self.order_now(order_id)).filter(|order| fits(order)))
    }
}

/// What a slip asks for; panics when nothing may be paid.
pub fn open_slip(screen: &PaymentScreen) -> (String, String, String) {
    match &screen.slip {
        Slip::Open { address, amount, uri, .. } => (address.clone(), amount.clone(), uri.clone()),
        other => panic!("nothing to pay: {other:?}"),
    }
}

/// A new customer's email.
pub fn email(name: &str) -> String {
    format!("{name}@example.org")
}
