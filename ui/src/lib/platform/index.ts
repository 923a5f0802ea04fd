import { isTauri } from '@tauri-apps/api/core';
import { tauri } from './tauri';
import type { Platform } from './types';
import { web } from './web';

export { ApiFailure, toFailure } from './failure';
export type { Platform } from './types';

/** The host of this page. Inside the desktop program it is always the program: nothing in the page can replace it. */
export function platform(): Platform {
  if (isTauri()) return tauri;
  return window.__kernodeckHost ?? web;
}
