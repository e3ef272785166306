import { useEffect, useSyncExternalStore } from "react";

/** Typed into, these take letters themselves. */
const fields = "input, select, textarea, [contenteditable], dialog[open]";

const subscribe = (onChange: () => void) => {
  document.addEventListener("fullscreenchange", onChange);
  return () => document.removeEventListener("fullscreenchange", onChange);
};

/** A key without a modifier acts only with the focus in the plate: who dictates or mistypes elsewhere sets nothing off (WCAG 2.1.4). */
const plate = "[data-plate]";

/** The page over the whole screen, by `toggle` or, in the plate, the key F; `toggle` is undefined where the browser has no full screen (iPhones). */
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
  done.catch(() => undefined); // the browser may refuse, and says so itself
}
