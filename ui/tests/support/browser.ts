import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Commands } from '$lib/api/generated/commands';
import type { Handlers } from './host';
import { Refusal } from './host';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** The policy of the desktop window: the same directives, and the hashes that its builder adds for inline scripts. */
function policy(html: string): string {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, text]) =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`,
  );
  return [
    "default-src 'self'",
    "connect-src 'self' ipc: http://ipc.localhost",
    "img-src 'self' data: blob:",
    "style-src 'self'",
    // The announcer of the router's page changes is written with this one style attribute.
    "style-src-attr 'unsafe-hashes' 'sha256-S8qMpvofolR8Mpjy4kQvEm7m1q8clzU4dfDH0AmvZjo='",
    `script-src 'self' ${scripts.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-src 'none'",
  ].join('; ');
}

/** Serves the built window on a free port of this machine. */
export async function serve(): Promise<{ url: string; close: () => Promise<void> }> {
  const root = join(import.meta.dirname, '../../build');
  const index = await readFile(join(root, 'index.html'), 'utf8');
  const headers = { 'content-security-policy': policy(index), 'content-type': types['.html'] };
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
    if (path === '/' || path === '/index.html') return response.writeHead(200, headers).end(index);
    readFile(join(root, path))
      .then((body) =>
        response
          .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
          .end(body),
      )
      .catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** Starts the system's browser. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface WindowOptions {
  locale?: string;
  theme?: 'light' | 'dark';
  width?: number;
  height?: number;
  text_percent?: number;
  forced_colors?: boolean;
  started?: boolean;
}

/** A window with a fake host behind it. */
export interface TestWindow {
  page: Page;
  context: BrowserContext;
  /** Everything that the page complained of. */
  complaints: string[];
  /** Every command that it ran. */
  calls: { name: keyof Commands; request: unknown }[];
  /** What was put on the clipboard, and what was saved. */
  copied: string[];
  saved: { name: string; text: string }[];
  /** The host; replace its handlers as a test goes on. */
  host: { current: Handlers };
  open: (route: string, presses?: readonly string[]) => Promise<void>;
  changed: () => Promise<void>;
}

/** Opens a window on the built page. */
export async function openWindow(
  browser: Browser,
  url: string,
  handlers: Handlers,
  options: WindowOptions = {},
): Promise<TestWindow> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.theme ?? 'light',
    reducedMotion: 'reduce',
    forcedColors: options.forced_colors ? 'active' : 'none',
    timezoneId: 'Europe/Istanbul',
  });
  const page = await context.newPage();
  const made: TestWindow = {
    page,
    context,
    complaints: [],
    calls: [],
    copied: [],
    saved: [],
    host: { current: handlers },
    open: async (route, presses = []) => {
      await page.evaluate(follow, route);
      await settled(page);
      for (const id of presses) {
        await page.getByTestId(id).click();
        await settled(page);
      }
    },
    changed: () => page.evaluate(() => (window as unknown as { __changed: () => void }).__changed()),
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') made.complaints.push(message.text());
  });
  page.on('pageerror', (error) => made.complaints.push(String(error)));
  await page.exposeFunction('__answer', async (name: keyof Commands, request: never) => {
    made.calls.push({ name, request });
    try {
      return { value: await made.host.current[name](request) };
    } catch (thrown) {
      if (thrown instanceof Refusal) return { refused: { error: thrown.error } };
      throw thrown;
    }
  });
  await page.exposeFunction('__copied', (text: string) => void made.copied.push(text));
  await page.exposeFunction('__saved', (name: string, text: string) => void made.saved.push({ name, text }));
  await page.addInitScript(fakeHost, {
    locale: options.locale ?? 'en',
    theme: options.theme ?? 'system',
    text_percent: options.text_percent ?? 100,
    started: options.started ?? true,
  });
  await page.goto(url);
  await settled(page);
  return made;
}

/** Goes to a route by a link, as the window does; an edited address would load the whole page again. */
function follow(route: string) {
  const link = document.createElement('a');
  link.href = `#${route}`;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Runs in the page before anything of ours: puts the fake host in place. */
function fakeHost(settings: object) {
  const there = window as unknown as Record<string, (...args: unknown[]) => Promise<Record<string, unknown>>>;
  const callbacks = new Set<() => void>();
  if (!localStorage.getItem('kernodeck.window')) {
    localStorage.setItem('kernodeck.window', JSON.stringify(settings));
  }
  Object.assign(window, {
    __changed: () => callbacks.forEach((callback) => callback()),
    __kernodeckHost: {
      call: async (name: string, request: unknown) => {
        const answer = await there.__answer?.(name, request);
        if (answer?.refused) throw answer.refused;
        return answer?.value;
      },
      onChanged: (callback: () => void) => {
        callbacks.add(callback);
        return () => callbacks.delete(callback);
      },
      copy: async (text: string) => void (await there.__copied?.(text)),
      saveFile: async (name: string, text: string) => void (await there.__saved?.(name, text)),
    },
  });
}

/** Waits until the page shows its title and no answer is outstanding. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('main [data-testid="loading"]'));
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
