// Someone who reads Portuguese or Turkish would read English, or a bare key, where a message is missing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../messages');
const locales = ['en', 'pt-BR', 'tr'] as const;

interface Variants {
  declarations: string[];
  selectors: string[];
  match: Record<string, string>;
}
type Message = string | Variants[];
type Catalogue = Record<string, Message>;

function load(locale: string): Catalogue {
  const { $schema: _, ...messages } = JSON.parse(
    readFileSync(join(folder, `${locale}.json`), 'utf8'),
  ) as Catalogue;
  return messages;
}

/** The words in braces that somebody has to fill in. */
function inputs(message: Message): string[] {
  if (typeof message === 'string') {
    return [...new Set([...message.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? ''))].sort();
  }
  return message
    .flatMap((variants) => variants.declarations)
    .filter((line) => line.startsWith('input '))
    .map((line) => line.slice('input '.length))
    .sort();
}

/** What is wrong with a catalogue beside the English one. */
function faults(english: Catalogue, other: Catalogue, locale: string): string[] {
  const found: string[] = [];
  for (const key of Object.keys(english)) if (!(key in other)) found.push(`${locale} lacks ${key}`);
  for (const key of Object.keys(other)) if (!(key in english)) found.push(`${locale} has ${key} alone`);
  for (const [key, message] of Object.entries(other)) {
    const original = english[key];
    if (original === undefined) continue;
    if (String(inputs(message)) !== String(inputs(original)))
      found.push(`${locale} ${key}: other parameters`);
    if (typeof message === 'string') {
      if (message.trim() === '') found.push(`${locale} ${key}: empty`);
      continue;
    }
    for (const variants of message) found.push(...variantFaults(variants, `${locale} ${key}`, locale));
  }
  return found;
}

function variantFaults(variants: Variants, where: string, locale: string): string[] {
  const found: string[] = [];
  const branches = Object.keys(variants.match);
  // A category without a branch would print the key.
  if (!branches.includes('category=*')) found.push(`${where}: no branch for every other category`);
  const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  for (const branch of branches) {
    const category = branch.replace('category=', '');
    if (category !== '*' && !categories.includes(category as Intl.LDMLPluralRule)) {
      found.push(`${where}: ${category} does not exist in this language`);
    }
  }
  // Turkish counts with the singular, so one branch says it all; the others tell one from many.
  if (locale !== 'tr' && !branches.includes('category=one')) found.push(`${where}: no branch for one`);
  const known = variants.declarations.map((line) => line.split(' ')[1]);
  for (const [branch, text] of Object.entries(variants.match)) {
    for (const [, name] of text.matchAll(/\{(\w+)\}/g)) {
      if (!known.includes(name)) found.push(`${where} ${branch}: nobody declares ${name}`);
    }
  }
  return found;
}

const english = load('en');

describe('messages', () => {
  test.each(locales)('%s is complete, with the same parameters and its own plurals', (locale) => {
    expect(faults(english, load(locale), locale)).toEqual([]);
  });

  test('a missing key, a lost parameter, an invented plural and an open category are each found', () => {
    const one = (match: Record<string, string>): Variants[] => [
      {
        declarations: ['input n', 'local category = n: plural', 'local shown = n: number'],
        selectors: ['category'],
        match,
      },
    ];
    const right: Catalogue = {
      a: 'x {time}',
      b: 'y',
      n: one({ 'category=one': '{shown}', 'category=*': '{shown}' }),
    };
    expect(faults(right, right, 'pt-BR')).toEqual([]);
    expect(faults(right, { a: 'x {time}', n: right.n ?? '' }, 'pt-BR')).toEqual(['pt-BR lacks b']);
    expect(faults(right, { ...right, a: 'x' }, 'pt-BR')).toEqual(['pt-BR a: other parameters']);
    expect(faults(right, { ...right, b: ' ' }, 'pt-BR')).toEqual(['pt-BR b: empty']);
    expect(
      faults(
        right,
        { ...right, n: one({ 'category=one': '{shown}', 'category=few': 'x', 'category=*': 'x' }) },
        'pt-BR',
      ),
    ).toEqual(['pt-BR n: few does not exist in this language']);
    expect(faults(right, { ...right, n: one({ 'category=one': '{shown}' }) }, 'en')).toEqual([
      'en n: no branch for every other category',
    ]);
    expect(faults(right, { ...right, n: one({ 'category=*': '{whom}' }) }, 'tr')).toEqual([
      'tr n category=*: nobody declares whom',
    ]);
  });

  test('no language is a copy of another', () => {
    const same = (left: Catalogue, right: Catalogue) =>
      Object.entries(left).filter(
        ([key, text]) => typeof text === 'string' && text.length > 24 && right[key] === text,
      );
    expect(same(english, load('pt-BR'))).toEqual([]);
    expect(same(english, load('tr'))).toEqual([]);
    expect(
      same({ a: 'a sentence that nobody translated' }, { a: 'a sentence that nobody translated' }),
    ).toHaveLength(1);
  });
});
