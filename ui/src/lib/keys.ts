/** Whether somebody is typing, so that letters are text and not commands. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Moves to the next or the previous row of a list, starting at either end. */
function moveRow(by: 1 | -1): void {
  const rows = Array.from(document.querySelectorAll<HTMLElement>('main .row-link'));
  if (rows.length === 0) return;
  const at = rows.findIndex((row) => row === document.activeElement);
  const first = by === 1 ? 0 : rows.length - 1;
  rows[at === -1 ? first : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}

/** The keys of the whole window: `/` search, J and K move, Enter opens (the link's own), Esc goes back. */
export function onWindowKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = isTyping(event.target);
  if (event.key === 'Escape') {
    if (document.querySelector('[role="dialog"]')) return;
    if (typing) (event.target as HTMLElement).blur();
    else document.querySelector<HTMLElement>('main [data-back]')?.click();
    return;
  }
  if (typing) return;
  if (event.key === '/') {
    const search = document.querySelector<HTMLInputElement>('main [type="search"]');
    if (!search) return;
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === 'j' || event.key === 'J') moveRow(1);
  else if (event.key === 'k' || event.key === 'K') moveRow(-1);
}
