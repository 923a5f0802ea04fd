import type { Usd } from '$lib/api/generated/Usd';
import { locale } from './locale.svelte';

/*
 * Money is a decimal string from the first byte to the last pixel. `Intl.NumberFormat` formats such strings exactly;
 * the type of its argument says so, the strings of the wire do not.
 */
const exact = (decimal: string) => decimal as Intl.StringNumericLiteral;

/** Dollars as the language writes them: `$1,390.00`, `US$ 1.390,00`, `1.390,00 USD`. */
export function usd(amount: Usd): string {
  const language = locale();
  if (language === 'tr') return `${plainUsd(amount)} USD`;
  return new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' }).format(exact(amount));
}

/** Dollars without their sign, for a column that says USD in its head. */
export function plainUsd(amount: Usd): string {
  const options = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(locale(), options).format(exact(amount));
}

/** Dollars with `+` or `−` before them, for lines of the balance. */
export function signedUsd(amount: Usd): string {
  const options = {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    signDisplay: 'exceptZero',
  } as const;
  return new Intl.NumberFormat(locale(), options).format(exact(amount));
}

/** Whether a decimal string is zero, without reading it as a number. */
export function isZero(amount: string): boolean {
  return !/[1-9]/.test(amount);
}

/** Whether a decimal string is below zero. */
export function isNegative(amount: string): boolean {
  return amount.startsWith('-') && !isZero(amount);
}

/** Orders two decimal strings without reading them as numbers. Both are zero or above. */
export function compareDecimals(left: string, right: string): number {
  const [left_whole = '', left_rest = ''] = left.split('.');
  const [right_whole = '', right_rest = ''] = right.split('.');
  const width = Math.max(left_whole.length, right_whole.length);
  const whole = left_whole.padStart(width, '0').localeCompare(right_whole.padStart(width, '0'), 'en');
  if (whole !== 0) return whole;
  const places = Math.max(left_rest.length, right_rest.length);
  return left_rest.padEnd(places, '0').localeCompare(right_rest.padEnd(places, '0'), 'en');
}

/** A rate as the language writes it, with every digit that it has. */
export function rateText(rate: string): string {
  const digits = rate.split('.')[1]?.length ?? 0;
  const options = { minimumFractionDigits: Math.min(digits, 20), maximumFractionDigits: 20 };
  return new Intl.NumberFormat(locale(), options).format(exact(rate));
}

/** A count as the language writes it. */
export function count(n: number): string {
  return new Intl.NumberFormat(locale()).format(n);
}
