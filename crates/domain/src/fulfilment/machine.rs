//! The states of fulfilment and the moves between them. A wrong move is refused with where it came from.

use thiserror::Error;

use super::{Acceptance, ENDING_MICROS, RentalDates};
use crate::Timestamp;
use crate::catalogue::RentalDays;
use crate::time::HOUR_MICROS;

/// How long a machine that was handed over goes on while money that a fork undid may be mined again (P13).
pub const RECEIVABLE_GRACE_MICROS: i64 = 24 * HOUR_MICROS;

/// A stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// Nothing was done yet: «not started, no end date yet».
    NotStarted,
    /// An operator prepares the machines.
    Preparing,
    /// Access was handed over; the clock runs.
    Ready,
    /// The machines were erased and given back.
    Wiped,
    /// Given up before hand-over.
    Cancelled,
    /// The machines are not what was ordered; another try or giving up follows.
    FailedAcceptance,
    /// Access was taken away while the customer owes for undone money; the dates stand.
    Suspended,
}

impl State {
    /// Every state.
    pub const ALL: [State; 7] = [
        State::NotStarted,
        State::Preparing,
        State::Ready,
        State::Wiped,
        State::Cancelled,
        State::FailedAcceptance,
        State::Suspended,
    ];

    /// The name used on the wire and in lists.
    pub const fn code(self) -> &'static str {
        match self {
            State::NotStarted => "not_started",
            State::Preparing => "preparing",
            State::Ready => "ready",
            State::Wiped => "wiped",
            State::Cancelled => "cancelled",
            State::FailedAcceptance => "failed_acceptance",
            State::Suspended => "suspended",
        }
    }

    /// The state of that name.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.code() == code)
    }
}

/// What is known around the order when a move is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Whether the order is paid in full. A saved order or a notice starts nothing.
    pub order_settled: bool,
    /// Since when the account owes for money that a fork undid; `None` while it owes nothing.
    pub receivable_since: Option<Timestamp>,
    /// Now.
    pub now: Timestamp,
}

/// A login that was tried with credentials about to be handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifiedLogin {
    /// The revision of the access data that was used.
    pub access_revision: u64,
    /// When it succeeded.
    pub at: Timestamp,
}

/// What a hand-over rests on.
#[derive(Clone, Copy, Debug)]
pub struct HandOver<'a> {
    /// The acceptance check of the machines as they are.
    pub acceptance: &'a Acceptance,
    /// The login that was tried, if any.
    pub login: Option<VerifiedLogin>,
    /// The revision of the access data that will be handed over.
    pub access_revision: u64,
}

/// A move that is asked for.
#[derive(Clone, Copy, Debug)]
pub enum Move<'a> {
    /// Begin to prepare, or try again after a failed acceptance.
    Prepare,
    /// Hand over: from now on the clock runs.
    HandOver(HandOver<'a>),
    /// The acceptance check failed.
    FailAcceptance(&'a Acceptance),
    /// Give up before hand-over.
    Cancel,
    /// Take access away while the account owes.
    Suspend,
    /// Give access back, dates as they were.
    Resume,
    /// The machines were erased.
    Wipe,
}

impl Move<'_> {
    /// The state that the move leads to.
    pub const fn target(&self) -> State {
        match self {
            Move::Prepare => State::Preparing,
            Move::HandOver(_) | Move::Resume => State::Ready,
            Move::FailAcceptance(_) => State::FailedAcceptance,
            Move::Cancel => State::Cancelled,
            Move::Suspend => State::Suspended,
            Move::Wipe => State::Wiped,
        }
    }
}

