//! How a transfer's amount is split and valued (P10 «Value»).

use super::assess::{Inputs, Progress, Verdict, progress};
use super::terms::Terms;
use super::transfer::{FirstSeen, Transfer};
use super::valuation::{LowerRate, RecordedRate, lower_rate};
use crate::ledger::Part;
use crate::money::{BaseUnits, Cents};
use crate::time::Timestamp;

/// What is left of the quoted amount, and what has been given for it so far.
pub(super) struct Quota<'a> {
    terms: &'a Terms,
    used: BaseUnits,
    given: Cents,
}

/// One part, valued.
pub(super) struct Share {
    pub part: Part,
    pub units: BaseUnits,
    /// `None` when no rate says, or the value leaves the range.
    pub cents: Option<Cents>,
    /// No rate was recorded near enough; `cents` is then what the deadline would give.
    pub no_rate: bool,
    pub out_of_range: bool,
}

impl<'a> Quota<'a> {
    pub const fn new(terms: &'a Terms) -> Self {
        Self { terms, used: BaseUnits::ZERO, given: Cents::ZERO }
    }

    fn left(&self) -> BaseUnits {
        self.terms.amount.checked_sub(self.used).unwrap_or_default()
    }

    /// The value that these further units add: on the cumulative amount, so that instalments lose no cent.
    fn value_of(&self, units: BaseUnits) -> Cents {
        let total = self.used.checked_add(units).unwrap_or(self.terms.amount);
        let floor = self.terms.quote.value_floor(total, self.terms.method.decimals()).unwrap_or(self.terms.asked);
        let value = floor.min(self.terms.asked).checked_sub(self.given).unwrap_or_default();
        value.max(Cents::ZERO)
    }

    fn take(&mut self, units: BaseUnits, cents: Cents) {
        self.used = self.used.checked_add(units).unwrap_or(BaseUnits::new(u128::MAX));
        self.given = self.given.checked_add(cents).unwrap_or(self.terms.asked);
    }
}

/// The first sighting of any kind. A transaction that pays the address at least as much as those it replaces keeps
/// theirs; any other counts anew (P10).
pub(super) fn first_seen(transfers: &[Transfer], transfer: &Transfer) -> Option<FirstSeen> {
    // No chain of replacements is longer than the list of transfers; the bound also stops a circle.
    first_seen_within(transfers, transfer, transfers.len())
}

fn first_seen_within(transfers: &[Transfer], transfer: &Transfer, depth: usize) -> Option<FirstSeen> {
    let block = transfer.sightings.first().map(|sighting| FirstSeen { at: sighting.seen_at, rate: sighting.rate });
    let own = transfer.first_seen.into_iter().chain(block).min_by_key(|seen| seen.at);
    let replaced =
        |old: &&Transfer| old.replaced_by.as_deref() == Some(&*transfer.transaction) && old.method == transfer.method;
    let amount =
        |found: &mut dyn Iterator<Item = &Transfer>| found.fold(0u128, |sum, one| sum.saturating_add(one.amount.get()));
    let now_paid = amount(
        &mut transfers.iter().filter(|one| one.transaction == transfer.transaction && one.method == transfer.method),
    );
    let once_paid = amount(&mut transfers.iter().filter(replaced));
    let Some(depth) = depth.checked_sub(1).filter(|_| now_paid >= once_paid) else { return own };
    let inherited = transfers.iter().filter(replaced).filter_map(|old| first_seen_within(transfers, old, depth));
    inherited.chain(own).min_by_key(|seen| seen.at)
}

/// The order in which transfers claim the quoted amount: what is credited keeps its claim, then what is final, then
/// what is mined, then what is only seen, each by block and first sighting. So a transfer that may still vanish never
/// takes the quote from one that has arrived. Indices into the transfers; those of nothing are left out.
pub(super) fn order_of_claims(inputs: &Inputs<'_>) -> Vec<usize> {
    let transfers = inputs.transfers;
    let mut order: Vec<usize> = (0..transfers.len()).filter(|index| !transfers[*index].amount.is_zero()).collect();
    let key = |index: &usize| {
        let transfer = &transfers[*index];
        let height = transfer.sightings.first().map_or(u64::MAX, |sighting| sighting.height);
        let seen = first_seen(transfers, transfer).map_or(Timestamp::from_micros(i64::MAX), |seen| seen.at);
        (rank(inputs, transfer), height, seen, transfer.id.clone())
    };
    order.sort_by_cached_key(key);
    order
}

fn rank(inputs: &Inputs<'_>, transfer: &Transfer) -> u8 {
    match progress(inputs, transfer) {
        Progress::Final if transfer.credits.iter().any(|credit| !credit.undone) => 0,
        Progress::Final => 1,
        Progress::Mined { .. } => 2,
        Progress::Seen => 3,
        Progress::Gone => 4,
    }
}

/// Splits a transfer into its parts. Only what `counts` (is in sight) uses up the quoted amount.
pub(super) fn split(
    transfer: &Transfer,
    verdict: Verdict,
    seen: Option<FirstSeen>,
    quota: &mut Quota<'_>,
    counts: bool,
) -> Vec<Share> {
    let on_time = on_time_share(transfer, verdict, quota);
    if let Some(share) = on_time.as_ref().filter(|_| counts) {
        quota.take(share.units, share.cents.unwrap_or_default());
    }
    let taken = on_time.as_ref().map_or(BaseUnits::ZERO, |share| share.units);
    let left = transfer.amount.checked_sub(taken).unwrap_or_default();
    let rest = (!left.is_zero()).then(|| rest_share(transfer, left, seen));
    on_time.into_iter().chain(rest).collect()
}

fn on_time_share(transfer: &Transfer, verdict: Verdict, quota: &Quota<'_>) -> Option<Share> {
    if let Some(kept) = transfer.kept(Part::OnTime) {
        return Some(Share::known(Part::OnTime, kept.units, kept.cents));
    }
    let units = match transfer.kept(Part::Rest) {
        Some(rest) => transfer.amount.checked_sub(rest.units).unwrap_or_default(),
        None if verdict == Verdict::OnTime => transfer.amount.min(quota.left()),
        None => BaseUnits::ZERO,
    };
    (!units.is_zero()).then(|| Share::known(Part::OnTime, units, quota.value_of(units)))
}

fn rest_share(transfer: &Transfer, units: BaseUnits, seen: Option<FirstSeen>) -> Share {
    if let Some(kept) = transfer.kept(Part::Rest) {
        return Share::known(Part::Rest, kept.units, kept.cents);
    }
    let nothing = RecordedRate::Missing { before: None, after: None };
    let first = seen.map_or(nothing, |seen| seen.rate);
    // Not mined yet: what it was worth when first seen is shown; nothing is credited before its block is known.
    let block = transfer.sightings.first().map_or(first, |sighting| sighting.rate);
    let (rate, no_rate) = match lower_rate(first, block) {
        LowerRate::Known(rate) => (Some(rate), false),
        LowerRate::InReview(rate) => (rate, true),
    };
    let cents = rate.and_then(|rate| rate.value_floor(units, transfer.method.decimals()));
    Share { part: Part::Rest, units, cents, no_rate, out_of_range: rate.is_some() && cents.is_none() }
}

impl Share {
    const fn known(part: Part, units: BaseUnits, cents: Cents) -> Self {
        Self { part, units, cents: Some(cents), no_rate: false, out_of_range: false }
    }
}
