// Parts that hold a promise of their own, in a real browser.
import { page, userEvent } from 'vitest/browser';
import { beforeEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import type { Commands } from '$lib/api/generated/commands';
import CopyButton from '$lib/components/CopyButton.svelte';
import Countdown from '$lib/components/Countdown.svelte';
import Failure from '$lib/components/Failure.svelte';
import NewPassword from '$lib/components/NewPassword.svelte';
import { useLocale } from '$lib/i18n/locale.svelte';
import { ApiFailure } from '$lib/platform';
import type { Platform } from '$lib/platform';
import { liveText } from '$lib/state/live.svelte';
import { startSession, tookSession } from '$lib/state/session.svelte';
import { customer, payment } from '../support/fixtures';

let copied: string[] = [];
let clipboard_refuses = false;
let answer: (name: string, request: unknown) => unknown = () => customer;

beforeEach(() => {
  copied = [];
  clipboard_refuses = false;
  answer = () => customer;
  useLocale('en');
  window.__kernodeckHost = {
    call: <N extends keyof Commands>(name: N, request: Commands[N]['request']) =>
      Promise.resolve(answer(name, request) as Commands[N]['answer']),
    onChanged: () => () => undefined,
    copy: (text: string) => {
      if (clipboard_refuses) return Promise.reject(new Error('refused'));
      copied.push(text);
      return Promise.resolve();
    },
    saveFile: () => Promise.resolve(),
  } satisfies Platform;
});

test('a copy button copies exactly its text and says so; a refused clipboard is said too', async () => {
  await render(CopyButton, { text: ' a b ', label: 'Copy address', testid: 'x' });
  await page.getByTestId('x').click();
  expect(copied).toEqual([' a b ']);
  expect(liveText()).toContain('Copy address');
  clipboard_refuses = true;
  await page.getByTestId('x').click();
  expect(liveText()).toContain('refused');
  expect(copied).toHaveLength(1);
});

test('a secret leaves the clipboard after its time, and a clipboard that can’t be cleared is told', async () => {
  vi.useFakeTimers();
  const told: boolean[] = [];
  await render(CopyButton, {
    text: 's',
    label: 'l',
    testid: 'y',
    clear_after_s: 60,
    oncleared: (done) => told.push(done),
  });
  (document.querySelector('[data-testid="y"]') as HTMLElement).click();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(copied).toEqual(['s']);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(copied).toEqual(['s', '']);
  (document.querySelector('[data-testid="y"]') as HTMLElement).click();
  await vi.advanceTimersByTimeAsync(1_000);
  clipboard_refuses = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual([true, false]);
  vi.useRealTimers();
});

test('while a password is typed the answer to the newest one stands, whatever comes last', async () => {
  const waiting: (() => void)[] = [];
  answer = (name, request) => {
    if (name !== 'check_password') return customer;
    const { password } = request as Commands['check_password']['request'];
    const check = { code_points: password.length, refused: password.length < 15 ? 'too_short' : null };
    return new Promise((resolve) => waiting.push(() => resolve(check)));
  };
  await render(NewPassword, { value: '', email: 'a@b.c', label: 'Password', testid: 'p' });
  await userEvent.fill(page.getByTestId('p'), 'short');
  await userEvent.fill(page.getByTestId('p'), 'four unrelated words');
  await vi.waitFor(() => expect(waiting.length).toBeGreaterThanOrEqual(3));
  for (const resolve of waiting.toReversed()) resolve();
  const count = page.getByTestId('register-password-count');
  await expect.element(count).toHaveAttribute('data-count', '20');
  await expect.element(count).toHaveAttribute('data-refused', '');
});

test('a failure is an alert with its code and its three sentences', async () => {
  await render(Failure, { failure: new ApiFailure({ code: 'sold_out', free_lots: 1 }) });
  const alert = page.getByRole('alert');
  await expect.element(alert).toHaveAttribute('data-code', 'sold_out');
  expect(alert.element().textContent).toMatch(/1 is free now.*What is safe.*What to do next/s);
});

test('the countdown follows the server’s clock and says ten minutes aloud once', async () => {
  vi.useFakeTimers();
  const deadline_ms = Date.now() + 10 * 60_000 + 2_000;
  const stop = startSession();
  tookSession({ ...customer, clock_offset_micros: '0' });
  const deadline = (BigInt(deadline_ms) * 1000n).toString();
  await render(Countdown, { payment: payment({ deadline }) });
  const shown = () => document.querySelector('[data-testid="payment-countdown"]')?.textContent?.trim();
  expect(shown()).toMatch(/^10:0[12]$/);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(shown()).toMatch(/^09:5\d$/);
  expect(liveText()).toBe('10 minutes left to pay.');
  stop();
  vi.useRealTimers();
});
