import type { Platform } from '$lib/platform/types';

declare global {
  interface Window {
    /** A host that a test puts in place before the page starts. Never read inside the desktop program. */
    __kernodeckHost?: Platform;
  }
}

export {};
