import type { Commands } from '$lib/api/generated/commands';
import { copyInBrowser, saveInBrowser } from './browser';
import { ApiFailure, toFailure } from './failure';
import type { Platform } from './types';

/** How often the loopback host is asked again; it has no way to call. */
const ask_again_ms = 2_000;

/** The loopback host: the same commands over HTTP on this machine, for work on the window and for tests. */
export const web: Platform = {
  async call<N extends keyof Commands>(name: N, request: Commands[N]['request']) {
    let answer: Response;
    try {
      answer = await fetch(`/host/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
    } catch {
      throw new ApiFailure({ code: 'offline' });
    }
    const text = await answer.text();
    if (!answer.ok) throw toFailure(text);
    try {
      return JSON.parse(text) as Commands[N]['answer'];
    } catch {
      throw new ApiFailure({ code: 'unreadable_answer' });
    }
  },
  onChanged(callback) {
    const timer = setInterval(callback, ask_again_ms);
    return () => clearInterval(timer);
  },
  copy: copyInBrowser,
  saveFile: saveInBrowser,
};
