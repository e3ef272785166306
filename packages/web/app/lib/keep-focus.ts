/** Elements that give context, and from which the next Tab continues. */
const places = "section, article, form, fieldset, ul, ol, dialog, main, [role=tabpanel], [role=region], [role=group]";

/** Marks the element that took the focus in place of one that is gone. */
const mark = "keptFocus";

/** Whether the focus is free to move to new content: nothing has it, or only an element that `keepFocus` chose. */
export function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === body || (activeElement instanceof HTMLElement && mark in activeElement.dataset);
}

/**
 * Moves the focus to the nearest remaining container when the focused element is removed or disabled: a deleted row,
 * a button whose request has started. Otherwise it would fall to the body, and the keyboard would start again at the
 * top of the page. A neighbouring button would not do: the key that is still held down would press it. Returns a
 * function that stops this.
 */
export function keepFocus(root: HTMLElement): () => void {
  /** The focused element, then its ancestors. */
  let path = root.contains(document.activeElement) ? pathOf(document.activeElement, root) : [];
  let isDue = false;

  const isLost = () => document.activeElement === document.body && path.length > 0;
  function look() {
    isDue = false;
    const [last] = path;
    if (!last || !isLost()) return;
    if (isThere(last)) {
      path = []; // the person clicked elsewhere
      return;
    }
    const place = path.find((element) => element !== last && element.matches(places) && isThere(element));
    if (place instanceof HTMLElement) take(place);
  }
  function lookSoon() {
    if (isDue || !isLost()) return;
    isDue = true;
    // An effect that knows a better target moves the focus in the same update of the page.
    requestAnimationFrame(() => requestAnimationFrame(look));
  }

  const onFocusIn = ({ target }: FocusEvent) => {
    path = target instanceof Element ? pathOf(target, root) : [];
  };
  const observer = new MutationObserver(lookSoon);
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled", "hidden"] });
  root.addEventListener("focusin", onFocusIn);
  root.addEventListener("focusout", lookSoon);
  return () => {
    observer.disconnect();
    root.removeEventListener("focusin", onFocusIn);
    root.removeEventListener("focusout", lookSoon);
  };
}

function pathOf(element: Element | null, root: Element): Element[] {
  const path: Element[] = [];
  for (let one = element; one; one = one === root ? null : one.parentElement) path.push(one);
  return path;
}

const isThere = (element: Element): boolean =>
  element.isConnected &&
  !element.matches(":disabled") &&
  element.closest("dialog:not([open]), [hidden]") === null &&
  (element.checkVisibility?.() ?? true);

function take(place: HTMLElement): void {
  const hadIndex = place.hasAttribute("tabindex");
  if (!hadIndex) place.tabIndex = -1;
  place.dataset[mark] = "";
  place.focus({ preventScroll: true });
  place.addEventListener(
    "blur",
    () => {
      delete place.dataset[mark];
      if (!hadIndex) place.removeAttribute("tabindex");
    },
    { once: true },
  );
}
