//! Signing out leaves nothing of a customer on the device.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use e2e::folder;
use e2e::reds::Reds;
use e2e::walk::{self, CUSTOMER};
use e2e::window::Window;

use crate::scene::Sale;

/// What would be lost: everything that a customer has here, to whoever uses the machine next.
#[test]
fn signing_out_leaves_no_file_and_no_key_and_an_older_copy_stays_shut() {
    let sale = Sale::prepared();
    let window = sale.window();
    let before = sale.held();
    walk::register(&window, CUSTOMER);
    let ordered = walk::order(&window, "b200", 1);
    walk::open_order(&window, &ordered);
    window.close();
    let copy = sale.data.path().join("copy");
    folder::copy(&sale.data.path().join("data"), &copy);
    let window = sale.window();
    window.wait_attr("frame", "data-role", "customer");
    leave_nothing(&sale, window, &before, &copy, &[CUSTOMER.2, &ordered.reference]);
}

/// Signs out. After it the folder is as before the registration, the keyring empty, and an older copy of the files useless:
/// it opens with nothing that is left, and none of the known words can be read in it.
pub fn leave_nothing(sale: &Sale, window: Window, before: &BTreeSet<PathBuf>, copy: &Path, known: &[&str]) {
    let (data, mut reds) = (sale.data.path().join("data"), Reds::default());
    assert_eq!(sale.bus.entries().len(), 1, "the key is not in the keyring, so its absence would prove nothing");
    assert_ne!(&sale.held(), before, "nothing was held, so its absence would prove nothing");
    window.wait_attr("sync-age", "data-online", "true");
    walk::sign_out(&window);
    window.close();
    let left: Vec<PathBuf> = sale.held().symmetric_difference(before).cloned().collect();
    reds.hold("folder", left.is_empty(), format!("signing out left {left:?}"));
    let entries = sale.bus.entries();
    reds.hold("keyring", entries.is_empty(), format!("signing out left {entries:?}"));
    // Somebody puts the copied files back and starts the program.
    fs::remove_dir_all(&data).unwrap();
    folder::copy(copy, &data);
    let window = sale.window();
    let role = window.wait_attr_any("frame", "data-role", &["nobody", "customer"]);
    reds.hold("copy", role == "nobody", format!("it opens again: {}", known[0]));
    reds.hold("copy", !window.source().contains(known[0]), "the customer's email is on the page");
    window.close();
    let readable = folder::files_with(copy, known);
    reds.hold("copy", readable.is_empty(), format!("readable as it lies: {readable:?}"));
    reds.none();
}
