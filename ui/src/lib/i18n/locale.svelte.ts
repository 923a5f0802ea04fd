import { overwriteGetLocale } from '$lib/paraglide/runtime';

/** The languages, complete from the first screen. */
export const locales = ['en', 'pt-BR', 'tr'] as const;
export type Locale = (typeof locales)[number];

/** Each language's name in itself. */
export const locale_names: Record<Locale, string> = { en: 'English', 'pt-BR': 'Português', tr: 'Türkçe' };

let current = $state<Locale>('en');

// Every message reads the language through this, so a change redraws exactly what is written in it.
overwriteGetLocale(() => current);

/** The language in force. Reading it in a component or a derived value follows it. */
export function locale(): Locale {
  return current;
}

/** Changes the language, without a reload. */
export function useLocale(to: Locale): void {
  current = to;
  if (typeof document !== 'undefined') document.documentElement.lang = to;
}

/** The best of our languages for someone who prefers these, first one first. */
export function bestLocale(preferred: readonly string[]): Locale {
  for (const tag of preferred) {
    const language = tag.split('-')[0]?.toLowerCase();
    const found = locales.find((ours) => ours.split('-')[0] === language);
    if (found) return found;
  }
  return 'en';
}
