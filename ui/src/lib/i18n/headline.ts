import type { Headline } from '$lib/api/generated/Headline';
import type { PaymentScreen } from '$lib/api/generated/PaymentScreen';
import { m } from '$lib/paraglide/messages';
import type { Sentences } from './errors';
import { assetName, networkName } from './methods';
import { usd } from './money';
import { headlineLook } from './states';
import { clockTime, exactDateTime } from './time';

/** What a payment's headline means: what happened, what is safe, what to do next. */
export function headlineSentences(screen: PaymentScreen, closed: boolean): Sentences {
  const { payment } = screen;
  const network = networkName(payment.method);
  const asset = assetName(payment.method);
  const asked = `${payment.amount} ${asset}`;
  const received = `${payment.facts.received} ${asset}`;
  const { headline } = payment;
  switch (headline.kind) {
    case 'waiting':
      // The clock is past the deadline and the watcher is not: «expired» is not said before it is known.
      if (closed) {
        return { happened: m.closing_happened(), safe: m.closing_safe(), next: m.closing_next() };
      }
      return {
        happened: m.waiting_happened({ network }),
        safe: m.waiting_safe(),
        next: m.waiting_next({ time: clockTime(payment.deadline) }),
      };
    case 'seen':
      return { happened: m.seen_happened({ received, network }), safe: m.seen_safe(), next: m.seen_next() };
    case 'confirming': {
      const { confirmations, required } = headline;
      return {
        happened: m.confirming_happened({ received, confirmations, required }),
        safe: m.confirming_safe(),
        next: m.confirming_next(),
      };
    }
    case 'underpaid':
      // What was asked for came, and went elsewhere: the debt that a reorganisation left, or balance where the lots were gone.
      if (payment.facts.received === payment.amount) {
        return {
          happened: m.underpaid_elsewhere_happened({ received }),
          safe: m.underpaid_elsewhere_safe(),
          next: screen.order
            ? m.underpaid_next({ missing: usd(screen.order.missing) })
            : m.underpaid_next_plain(),
        };
      }
      return {
        happened: m.underpaid_happened({ received, asked }),
        safe: m.underpaid_safe(),
        next: screen.order
          ? m.underpaid_next({ missing: usd(screen.order.missing) })
          : m.underpaid_next_plain(),
      };
    case 'paid':
      return { happened: m.paid_happened({ received }), safe: m.paid_safe(), next: m.paid_next() };
    case 'overpaid':
      return {
        happened: m.overpaid_happened({ received, asked }),
        safe: m.overpaid_safe(),
        next: m.overpaid_next(),
      };
    case 'expired':
      return {
        happened: m.expired_happened({ network, time: exactDateTime(payment.deadline) }),
        safe: m.expired_safe(),
        next: m.expired_next(),
      };
    case 'late':
      return { happened: m.late_happened({ received }), safe: m.late_safe(), next: m.late_next() };
    case 'in_review':
      return { happened: m.in_review_happened(), safe: m.in_review_safe(), next: m.in_review_next() };
    case 'unknown':
      return unknownSentences(payment.last_known?.headline ?? null);
    default:
      headline satisfies never;
      return unknownSentences(null);
  }
}

function unknownSentences(last: Headline | null): Sentences {
  const happened = last ? m.unknown_happened_last({ state: headlineLook(last).word }) : m.unknown_happened();
  return { happened, safe: m.unknown_safe(), next: m.unknown_next() };
}
