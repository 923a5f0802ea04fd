import { call } from '$lib/api';
import type { Role } from '$lib/api/generated/Role';
import type { SessionView } from '$lib/api/generated/SessionView';
import { platform } from '$lib/platform';
import { toFailure } from '$lib/platform';
import type { ApiFailure } from '$lib/platform';

let session = $state.raw<SessionView | null>(null);
let failure = $state.raw<ApiFailure | null>(null);
let changes = $state(0);
let now_ms = $state(Date.now());

/** Who is signed in and how fresh everything is; null until the first answer. */
export function currentSession(): SessionView | null {
  return session;
}

/** Why the session could not be read, if so. */
export function sessionFailure(): ApiFailure | null {
  return failure;
}

/** Takes over an answer that a command gave. */
export function tookSession(answer: SessionView): void {
  session = answer;
  changes += 1;
}

/** Grows whenever something may have changed; reading it makes a page load again. */
export function changeCount(): number {
  return changes;
}

/** The server's clock, in milliseconds, ticking once a second. Deadlines are the server's, so a wrong clock here does no harm. */
export function serverNow(): number {
  const offset = session?.clock_offset_micros;
  return now_ms + (offset ? Number(BigInt(offset) / 1000n) : 0);
}

/** This device's clock, ticking once a second: for ages of what this device fetched. */
export function deviceNow(): number {
  return now_ms;
}

/** Whether the server can be reached and the sign-in still holds, so that something can be ordered or paid. */
export function isOnline(): boolean {
  return session?.online ?? false;
}

/** Whether a role works in the operator's layout. */
export function isOperator(role: Role | null | undefined): boolean {
  return role === 'fulfilment' || role === 'treasury' || role === 'administrator';
}

async function load(): Promise<void> {
  try {
    session = await call('session', {});
    failure = null;
  } catch (thrown) {
    failure = toFailure(thrown);
  }
}

/** Asks the host for what is new, now. */
export async function refreshNow(): Promise<void> {
  tookSession(await call('refresh', {}));
}

/** How often the session is read again although nothing called: its ages and «online» change by themselves. */
const session_every_ms = 5_000;

/** Starts clock, session and the listening to changes. Returns what stops them. */
export function startSession(): () => void {
  now_ms = Date.now();
  const tick = setInterval(() => (now_ms = Date.now()), 1_000);
  const again = setInterval(() => void load(), session_every_ms);
  const stop = platform().onChanged(() => {
    changes += 1;
    void load();
  });
  void load();
  return () => {
    clearInterval(tick);
    clearInterval(again);
    stop();
  };
}
