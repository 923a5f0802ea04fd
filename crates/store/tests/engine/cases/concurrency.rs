//! Many at once: as if one after the other.

use std::sync::{Arc, Barrier};

use store::{Store, StoreError, params};

use super::{cases, cents, cents_now, put, put_now};
use crate::place::Place;

cases![
    racing_writers_lose_no_update,
    write_skew_does_not_happen,
    an_answer_comes_after_its_commit,
    refusals_in_a_crowd_harm_nobody,
    one_key_is_taken_once,
];

fn crowd(store: &Store, count: usize, act: impl Fn(&Store, usize) + Clone + Send + 'static) {
    let start = Arc::new(Barrier::new(count));
    let threads: Vec<_> = (0..count)
        .map(|number| {
            let (store, start, act) = (store.clone(), Arc::clone(&start), act.clone());
            std::thread::spawn(move || {
                start.wait();
                act(&store, number);
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

fn racing_writers_lose_no_update(place: &Place) {
    let store = place.open();
    put_now(&store, "a", 0);
    crowd(&store, 6, |store, _| {
        for _ in 0..15 {
            let raised = store.write_job::<_, StoreError>(|tx| {
                let now = cents(tx, "a")?.unwrap_or(0);
                tx.execute("UPDATE purse SET cents = $1 WHERE id = 'a'", params![now + 1])
            });
            raised.unwrap();
        }
    });
    assert_eq!(cents_now(&store, "a"), Some(90));
}

/// Two people must not both sign out the last lot because each saw the other's still there.
fn write_skew_does_not_happen(place: &Place) {
    let store = place.open();
    for round in 0..10 {
        let (left, right) = (format!("l{round}"), format!("r{round}"));
        let (l, r) = (left.clone(), right.clone());
        store.write::<_, StoreError>(move |tx| put(tx, &l, 1).and_then(|()| put(tx, &r, 1))).unwrap();
        let ids = [left.clone(), right.clone()];
        crowd(&store, 2, move |store, number| {
            let ids = ids.clone();
            let taken = store.write_job::<_, StoreError>(move |tx| {
                let sum = cents(tx, &ids[0])?.unwrap_or(0) + cents(tx, &ids[1])?.unwrap_or(0);
                if sum == 2 {
                    tx.execute("UPDATE purse SET cents = 0 WHERE id = $1", params![&ids[number]])?;
                }
                Ok(())
            });
            taken.unwrap();
        });
        assert_eq!(cents_now(&store, &left).zip(cents_now(&store, &right)).map(|(l, r)| l + r), Some(1));
    }
}

fn an_answer_comes_after_its_commit(place: &Place) {
    let store = place.open();
    crowd(&store, 16, |store, number| {
        for round in 0..5 {
            let id = format!("{number}-{round}");
            let key = id.clone();
            store.write(move |tx| put(tx, &key, 1)).unwrap();
            assert_eq!(cents_now(store, &id), Some(1), "answered before it could be read");
        }
    });
}

fn refusals_in_a_crowd_harm_nobody(place: &Place) {
    let store = place.open();
    crowd(&store, 12, |store, number| {
        let outcome = store.write::<_, StoreError>(move |tx| {
            put(tx, &format!("p{number}"), 1)?;
            match number % 4 {
                0 => Err(StoreError::RowMissing),
                1 => put(tx, &format!("p{number}"), 1),
                2 => panic!("planted"),
                _ => Ok(()),
            }
        });
        assert_eq!(outcome.is_ok(), number % 4 == 3);
    });
    let rows = store.read(|tx| tx.query("SELECT id FROM purse ORDER BY id", &[])).unwrap();
    let ids: Vec<String> = rows.iter().map(|row| row.get("id").unwrap()).collect();
    assert_eq!(ids, ["p11", "p3", "p7"]);
}

fn one_key_is_taken_once(place: &Place) {
    let store = place.open();
    let wins = Arc::new(std::sync::atomic::AtomicU32::new(0));
    let counted = Arc::clone(&wins);
    crowd(&store, 8, move |store, number| {
        let cents = i64::try_from(number).unwrap();
        match store.write_job(move |tx| put(tx, "one", cents)) {
            Ok(()) => {
                counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            }
            Err(error) => assert_eq!(error, StoreError::Unique { constraint: "purse_pkey".into() }),
        }
    });
    assert_eq!(wins.load(std::sync::atomic::Ordering::SeqCst), 1);
}
