//! A payment's facts: several can hold at once (P8).

use super::assess::{Assessed, AssessedPart, Assessment, Inputs, Progress, Standing, Verdict};
use super::headline::Confirming;
use super::terms::Purpose;
use super::timing::{has_mempool, last_block_time};
use crate::ledger::Part;
use crate::money::Cents;
use crate::time::Timestamp;

/// Sums below this are credited but change no headline and enter no list, unless they complete something (P9).
pub const DUST: Cents = Cents::new(100);

/// What a payment amounts to. Sums are in USD cents, held at the end of the range rather than wrapped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Everything of the asked asset in sight, mined or not.
    pub received: Cents,
    /// What of it is final and waits for nobody: it is credited, or due this moment.
    pub final_sum: Cents,
    /// What of the final sum met the deadline, by the quote.
    pub on_time_final: Cents,
    /// What is asked for beyond `received`.
    pub short: Cents,
    /// What is received beyond what is asked for.
    pub over: Cents,
    /// What of `over` is final.
    pub over_final: Cents,
    /// What missed the deadline, or came after cancelling.
    pub late: Cents,
    /// In no block yet.
    pub seen: Cents,
    /// In a block, not final.
    pub confirming: Cents,
    /// The transfer furthest from final among those, when the sum matters.
    pub confirmations: Option<Confirming>,
    /// What is in sight and not credited, single transfers under a dollar left out: they prolong nothing (C9).
    pub in_sight: Cents,
    /// Value of what arrived in another asset, as far as it is known.
    pub wrong_asset: Cents,
    /// Credits that a fork undid and that are not back.
    pub disputed: Cents,
    /// Whether anything waits for an operator or a deadline.
    pub in_review: bool,
    /// Whether the payment did what it was for: its money settled the purpose, its on-time money covers what was asked
    /// (tolerance included), or it is a top-up that was credited.
    pub paid: bool,
    /// Whether money of the asked asset is final, on time, and does not suffice.
    pub underpaid: bool,
    /// Whether an on-time transfer is not decided yet: the order does not lapse meanwhile (O10). Dust prolongs nothing.
    pub undecided: bool,
    /// Whether the deadline has passed and the watcher has read past it (P12).
    pub expired: bool,
    /// When the clock alone can next change a fact.
    pub next_change_at: Option<Timestamp>,
}

fn total(parts: impl Iterator<Item = Cents>) -> Cents {
    let sum: i128 = parts.map(|cents| i128::from(cents.get())).sum();
    Cents::new(i64::try_from(sum).unwrap_or(i64::MAX))
}

fn sum<'a>(transfers: impl Iterator<Item = &'a Assessed>, pick: impl Fn(&Assessed, &AssessedPart) -> bool) -> Cents {
    total(transfers.flat_map(|transfer| {
        transfer.parts.iter().filter(|part| pick(transfer, part)).filter_map(|part| part.cents).collect::<Vec<_>>()
    }))
}

const fn above(larger: Cents, smaller: Cents) -> Cents {
    let difference = larger.get().saturating_sub(smaller.get());
    Cents::new(if difference > 0 { difference } else { 0 })
}

/// The facts of an assessed payment.
pub fn facts(inputs: &Inputs<'_>, assessment: &Assessment) -> Facts {
    let mut facts = sums(inputs, assessment);
    facts.paid = paid(inputs, &facts, assessment);
    facts.underpaid = !facts.paid
        && inputs.terms.purpose != Purpose::TopUp
        && matches!(inputs.standing, Standing::Open | Standing::Lapsed)
        && facts.on_time_final >= DUST;
    facts.confirmations = confirmations(inputs, assessment, &facts);
    facts.in_review = assessment.transfers.iter().filter(|one| one.progress != Progress::Gone).any(under_review);
    facts.in_sight = in_sight(assessment, |one| matches!(one.verdict, Verdict::OnTime | Verdict::Late));
    facts.undecided = undecided(inputs, assessment);
    facts.expired = passed(inputs);
    facts.next_change_at = next_change_at(inputs, assessment);
    facts
}

fn sums(inputs: &Inputs<'_>, assessment: &Assessment) -> Facts {
    let present = || assessment.transfers.iter().filter(|one| one.progress != Progress::Gone);
    let asked = |one: &Assessed| matches!(one.verdict, Verdict::OnTime | Verdict::Late | Verdict::AfterCancelling);
    let is_final = |one: &Assessed, part: &AssessedPart| one.progress == Progress::Final && part.review.is_none();
    let received = sum(present(), |one, _| asked(one));
    let final_sum = sum(present(), |one, part| asked(one) && is_final(one, part));
    Facts {
        received,
        final_sum,
        on_time_final: sum(present(), |one, part| asked(one) && is_final(one, part) && part.part == Part::OnTime),
        short: above(inputs.terms.asked, received),
        over: above(received, inputs.terms.asked),
        over_final: above(final_sum, inputs.terms.asked),
        late: sum(present(), |one, _| matches!(one.verdict, Verdict::Late | Verdict::AfterCancelling)),
        seen: sum(present(), |one, _| asked(one) && one.progress == Progress::Seen),
        confirming: sum(present(), |one, _| asked(one) && matches!(one.progress, Progress::Mined { .. })),
        wrong_asset: sum(present(), |one, _| one.verdict == Verdict::WrongAsset),
        disputed: disputed(inputs),
        ..Facts::default()
    }
}

