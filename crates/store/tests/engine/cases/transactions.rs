//! What a use case may count on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use store::{Store, StoreError, params};

use super::{cases, cents, cents_now, put, put_now};
use crate::place::Place;

cases![
    a_refusal_undoes_its_own_changes_and_is_answered,
    a_swallowed_failure_still_fails,
    an_attempt_may_fail_and_the_rest_stands,
    attempts_nest,
    a_panic_reaches_its_caller_alone,
    a_read_sees_one_moment,
    a_read_writes_nothing,
    a_store_inside_a_transaction_is_refused,
    locks_wait_and_are_given_back,
    a_closed_store_says_so,
    data_outlives_the_store,
];

#[derive(Debug, PartialEq)]
enum Refusal {
    Poor,
    Store(StoreError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

fn a_refusal_undoes_its_own_changes_and_is_answered(place: &Place) {
    let store = place.open();
    put_now(&store, "a", 5);
    let refused = store.write(|tx| {
        put(tx, "b", 1)?;
        tx.execute("UPDATE purse SET cents = 0 WHERE id = 'a'", &[])?;
        Err::<(), _>(Refusal::Poor)
    });
    assert_eq!(refused, Err(Refusal::Poor));
    assert_eq!((cents_now(&store, "a"), cents_now(&store, "b")), (Some(5), None));
}

/// Half an order must not be kept because one `?` was forgotten.
fn a_swallowed_failure_still_fails(place: &Place) {
    let store = place.open();
    put_now(&store, "a", 5);
    let outcome = store.write(|tx| {
        put(tx, "b", 1)?;
        let _ = put(tx, "a", 1);
        assert_eq!(put(tx, "c", 1), Err(StoreError::AfterFailure));
        Ok(())
    });
    assert_eq!(outcome, Err(StoreError::Unique { constraint: "purse_pkey".into() }));
    assert_eq!((cents_now(&store, "b"), cents_now(&store, "c")), (None, None));
    put_now(&store, "c", 1);
}

fn an_attempt_may_fail_and_the_rest_stands(place: &Place) {
    let store = place.open();
    put_now(&store, "a", 5);
    let outcome = store.write::<_, StoreError>(|tx| {
        put(tx, "b", 1)?;
        let taken = tx.attempt::<_, StoreError>(|tx| {
            put(tx, "c", 1)?;
            put(tx, "a", 1)
        });
        put(tx, "d", 1)?;
        Ok(taken)
    });
    assert_eq!(outcome, Ok(Err(StoreError::Unique { constraint: "purse_pkey".into() })));
    let present = ["a", "b", "c", "d"].map(|id| cents_now(&store, id));
    assert_eq!(present, [Some(5), Some(1), None, Some(1)]);
}

fn attempts_nest(place: &Place) {
    let store = place.open();
    let outcome = store.write::<_, StoreError>(|tx| {
        tx.attempt::<_, StoreError>(|tx| {
            put(tx, "outer", 1)?;
            let inner = tx.attempt::<(), _>(|tx| {
                put(tx, "inner", 1)?;
                Err(Refusal::Poor)
            });
            assert_eq!(inner, Err(Refusal::Poor));
            put(tx, "after", 1)
        })
    });
    assert_eq!(outcome, Ok(()));
    assert_eq!(["outer", "inner", "after"].map(|id| cents_now(&store, id)), [Some(1), None, Some(1)]);
}

fn a_panic_reaches_its_caller_alone(place: &Place) {
    let store = place.open();
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let outcome = store.write::<(), StoreError>(move |tx| {
        put(tx, "a", 1)?;
        counted.fetch_add(1, Ordering::SeqCst);
        panic!("planted");
    });
    assert_eq!(outcome, Err(StoreError::Panicked { message: "planted".into() }));
    assert_eq!(calls.load(Ordering::SeqCst), 1, "a panic is not tried again");
    assert_eq!(cents_now(&store, "a"), None);
    put_now(&store, "a", 2);
    let reading = store.read::<(), StoreError>(|_| panic!("planted too"));
    assert_eq!(reading, Err(StoreError::Panicked { message: "planted too".into() }));
    assert_eq!(cents_now(&store, "a"), Some(2));
}

fn a_read_sees_one_moment(place: &Place) {
    let store = place.open();
    put_now(&store, "a", 1);
    let other = store.clone();
    let seen = store.read::<_, StoreError>(|tx| {
        let before = cents(tx, "a")?;
        let other = other.clone();
        std::thread::spawn(move || other.write(|tx| tx.execute("UPDATE purse SET cents = 2", &[])).unwrap())
            .join()
            .unwrap();
        Ok((before, cents(tx, "a")?))
    });
    assert_eq!(seen, Ok((Some(1), Some(1))));
    assert_eq!(cents_now(&store, "a"), Some(2));
}

fn a_read_writes_nothing(place: &Place) {
    let store = place.open();
    assert_eq!(store.read(|tx| put(tx, "a", 1)), Err(StoreError::ReadOnly));
    put_now(&store, "a", 1);
    // A lock is a write.
    let lock = "SELECT cents FROM purse WHERE id = 'a' FOR UPDATE";
    assert_eq!(store.read(|tx| tx.query(lock, &[])).map(|rows| rows.len()), Err(StoreError::ReadOnly));
    assert_eq!(store.write::<_, StoreError>(move |tx| tx.query(lock, &[])).map(|rows| rows.len()), Ok(1));
}

fn a_store_inside_a_transaction_is_refused(place: &Place) {
    let store = place.open();
    let inner = store.clone();
    let nested = store.write::<_, StoreError>(move |_| Ok(inner.write::<(), StoreError>(|_| Ok(()))));
    assert_eq!(nested, Ok(Err(StoreError::Nested)));
    let inner = store.clone();
    let nested = store.read::<_, StoreError>(|_| Ok(inner.read::<(), StoreError>(|_| Ok(()))));
    assert_eq!(nested, Ok(Err(StoreError::Nested)));
    put_now(&store, "a", 1);
}

fn locks_wait_and_are_given_back(place: &Place) {
    let store = place.open();
    put_now(&store, "a", 0);
    let raise = |store: Store| {
        move || {
            for _ in 0..20 {
                let raised = store.write::<_, StoreError>(|tx| {
                    tx.hold(9)?;
                    tx.attempt(|tx| tx.hold(3))?;
                    tx.hold(9)?;
                    let now = cents(tx, "a")?.unwrap_or(0);
                    tx.execute("UPDATE purse SET cents = $1", params![now + 1])
                });
                raised.unwrap();
            }
        }
    };
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(raise(store.clone()))).collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(cents_now(&store, "a"), Some(80));
}

fn a_closed_store_says_so(place: &Place) {
    let store = place.open();
    put_now(&store, "a", 1);
    store.close();
    assert_eq!(store.write(|tx| put(tx, "b", 1)), Err(StoreError::Closed));
    assert_eq!(store.write_job(|tx| put(tx, "b", 1)), Err(StoreError::Closed));
    assert_eq!(store.read(|tx| cents(tx, "a")), Err(StoreError::Closed));
    drop(store);
    assert_eq!(cents_now(&place.open(), "b"), None);
}

fn data_outlives_the_store(place: &Place) {
    put_now(&place.open(), "a", 7);
    let again = place.open();
    assert_eq!(cents_now(&again, "a"), Some(7));
    assert_eq!(again.engine(), place.settings.engine());
}
