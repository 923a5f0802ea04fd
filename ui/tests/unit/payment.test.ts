// Money sent to an address that no longer holds is late at best. What must go from the screen goes at once.
import { expect, test } from 'vitest';
import { drawn, isEnd, stopReached } from '$lib/payment';
import { address_groups, at, by_headline, closed_slip, now_ms, open_slip, screen } from '../support/fixtures';

test('an open slip is drawn while the server answers and the time lasts', () => {
  expect(drawn(screen(open_slip), true, now_ms)).toEqual({ state: 'open', slip: open_slip });
});

test('one tick after the deadline it is closed, although the program has not said so yet', () => {
  const shown = screen(open_slip, { deadline: at(1_000) });
  expect(drawn(shown, true, now_ms + 999).state).toBe('open');
  expect(drawn(shown, true, now_ms + 1_000)).toEqual({
    state: 'closed',
    address_groups,
    amount: open_slip.amount,
  });
});

test('it is withdrawn as soon as the server is silent', () => {
  expect(drawn(screen(open_slip), false, now_ms)).toEqual({ state: 'withdrawn' });
});

test('the window only takes away: what the program refused, withdrew or closed never opens', () => {
  const before = now_ms - 3_600_000;
  expect(drawn(screen({ state: 'refused', reason: 'bad_signature' }), true, before).state).toBe('refused');
  expect(drawn(screen({ state: 'withdrawn' }), true, before).state).toBe('withdrawn');
  expect(drawn(screen(closed_slip), true, before).state).toBe('closed');
});

test('a refused slip carries nothing that could be copied', () => {
  expect(
    JSON.stringify(drawn(screen({ state: 'refused', reason: 'old_epoch' }), true, now_ms)),
  ).not.toContain('ltc1');
});

test('the ends of an address stand out, also when the last group is short', () => {
  const ends = (groups: string[]) => groups.filter((_, at) => isEnd(groups, at));
  expect(ends(['ltc1', 'qjmx', 'nz78', 'k4wh'])).toEqual(['ltc1', 'k4wh']);
  expect(ends(['TUEZ', 'SdKs', 'hGWY', 'dH'])).toEqual(['TUEZ', 'hGWY', 'dH']);
});

test('only what lies on the way of a payment has a stop', () => {
  const stops = Object.entries(by_headline).map(([kind, { payment }]) => [
    kind,
    stopReached(payment.headline),
  ]);
  expect(Object.fromEntries(stops)).toEqual({
    waiting: 0,
    seen: 1,
    confirming: 2,
    paid: 3,
    overpaid: 3,
    underpaid: null,
    expired: null,
    late: null,
    in_review: null,
    unknown: null,
  });
});
