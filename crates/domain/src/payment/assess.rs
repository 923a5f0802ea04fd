//! One verdict and value per transfer: the pure heart of P8–P10.

use std::collections::BTreeMap;

use super::parts::{Quota, first_seen, order_of_claims, split};
use super::terms::{Purpose, Terms};
use super::timing::{Timing, timing};
use super::transfer::{Decision, Ruling, Sighting, Transfer, WatchPosition};
use crate::asset::Method;
use crate::confirmations::Required;
use crate::ledger::{Part, SightingKey};
use crate::money::{BaseUnits, Cents};
use crate::time::Timestamp;

/// Where the payment's purpose stands, as the ledger knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It can still be settled. A top-up is always open.
    Open,
    /// It settled with money of this payment.
    SettledByThis,
    /// It settled without this payment.
    SettledOtherwise,
    /// It was cancelled.
    Cancelled,
    /// Its price lapsed.
    Lapsed,
}

/// Everything that a payment's facts depend on.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The terms.
    pub terms: &'a Terms,
    /// All transfers ever seen at its address.
    pub transfers: &'a [Transfer],
    /// Confirmations asked for now, from [`crate::confirmations::ConfirmationPolicy`].
    pub required: Required,
    /// How far the network's watcher has read.
    pub position: &'a WatchPosition,
    /// Operators' rulings; the newest about a transfer counts.
    pub decisions: &'a [Decision],
    /// Where its purpose stands.
    pub standing: Standing,
    /// Whether the account was deleted.
    pub account_deleted: bool,
    /// Now, by the server's clock.
    pub now: Timestamp,
}

impl Inputs<'_> {
    /// The latest instant known to have come: a clock set back does not undo what has been read.
    pub fn clock(&self) -> Timestamp {
        self.now.max(self.position.read_at)
    }

    fn ruling(&self, transfer_id: &str) -> Option<Ruling> {
        self.decisions.iter().rev().find(|decision| decision.transfer_id == transfer_id).map(|decision| decision.ruling)
    }
}

/// What a transfer is to its payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Met the deadline (or still can, when in no block yet).
    OnTime,
    /// Missed it.
    Late,
    /// Was not final when its order was cancelled.
    AfterCancelling,
    /// Another asset than asked for, on the same network.
    WrongAsset,
    /// Our own coins.
    Own,
}

/// How far a transfer has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// In no block that stands, and gone from the mempool.
    Gone,
    /// In no block that stands, but seen.
    Seen,
    /// In a block, not final.
    Mined {
        /// Blocks on it, its own included.
        have: u64,
        /// What is needed.
        need: Required,
    },
    /// Final, or credited already.
    Final,
}

/// Why a part waits for an operator or a deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewReason {
    /// Another asset than asked for.
    WrongAsset,
    /// No rate was recorded near its sighting or its block.
    NoRate,
    /// The account was deleted.
    DeletedAccount,
    /// Its value leaves the range; only people can help.
    OutOfRange,
}

/// A part in review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Review {
    /// Why.
    pub reason: ReviewReason,
    /// When the deadline decides by itself; `None` while it is in no block, or can't be valued by then.
    pub decides_at: Option<Timestamp>,
}

/// Where a part goes once it is final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To what the payment is for, if that is still open; else to balance.
    Purpose,
    /// To balance.
    Balance,
    /// To `unclaimed`.
    Unclaimed,
    /// To `own`.
    Own,
}

/// One part of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssessedPart {
    /// Which.
    pub part: Part,
    /// Base units.
    pub units: BaseUnits,
    /// Value; `None` while no rate says.
    pub cents: Option<Cents>,
    /// Where it goes.
    pub to: To,
    /// The open review, if one holds it back.
    pub review: Option<Review>,
    /// Whether it is credited and the credit stands.
    pub credited: bool,
}

/// One transfer, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessed {
    /// Id of the transfer.
    pub transfer_id: String,
    /// What arrived.
    pub method: Method,
    /// The sighting that counts now.
    pub sighting: Option<SightingKey>,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether an on-time verdict still depends on being mined soon enough.
    pub undecided: bool,
    /// How far it is.
    pub progress: Progress,
    /// One or two parts; none for a transfer of nothing.
    pub parts: Vec<AssessedPart>,
}

/// A credit that is due now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// Id of the transfer.
    pub transfer_id: String,
    /// The sighting to credit.
    pub sighting: SightingKey,
    /// What arrived.
    pub method: Method,
    /// Which part.
    pub part: Part,
    /// Base units.
    pub units: BaseUnits,
    /// Value.
    pub cents: Cents,
    /// Where it goes.
    pub to: To,
}

/// All transfers of one payment, judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assessment {
    /// In the order in which they claim the quoted amount.
    pub transfers: Vec<Assessed>,
}

impl Assessment {
    /// The credits that are due now, in the order in which they are to be posted.
    pub fn due(&self) -> Vec<Due> {
        let finals = self.transfers.iter().filter(|transfer| transfer.progress == Progress::Final);
        finals.flat_map(Assessed::due).collect()
    }
}

impl Assessed {
    fn due(&self) -> impl Iterator<Item = Due> {
        let waiting = self.parts.iter().filter(|part| !part.credited && part.review.is_none());
        waiting.filter_map(|part| {
            Some(Due {
                transfer_id: self.transfer_id.clone(),
                sighting: self.sighting.clone()?,
                method: self.method,
                part: part.part,
                units: part.units,
                cents: part.cents?,
                to: part.to,
            })
        })
    }
}

