//! Who may give which command. Every cell was written by hand; a command without a row fails.

use api::server::{COMMANDS, OrderRequest, PaymentRequest, Role};
use api::views::{OrderState, OrderView, PaymentView};
use backend::accounts::totp;
use domain::time::SECOND_MICROS;
use serde_json::{Value, json};
use server::testing::{PASSWORD, TestServer};

use crate::support::*;

/// Who asks, in the order in which each row is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    Expired,
    Other,
    Owner,
    Treasury,
    Fulfilment,
    Administrator,
}

const WHO: [Who; 7] =
    [Who::Nobody, Who::Expired, Who::Other, Who::Owner, Who::Treasury, Who::Fulfilment, Who::Administrator];

const OK: &str = "ok";
/// Not signed in.
const NS: &str = "not_signed_in";
/// The sign-in has expired.
const EX: &str = "sign_in_expired";
/// Forbidden.
const FB: &str = "forbidden";
/// Not found: somebody else's.
const NF: &str = "not_found";
/// Let in, but the order has moved on.
const WM: &str = "wrong_move";

/// Command by column; the rows run in this order, on the same things.
const MATRIX: &[(&str, [&str; 7])] = &[
    //                        nobody expired other owner treasury fulfilment administrator
    ("status", [OK, OK, OK, OK, OK, OK, OK]),
    ("register", [OK, OK, OK, OK, OK, OK, OK]),
    ("sign_in", [OK, OK, OK, OK, OK, OK, OK]),
    ("sign_out", [NS, EX, OK, OK, OK, OK, OK]),
    ("renew_sign_in", [NS, EX, OK, OK, OK, OK, OK]),
    ("change_password", [NS, EX, OK, OK, OK, OK, OK]),
    ("sync", [NS, EX, OK, OK, OK, OK, OK]),
    ("place_order", [NS, EX, OK, OK, FB, FB, FB]),
    ("order", [NS, EX, NF, OK, FB, FB, FB]),
    ("payment", [NS, EX, NF, OK, FB, FB, FB]),
    ("methods", [NS, EX, NF, OK, FB, FB, FB]),
    ("notice", [NS, EX, NF, OK, FB, FB, FB]),
    ("create_payment", [NS, EX, NF, OK, FB, FB, FB]),
    ("cancel_order", [NS, EX, NF, OK, FB, FB, FB]),
    ("operator_orders", [NS, EX, FB, FB, OK, OK, OK]),
    ("operator_order", [NS, EX, FB, FB, OK, OK, OK]),
    ("operator_payments", [NS, EX, FB, FB, OK, OK, OK]),
    ("start_preparing", [NS, EX, FB, FB, FB, OK, WM]),
    ("record_acceptance", [NS, EX, FB, FB, FB, OK, OK]),
    ("hand_over", [NS, EX, FB, FB, FB, OK, WM]),
    ("audit", [NS, EX, FB, FB, FB, FB, OK]),
    ("sandbox_status", [OK, OK, OK, OK, OK, OK, OK]),
    ("sandbox_send", [OK, OK, OK, OK, OK, OK, OK]),
    ("sandbox_mine", [OK, OK, OK, OK, OK, OK, OK]),
];

/// The owner's things and everybody's accounts.
struct Scene {
    server: TestServer,
    settled: OrderView,
    /// Open, with open instructions.
    paying: PaymentView,
    /// Open, without any.
    open: OrderView,
    /// Open, to be cancelled.
    unwanted: OrderView,
    accounts: Vec<(Who, String, String)>,
    /// Operators' authenticators.
    secrets: Vec<(Who, [u8; totp::SECRET_BYTES])>,
}

impl Scene {
    fn new(engine: Engine) -> Self {
        let server = start(engine);
        let owner = register(&server, "owner@example.com");
        let other = register(&server, "other@example.com");
        let token = owner.token.as_str();
        let settled = place(&server, token, "b200");
        let payment = instructions(&server, token, &settled);
        pay(&server, token, &payment);
        server.until("settled", |server| order_of(server, token, &settled.id).state == OrderState::Settled);
        let paying = place(&server, token, "h100-sxm");
        let paying = instructions(&server, token, &paying);
        let (open, unwanted) = (place(&server, token, "h200-sxm"), place(&server, token, "a100-sxm-80"));
        let mut accounts = vec![
            (Who::Other, other.account_id, PASSWORD.to_owned()),
            (Who::Owner, owner.account_id, PASSWORD.to_owned()),
        ];
        let roles = [
            (Who::Treasury, Role::Treasury),
            (Who::Fulfilment, Role::Fulfilment),
            (Who::Administrator, Role::Administrator),
        ];
        let mut secrets = Vec::new();
        for (who, role) in roles {
            let operator = server.operator(&format!("{who:?}@example.com"), role);
            let signed_in = server.sign_in_operator(&operator).unwrap();
            accounts.push((who, signed_in.account_id, operator.password));
            secrets.push((who, operator.secret));
        }
        Self { server, settled, paying, open, unwanted, accounts, secrets }
    }

