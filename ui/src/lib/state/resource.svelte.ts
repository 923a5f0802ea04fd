import { toFailure } from '$lib/platform';
import type { ApiFailure } from '$lib/platform';
import { untrack } from 'svelte';
import { changeCount } from './session.svelte';

/** Something that a page shows: its value, what went wrong, and whether it is being fetched. */
export class Resource<T> {
  value = $state.raw<T | null>(null);
  failure = $state.raw<ApiFailure | null>(null);
  loading = $state(true);
  #load: () => Promise<T>;
  #latest = 0;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** Fetches again. An answer that a later fetch overtook is dropped. */
  async again(): Promise<void> {
    const mine = ++this.#latest;
    this.loading = true;
    try {
      const value = await this.#load();
      if (mine !== this.#latest) return;
      this.value = value;
      this.failure = null;
    } catch (thrown) {
      if (mine !== this.#latest) return;
      this.failure = toFailure(thrown);
    }
    this.loading = false;
  }

  /** Takes over a newer value that a command answered with. */
  took(value: T): void {
    this.#latest += 1;
    this.value = value;
    this.failure = null;
    this.loading = false;
  }
}

/**
 * A value that follows what it is made of, and every change that the host tells of. To be called while a component is
 * made. `about` is read to learn what the value depends on; when that changes the old value goes at once, so that one
 * order's page never shows another order's address.
 */
export function follow<T>(load: () => Promise<T>, about: () => unknown = () => null): Resource<T> {
  const resource = new Resource(load);
  let known: unknown;
  $effect.pre(() => {
    const now = about();
    changeCount();
    untrack(() => {
      if (known !== undefined && known !== now) resource.value = null;
      known = now;
      void resource.again();
    });
  });
  return resource;
}

/** A button's work: runs once at a time and keeps what went wrong. */
export class Action {
  running = $state(false);
  failure = $state.raw<ApiFailure | null>(null);

  /** Runs `work`, unless it is running already. Says whether it succeeded. */
  async run(work: () => Promise<void>): Promise<boolean> {
    if (this.running) return false;
    this.running = true;
    this.failure = null;
    try {
      await work();
      return true;
    } catch (thrown) {
      this.failure = toFailure(thrown);
      return false;
    } finally {
      this.running = false;
    }
  }
}
