import type { Preparation } from '$lib/api/generated/Preparation';

/** A choice on its way to an order. It lives in memory only: a restart or a sign-out leaves nothing of it. */
export interface Draft {
  offer_id: string;
  lots: number;
  days: number;
  preparation: Preparation;
  ssh_public_key: string;
}

let draft = $state.raw<Draft | null>(null);

/** The choice being made, if there is one. */
export function currentDraft(): Draft | null {
  return draft;
}

/** Keeps the choice, for example while somebody registers in the middle of it. */
export function keepDraft(choice: Draft): void {
  draft = choice;
}

/** Forgets it: ordered, or given up. */
export function forgetDraft(): void {
  draft = null;
}
