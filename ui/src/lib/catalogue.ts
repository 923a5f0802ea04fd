import type { Backend } from '$lib/api/generated/Backend';
import type { OfferView } from '$lib/api/generated/OfferView';
import type { Usd } from '$lib/api/generated/Usd';
import { compareDecimals } from '$lib/i18n/money';
import { matches } from '$lib/i18n/search';

/** The durations, in days. */
export const durations = [3, 7, 30] as const;

/** What the catalogue is narrowed to. */
export interface Filter {
  search: string;
  backend: Backend | 'any';
  /** At least so many GB that one process can use on one device; 0 for any. */
  memory_gb: number;
  /** At most this price for seven days, a decimal; empty for any. */
  price: string;
  in_stock: boolean;
}

export const no_filter: Filter = { search: '', backend: 'any', memory_gb: 0, price: '', in_stock: false };

/** What can be sorted by. */
export type SortKey = 'name' | 'memory' | 'free' | '3' | '7' | '30';

/** The price of one lot for a duration, if there is one. */
export function priceFor(offer: OfferView, days: number): Usd | null {
  return offer.prices.find((price) => price.days === days)?.per_lot ?? null;
}

/** Whether a typed price limit can be read; an empty one can. */
export function isPriceLimit(typed: string): boolean {
  return /^\d*(\.\d{0,2})?$/.test(typed.trim());
}

function fits(offer: OfferView, filter: Filter): boolean {
  const { gpu } = offer;
  if (filter.backend !== 'any' && gpu.backend !== filter.backend) return false;
  if (gpu.memory_gb_per_device < filter.memory_gb) return false;
  if (filter.in_stock && offer.free_lots === 0) return false;
  const limit = filter.price.trim();
  const seven = priceFor(offer, 7);
  if (limit !== '' && isPriceLimit(limit) && (seven === null || compareDecimals(seven, limit) > 0))
    return false;
  return matches(`${gpu.name} ${gpu.architecture} ${gpu.vendor} ${gpu.backend}`, filter.search);
}

function compare(left: OfferView, right: OfferView, key: SortKey): number {
  if (key === 'memory') return left.gpu.memory_gb_per_device - right.gpu.memory_gb_per_device;
  if (key === 'free') return left.free_lots - right.free_lots;
  if (key === 'name') return left.gpu.name.localeCompare(right.gpu.name, 'en', { numeric: true });
  const days = { '3': 3, '7': 7, '30': 30 }[key];
  return compareDecimals(priceFor(left, days) ?? '0', priceFor(right, days) ?? '0');
}

/** The offers that a filter leaves, in order. Offers alike in the key stay in the order of their names. */
export function chosenOffers(
  offers: readonly OfferView[],
  filter: Filter,
  key: SortKey,
  descending: boolean,
): OfferView[] {
  return offers
    .filter((offer) => fits(offer, filter))
    .toSorted((left, right) => {
      const by_key = descending ? compare(right, left, key) : compare(left, right, key);
      return by_key !== 0 ? by_key : compare(left, right, 'name');
    });
}
