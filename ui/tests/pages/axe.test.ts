// Someone who does not see the screen, or sees it badly, could not pay.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, openWindow, serve } from '../support/browser';
import type { TestWindow } from '../support/browser';
import { handlers } from '../support/host';
import { screens } from '../support/screens';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let server: { url: string; close: () => Promise<void> };

beforeAll(async () => {
  [browser, server] = [await launch(), await serve()];
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** What axe finds on the page as it stands: rule and elements. */
async function violations(window: TestWindow): Promise<string[]> {
  const found = await window.page.evaluate(() => {
    const there = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    return there.axe.run({ resultTypes: ['violations'] });
  });
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/** Goes through every screen in one window; each starts with its own host. */
async function everyScreen(locale: string, theme: 'light' | 'dark'): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const window = await openWindow(browser, server.url, handlers(), { locale, theme });
  await window.page.evaluate(axe);
  for (const [name, screen] of Object.entries(screens)) {
    window.host.current = screen.handlers;
    // Through an empty page, so that no screen keeps what the one before it fetched.
    await window.open('/settings');
    await window.changed();
    await window.open(screen.route, screen.presses);
    expect(await window.page.evaluate(() => document.documentElement.lang)).toBe(locale);
    const shown = await window.page.locator('[role="dialog"]').count();
    const wrong = [...(await violations(window)), ...window.complaints.splice(0)];
    if (wrong.length > 0) found[name] = wrong;
    if (shown > 0) await window.page.keyboard.press('Escape');
  }
  await window.context.close();
  return found;
}

describe.concurrent('every screen, without a fault', () => {
  test.each([
    ['en', 'light'],
    ['en', 'dark'],
    ['pt-BR', 'light'],
    ['pt-BR', 'dark'],
    ['tr', 'light'],
    ['tr', 'dark'],
  ] as const)('%s, %s', async (locale, theme) => {
    expect(await everyScreen(locale, theme)).toEqual({});
  });
});

test('a weak text and a field without a name would be seen', async () => {
  const window = await openWindow(browser, server.url, handlers());
  await window.page.evaluate(axe);
  expect(await violations(window)).toEqual([]);
  await window.page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('main td { color: #aaa !important }');
    document.adoptedStyleSheets = [sheet];
    document.querySelector('main')?.append(document.createElement('input'));
  });
  const found = (await violations(window)).map((line) => line.split(':')[0]);
  expect(found).toEqual(expect.arrayContaining(['color-contrast', 'label']));
  await window.context.close();
});
