// Someone who misreads a deadline pays too late.
import { describe, expect, test } from 'vitest';
import { useLocale } from '$lib/i18n/locale.svelte';
import { ageText, clockTime, shareLeft, timeLeft, toInstant, toMs } from '$lib/i18n/time';
import { minuteMark } from '$lib/payment';

const now = 1_796_131_863_123;
const from_now = (ms: number) => toInstant(now + ms);
const minute = 60_000;

describe('time left', () => {
  test.each([
    [17 * minute + 42_000, '17:42'],
    [59 * minute + 59_999, '59:59'],
    [999, '00:00'],
    [0, '00:00'],
    [-5 * minute, '00:00'],
    [60 * minute, '01 h 00 m'],
    [4 * 24 * 60 * minute + 6 * 60 * minute + 12 * minute, '4 d 06 h 12 m'],
  ])('%d ms reads %s', (left, written) => {
    useLocale('en');
    expect(timeLeft(from_now(left), now)).toBe(written);
  });

  test('the parts are named in the language', () => {
    useLocale('tr');
    expect(timeLeft(from_now(26 * 60 * minute), now)).toBe('1 g 02 sa 00 dk');
  });
});

test('instants keep their microseconds on the way in and come out in milliseconds', () => {
  expect(toMs('1796131863123456')).toBe(now);
  expect(toInstant(now)).toBe('1796131863123000');
});

test('ages grow in units that need no arithmetic, and are never below zero', () => {
  useLocale('en');
  expect(ageText(from_now(-4_000), now)).toBe('4 s ago');
  expect(ageText(from_now(-125_000), now)).toBe('2 min ago');
  expect(ageText(from_now(5_000), now)).toBe('0 s ago');
  expect(ageText(from_now(-49 * 60 * minute), now)).toBe('2 days ago');
});

test('the share of time left stays between nothing and all', () => {
  expect(shareLeft(from_now(-10), from_now(30), now)).toBe(0.75);
  expect(shareLeft(from_now(-30), from_now(-10), now)).toBe(0);
  expect(shareLeft(from_now(0), from_now(0), now)).toBe(0);
});

test('UTC is UTC', () => {
  useLocale('en');
  expect(clockTime('1796131863123456', 'utc')).toBe(new Date(now).toISOString().slice(11, 19));
});

test('ten, five and one minute are said once, and nothing between', () => {
  expect(minuteMark(10 * minute + 500, 10 * minute - 500)).toBe(10);
  expect(minuteMark(10 * minute - 500, 10 * minute - 1_500)).toBeNull();
  expect(minuteMark(5 * minute + 1, 5 * minute)).toBe(5);
  expect(minuteMark(61_000, 59_000)).toBe(1);
});
