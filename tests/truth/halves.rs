//! What is written in one transaction is there together or not at all, looked for in the database itself.

use e2e::server::{Server, number};
use store::{StoreError, Tx};

/// What somebody would lose, and how many there are of it: none.
const HALVES: &[(&str, &str)] = &[
    (
        "commands whose answer and effect are not both kept: sent again, they would happen twice",
        "SELECT (SELECT count(*) FROM command) - (SELECT count(*) FROM rental_order) - (SELECT count(*) FROM payment)
            - (SELECT count(*) FROM rental_order WHERE preparing_at IS NOT NULL)
            - (SELECT count(*) FROM rental_order WHERE acceptance IS NOT NULL)
            - (SELECT count(*) FROM rental_order WHERE ready_at IS NOT NULL)",
    ),
    (
        "customers without a head, whose desktop would never learn of anything",
        "SELECT count(*) FROM account a WHERE a.role = 'customer'
            AND NOT EXISTS (SELECT 1 FROM account_head h WHERE h.account_id = a.id)",
    ),
    (
        "orders that no desktop is told of, or that begin without being placed",
        "SELECT count(*) FROM rental_order o
            WHERE NOT EXISTS (SELECT 1 FROM account_change c WHERE c.kind = 'order' AND c.entity_id = o.id)
            OR NOT EXISTS (SELECT 1 FROM timeline t WHERE t.cause = 'placed:' || o.id)",
    ),
    (
        "payments whose address is not theirs",
        "SELECT count(*) FROM payment p
            WHERE NOT EXISTS (SELECT 1 FROM address a WHERE a.id = p.address_id AND a.payment_id = p.id)",
    ),
    (
        "addresses given to payments that do not exist: whoever paid there would pay nobody",
        "SELECT count(*) FROM address a WHERE a.payment_id IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.id = a.payment_id)",
    ),
    (
        "payments for which no lot is held: what is paid would be sold to somebody else",
        "SELECT count(*) FROM rental_order o WHERE o.lots_held = 0
            AND EXISTS (SELECT 1 FROM payment p WHERE p.order_id = o.id)",
    ),
    (
        "watchers that stand at a block which they have not written, so that its transfers are never read",
        "SELECT count(*) FROM watcher w WHERE w.height IS NOT NULL AND (
            NOT EXISTS (SELECT 1 FROM block b WHERE b.network = w.network AND b.height = w.height AND b.hash = w.hash)
            OR EXISTS (SELECT 1 FROM block b WHERE b.network = w.network AND b.height > w.height))",
    ),
    (
        "credits whose order is not settled, or settled orders without a credit",
        "SELECT count(*) FROM rental_order o WHERE (o.settled_at IS NULL) = EXISTS (
            SELECT 1 FROM payment p JOIN transfer t ON t.payment_id = p.id JOIN credit c ON c.transfer_id = t.id
            WHERE p.order_id = o.id AND c.undone = 0)",
    ),
    (
        "steps of an operator that the audit log does not know, or that it knows and that were not taken",
        "SELECT (SELECT count(*) FROM audit WHERE action IN ('preparing', 'acceptance_passed', 'ready'))
            - (SELECT count(*) FROM rental_order WHERE preparing_at IS NOT NULL)
            - (SELECT count(*) FROM rental_order WHERE acceptance IS NOT NULL)
            - (SELECT count(*) FROM rental_order WHERE ready_at IS NOT NULL)",
    ),
];

/// Everything that is half done in the database of a server that does not run, and every place where its books don't fit.
pub fn found(server: &Server) -> Vec<String> {
    let books = |tx: &mut Tx<'_>| backend::reconcile::differences(tx);
    let halves = |tx: &mut Tx<'_>| -> Result<Vec<String>, StoreError> {
        let mut found = Vec::new();
        for (what, sql) in HALVES {
            let count = number(tx, sql)?;
            if count != 0 {
                found.push(format!("half done: {what}: {count}"));
            }
        }
        Ok(found)
    };
    server.with_store(|store| {
        let mut found = store.read(halves).unwrap();
        found.extend(store.read(books).unwrap());
        found
    })
}
