import type { Headline } from '$lib/api/generated/Headline';
import type { PaymentScreen } from '$lib/api/generated/PaymentScreen';
import type { Slip } from '$lib/api/generated/Slip';
import { toMs } from '$lib/i18n/time';

/** What may be drawn of a slip now. */
export type Drawn =
  | { state: 'open'; slip: Extract<Slip, { state: 'open' }> }
  | { state: 'refused'; slip: Extract<Slip, { state: 'refused' }> }
  | { state: 'withdrawn' }
  | { state: 'closed'; address_groups: string[]; amount: string };

/**
 * What may be drawn. The program behind the window decides; the window may only take away, and does so at once: when
 * the server's clock has passed the deadline, or when the server stopped answering, an open slip is not drawn although
 * the next answer has not come yet.
 */
export function drawn(screen: PaymentScreen, online: boolean, server_now_ms: number): Drawn {
  const { slip } = screen;
  if (slip.state === 'refused') return { state: 'refused', slip };
  if (slip.state === 'withdrawn') return { state: 'withdrawn' };
  if (slip.state === 'closed') {
    return { state: 'closed', address_groups: slip.address_groups, amount: slip.amount };
  }
  if (server_now_ms >= toMs(screen.payment.deadline)) {
    return { state: 'closed', address_groups: slip.address_groups, amount: slip.amount };
  }
  if (!online) return { state: 'withdrawn' };
  return { state: 'open', slip };
}

/** The way of a payment in four stops; how far it has come. A headline beside the way has none. */
export function stopReached(headline: Headline): 0 | 1 | 2 | 3 | null {
  switch (headline.kind) {
    case 'waiting':
      return 0;
    case 'seen':
      return 1;
    case 'confirming':
      return 2;
    case 'paid':
    case 'overpaid':
      return 3;
    default:
      return null;
  }
}

/** The minutes before the deadline at which the time left is said aloud. */
const said_at_minutes = [10, 5, 1];

/** The minute mark that lies between two readings of the time left, if one does. */
export function minuteMark(before_ms: number, after_ms: number): number | null {
  return said_at_minutes.find((minute) => before_ms > minute * 60_000 && after_ms <= minute * 60_000) ?? null;
}

/** Which groups of an address stand out: the first and the last, and the one before a last that is shorter than four. */
export function isEnd(groups: readonly string[], at: number): boolean {
  if (at === 0 || at === groups.length - 1) return true;
  return at === groups.length - 2 && (groups.at(-1)?.length ?? 4) < 4;
}