    fn account(&self, who: Who) -> Option<&(Who, String, String)> {
        let who = if who == Who::Expired { Who::Owner } else { who };
        self.accounts.iter().find(|(known, _, _)| *known == who)
    }

    /// A sign-in of its own for every cell: some commands end theirs.
    fn token(&self, who: Who) -> Option<String> {
        self.account(who).map(|(_, account_id, _)| token_for(&self.server, account_id, who == Who::Expired))
    }

    fn request(&self, command: &str, who: Who) -> Value {
        let order = |id: &str| json!(OrderRequest { order_id: id.to_owned() });
        let list = json!({"list": "all", "search": "", "cursor": null});
        match command {
            "register" => json!(registration(&format!("new-{who:?}@example.com"), PASSWORD)),
            "sign_in" => json!({
                "email": "owner@example.com", "password": PASSWORD, "authenticator_code": null, "device_name": "test",
            }),
            "change_password" => {
                let old = self.account(who).map_or(PASSWORD, |(_, _, password)| password);
                let secret = self.secrets.iter().find(|(known, _)| *known == who);
                // The one that the authenticator shows next: the present one signed the operator in.
                let soon = self.server.clock.now().plus_micros(30 * SECOND_MICROS);
                let code = secret.and_then(|(_, secret)| totp::code(secret, soon));
                let new = format!("eleven yellow llamas {who:?}");
                json!({"old_password": old, "new_password": new, "authenticator_code": code})
            }
            "renew_sign_in" => json!(next_token(&format!("{who:?}")).1),
            "sync" => json!({"cursor": null}),
            "place_order" => json!(order_request(&self.server, "l40s")),
            "order" => order(&self.open.id),
            "methods" => order(&self.open.id),
            "create_payment" => json!(payment_request(&self.open)),
            "cancel_order" => json!({"command_id": command_id(), "order_id": self.unwanted.id}),
            "payment" => json!(PaymentRequest { payment_id: self.paying.id.clone() }),
            "notice" => json!({"command_id": command_id(), "payment_id": self.paying.id}),
            "operator_order" => order(&self.settled.id),
            "operator_orders" | "operator_payments" | "audit" => list,
            "start_preparing" => {
                json!({"command_id": command_id(), "order_id": self.settled.id, "expected_at": null})
            }
            "record_acceptance" => json!(acceptance(&self.settled)),
            "hand_over" => json!(hand_over(&self.settled, self.server.clock.now())),
            "sandbox_send" => json!({"address": address(&self.paying), "amount": "0.0001"}),
            "sandbox_mine" => json!({"blocks": 1, "undo": 0}),
            _ => json!({}),
        }
    }

    fn cell(&self, command: &str, who: Who) -> String {
        let token = self.token(who);
        let (status, body) = self.server.post(command, token.as_deref(), &self.request(command, who).to_string());
        let answer: Value = serde_json::from_str(&body).unwrap();
        if status == 200 { OK.to_owned() } else { answer["error"]["code"].as_str().unwrap().to_owned() }
    }
}

/// Without this, a customer could read or pay another's order, and one operator do another's work.
fn every_cell_is_as_written(engine: Engine) {
    let rows: Vec<&str> = MATRIX.iter().map(|(command, _)| *command).collect();
    for command in COMMANDS {
        assert!(rows.contains(&command.name), "no row for {}", command.name);
    }
    assert_eq!(rows.len(), COMMANDS.len(), "a row for a command that does not exist");
    let scene = Scene::new(engine);
    let mut wrong = Vec::new();
    for (command, expected) in MATRIX {
        for (who, expected) in WHO.into_iter().zip(expected) {
            let got = scene.cell(command, who);
            if got != *expected {
                wrong.push(format!("{command} × {who:?}: {got}, not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The panel that makes money out of nothing exists in a sandbox only.
fn a_server_without_simulated_networks_knows_no_sandbox_command(engine: Engine) {
    let server = start_with(engine, |parts| parts.sandbox = None);
    for command in ["sandbox_status", "sandbox_send", "sandbox_mine", "no_such_command"] {
        let (status, body) = server.post(command, None, "{}");
        assert_eq!((status, body.as_str()), (404, r#"{"error":{"code":"unknown_command"}}"#), "{command}");
    }
}

on_both_engines![every_cell_is_as_written, a_server_without_simulated_networks_knows_no_sandbox_command,];
