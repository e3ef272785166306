/** Places that say where one is, and give the next Tab its beginning. */
const places = "section, article, form, fieldset, ul, ol, dialog, main, [role=tabpanel], [role=region], [role=group]";

/** Marks the place that took the focus for something that is gone. */
const mark = "keptFocus";

/** Whether the focus is free to be given to what comes next: nothing has it, or a place that only keeps it. */
export function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === body || (activeElement instanceof HTMLElement && mark in activeElement.dataset);
}

/**
 * Gives the focus to the nearest place that is left where the element that had it goes away or is disabled: a row that was removed, a button
 * whose work has begun. Of itself it would fall to the body, and the keyboard begin again at the top of the page. It is a place and no
 * neighbouring button: the key that is still held down would press that one. Answers what ends it.
 */
export function keepFocus(root: HTMLElement): () => void {
  /** The element that has the focus, then what is around it. */
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
    // What knows a better place takes the focus with the same change of the page.
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