/// Credits that are not standing for parts that have no standing credit now.
fn disputed(inputs: &Inputs<'_>) -> Cents {
    total(inputs.transfers.iter().flat_map(|transfer| {
        let lost = |part: &Part| {
            let stands = transfer.live().is_some() && transfer.is_credited(*part);
            transfer.kept(*part).filter(|_| !stands).map(|credit| credit.cents)
        };
        [Part::OnTime, Part::Rest].into_iter().filter_map(|part| lost(&part)).collect::<Vec<_>>()
    }))
}

fn paid(inputs: &Inputs<'_>, facts: &Facts, assessment: &Assessment) -> bool {
    let credited = || sum(assessment.transfers.iter(), |one, part| one.verdict != Verdict::Own && part.credited);
    match inputs.terms.purpose {
        Purpose::TopUp => facts.final_sum.max(credited()) >= DUST,
        _ => covers_purpose(inputs, facts, assessment),
    }
}

/// An open order is not paid by a payment whose money, all of it, went elsewhere: to what the customer owed, or to balance because
/// the lots were gone.
fn covers_purpose(inputs: &Inputs<'_>, facts: &Facts, assessment: &Assessment) -> bool {
    let covered = covers(inputs, facts.on_time_final);
    match inputs.standing {
        // What a fork took away is not paid until it is mined again, although the order stays settled.
        Standing::SettledByThis => covered || facts.disputed == Cents::ZERO,
        Standing::SettledOtherwise => covered,
        Standing::Open | Standing::Cancelled | Standing::Lapsed => covered && !assessment.due().is_empty(),
    }
}

fn covers(inputs: &Inputs<'_>, sum: Cents) -> bool {
    above(inputs.terms.asked, sum) <= inputs.terms.tolerance
}

/// Dust moves no headline unless it completes the payment.
fn confirmations(inputs: &Inputs<'_>, assessment: &Assessment, facts: &Facts) -> Option<Confirming> {
    let completes = !facts.paid && covers(inputs, facts.received);
    let mined = assessment.transfers.iter().filter(|one| !matches!(one.verdict, Verdict::Own | Verdict::WrongAsset));
    let unknown = |one: &Assessed| one.parts.iter().any(|part| part.cents.is_none());
    let pending = mined.filter_map(|one| match one.progress {
        Progress::Mined { have, need } => Some((unknown(one), Confirming { have, need })),
        _ => None,
    });
    let pending: Vec<_> = pending.collect();
    let matters = facts.confirming >= DUST || completes || pending.iter().any(|(unknown, _)| *unknown);
    pending.into_iter().map(|(_, confirming)| confirming).min_by_key(|one| one.have).filter(|_| matters)
}

/// Our own coins are nothing to the customer.
fn under_review(transfer: &Assessed) -> bool {
    let dust = |part: &AssessedPart| part.cents.is_some_and(|cents| cents < DUST);
    transfer.verdict != Verdict::Own && transfer.parts.iter().any(|part| part.review.is_some() && !dust(part))
}

/// Value in sight and not credited, of transfers worth a dollar or more.
fn in_sight(assessment: &Assessment, pick: impl Fn(&Assessed) -> bool) -> Cents {
    let present = assessment.transfers.iter().filter(|one| one.progress != Progress::Gone && pick(one));
    let open = present.map(|one| total(one.parts.iter().filter(|part| !part.credited).filter_map(|part| part.cents)));
    total(open.filter(|cents| *cents >= DUST))
}

fn undecided(inputs: &Inputs<'_>, assessment: &Assessment) -> bool {
    let on_time = in_sight(assessment, |one| one.verdict == Verdict::OnTime);
    // Until the watcher has read past the deadline, a transfer that met it may still turn up.
    on_time.is_positive()
        || may_return(inputs, assessment)
        || (!passed(inputs) && inputs.clock() >= inputs.terms.deadline)
}

/// Whether a transfer that was seen in time and left the mempool can still be mined in time: a node forgets what others
/// still have. What something else took the place of can't.
fn may_return(inputs: &Inputs<'_>, assessment: &Assessment) -> bool {
    let replaced = |id: &str| inputs.transfers.iter().any(|one| one.id == id && one.replaced_by.is_some());
    let gone = assessment.transfers.iter().filter(|one| one.progress == Progress::Gone && one.undecided);
    gone.filter(|one| matters(one)).any(|one| !replaced(&one.transfer_id))
}

/// Whether a transfer is worth a dollar, or of unknown value.
fn matters(transfer: &Assessed) -> bool {
    let unknown = transfer.parts.iter().any(|part| part.cents.is_none());
    unknown || total(transfer.parts.iter().filter_map(|part| part.cents)) >= DUST
}

/// Whether nothing can turn up any more that met the deadline. Where payments are seen before they are mined only a reading
/// of what waits says so: a block dated after the deadline says nothing of what waits beside it.
fn passed(inputs: &Inputs<'_>) -> bool {
    let deadline = inputs.terms.deadline;
    let by_reading = has_mempool(inputs.terms.method.network());
    let read_past =
        if by_reading { inputs.position.read_at >= deadline } else { inputs.position.block_time > deadline };
    inputs.clock() >= deadline && read_past
}

fn next_change_at(inputs: &Inputs<'_>, assessment: &Assessment) -> Option<Timestamp> {
    let reviews = assessment.transfers.iter().flat_map(|one| one.parts.iter());
    let reviews = reviews.filter_map(|part| part.review.and_then(|review| review.decides_at));
    let undecided =
        assessment.transfers.iter().any(|one| one.undecided && matches!(one.progress, Progress::Seen | Progress::Gone));
    let mining = undecided.then(|| last_block_time(inputs.terms).plus_micros(1));
    let instants = reviews.chain(mining).chain([inputs.terms.deadline]);
    instants.filter(|at| *at > inputs.clock()).min()
}
