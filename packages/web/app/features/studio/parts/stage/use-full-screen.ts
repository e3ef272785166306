import { useEffect, useSyncExternalStore } from "react";

/** Elements that handle letter keys themselves. */
const fields = "input, select, textarea, [contenteditable], dialog[open]";

const subscribe = (onChange: () => void) => {
  document.addEventListener("fullscreenchange", onChange);
  return () => document.removeEventListener("fullscreenchange", onChange);
};

/** A single-key shortcut is active only with the focus in the plate, so dictation or a typo elsewhere triggers nothing (WCAG 2.1.4). */
const plate = "[data-plate]";

/** Full screen by `toggle` or, in the plate, the key F. `toggle` is undefined if the browser has no full screen (iPhones). */
export function useFullScreen(): { isOn: boolean; toggle: (() => void) | undefined } {
  const isOn = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  useEffect(() => {
    if (!document.fullscreenEnabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (key.toLowerCase() !== "f" || ctrlKey || metaKey || altKey || event.repeat || event.defaultPrevented) return;
      if (!(target instanceof Element) || !target.closest(plate) || target.closest(fields)) return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  return { isOn, toggle: document.fullscreenEnabled ? toggle : undefined };
}

function toggle(): void {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  done.catch(() => undefined); // the browser may refuse, and reports that itself
}