/// Judges every transfer of a payment. Transfers of nothing are ignored (P9).
pub fn assess(inputs: &Inputs<'_>) -> Assessment {
    let mut quota = Quota::new(inputs.terms);
    let mut judged = BTreeMap::new();
    let order = order_of_claims(inputs);
    for &index in &order {
        let transfer = &inputs.transfers[index];
        judged.insert(index, judge(inputs, transfer, &mut quota));
    }
    Assessment { transfers: order.iter().filter_map(|index| judged.remove(index)).collect() }
}

fn judge(inputs: &Inputs<'_>, transfer: &Transfer, quota: &mut Quota<'_>) -> Assessed {
    let seen = first_seen(inputs.transfers, transfer);
    let timing = timing(inputs.terms, transfer, seen.map(|seen| seen.at), inputs.position, inputs.clock());
    let verdict = verdict(inputs, transfer, timing);
    let progress = progress(inputs, transfer);
    let split = split(transfer, verdict, seen, quota, progress != Progress::Gone);
    let parts = split.into_iter().map(|share| {
        let (to, review) = route(inputs, transfer, verdict, &share);
        AssessedPart {
            part: share.part,
            units: share.units,
            cents: share.cents,
            to,
            review,
            credited: transfer.is_credited(share.part),
        }
    });
    Assessed {
        transfer_id: transfer.id.clone(),
        method: transfer.method,
        sighting: transfer.live().map(|sighting| sighting.key.clone()),
        verdict,
        undecided: timing == Timing::Undecided,
        progress,
        parts: parts.collect(),
    }
}

/// A credit fixes the verdict; before that, the asset, the cancelling and the deadline decide, in this order.
fn verdict(inputs: &Inputs<'_>, transfer: &Transfer, timing: Timing) -> Verdict {
    let on_time = || if timing == Timing::Late { Verdict::Late } else { Verdict::OnTime };
    if transfer.inputs_all_ours {
        Verdict::Own
    } else if transfer.method != inputs.terms.method {
        Verdict::WrongAsset
    } else if transfer.credits.is_empty() && inputs.standing == Standing::Cancelled {
        Verdict::AfterCancelling
    } else {
        on_time()
    }
}

pub(super) fn progress(inputs: &Inputs<'_>, transfer: &Transfer) -> Progress {
    let Some(sighting) = transfer.live() else {
        let gone = transfer.vanished || transfer.replaced_by.is_some();
        return if gone { Progress::Gone } else { Progress::Seen };
    };
    let credited = transfer.credits.iter().any(|credit| !credit.undone && credit.sighting == sighting.key);
    if credited { Progress::Final } else { depth(inputs, transfer, sighting) }
}

fn depth(inputs: &Inputs<'_>, transfer: &Transfer, sighting: &Sighting) -> Progress {
    let position = inputs.position;
    let have = position.height.checked_sub(sighting.height).map_or(0, |above| above.saturating_add(1));
    let confirmed = match inputs.required {
        Required::Blocks(need) => have >= u64::from(need),
        Required::Finalized => position.finalized_height.is_some_and(|height| height >= sighting.height),
    };
    let ripe = transfer.spendable_at_height.filter(|height| position.height < *height);
    match ripe {
        None if confirmed && have > 0 => Progress::Final,
        None => Progress::Mined { have, need: inputs.required },
        Some(height) => Progress::Mined { have, need: ripening(inputs.required, height, sighting) },
    }
}

/// A mined coin needs what its maturity asks, or what the policy asks if that is more.
fn ripening(required: Required, spendable_at_height: u64, sighting: &Sighting) -> Required {
    let blocks = spendable_at_height.saturating_sub(sighting.height).saturating_add(1);
    required.max(Required::Blocks(u32::try_from(blocks).unwrap_or(u32::MAX)))
}

/// Where a part goes, and whether it has to wait for that.
fn route(
    inputs: &Inputs<'_>,
    transfer: &Transfer,
    verdict: Verdict,
    share: &super::parts::Share,
) -> (To, Option<Review>) {
    let ruling = inputs.ruling(&transfer.id);
    let to = match (verdict, ruling) {
        (Verdict::Own, _) => To::Own,
        _ if inputs.account_deleted => To::Unclaimed,
        (_, Some(Ruling::Balance)) | (Verdict::WrongAsset, None) => To::Balance,
        _ if inputs.terms.purpose == Purpose::TopUp => To::Balance,
        _ => To::Purpose,
    };
    if transfer.is_credited(share.part) || transfer.kept(share.part).is_some() {
        return (to, None);
    }
    let Some(reason) = review_reason(inputs, verdict, share) else { return (to, None) };
    let valued = share.cents.is_some();
    let opened = transfer.sightings.first().map(|sighting| sighting.seen_at);
    let decides_at = opened.filter(|_| valued).map(|at| at.plus_micros(super::valuation::REVIEW_MICROS));
    let decided = valued && (ruling.is_some() || decides_at.is_some_and(|at| inputs.clock() >= at));
    (to, (!decided).then_some(Review { reason, decides_at }))
}

/// Sums under a dollar enter no list (P9): dust of a known value needs nobody.
fn review_reason(inputs: &Inputs<'_>, verdict: Verdict, share: &super::parts::Share) -> Option<ReviewReason> {
    let dust = share.cents.is_some_and(|cents| cents < super::facts::DUST);
    match verdict {
        _ if share.out_of_range => Some(ReviewReason::OutOfRange),
        _ if share.no_rate => Some(ReviewReason::NoRate),
        Verdict::Own => None,
        _ if dust => None,
        _ if inputs.account_deleted => Some(ReviewReason::DeletedAccount),
        Verdict::WrongAsset => Some(ReviewReason::WrongAsset),
        Verdict::OnTime | Verdict::Late | Verdict::AfterCancelling => None,
    }
}
