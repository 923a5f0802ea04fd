import { bestLocale, locales, useLocale } from '$lib/i18n/locale.svelte';
import type { Locale } from '$lib/i18n/locale.svelte';

/** What a person may set about the window. It belongs to the device, not to an account. */
export interface Settings {
  locale: Locale;
  theme: 'system' | 'light' | 'dark';
  text_percent: 100 | 125 | 150 | 200;
  /** Whether the welcome page has been left once. */
  started: boolean;
}

export const themes = ['system', 'light', 'dark'] as const;
export const text_sizes = [100, 125, 150, 200] as const;

const key = 'kernodeck.window';

const settings = $state<Settings>({ locale: 'en', theme: 'system', text_percent: 100, started: false });

/** The settings in force. Change them through `change`. */
export function currentSettings(): Readonly<Settings> {
  return settings;
}

/** Reads what was kept, or what the system prefers, and applies it. */
export function startSettings(): void {
  Object.assign(settings, read(localStorage.getItem(key), navigator.languages));
  apply();
}

/** Changes settings, applies and keeps them. */
export function change(some: Partial<Settings>): void {
  Object.assign(settings, some);
  localStorage.setItem(key, JSON.stringify(settings));
  apply();
}

/** Settings from a kept text; whatever in it is not a known value is replaced by its default. */
export function read(kept: string | null, languages: readonly string[]): Settings {
  const found = parsed(kept);
  return {
    locale: locales.find((ours) => ours === found.locale) ?? bestLocale(languages),
    theme: themes.find((theme) => theme === found.theme) ?? 'system',
    text_percent: text_sizes.find((size) => size === found.text_percent) ?? 100,
    started: found.started === true,
  };
}

function parsed(kept: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(kept ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function apply(): void {
  useLocale(settings.locale);
  const root = document.documentElement;
  if (settings.theme === 'system') root.removeAttribute('data-theme');
  else root.setAttribute('data-theme', settings.theme);
  root.setAttribute('data-text', String(settings.text_percent));
  ask_containers_again();
}

/**
 * Chromium keeps what container queries in rem answered when the root's text size changes, until the window does: columns of
 * before would lie over each other, buttons under them. Taking the containers away for a moment makes it ask again, and leaves
 * the focus where it is.
 */
function ask_containers_again(): void {
  for (const container of document.querySelectorAll<HTMLElement>('#app, .page')) {
    container.style.containerType = 'normal';
    void container.offsetWidth;
    container.style.removeProperty('container-type');
  }
}
