import type { Commands } from '$lib/api/generated/commands';

/** What the window may ask of the program that it runs in. Nothing else reaches outside the page. */
export interface Platform {
  /** Runs a command of the host's list. Rejects with an `ApiFailure`. */
  call<N extends keyof Commands>(name: N, request: Commands[N]['request']): Promise<Commands[N]['answer']>;
  /** Calls back after something changed. Returns the function that stops it. */
  onChanged(callback: () => void): () => void;
  /** Puts a text on the clipboard; an empty text clears it. Rejects when the system refuses. */
  copy(text: string): Promise<void>;
  /** Offers a text as a file. */
  saveFile(name: string, text: string): Promise<void>;
}
