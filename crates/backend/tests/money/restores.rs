//! After a restore: what the backup does not know has happened all the same.

use api::ErrorCode;
use api::views::MethodReason;
use store::{Settings, Store};

use crate::world::{LTC, World, told};

/// A case with a second database, which does not exist yet.
pub type Case = (&'static str, fn(&mut World, &Settings));

pub const CASES: &[Case] = &[
    ("restore_a_restored_database_is_opened_by_nobody_before_it_knows_that_it_was", closed_until_adapted),
    ("restore_a_device_starts_over_after_a_restore", devices_start_over),
];

/// Whoever opened it in between would give out addresses that were given out after the backup.
fn closed_until_adapted(world: &mut World, copy: &Settings) {
    let ann = world.customer("ann");
    let order = world.order(&ann, 1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup");
    world.back_up(&file);
    // Given out after the backup: somebody else is paying there.
    world.pay(&ann, &order);
    let opens = || match copy {
        Settings::Sqlite { path } => path.exists(),
        Settings::Postgres { .. } => Store::open(copy).is_ok(),
    };
    let still_closed = || assert!(!opens(), "it is open before it knows that it was restored");
    assert_eq!(world.restore(&file, copy, false, still_closed), Some(40));
    assert!(opens());
    let none = ErrorCode::MethodUnavailable { method: LTC.code().to_owned(), reason: MethodReason::NoAddress };
    world.wait(1);
    assert_eq!(told(world.try_pay(&ann, &order)), none);
}

/// A device that goes on with the old history would miss the new one, and keep showing what is lost: an open slip for a payment
/// that nobody knows.
fn devices_start_over(world: &mut World, copy: &Settings) {
    let ann = world.customer("ann");
    world.order(&ann, 1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("backup");
    world.back_up(&file);
    let lost = world.order(&ann, 2);
    let seen = world.page(&ann, None);
    assert!(seen.rows.iter().any(|row| row.id == lost.id));
    world.restore(&file, copy, true, || ());
    let orders = [world.order(&ann, 3), world.order(&ann, 1)];
    let page = world.page(&ann, Some(seen.cursor));
    assert!(page.reset, "the device keeps what was lost and misses what is new");
    let rows = page.rows.iter().filter(|row| row.kind == "order");
    assert_eq!(rows.count(), 3);
    assert!(orders.iter().all(|order| page.rows.iter().any(|row| row.id == order.id)));
}