/// Why a move is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveRefused {
    /// No such move from that state.
    #[error("no way leads from {} to {}", from.code(), to.code())]
    NoSuchMove {
        /// Where it stands.
        from: State,
        /// Where the move would lead.
        to: State,
    },
    /// The order is not paid.
    #[error("the order is not settled")]
    NotSettled,
    /// The account owes for undone money: what is not handed over pauses.
    #[error("the account owes for money that was undone")]
    ReceivableOpen {
        /// Since when.
        since: Timestamp,
    },
    /// The machines are not what was ordered.
    #[error("the acceptance check found {differences} differences")]
    AcceptanceNotPassed {
        /// How many.
        differences: usize,
    },
    /// Nothing differs, so nothing failed.
    #[error("the acceptance check passed")]
    AcceptancePassed,
    /// Nobody logged in with the credentials that would be handed over.
    #[error("no login with these very credentials")]
    LoginNotVerified,
    /// Not yet.
    #[error("too early")]
    TooEarly {
        /// From when it is possible.
        from: Timestamp,
    },
    /// The account owes nothing, so nothing is taken away.
    #[error("the account owes nothing")]
    NothingOwed,
}

impl MoveRefused {
    /// The short code that travels, and that the window has a sentence for.
    pub const fn reason(&self) -> &'static str {
        match self {
            MoveRefused::NoSuchMove { .. } => "no_such_move",
            MoveRefused::NotSettled => "not_settled",
            MoveRefused::ReceivableOpen { .. } => "receivable_open",
            MoveRefused::AcceptanceNotPassed { .. } => "acceptance_not_passed",
            MoveRefused::AcceptancePassed => "acceptance_passed",
            MoveRefused::LoginNotVerified => "login_not_verified",
            MoveRefused::TooEarly { .. } => "too_early",
            MoveRefused::NothingOwed => "nothing_owed",
        }
    }
}

/// The fulfilment of one order: a state, and dates once it was handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fulfilment {
    state: State,
    dates: Option<RentalDates>,
}

impl Fulfilment {
    /// The beginning: nothing done, no dates.
    pub const NOT_STARTED: Fulfilment = Fulfilment { state: State::NotStarted, dates: None };

    /// What was stored; `None` when state and dates contradict each other.
    pub fn restore(state: State, dates: Option<RentalDates>) -> Option<Self> {
        let handed_over = matches!(state, State::Ready | State::Suspended | State::Wiped);
        (handed_over == dates.is_some()).then_some(Self { state, dates })
    }

    /// The stored state.
    pub const fn state(&self) -> State {
        self.state
    }

    /// Start and end, once handed over.
    pub const fn dates(&self) -> Option<RentalDates> {
        self.dates
    }

    /// Whether the lots went back to the stock.
    pub const fn lots_returned(&self) -> bool {
        matches!(self.state, State::Wiped | State::Cancelled)
    }

    /// The fulfilment after a move, for an order of that many days.
    ///
    /// # Errors
    /// See [`MoveRefused`]; nothing changes then.
    pub fn after(&self, step: Move<'_>, days: RentalDays, situation: &Situation) -> Result<Self, MoveRefused> {
        let to = step.target();
        let dates = match (self.state, step, self.dates) {
            (State::NotStarted | State::FailedAcceptance, Move::Prepare, None) => may_work(situation).map(|()| None),
            (State::Preparing, Move::HandOver(evidence), None) => {
                may_hand_over(&evidence, situation).map(|()| Some(RentalDates::starting(situation.now, days)))
            }
            (State::Preparing, Move::FailAcceptance(acceptance), None) => match acceptance.passed() {
                true => Err(MoveRefused::AcceptancePassed),
                false => Ok(None),
            },
            (State::NotStarted | State::Preparing | State::FailedAcceptance, Move::Cancel, None) => Ok(None),
            (State::Ready, Move::Suspend, dates) => may_suspend(situation).map(|()| dates),
            (State::Suspended, Move::Resume, dates) => owes_nothing(situation).map(|()| dates),
            (State::Ready | State::Suspended, Move::Wipe, Some(dates)) => match dates.wiped_from() {
                from if situation.now < from => Err(MoveRefused::TooEarly { from }),
                _ => Ok(Some(dates)),
            },
            _ => Err(MoveRefused::NoSuchMove { from: self.state, to }),
        }?;
        Ok(Self { state: to, dates })
    }

