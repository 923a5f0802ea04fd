import type { BalanceEntryView } from '$lib/api/generated/BalanceEntryView';
import type { OrderView } from '$lib/api/generated/OrderView';
import type { TimelineEvent } from '$lib/api/generated/TimelineEvent';

/** A line of the history: something that happened to an order, or a line of the balance. */
export type HistoryLine =
  | { kind: 'event'; key: string; at: string; order: OrderView; event: TimelineEvent }
  | { kind: 'balance'; key: string; at: string; order: OrderView | null; entry: BalanceEntryView };

/** Everything held on this device, newest first. Instants are strings of one length for the next 200 years, and longer is later. */
export function historyLines(
  orders: readonly OrderView[],
  entries: readonly BalanceEntryView[],
): HistoryLine[] {
  // A timeline stands oldest first; events of one instant keep that order, so here too the later one comes first.
  const events = orders.flatMap((order) =>
    order.timeline
      .map((event, at): HistoryLine => ({
        kind: 'event',
        key: `${order.id}:${at}`,
        at: event.at,
        order,
        event,
      }))
      .toReversed(),
  );
  const money = entries.map((entry): HistoryLine => ({
    kind: 'balance',
    key: entry.id,
    at: entry.at,
    order: orders.find((order) => order.id === entry.order_id) ?? null,
    entry,
  }));
  return [...events, ...money].toSorted((left, right) => {
    const [later, earlier] = [BigInt(right.at), BigInt(left.at)];
    return later < earlier ? -1 : later > earlier ? 1 : 0;
  });
}
