/** What a web view and a browser do alike: the clipboard and files. */

/** Puts a text on the clipboard. */
export async function copyInBrowser(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch (refused) {
    if (!copyBySelection(text)) throw refused;
  }
}

/** The older way, which some web views allow where the newer one is refused. It can't copy an empty text. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text === '' ? ' ' : text;
  field.setAttribute('readonly', '');
  field.className = 'vh';
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

/** Offers a text as a download. */
export function saveInBrowser(name: string, text: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return Promise.resolve();
}
