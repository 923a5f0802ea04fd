// Someone with weak eyes could not read an address.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wcagContrast } from 'culori';
import { describe, expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, '../../src/lib/styles/tokens.css'), 'utf8');

type Colours = Record<string, string>;

function colours(block: string): Colours {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/gi)].map(([, name, value]) => [name, value]),
  );
}

function block(start: string): string {
  const from = css.indexOf(start);
  return css.slice(from, css.indexOf('}', from));
}

const light = colours(block(':root {'));
const themes: Record<string, Colours> = {
  light,
  'dark by the system': { ...light, ...colours(block(':root:not([data-theme="light"])')) },
  'dark by choice': { ...light, ...colours(block(':root[data-theme="dark"]')) },
};

const surfaces = ['sheet', 'ground', 'well'];
const states = ['go', 'run', 'wait', 'stop'];
const networks = ['n-btc', 'n-ltc', 'n-eth', 'n-tron', 'n-sol'];

/** Text and its ground need 4.5, an edge or a shape 3. */
const pairs: [front: string, back: string, needed: number][] = [
  ...['ink', 'ink-2', 'ink-3', 'link', ...states, ...networks].flatMap((text) =>
    surfaces.map((surface): [string, string, number] => [text, surface, 4.5]),
  ),
  ...states.flatMap((state): [string, string, number][] => [
    [state, `${state}-tint`, 4.5],
    ...['ink', 'ink-2', 'ink-3', 'link'].map((text): [string, string, number] => [
      text,
      `${state}-tint`,
      4.5,
    ]),
  ]),
  ...['edge', 'focus'].flatMap((edge) =>
    surfaces.map((surface): [string, string, number] => [edge, surface, 3]),
  ),
  ['act-ink', 'act', 4.5],
  ['act-ink', 'ink-2', 4.5],
  ['sheet', 'ink', 4.5],
  ['sandbox-ink', 'sandbox', 4.5],
  ['qr-ink', 'qr-paper', 7],
  ['mem-line', 'mem-free', 3],
];

function faults(theme: Colours): string[] {
  return pairs.flatMap(([front, back, needed]) => {
    const [one, other] = [theme[front], theme[back]];
    if (!one || !other) return [`${front} on ${back}: no such colour`];
    const ratio = wcagContrast(one, other);
    return ratio >= needed ? [] : [`${front} on ${back}: ${ratio.toFixed(2)}`];
  });
}

describe('contrast', () => {
  const paper = { 'qr-ink': '#000000', 'qr-paper': '#ffffff' };

  test.each(Object.entries(themes))('%s', (_, theme) => {
    expect(faults({ ...theme, ...paper })).toEqual([]);
  });

  test('a colour too weak is found', () => {
    expect(faults({ ...light, ...paper, 'ink-3': '#9aa39d' })).toContain('ink-3 on sheet: 2.59');
  });

  test('the code to scan stays black on white in every theme', () => {
    expect(css).toMatch(/--qr-ink: #000000;\s+--qr-paper: #ffffff;/);
    expect(css.match(/--qr-paper:/g)).toHaveLength(1);
  });

  test('both ways into the dark give the same colours', () => {
    expect(themes['dark by the system']).toEqual(themes['dark by choice']);
  });
});
