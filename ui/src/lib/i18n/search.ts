/** A text as it is searched: without case, accents, and the difference between the two Turkish letters i. */
export function folded(text: string): string {
  return text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '').replace(/ı/g, 'i');
}

/** Whether every word of what was typed occurs. */
export function matches(text: string, typed: string): boolean {
  const within = folded(text);
  return folded(typed)
    .split(/\s+/)
    .every((word) => within.includes(word));
}
