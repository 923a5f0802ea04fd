import { invoke } from '@tauri-apps/api/core';
import { listen } from '@tauri-apps/api/event';
import { audiences } from '$lib/api/generated/commands';
import type { Commands } from '$lib/api/generated/commands';
import { copyInBrowser, saveInBrowser } from './browser';
import { toFailure } from './failure';
import type { Platform } from './types';

/** Which of the shell's three doors a command goes through; each window is allowed only its own. */
const doors = {
  everyone: 'customer_call',
  customer: 'customer_call',
  operator: 'operator_call',
  sandbox: 'sandbox_call',
} as const;

/** The desktop program. */
export const tauri: Platform = {
  async call<N extends keyof Commands>(name: N, request: Commands[N]['request']) {
    try {
      const answer = await invoke<string>(doors[audiences[name]], { name, body: JSON.stringify(request) });
      return JSON.parse(answer) as Commands[N]['answer'];
    } catch (thrown) {
      throw toFailure(thrown);
    }
  },
  onChanged(callback) {
    const stopping = listen('changed', () => callback());
    return () => void stopping.then((stop) => stop());
  },
  copy: copyInBrowser,
  saveFile: saveInBrowser,
};
