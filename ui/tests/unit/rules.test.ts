// What this side must not know. A float in a total, or an address put into a link here, is money lost without a trace.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../src');

interface Source {
  path: string;
  text: string;
}

function sources(folder = root): Source[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name === 'paraglide' || entry.name === 'generated' ? [] : sources(path);
    return /\.(ts|svelte)$/.test(entry.name)
      ? [{ path: relative(root, path), text: readFileSync(path, 'utf8') }]
      : [];
  });
}

/** Fields of the wire that hold money, from the generated types: every `Usd`, and every decimal amount or rate. */
const money_fields =
  'per_lot|total|confirmed_total|held|missing|owed|in_sight|asked|amount|rate|credited|received|final_amount|available|receivable|balance|confirmed|about';

/** Functions that make a number of a text or round one, and signs that compute. */
const number_makers = String.raw`(?:\bNumber\s*\(|\bNumber\.parse\w+\s*\(|\bparse(?:Float|Int)\s*\(|\bBigInt\s*\(|\bMath\.\w+\s*\()`;

interface Rule {
  name: string;
  broken: (source: Source) => string | null;
  planted: string;
  innocent: string;
}

const find = (text: string, pattern: RegExp): string | null => pattern.exec(text)?.[0] ?? null;
const code = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

const rules: Rule[] = [
  {
    name: 'money is never made a number',
    broken: ({ text }) => find(code(text), new RegExp(`${number_makers}[^)\\n]*\\b(?:${money_fields})\\b`)),
    planted: 'const cents = Math.round(Number(order.total) * 100);',
    innocent: 'const ms = Number(BigInt(payment.deadline) / 1000n);',
  },
  {
    name: 'money is never read by a unary plus or computed with',
    broken: ({ text }) =>
      find(
        code(text),
        new RegExp(
          `(?:[=(,:?]\\s*\\+\\s*[\\w.]*\\.(?:${money_fields})\\b)|(?:\\.(?:${money_fields})\\s*[*/-]\\s*[\\w(])`,
        ),
      ),
    planted: 'const due = order.total - order.held;',
    innocent: 'const text = `${order.total} USD`;',
  },
  {
    name: 'there is no parseFloat and no toFixed',
    broken: ({ text }) => find(code(text), /\bparseFloat\s*\(|\.toFixed\s*\(/),
    planted: 'const shown = value.toFixed(2);',
    innocent: 'const shown = usd(value);',
  },
  {
    name: 'no payment URI is built here',
    broken: ({ text }) =>
      find(
        code(text),
        /['"`](?:bitcoin|litecoin|ethereum|solana|tron):(?!(?:btc|eth|usdt|usdc|trx|sol|ltc)['"`])/,
      ),
    planted: 'const uri = `litecoin:${address}?amount=${amount}`;',
    innocent: "const method = 'litecoin:ltc';",
  },
  {
    name: 'no beginning of a test network stands in the window',
    broken: ({ text }) => find(text, /\b(?:tltc1?|rltc1?|bcrt1)\b/),
    planted: "const start = 'tltc1';",
    innocent: "const start = 'ltc1';",
  },
  {
    name: 'only the platform knows Tauri',
    broken: ({ path, text }) =>
      path.startsWith('lib/platform/') ? null : find(text, /@tauri-apps\/|__TAURI/),
    planted: "import { invoke } from '@tauri-apps/api/core';",
    innocent: "import { call } from '$lib/api';",
  },
  {
    name: 'nothing asks a network but the platform',
    broken: ({ path, text }) =>
      path.startsWith('lib/platform/')
        ? null
        : find(code(text), /\bfetch\s*\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon/),
    planted: "await fetch('https://example.org');",
    innocent: "await call('refresh', {});",
  },
  {
    name: 'nothing of an account is kept by the web view',
    broken: ({ path, text }) =>
      path === 'lib/state/settings.svelte.ts'
        ? null
        : find(code(text), /localStorage|sessionStorage|indexedDB|document\.cookie/),
    planted: "localStorage.setItem('access', access.password);",
    innocent: 'keepDraft(choice);',
  },
  {
    name: 'no markup from outside, and no style attribute',
    broken: ({ text }) => find(code(text), /\{@html|innerHTML|\sstyle="|\sstyle=\{/),
    planted: '<p style="color: red">x</p>',
    innocent: '<p class="note">x</p>',
  },
];

describe('what the window must not know', () => {
  const all = sources();

  test('there is something to look at', () => expect(all.length).toBeGreaterThan(60));

  test.each(rules)('$name', ({ broken, planted, innocent }) => {
    const found = all.flatMap((source) => {
      const what = broken(source);
      return what === null ? [] : [`${source.path}: ${what}`];
    });
    expect(found).toEqual([]);
    expect(broken({ path: 'routes/planted.svelte', text: planted })).not.toBeNull();
    expect(broken({ path: 'routes/innocent.svelte', text: innocent })).toBeNull();
  });

  test('every money field of the wire is watched', () => {
    const generated = join(root, 'lib/api/generated');
    const named = new Set<string>();
    for (const file of readdirSync(generated)) {
      const text = readFileSync(join(generated, file), 'utf8');
      for (const [, field] of text.matchAll(/^(\w+): Usd(?: \| null)?,/gm)) if (field) named.add(field);
    }
    expect(named.size).toBeGreaterThan(5);
    const watched = money_fields.split('|');
    expect([...named].filter((field) => !watched.includes(field) && field !== 'now')).toEqual([]);
  });
});
