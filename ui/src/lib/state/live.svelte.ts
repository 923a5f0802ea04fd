let said = $state('');

/** What the polite live region says now. */
export function liveText(): string {
  return said;
}

/** Says a change of state to people who do not see it. Focus stays where it is. */
export function announce(text: string): void {
  said = text;
}