    /// The fulfilment with moved dates: an extension or an outage. `None` before hand-over and after wiping.
    pub fn with_dates(&self, dates: RentalDates) -> Option<Self> {
        let running = matches!(self.state, State::Ready | State::Suspended);
        running.then_some(Self { dates: Some(dates), ..*self })
    }

    /// What a customer is told at `now`.
    pub fn phase(&self, situation: &Situation) -> Phase {
        let paused = situation.receivable_since.is_some();
        match (self.state, self.dates) {
            (State::NotStarted | State::Preparing | State::FailedAcceptance, _) if paused => Phase::Paused,
            (State::Ready, Some(dates)) => running_phase(&dates, situation.now),
            (State::NotStarted | State::Ready, _) => Phase::NotStarted,
            (State::Preparing, _) => Phase::Preparing,
            (State::FailedAcceptance, _) => Phase::FailedAcceptance,
            (State::Suspended, _) => Phase::Suspended,
            (State::Cancelled, _) => Phase::Cancelled,
            (State::Wiped, _) => Phase::Wiped,
        }
    }

    /// When [`Fulfilment::phase`] changes by time alone, if it still will.
    pub fn next_change_at(&self, now: Timestamp) -> Option<Timestamp> {
        let dates = self.dates.filter(|_| self.state == State::Ready)?;
        let changes = [dates.ends_at.plus_micros(-ENDING_MICROS), dates.ends_at, dates.wiped_from()];
        changes.into_iter().find(|change| *change > now)
    }
}

/// What a customer is told: the stored state, with the dates read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Not started, no end date yet.
    NotStarted,
    /// Being prepared.
    Preparing,
    /// Not handed over, and waiting until the account owes nothing.
    Paused,
    /// Running.
    Active,
    /// Running, with at most 72 hours left.
    Ending,
    /// Over; export only.
    Ended,
    /// Over, and the time for export too: to be wiped.
    WipeDue,
    /// Wiped.
    Wiped,
    /// Given up.
    Cancelled,
    /// The machines were not right.
    FailedAcceptance,
    /// Access taken away, dates as they were.
    Suspended,
}

fn running_phase(dates: &RentalDates, now: Timestamp) -> Phase {
    if now >= dates.wiped_from() {
        Phase::WipeDue
    } else if now >= dates.ends_at {
        Phase::Ended
    } else if now >= dates.ends_at.plus_micros(-ENDING_MICROS) {
        Phase::Ending
    } else {
        Phase::Active
    }
}

fn owes_nothing(situation: &Situation) -> Result<(), MoveRefused> {
    situation.receivable_since.map_or(Ok(()), |since| Err(MoveRefused::ReceivableOpen { since }))
}

fn may_work(situation: &Situation) -> Result<(), MoveRefused> {
    if !situation.order_settled {
        return Err(MoveRefused::NotSettled);
    }
    owes_nothing(situation)
}

fn may_hand_over(evidence: &HandOver<'_>, situation: &Situation) -> Result<(), MoveRefused> {
    may_work(situation)?;
    if !evidence.acceptance.passed() {
        return Err(MoveRefused::AcceptanceNotPassed { differences: evidence.acceptance.differences().len() });
    }
    let with_these =
        |login: &VerifiedLogin| login.access_revision == evidence.access_revision && login.at <= situation.now;
    evidence.login.filter(with_these).map(|_| ()).ok_or(MoveRefused::LoginNotVerified)
}

fn may_suspend(situation: &Situation) -> Result<(), MoveRefused> {
    let since = situation.receivable_since.ok_or(MoveRefused::NothingOwed)?;
    let from = since.plus_micros(RECEIVABLE_GRACE_MICROS);
    if situation.now < from { Err(MoveRefused::TooEarly { from }) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
