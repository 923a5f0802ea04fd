import type { FulfilmentState } from '$lib/api/generated/FulfilmentState';
import type { Headline } from '$lib/api/generated/Headline';
import type { LastKnown } from '$lib/api/generated/LastKnown';
import type { OrderState } from '$lib/api/generated/OrderState';
import type { Preparation } from '$lib/api/generated/Preparation';
import type { MarkName } from '$lib/components/marks';
import { m } from '$lib/paraglide/messages';

/** off = rest, run = moves by itself, wait = needs someone, go = settled, stop = refused. */
export type Tone = 'off' | 'run' | 'wait' | 'go' | 'stop';

/** A state as it is shown: mark, word, tone. Colour repeats the word and never stands for it. */
export interface StateLook {
  word: string;
  mark: MarkName;
  tone: Tone;
}

/** What can be known of a state beside itself: the last one that this version knew, where a newer server told another. */
type Last = LastKnown | null;

/** A state from a newer server: unknown, with the last known one where this device has it. */
function unknownLook(mark: MarkName, last: string | null): StateLook {
  const word = last === null ? m.state_unknown() : m.state_unknown_last({ state: last });
  return { word, mark, tone: 'wait' };
}

/** The headline of a payment. One from a newer server is said to be unknown. */
export function headlineLook(headline: Headline, last: Last = null): StateLook {
  switch (headline.kind) {
    case 'waiting':
      return { word: m.headline_waiting(), mark: 'money-waiting', tone: 'off' };
    case 'seen':
      return { word: m.headline_seen(), mark: 'money-seen', tone: 'run' };
    case 'confirming': {
      const { confirmations, required } = headline;
      return {
        word: m.headline_confirming({ confirmations, required }),
        mark: 'money-confirming',
        tone: 'run',
      };
    }
    case 'underpaid':
      return { word: m.headline_underpaid(), mark: 'money-underpaid', tone: 'wait' };
    case 'paid':
      return { word: m.headline_paid(), mark: 'money-paid', tone: 'go' };
    case 'overpaid':
      return { word: m.headline_overpaid(), mark: 'money-overpaid', tone: 'go' };
    case 'expired':
      return { word: m.headline_expired(), mark: 'money-expired', tone: 'off' };
    case 'late':
      return { word: m.headline_late(), mark: 'money-late', tone: 'wait' };
    case 'in_review':
      return { word: m.headline_in_review(), mark: 'money-in_review', tone: 'wait' };
    case 'unknown':
      return unknownLook('money-unknown', last?.headline ? headlineLook(last.headline).word : null);
    default:
      headline satisfies never;
      return unknownLook('money-unknown', null);
  }
}

/** The state of fulfilment. */
export function fulfilmentLook(state: FulfilmentState, last: Last = null): StateLook {
  switch (state) {
    case 'not_started':
      return { word: m.fulfilment_not_started(), mark: 'machine-not_started', tone: 'off' };
    case 'preparing':
      return { word: m.fulfilment_preparing(), mark: 'machine-preparing', tone: 'run' };
    case 'active':
      return { word: m.fulfilment_active(), mark: 'machine-active', tone: 'run' };
    case 'ending':
      return { word: m.fulfilment_ending(), mark: 'machine-ending', tone: 'wait' };
    case 'ended':
      return { word: m.fulfilment_ended(), mark: 'machine-ended', tone: 'off' };
    case 'wiped':
      return { word: m.fulfilment_wiped(), mark: 'machine-wiped', tone: 'off' };
    case 'cancelled':
      return { word: m.fulfilment_cancelled(), mark: 'machine-cancelled', tone: 'off' };
    case 'failed_acceptance':
      return { word: m.fulfilment_failed_acceptance(), mark: 'machine-failed_acceptance', tone: 'stop' };
    case 'suspended':
      return { word: m.fulfilment_suspended(), mark: 'machine-suspended', tone: 'wait' };
    case 'unknown':
      return unknownLook('machine-unknown', last?.fulfilment ? fulfilmentLook(last.fulfilment).word : null);
    default:
      state satisfies never;
      return unknownLook('machine-unknown', null);
  }
}

/** An order as money sees it. */
export function orderStateWord(state: OrderState): string {
  switch (state) {
    case 'open':
      return m.order_state_open();
    case 'settled':
      return m.order_state_settled();
    case 'cancelled':
      return m.order_state_cancelled();
    case 'lapsed':
      return m.order_state_lapsed();
    case 'unknown':
      return m.state_unknown();
    default:
      state satisfies never;
      return m.state_unknown();
  }
}

/** The money side of an order: the headline of its payment where there is one, else the order's own state. */
export function moneyLook(state: OrderState, headline: Headline | null, last: Last = null): StateLook {
  if (headline !== null && (state === 'open' || state === 'settled')) return headlineLook(headline, last);
  switch (state) {
    case 'open':
      return { word: m.order_money_none(), mark: 'money-waiting', tone: 'off' };
    case 'settled':
      return { word: m.headline_paid(), mark: 'money-paid', tone: 'go' };
    case 'cancelled':
    case 'lapsed':
      return { word: orderStateWord(state), mark: 'money-expired', tone: 'off' };
    case 'unknown':
      return unknownLook(
        'money-unknown',
        last?.state ? moneyLook(last.state, last.headline ?? headline).word : null,
      );
    default:
      state satisfies never;
      return unknownLook('money-unknown', null);
  }
}

/** The starting points, in the product's order. */
export const preparations: readonly Preparation[] = ['python', 'pytorch', 'notebook', 'inference'];

/** The name of a starting point. */
export function preparationName(preparation: Preparation): string {
  switch (preparation) {
    case 'python':
      return m.preparation_python();
    case 'pytorch':
      return m.preparation_pytorch();
    case 'notebook':
      return m.preparation_notebook();
    case 'inference':
      return m.preparation_inference();
    default:
      preparation satisfies never;
      return m.state_unknown();
  }
}
