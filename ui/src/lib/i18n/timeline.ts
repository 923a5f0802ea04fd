import type { EventKind } from '$lib/api/generated/EventKind';
import type { TimelineEvent } from '$lib/api/generated/TimelineEvent';
import type { MarkName } from '$lib/components/marks';
import { m } from '$lib/paraglide/messages';
import { methodName } from './methods';
import { usd } from './money';

/** A line of a timeline: its mark and its sentence. */
export interface TimelineLine {
  mark: MarkName;
  text: string;
}

type Writer = (data: TimelineEvent['data']) => TimelineLine;

const plain =
  (mark: MarkName, text: () => string): Writer =>
  () => ({ mark, text: text() });

/** Words behind a sentence, where the event carries them. */
function withMethod(sentence: string, data: TimelineEvent['data']): string {
  return data.method ? `${sentence} ${methodName(data.method)}` : sentence;
}

function withMoney(sentence: string, data: TimelineEvent['data']): string {
  return data.amount ? `${sentence} ${usd(data.amount)}` : sentence;
}

/** Why money became balance. */
function toBalanceReason(reason: string): string {
  const known: Record<string, () => string> = {
    top_up: m.balance_top_up,
    over: m.balance_over,
    no_lots: m.balance_no_lots,
    already_settled: m.balance_already_settled,
    cancelled: m.balance_cancelled,
    lapsed: m.balance_lapsed,
    decided: m.balance_decided,
    claimed: m.balance_claimed,
    not_fulfilled: m.balance_not_fulfilled,
    outage: m.balance_outage,
  };
  return (known[reason] ?? (() => m.balance_other({ reason })))();
}

/** One sentence for every kind there is: a new kind without one does not compile. */
const writers: Record<Exclude<EventKind, 'unknown'>, Writer> = {
  order_placed: plain('orders', m.event_order_placed),
  instructions: (data) => ({ mark: 'money-waiting', text: withMethod(m.event_instructions(), data) }),
  notice: plain('sent', m.event_notice),
  seen: plain('money-seen', m.event_seen),
  mined: plain('money-confirming', m.event_confirming),
  final: plain('money-confirming', m.event_final),
  held: (data) => ({ mark: 'money-underpaid', text: withMoney(m.event_held(), data) }),
  settled: plain('money-paid', m.event_settled),
  to_balance: (data) => ({
    mark: 'money-overpaid',
    text: `${withMoney(m.event_credited(), data)} ${data.reason ? toBalanceReason(data.reason) : ''}`.trim(),
  }),
  repaid: (data) => ({ mark: 'money-paid', text: withMoney(m.event_repaid(), data) }),
  undone: (data) => ({ mark: 'money-unknown', text: withMoney(m.event_reversed(), data) }),
  balance_chosen: (data) => ({ mark: 'balance', text: withMoney(m.event_balance_chosen(), data) }),
  order_cancelled: plain('machine-cancelled', m.event_cancelled),
  order_lapsed: plain('money-expired', m.event_lapsed),
  preparing: plain('machine-preparing', m.event_preparing),
  acceptance_passed: plain('tick', m.event_acceptance_passed),
  acceptance_differs: plain('machine-failed_acceptance', m.event_acceptance_failed),
  ready: plain('machine-active', m.event_ready),
};

/** Whether this version has a sentence for it; a newer server may send others. */
function isKnown(kind: string): kind is keyof typeof writers {
  return Object.hasOwn(writers, kind);
}

/** The sentence of an event. One that this version does not know is said to be so. */
export function timelineLine(event: TimelineEvent): TimelineLine {
  if (isKnown(event.kind)) return writers[event.kind](event.data);
  return { mark: 'money-unknown', text: m.event_unknown() };
}

/** Why a line stands in the balance. */
export function balanceReason(reason: string): string {
  const known: Record<string, () => string> = {
    received: m.balance_received,
    undone: m.balance_reversed,
    reversed: m.balance_reversed,
    settled: m.balance_spent,
    spent: m.balance_spent,
    released: m.balance_released,
    returned: m.balance_returned,
    chosen: m.balance_chosen,
    late: m.balance_late,
    adjustment: m.balance_adjustment,
  };
  return known[reason]?.() ?? toBalanceReason(reason);
}
