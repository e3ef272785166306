/**
 * Copies a text to the clipboard. Pages without TLS have no `navigator.clipboard`; there the browser copies the selected content of a
 * field, which is added beside `place`: outside an open dialog nothing can be selected.
 * @throws DOMException where the browser denies it
 */
export async function copyText(text: string, place: Element): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "sr-only";
  place.after(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!isCopied) throw new DOMException("the browser did not copy", "NotAllowedError");
}
