//! What changed in the catalogue since a customer looked: shown and accepted, never applied silently (C8).

use super::{Offer, OfferSnapshot};
use crate::Cents;

/// One difference between what a customer saw and what is offered today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfferChange {
    /// The offer is gone or hidden: nothing can be accepted in its place.
    Withdrawn,
    /// One lot costs something else for the chosen duration.
    Price {
        /// What was seen.
        seen: Cents,
        /// What it costs today.
        today: Cents,
    },
    /// A lot holds another number of GPUs.
    GpusPerLot {
        /// What was seen.
        seen: u32,
        /// What it holds today.
        today: u32,
    },
    /// The facts of the card were corrected.
    Hardware,
}

impl OfferSnapshot {
    /// What differs from today's offer. Nothing listed: the order may go on without asking. A cheaper price is
    /// asked about too: what a customer agrees to is one exact total.
    pub fn changes(&self, today: Option<&Offer>) -> Vec<OfferChange> {
        let Some(offer) = today.filter(|offer| offer.visible && offer.id == self.offer_id) else {
            return vec![OfferChange::Withdrawn];
        };
        let mut changes = Vec::new();
        let (seen, now) = (self.price_per_lot, offer.prices.of(self.days));
        if seen != now {
            changes.push(OfferChange::Price { seen, today: now });
        }
        let (seen, now) = (self.gpus_per_lot, offer.gpus_per_lot);
        if seen != now {
            changes.push(OfferChange::GpusPerLot { seen, today: now });
        }
        if self.gpu != offer.gpu {
            changes.push(OfferChange::Hardware);
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;
    use crate::catalogue::{Prices, RentalDays, samples};

    fn offer() -> Offer {
        let prices = Prices::new(Cents::new(60_000), Cents::new(139_000), Cents::new(500_000)).unwrap();
        Offer { id: "b200".into(), gpu: samples::b200(), gpus_per_lot: 2, prices, lots_total: 6, visible: true }
    }

    #[test]
    fn a_changed_price_must_be_accepted_whichever_way_it_went() {
        let snapshot = offer().snapshot(RentalDays::Seven, Timestamp::from_seconds(0));
        assert_eq!(snapshot.changes(Some(&offer())), []);
        for cents in [138_999, 139_001] {
            let mut today = offer();
            today.prices = Prices::new(Cents::new(60_000), Cents::new(cents), Cents::new(500_000)).unwrap();
            let change = OfferChange::Price { seen: Cents::new(139_000), today: Cents::new(cents) };
            assert_eq!(snapshot.changes(Some(&today)), [change]);
        }
    }

    #[test]
    fn another_durations_price_is_nobodys_business() {
        let snapshot = offer().snapshot(RentalDays::Seven, Timestamp::from_seconds(0));
        let mut today = offer();
        today.prices = Prices::new(Cents::new(1), Cents::new(139_000), Cents::new(2)).unwrap();
        assert_eq!(snapshot.changes(Some(&today)), []);
    }

    #[test]
    fn less_hardware_under_the_same_name_is_seen() {
        let snapshot = offer().snapshot(RentalDays::Three, Timestamp::from_seconds(0));
        let mut today = offer();
        today.gpus_per_lot = 1;
        today.gpu.memory_gb_per_device = 90;
        assert_eq!(
            snapshot.changes(Some(&today)),
            [OfferChange::GpusPerLot { seen: 2, today: 1 }, OfferChange::Hardware]
        );
    }

    #[test]
    fn a_withdrawn_offer_can_not_be_ordered_from_an_old_screen() {
        let snapshot = offer().snapshot(RentalDays::Three, Timestamp::from_seconds(0));
        let hidden = Offer { visible: false, ..offer() };
        let other = Offer { id: "h100".into(), ..offer() };
        for today in [None, Some(&hidden), Some(&other)] {
            assert_eq!(snapshot.changes(today), [OfferChange::Withdrawn]);
        }
    }
}
