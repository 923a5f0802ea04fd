//! Listening for the server's hints: an event `hint` says that the account changed, an event `beat` that the line lives.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::account::Account;
use crate::desktop::Inner;
use crate::signal::Signal;

/// First wait before the line is tried again; it doubles up to the longest.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// Longest wait before the line is tried again.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Longest line that is read, bytes.
const MAX_LINE: u64 = 8 * 1024;

/// An event that means something here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Hint,
    Beat,
}

/// Listens until the desktop closes.
pub(super) fn listen(signal: &Signal, weak: &Weak<Inner>) {
    let mut wait = FIRST_WAIT;
    loop {
        if !signal.pause(wait) {
            return;
        }
        let account = weak.upgrade().and_then(|inner| inner.somebody()).filter(|account| !account.has_ended());
        let Some(account) = account else {
            wait = FIRST_WAIT;
            continue;
        };
        let heard_anything = listen_once(signal, weak, &account);
        signal.set_events_connected(false);
        wait = if heard_anything { FIRST_WAIT } else { (wait * 2).min(LONGEST_WAIT) };
    }
}

/// Listens on one line until it breaks, falls silent, or another account is open; whether anything came.
fn listen_once(signal: &Signal, weak: &Weak<Inner>, account: &Arc<Account>) -> bool {
    let opened = weak.upgrade().map(|inner| {
        let outcome = inner.http.events(&account.token());
        inner.note(Some(account), &outcome);
        outcome
    });
    let Some(Ok(stream)) = opened else { return false };
    let mut lines = BufReader::new(stream);
    let mut heard_anything = false;
    while let Some(event) = next_event(&mut lines) {
        let Some(inner) = weak.upgrade() else { return heard_anything };
        if !inner.somebody().is_some_and(|open| Arc::ptr_eq(&open, account)) {
            return heard_anything;
        }
        heard_anything = true;
        let now = inner.now();
        inner.reach().heard(now);
        signal.set_events_connected(true);
        if event == Event::Hint {
            signal.hint();
        }
    }
    heard_anything
}

/// The next event by its name (the HTML standard's `text/event-stream`); `None` when the line ends or makes no sense.
fn next_event(lines: &mut impl BufRead) -> Option<Event> {
    let mut event = None;
    loop {
        let mut line = Vec::new();
        let read = lines.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).ok()?;
        if read == 0 || !line.ends_with(b"\n") {
            return None;
        }
        match line.trim_ascii() {
            b"" if event.is_some() => return event,
            b"event: hint" | b"event:hint" => event = Some(Event::Hint),
            b"event: beat" | b"event:beat" => event = Some(Event::Beat),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<Event> {
        let mut lines = text.as_bytes();
        std::iter::from_fn(|| next_event(&mut lines)).collect()
    }

    #[test]
    fn hints_and_beats_are_told_apart_and_anything_else_is_passed_over() {
        let text = ": hello\n\nevent: beat\ndata: {}\n\nevent: news\ndata: x\n\nevent:hint\r\ndata:\r\n\r\nevent: hint\ndata: cut";
        assert_eq!(events(text), [Event::Beat, Event::Hint]);
    }

    #[test]
    fn an_endless_line_ends_the_connection() {
        let text = format!("event: beat\n\n{}\n\nevent: hint\n\n", "x".repeat(9_000));
        assert_eq!(events(&text), [Event::Beat]);
    }
}
