import { describe, expect, test } from 'vitest';
import { commandId } from '$lib/api';
import { chosenOffers, isPriceLimit, no_filter } from '$lib/catalogue';
import { leadTo } from '$lib/guard';
import { historyLines } from '$lib/history';
import { bestLocale } from '$lib/i18n/locale.svelte';
import { methodAbout, methodAboutAddress } from '$lib/i18n/methods';
import { matches } from '$lib/i18n/search';
import { memoryPerDevice, perDevice, wholeNumber } from '$lib/operator';
import { toFailure } from '$lib/platform';
import { read } from '$lib/state/settings.svelte';
import { ids } from '$lib/testids';
import { activeOrder, address, at, catalogue, customer, nobody, operator, order } from '../support/fixtures';

describe('finding', () => {
  // A Turkish reader types what the keyboard gives, with either letter i.
  test.each(['Iğdır', 'IĞDIR', 'igdir', 'İĞDİR'])('%s finds Iğdır', (typed) => {
    expect(matches('Iğdır', typed)).toBe(true);
  });

  test('every word must occur, in any order', () => {
    expect(matches('NVIDIA H100 SXM 80 GB', 'sxm h100')).toBe(true);
    expect(matches('NVIDIA H100 SXM 80 GB', 'h100 pcie')).toBe(false);
    expect(matches('anything', '')).toBe(true);
  });
});

describe('catalogue', () => {
  const names = (
    filter: Partial<typeof no_filter>,
    sort: '7' | 'memory' | 'name' = '7',
    descending = false,
  ) => chosenOffers(catalogue.offers, { ...no_filter, ...filter }, sort, descending).map(({ id }) => id);

  test('prices are ordered by value, not as text', () => {
    expect(names({})).toEqual([
      'v100',
      'l40s',
      'rtx5090',
      'mi250x',
      'a100',
      'mi300x',
      'h100',
      'h200',
      'b200',
    ]);
  });

  test('memory is that of one device and never adds up: two dies of 64 GB are no 128', () => {
    expect(names({ memory_gb: 128 })).toEqual(['mi300x', 'h200', 'b200']);
  });

  test('backend, price and stock narrow; an unreadable price narrows nothing', () => {
    expect(names({ backend: 'rocm' })).toEqual(['mi250x', 'mi300x']);
    expect(names({ price: '216' })).toEqual(['v100', 'l40s', 'rtx5090', 'mi250x', 'a100']);
    expect(names({ price: '2.16e2' })).toHaveLength(9);
    expect(names({ in_stock: true })).not.toContain('mi250x');
    expect([isPriceLimit(''), isPriceLimit('1390.50'), isPriceLimit('1,390'), isPriceLimit('-1')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('who sees what', () => {
  test('nobody is led to sign in, and each role to its own side', () => {
    expect(leadTo('/orders/[id]', nobody)).toBe('/sign-in');
    expect(leadTo('/catalogue', nobody)).toBeNull();
    expect(leadTo('/review', nobody)).toBeNull();
    expect(leadTo('/operator', nobody)).toBe('/sign-in');
    expect(leadTo('/operator/audit', customer)).toBe('/catalogue');
    expect(leadTo('/operator/audit', operator)).toBeNull();
    expect(leadTo('/orders', operator)).toBe('/operator');
    expect(leadTo('/orders', { ...customer, sign_in_ended: 'expired' })).toBeNull();
  });
});

describe('language', () => {
  test('is the first of the preferred ones that exists, by its own name or its family', () => {
    expect(bestLocale(['de-DE', 'pt-PT', 'en'])).toBe('pt-BR');
    expect(bestLocale(['tr'])).toBe('tr');
    expect(bestLocale(['de'])).toBe('en');
  });

  test('settings that can’t be read become the defaults', () => {
    expect(read('{"theme":"purple","text_percent":9,"locale":"xx"}', ['tr-TR'])).toEqual({
      locale: 'tr',
      theme: 'system',
      text_percent: 100,
      started: false,
    });
    expect(read('not json', ['en']).theme).toBe('system');
    expect(read('{"theme":"dark","text_percent":150,"locale":"pt-BR","started":true}', ['en'])).toEqual({
      locale: 'pt-BR',
      theme: 'dark',
      text_percent: 150,
      started: true,
    });
  });
});

describe('methods', () => {
  test('the beginning of an address follows the address itself, and is told before only where it is the real one', () => {
    expect(methodAboutAddress('litecoin:ltc', address)).toContain('tltc1');
    expect(methodAbout('litecoin:ltc', 'production')).toContain('ltc1');
    expect(methodAbout('litecoin:ltc', 'sandbox')).not.toContain('ltc1');
    expect(methodAboutAddress('tron:usdt', 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH')).toMatch(/ T$/);
  });
});

describe('acceptance', () => {
  test('one line stands for all devices, several must be one each', () => {
    expect(perDevice('NVIDIA B200\n', 4)).toEqual(Array.from({ length: 4 }, () => 'NVIDIA B200'));
    expect(perDevice('A\nB\n\n', 4)).toEqual(['A', 'B']);
    expect(memoryPerDevice('183359 MiB\n183359', 2)).toEqual([183359, 183359]);
    expect(memoryPerDevice('183,359', 2)).toBeNull();
    expect(memoryPerDevice('', 2)).toBeNull();
    expect([wholeNumber('4'), wholeNumber('4.5'), wholeNumber('-1'), wholeNumber('')]).toEqual([
      4,
      null,
      null,
      null,
    ]);
  });
});

test('the history holds everything, newest first, each line with its order', () => {
  const lines = historyLines(
    [order(), activeOrder()],
    [{ id: 'b', at: at(1), reason: 'received', amount: '1.00', order_id: null, payment_id: null }],
  );
  expect(lines).toHaveLength(order().timeline.length + activeOrder().timeline.length + 1);
  expect(lines[0]?.kind).toBe('balance');
  const times = lines.map((line) => BigInt(line.at));
  expect(times).toEqual(times.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
  // What one commit brought: paid follows from final, so it stands above.
  const together = (kind: 'final' | 'settled') => ({ at: at(0), kind, payment_id: null, data: {} });
  const one = order({ timeline: [together('final'), together('settled')] });
  const kinds = historyLines([one], []).map((line) => line.kind === 'event' && line.event.kind);
  expect(kinds).toEqual(['settled', 'final']);
});

test('command ids are version 7, in the order of their making, and never the same', () => {
  const made = Array.from({ length: 200 }, (_, at) => commandId(1_796_131_863_000 + at));
  for (const id of made)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(made).toEqual(made.toSorted());
  expect(new Set(made).size).toBe(made.length);
});

test('whatever a host throws becomes a code', () => {
  expect(toFailure('{"error":{"code":"busy"}}').error).toEqual({ code: 'busy' });
  expect(toFailure({ error: { code: 'offline' } }).error).toEqual({ code: 'offline' });
  expect(toFailure('the channel is closed').error).toEqual({ code: 'unreadable_answer' });
  expect(toFailure(undefined).error).toEqual({ code: 'unreadable_answer' });
});

test('no two elements share a test id', () => {
  const fixed = Object.values(ids).filter((id) => typeof id === 'string');
  expect(new Set(fixed).size).toBe(fixed.length);
});
