import { platform } from '$lib/platform';
import type { Commands } from './generated/commands';

/** Runs a command of the host. Rejects with an `ApiFailure`. */
export function call<N extends keyof Commands>(
  name: N,
  request: Commands[N]['request'],
): Promise<Commands[N]['answer']> {
  return platform().call(name, request);
}

/** A fresh command id: UUID version 7, so that ids sort by the time they were made. */
export function commandId(now_ms: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const time = now_ms.toString(16).padStart(12, '0');
  const hex = Array.from(bytes.subarray(6), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return [
    time.slice(0, 8),
    time.slice(8, 12),
    `7${hex.slice(1, 4)}`,
    variant.toString(16).padStart(2, '0') + hex.slice(6, 8),
    hex.slice(8, 20),
  ].join('-');
}
