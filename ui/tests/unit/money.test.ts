// A wrong digit is somebody's money.
import { describe, expect, test } from 'vitest';
import { compareDecimals, isNegative, isZero, plainUsd, rateText, signedUsd, usd } from '$lib/i18n/money';
import { useLocale } from '$lib/i18n/locale.svelte';

const tidy = (text: string) => text.replace(/\u00a0/g, ' ');

describe('dollars', () => {
  test.each([
    ['en', '1390.00', '$1,390.00'],
    ['pt-BR', '1390.00', 'US$ 1.390,00'],
    ['tr', '1390.00', '1.390,00 USD'],
    ['en', '0.00', '$0.00'],
    ['tr', '-12.05', '-12,05 USD'],
    // Beyond what a float can hold: the last digits would be lost.
    ['en', '90071992547409931.17', '$90,071,992,547,409,931.17'],
    ['tr', '90071992547409931.17', '90.071.992.547.409.931,17 USD'],
  ] as const)('%s writes %s as %s', (locale, amount, written) => {
    useLocale(locale);
    expect(tidy(usd(amount))).toBe(written);
  });

  test('columns and signs', () => {
    useLocale('en');
    expect(plainUsd('2780.00')).toBe('2,780.00');
    expect(signedUsd('69.91')).toBe('+69.91');
    expect(signedUsd('-12.00')).toBe('-12.00');
    expect(signedUsd('0.00')).toBe('0.00');
  });

  test('rates keep every digit that they have', () => {
    useLocale('pt-BR');
    expect(rateText('113.996500')).toBe('113,996500');
    expect(rateText('0.000000000000000001')).toBe('0,000000000000000001');
  });
});

test('zero and below are read from the text', () => {
  expect(isZero('0.00')).toBe(true);
  expect(isZero('0')).toBe(true);
  expect(isZero('0.000000000000000001')).toBe(false);
  expect(isNegative('-0.00')).toBe(false);
  expect(isNegative('-0.01')).toBe(true);
});

test('amounts are ordered without being read as numbers', () => {
  const order = ['88.00', '9.90', '1390.00', '1390.01', '0.50', '9007199254740993.00', '9007199254740992.00'];
  expect(order.toSorted(compareDecimals)).toEqual([
    '0.50',
    '9.90',
    '88.00',
    '1390.00',
    '1390.01',
    '9007199254740992.00',
    '9007199254740993.00',
  ]);
  expect(compareDecimals('1.5', '1.50')).toBe(0);
});
