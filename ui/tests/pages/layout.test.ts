// What is cut off or below the fold can't be compared before paying.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ids } from '$lib/testids';
import { launch, openWindow, serve } from '../support/browser';
import { by_headline, customer } from '../support/fixtures';
import { handlers } from '../support/host';
import { screens } from '../support/screens';

let browser: Browser;
let server: { url: string; close: () => Promise<void> };

beforeAll(async () => {
  [browser, server] = [await launch(), await serve()];
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Elements whose text is wider than their box and hidden, and a page wider than its window. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.push(`page: ${root.scrollWidth} > ${root.clientWidth}`);
    for (const element of document.querySelectorAll<HTMLElement>('main *:not(svg *), nav *:not(svg *)')) {
      const style = getComputedStyle(element);
      const hides = style.overflowX === 'hidden' || style.textOverflow === 'ellipsis';
      const visually_hidden = style.clipPath !== 'none';
      if (hides && !visually_hidden && element.scrollWidth > element.clientWidth + 1) {
        found.push(`${element.tagName} ${element.className}: cut off`);
      }
      const box = element.getBoundingClientRect();
      const scrolls = element.closest('.table-box');
      if (!scrolls && !visually_hidden && box.width > 0 && box.right > root.clientWidth + 1) {
        if (!element.closest('.vh'))
          found.push(`${element.tagName} ${element.className}: ${Math.round(box.right)}`);
      }
    }
    return found;
  });
}

test.each(['en', 'pt-BR', 'tr'])('with text twice as large nothing is cut off, in %s', async (locale) => {
  const found: Record<string, string[]> = {};
  const window = await openWindow(browser, server.url, handlers(), { locale, text_percent: 200 });
  for (const [name, screen] of Object.entries(screens)) {
    window.host.current = screen.handlers;
    await window.open('/settings');
    await window.changed();
    await window.open(screen.route, screen.presses);
    const wrong = await overflowing(window.page);
    if (wrong.length > 0) found[name] = wrong;
    await window.page.keyboard.press('Escape');
  }
  expect(found).toEqual({});
  await window.page.evaluate(() => {
    const wide = document.createElement('p');
    wide.className = 'num';
    wide.textContent = 'x'.repeat(400);
    document.querySelector('main')?.append(wide);
  });
  expect(await overflowing(window.page)).not.toEqual([]);
  await window.context.close();
});

test.each([
  ['en', false],
  ['pt-BR', false],
  ['tr', false],
  ['en', true],
] as const)(
  '900 × 600 shows address, amount, code and countdown at once, in %s, sandbox %s',
  async (locale, sandbox) => {
    const session = { ...customer, sandbox_build: sandbox };
    const window = await openWindow(
      browser,
      server.url,
      handlers({ session: () => session, payment: () => by_headline.waiting }),
      { locale, width: 900, height: 600 },
    );
    await window.open('/payments/p');
    for (const id of [ids.slip_address, ids.slip_amount, ids.slip_qr, ids.payment_countdown]) {
      const box = await window.page.getByTestId(id).filter({ visible: true }).boundingBox();
      expect(box, id).not.toBeNull();
      expect((box?.y ?? 0) + (box?.height ?? 0), id).toBeLessThanOrEqual(600);
      expect((box?.x ?? 0) + (box?.width ?? 0), id).toBeLessThanOrEqual(900);
    }
    // A camera needs some size and a ground that stays white.
    const qr = await window.page.getByTestId(ids.slip_qr).boundingBox();
    expect(qr?.width).toBeGreaterThanOrEqual(170);
    await window.context.close();
  },
);

test('with the system’s colours forced, marks keep their shape and the code stays on white', async () => {
  const window = await openWindow(browser, server.url, handlers(), { forced_colors: true });
  await window.open('/payments/p');
  const qr = await window.page
    .getByTestId(ids.slip_qr)
    .evaluate((element) => [
      getComputedStyle(element).backgroundColor,
      getComputedStyle(element).forcedColorAdjust,
    ]);
  expect(qr).toEqual(['rgb(255, 255, 255)', 'none']);
  expect(await window.page.locator('main svg.mark').first().isVisible()).toBe(true);
  await window.context.close();
});

test('nothing moves for someone who asked for less motion', async () => {
  const window = await openWindow(browser, server.url, handlers());
  await window.open('/payments/p');
  const settle = await window.page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue('--settle'),
  );
  expect(settle.trim()).toMatch(/^0m?s$/);
  await window.context.close();
});
