//! The catalogue: offers with prices and stock, and the one that a new installation starts with.

use api::server::CatalogueAnswer;
use api::views::{CatalogueView, OfferView, PriceView};
use domain::order::Stock;
use domain::{Cents, Timestamp};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use store::Tx;
use store::repo::catalogue::{self, OfferRow, PriceRow, TakenRow};

use crate::hardware::{Gpu, Hardware};
use crate::refusal::{Outcome, Refusal};

const STARTER: &str = include_str!("../data/starter_catalogue.json");

#[derive(Deserialize)]
struct Starter {
    prices_are_samples: bool,
    offers: Vec<StarterOffer>,
}

#[derive(Deserialize)]
struct StarterOffer {
    id: String,
    gpu: Gpu,
    gpus_per_lot: u32,
    price_cents: BTreeMap<String, String>,
    lots_total: u32,
    visible: bool,
}

/// Adds the starter catalogue's offers that are not there. What operators changed stays.
pub fn install_starter(tx: &mut Tx<'_>, now: Timestamp) -> Outcome<()> {
    let starter: Starter = serde_json::from_str(STARTER).map_err(|error| Refusal::broken(error.to_string()))?;
    for (position, offer) in (0i64..).zip(starter.offers) {
        let hardware = Hardware { gpu: offer.gpu, gpus_per_lot: offer.gpus_per_lot };
        hardware.facts()?;
        let row = OfferRow {
            id: offer.id.clone(),
            hardware: hardware.write()?,
            position,
            lots_total: offer.lots_total,
            visible: offer.visible,
            sample: starter.prices_are_samples,
        };
        if !catalogue::insert(tx, &row)? {
            continue;
        }
        for (days, cents) in &offer.price_cents {
            let broken = || Refusal::broken(format!("starter price of {}", offer.id));
            let days = days.parse().map_err(|_| broken())?;
            let per_lot_cents = cents.parse().map_err(|_| broken())?;
            catalogue::insert_price(tx, &PriceRow { offer_id: offer.id.clone(), days, per_lot_cents }, now)?;
        }
    }
    Ok(())
}

/// The visible offers now. The version is a hash of all that is shown, which is what an ETag must be.
pub fn view(tx: &mut Tx<'_>, now: Timestamp) -> Outcome<CatalogueAnswer> {
    let prices = catalogue::prices(tx, now)?;
    let taken = catalogue::taken(tx)?;
    let mut offers = Vec::new();
    for row in catalogue::offers(tx)?.into_iter().filter(|row| row.visible) {
        offers.push(offer_view(&row, &prices, &taken)?);
    }
    let text = serde_json::to_string(&offers).map_err(|error| Refusal::broken(error.to_string()))?;
    let version = hex::encode(&Sha256::digest(text)[..16]);
    Ok(CatalogueAnswer { version, catalogue: CatalogueView { offers, as_of: now.into() } })
}

fn offer_view(row: &OfferRow, prices: &[PriceRow], taken: &[TakenRow]) -> Outcome<OfferView> {
    let taken = taken.iter().find(|taken| taken.offer_id == row.id);
    let stock = Stock { total: row.lots_total, taken: taken.map_or(0, |taken| taken.lots), ..Stock::default() };
    let mut own: Vec<PriceView> = prices
        .iter()
        .filter(|price| price.offer_id == row.id)
        .map(|price| PriceView { days: price.days, per_lot: Cents::new(price.per_lot_cents).into() })
        .collect();
    own.sort_by_key(|price| price.days);
    Ok(OfferView {
        id: row.id.clone(),
        gpu: Hardware::read(&row.hardware)?.view()?,
        prices: own,
        free_lots: stock.free(),
        held_until: taken.and_then(|taken| taken.held_until).map(Into::into),
        sample: row.sample,
    })
}
