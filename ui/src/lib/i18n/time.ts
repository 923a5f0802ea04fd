import type { Instant } from '$lib/api/generated/Instant';
import { m } from '$lib/paraglide/messages';
import { locale } from './locale.svelte';

const second_ms = 1_000;
const minute_ms = 60 * second_ms;
const hour_ms = 60 * minute_ms;
const day_ms = 24 * hour_ms;

/** An instant of the wire (microseconds, as a string) in milliseconds. */
export function toMs(instant: Instant): number {
  return Number(BigInt(instant) / 1000n);
}

/** Milliseconds as an instant of the wire. */
export function toInstant(ms: number): Instant {
  return (BigInt(Math.trunc(ms)) * 1000n).toString();
}

type Zone = 'local' | 'utc';

function format(instant: Instant, options: Intl.DateTimeFormatOptions, zone: Zone): string {
  const timeZone = zone === 'utc' ? { timeZone: 'UTC' } : {};
  return new Intl.DateTimeFormat(locale(), { ...options, ...timeZone, hourCycle: 'h23' }).format(
    toMs(instant),
  );
}

/** `14:51:20`. */
export function clockTime(instant: Instant, zone: Zone = 'local'): string {
  return format(instant, { hour: '2-digit', minute: '2-digit', second: '2-digit' }, zone);
}

/** `14:51`. */
export function shortTime(instant: Instant, zone: Zone = 'local'): string {
  return format(instant, { hour: '2-digit', minute: '2-digit' }, zone);
}

/** `Tue 8 Dec`, in the language's own order. */
export function dayText(instant: Instant, zone: Zone = 'local'): string {
  return format(instant, { weekday: 'short', day: 'numeric', month: 'short' }, zone);
}

/** `Tuesday, 8 December 2026`, for headings. */
export function longDay(instant: Instant): string {
  return format(instant, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, 'local');
}

/** `8 Dec, 14:51`, where the year is plain. */
export function shortDateTime(instant: Instant): string {
  return format(instant, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }, 'local');
}

/** `8 Dec 2026, 14:51`. */
export function dateTime(instant: Instant, zone: Zone = 'local'): string {
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  return format(instant, { ...day, hour: '2-digit', minute: '2-digit' }, zone);
}

/** `8 Dec 2026, 14:51:20`, for instants that decide something. */
export function exactDateTime(instant: Instant, zone: Zone = 'local'): string {
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  return format(instant, { ...day, ...time }, zone);
}

/** How long ago, in words that need no arithmetic: `4 s ago`. */
export function ageText(instant: Instant, now_ms: number): string {
  const age_ms = Math.max(0, now_ms - toMs(instant));
  if (age_ms < minute_ms) return m.age_seconds({ n: Math.floor(age_ms / second_ms) });
  if (age_ms < hour_ms) return m.age_minutes({ n: Math.floor(age_ms / minute_ms) });
  if (age_ms < 2 * day_ms) return m.age_hours({ n: Math.floor(age_ms / hour_ms) });
  return m.age_days({ n: Math.floor(age_ms / day_ms) });
}

const two = (n: number) => String(n).padStart(2, '0');

/** Time left: `17:42` under an hour, `4 d 06 h 12 m` above. Never below zero. */
export function timeLeft(until: Instant, now_ms: number): string {
  const left_ms = Math.max(0, toMs(until) - now_ms);
  if (left_ms < hour_ms) {
    return `${two(Math.floor(left_ms / minute_ms))}:${two(Math.floor((left_ms % minute_ms) / second_ms))}`;
  }
  const days = Math.floor(left_ms / day_ms);
  const hours = two(Math.floor((left_ms % day_ms) / hour_ms));
  const minutes = two(Math.floor((left_ms % hour_ms) / minute_ms));
  if (days === 0) return m.left_hours({ hours, minutes });
  return m.left_days({ days, hours, minutes });
}

/** How much of a span is still ahead, 0 to 1. */
export function shareLeft(from: Instant, until: Instant, now_ms: number): number {
  const span_ms = toMs(until) - toMs(from);
  if (span_ms <= 0) return 0;
  return Math.min(1, Math.max(0, (toMs(until) - now_ms) / span_ms));
}
