// A person would read nothing, or the wrong thing, where a code has no sentence of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '$lib/api/generated/ErrorCode';
import type { SlipRefusal } from '$lib/api/generated/SlipRefusal';
import { errorSentences } from '$lib/i18n/errors';
import { locales, useLocale } from '$lib/i18n/locale.svelte';
import { refusalSentence } from '$lib/i18n/refusals';
import { fulfilmentLook, headlineLook, moneyLook } from '$lib/i18n/states';

/** One of each: the object must have every code there is, or it does not compile. */
const one_of_each: { [C in ErrorCode['code']]: Extract<ErrorCode, { code: C }> } = {
  bad_request: { code: 'bad_request', reason: 'x' },
  field_refused: { code: 'field_refused', field: 'lots', reason: 'out_of_range' },
  unknown_command: { code: 'unknown_command' },
  not_signed_in: { code: 'not_signed_in' },
  sign_in_expired: { code: 'sign_in_expired' },
  sign_in_copied: { code: 'sign_in_copied' },
  account_removed: { code: 'account_removed' },
  forbidden: { code: 'forbidden' },
  not_found: { code: 'not_found' },
  registration_refused: { code: 'registration_refused' },
  wrong_credentials: { code: 'wrong_credentials' },
  authenticator_code_needed: { code: 'authenticator_code_needed' },
  throttled: { code: 'throttled', retry_after_seconds: 30 },
  busy: { code: 'busy' },
  command_reused: { code: 'command_reused' },
  price_changed: { code: 'price_changed', confirmed: '2780.00', now: '2900.00' },
  sold_out: { code: 'sold_out', free_lots: 1 },
  unpaid_hold_limit: { code: 'unpaid_hold_limit' },
  half_of_offer_limit: { code: 'half_of_offer_limit' },
  open_payment_exists: { code: 'open_payment_exists', payment_id: 'p' },
  money_in_sight: { code: 'money_in_sight', in_sight: '1341.00' },
  too_many_open_payments: { code: 'too_many_open_payments' },
  too_many_from_network: { code: 'too_many_from_network' },
  method_unavailable: { code: 'method_unavailable', method: 'litecoin:ltc', reason: 'no_rate' },
  order_not_open: { code: 'order_not_open', state: 'lapsed' },
  order_lapses_soon: { code: 'order_lapses_soon', lapses_at: '1796131863123456' },
  payment_closed: { code: 'payment_closed' },
  wrong_move: { code: 'wrong_move', from: 'ready', to: 'preparing' },
  acceptance_not_passed: { code: 'acceptance_not_passed' },
  no_wallet: { code: 'no_wallet' },
  offline: { code: 'offline' },
  unreadable_answer: { code: 'unreadable_answer' },
  local_data: { code: 'local_data', reason: 'locked' },
  unsent_work: { code: 'unsent_work', count: 2 },
  internal: { code: 'internal' },
};

const refusals: { [R in SlipRefusal]: true } = {
  bad_record: true,
  unknown_key: true,
  bad_signature: true,
  wrong_environment: true,
  wrong_network: true,
  wrong_chain: true,
  past_last_day: true,
  old_epoch: true,
  bad_address: true,
  address_reused: true,
  wrong_method: true,
  wrong_total: true,
  wrong_amount: true,
};

describe.each(locales)('in %s', (locale) => {
  test('every error says what happened, what is safe and what to do next, each its own', () => {
    useLocale(locale);
    const all = Object.values(one_of_each).map(errorSentences);
    for (const sentences of all) {
      for (const text of Object.values(sentences)) expect(text).toMatch(/^[\p{Lu}\p{N}“].*[.!?]$/su);
    }
    expect(new Set(all.map(({ happened }) => happened)).size).toBe(all.length);
  });

  test('every refusal of an address has a sentence of its own', () => {
    useLocale(locale);
    const all = (Object.keys(refusals) as SlipRefusal[]).map(refusalSentence);
    expect(new Set(all).size).toBe(all.length);
  });

  test('a word from a newer server is said to be unknown and never crashes', () => {
    useLocale(locale);
    const unknown = headlineLook({ kind: 'unknown' }).word;
    expect(headlineLook({ kind: 'from_next_year' } as never).word).toBe(unknown);
    const last = { state: 'settled', headline: { kind: 'paid' }, fulfilment: 'preparing' } as const;
    for (const [look, known] of [
      [headlineLook({ kind: 'unknown' }, last), headlineLook({ kind: 'paid' })],
      [fulfilmentLook('unknown', last), fulfilmentLook('preparing')],
      [moneyLook('unknown', null, last), headlineLook({ kind: 'paid' })],
      [moneyLook('settled', { kind: 'unknown' }, last), headlineLook({ kind: 'paid' })],
    ] as const) {
      expect(look.word).toContain(unknown);
      expect(look.word).toContain(known.word);
      expect(look.tone, 'what was known is not said to hold').toBe('wait');
    }
    expect(fulfilmentLook('from_next_year' as never).word).toBe(unknown);
    expect(errorSentences({ code: 'from_next_year' } as never).happened).not.toBe('');
    expect(refusalSentence('from_next_year' as never)).not.toBe('');
  });
});

test('the codes above are those of the generated file', () => {
  const generated = readFileSync(
    join(import.meta.dirname, '../../src/lib/api/generated/ErrorCode.ts'),
    'utf8',
  );
  const codes = [...generated.matchAll(/"code": "(\w+)"/g)].map(([, code]) => code);
  expect(codes.sort()).toEqual(Object.keys(one_of_each).sort());
});
