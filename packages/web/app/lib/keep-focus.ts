/** Elements that give context, and from which the next Tab continues. */
const containers =
  "section, article, form, fieldset, ul, ol, dialog, main, [role=tabpanel], [role=region], [role=group]";

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
  let isScheduled = false;

  const isLost = () => document.activeElement === document.body && path.length > 0;
  function restoreFocus() {
    isScheduled = false;
    const [last] = path;
    if (!last || !isLost()) return;
    if (isFocusable(last)) {
      path = []; // the person clicked elsewhere
      return;
    }
    const container = path.find((element) => element !== last && element.matches(containers) && isFocusable(element));
    if (container instanceof HTMLElement) focusContainer(container);
  }
  function restoreFocusSoon() {
    if (isScheduled || !isLost()) return;
    isScheduled = true;
    // An effect that knows a better target moves the focus in the same update of the page.
    requestAnimationFrame(() => requestAnimationFrame(restoreFocus));
  }

  const onFocusIn = ({ target }: FocusEvent) => {
    path = target instanceof Element ? pathOf(target, root) : [];
  };
  const observer = new MutationObserver(restoreFocusSoon);
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["disabled", "hidden"] });
  root.addEventListener("focusin", onFocusIn);
  root.addEventListener("focusout", restoreFocusSoon);
  return () => {
    observer.disconnect();
    root.removeEventListener("focusin", onFocusIn);
    root.removeEventListener("focusout", restoreFocusSoon);
  };
}

function pathOf(element: Element | null, root: Element): Element[] {
  const path: Element[] = [];
  for (let ancestor = element; ancestor; ancestor = ancestor === root ? null : ancestor.parentElement)
    path.push(ancestor);
  return path;
}

const isFocusable = (element: Element): boolean =>
  element.isConnected &&
  !element.matches(":disabled") &&
  element.closest("dialog:not([open]), [hidden]") === null &&
  (element.checkVisibility?.() ?? true);

function focusContainer(container: HTMLElement): void {
  const hadTabIndex = container.hasAttribute("tabindex");
  if (!hadTabIndex) container.tabIndex = -1;
  container.dataset[mark] = "";
  container.focus({ preventScroll: true });
  container.addEventListener(
    "blur",
    () => {
      delete container.dataset[mark];
      if (!hadTabIndex) container.removeAttribute("tabindex");
    },
    { once: true },
  );
}
