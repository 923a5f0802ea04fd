/*
 * Pictures of every screen, to be looked at by people: `npm run pictures -- FOLDER`. Tests decide nothing by them.
 * `PICTURES=name,name LOCALE=tr THEME=dark WIDTH=900 HEIGHT=600 TEXT=200` narrow and change them.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { launch, openWindow, serve } from '../support/browser';
import { screens } from '../support/screens';

test('pictures', { timeout: 300_000 }, async () => {
  const folder = process.env.FOLDER ?? 'shots';
  await mkdir(folder, { recursive: true });
  const server = await serve();
  const browser = await launch();
  const names = (process.env.PICTURES ?? Object.keys(screens).join(',')).split(',');
  const options = {
    locale: process.env.LOCALE ?? 'en',
    theme: process.env.THEME === 'dark' ? ('dark' as const) : ('light' as const),
    width: Number(process.env.WIDTH ?? 1280),
    height: Number(process.env.HEIGHT ?? 800),
    text_percent: Number(process.env.TEXT ?? 100),
  };
  for (const name of names) {
    const screen = screens[name];
    if (!screen) throw new Error(`no screen ${name}`);
    const window = await openWindow(browser, server.url, screen.handlers, options);
    await window.open(screen.route, screen.presses);
    await window.page.waitForTimeout(150);
    const tail = `${options.theme}-${options.locale}-${options.width}${options.text_percent > 100 ? `-${options.text_percent}` : ''}`;
    await window.page.screenshot({
      path: join(folder, `${name}-${tail}.png`),
      fullPage: process.env.FULL === '1',
    });
    if (window.complaints.length > 0) console.log(name, window.complaints);
    await window.context.close();
  }
  await browser.close();
  await server.close();
});
