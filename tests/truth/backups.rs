//! A backup is worth what its restore shows. Written while the server serves, restored in another place, and refused when
//! it is damaged or when it would overwrite something.

use std::fs;
use std::path::Path;
use std::process::Output;

use api::views::{OrderView, PaymentView};
use e2e::desktop::{Device, PASSWORD, email};
use e2e::server::{Server, ServerOptions};
use e2e::walk_without_window::sell;
use store::Engine;
use testkit::node::Litecoind;

use crate::halves;

/// What would be lost, with the machine: every order, and what was paid.
#[test]
fn a_backup_on_sqlite_brings_every_order_back_in_another_place() {
    a_backup_brings_every_order_back_in_another_place(Engine::Sqlite);
}

#[test]
fn a_backup_on_postgres_brings_every_order_back_in_another_place() {
    a_backup_brings_every_order_back_in_another_place(Engine::Postgres);
}

fn a_backup_brings_every_order_back_in_another_place(engine: Engine) {
    let node = Litecoind::start().unwrap();
    let options = ServerOptions::on(engine);
    let mut server = Server::prepared(&node, &options);
    let account = server.add_operator("fulfilment");
    server.resume();
    let (customer, operator) = (Device::new(&server.url), Device::new(&server.url));
    operator.sign_in(&account.email, &account.password, Some(account.code())).unwrap();
    customer.register(&email("ada"));
    let (sold, payment_id) = sell(&customer, &operator, &node);
    let open = customer.order("b200", 1).unwrap();
    let file = server.folder().join("backup");
    succeeded(&server.backup(&file));
    let before = shown(&customer, &[&sold.id, &open.id], &payment_id);

    // Nothing is overwritten: neither a backup, nor the database that is in use.
    refused(&server.backup(&file), "not overwritten");
    refused(&server.restore(&file), if engine == Engine::Sqlite { "absent path" } else { "an empty one only" });

    let mut restored = server.elsewhere(&node, &options);
    for (what, damaged) in damages(&file) {
        let output = restored.restore(&damaged);
        assert!(!output.status.success(), "a backup {what} was restored: {}", said(&output));
    }
    succeeded(&restored.restore(&file));
    refused(&restored.restore(&file), if engine == Engine::Sqlite { "absent path" } else { "an empty one only" });
    // The first one is gone with its machine.
    server.kill();
    assert_eq!(halves::found(&restored), Vec::<String>::new());
    restored.resume();
    let again = Device::new(&restored.url);
    again.sign_in(&email("ada"), PASSWORD, None).unwrap();
    assert_eq!(shown(&again, &[&sold.id, &open.id], &payment_id), before);
    assert_eq!(restored.differences(), Vec::<String>::new());
}

/// The orders and the payment as this device holds them.
fn shown(device: &Device, orders: &[&str], payment_id: &str) -> (Vec<OrderView>, PaymentView) {
    let orders = orders.iter().map(|id| device.order_now(id)).collect();
    (orders, device.payment(payment_id).payment)
}

/// Copies of a backup that are not what was written: cut off, with another byte in the middle, with sums of something else.
fn damages(file: &Path) -> Vec<(&'static str, std::path::PathBuf)> {
    let (whole, sums) = (fs::read(file).unwrap(), fs::read_to_string(file.with_extension("sums")).unwrap());
    let rows = sums.lines().find(|line| line.starts_with("rental_order ")).unwrap();
    let other = sums.replace(rows, &rows.replacen("rental_order 2", "rental_order 3", 1));
    assert_ne!(other, sums);
    let cut = whole[..whole.len() * 2 / 3].to_vec();
    let flipped: Vec<u8> = whole.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at % 4_099 == 2_000)).collect();
    [("cut off", cut, &sums), ("with other bytes", flipped, &sums), ("of other content", whole, &other)]
        .into_iter()
        .map(|(what, bytes, sums)| {
            let damaged = file.with_file_name(what.replace(' ', "-"));
            fs::write(&damaged, bytes).unwrap();
            fs::write(damaged.with_extension("sums"), sums).unwrap();
            (what, damaged)
        })
        .collect()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}", said(output));
}

fn refused(output: &Output, why: &str) {
    assert!(!output.status.success() && said(output).contains(why), "{}", said(output));
}
