import { toFailure } from '$lib/platform';
import type { ApiFailure } from '$lib/platform';
import { untrack } from 'svelte';
import { changeCount } from './session.svelte';

/** A page of a list that lives on the server. */
export interface ListPage<T> {
  rows: T[];
  cursor: string | null;
}

/** A list that lives on the server, read page by page. */
export class PagedList<T> {
  rows = $state.raw<T[]>([]);
  cursor = $state.raw<string | null>(null);
  failure = $state.raw<ApiFailure | null>(null);
  loading = $state(true);
  loaded = $state(false);
  #load: (cursor: string | null) => Promise<ListPage<T>>;
  #latest = 0;

  constructor(load: (cursor: string | null) => Promise<ListPage<T>>) {
    this.#load = load;
  }

  /** Reads the first page again, or the next one behind what is shown. */
  async read(more: boolean): Promise<void> {
    const mine = ++this.#latest;
    this.loading = true;
    try {
      const answer = await this.#load(more ? this.cursor : null);
      if (mine !== this.#latest) return;
      this.rows = more ? [...this.rows, ...answer.rows] : answer.rows;
      this.cursor = answer.cursor;
      this.failure = null;
      this.loaded = true;
    } catch (thrown) {
      if (mine !== this.#latest) return;
      this.failure = toFailure(thrown);
    }
    this.loading = false;
  }
}

/** A list that follows what it is asked for, and every change that the host tells of while only its first page is shown. */
export function followPages<T>(
  load: (cursor: string | null) => Promise<ListPage<T>>,
  about: () => unknown,
): PagedList<T> {
  const list = new PagedList(load);
  let known: unknown;
  let first_rows = 0;
  $effect.pre(() => {
    const now = about();
    changeCount();
    untrack(() => {
      // Someone who reads further down is not thrown back to the top by a change elsewhere.
      if (known === now && list.rows.length > first_rows && first_rows > 0) return;
      known = now;
      void list.read(false).then(() => (first_rows = list.rows.length));
    });
  });
  return list;
}
