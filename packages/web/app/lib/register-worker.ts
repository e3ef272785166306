/** Delay after the page has loaded: the worker's files must not compete with the first picture. ms */
const delayMs = 3_000;

/** Makes the site an app that can be installed and opened offline, where the browser supports service workers. */
export function registerWorker(): () => void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return () => undefined;
  const timer = setTimeout(() => {
    navigator.serviceWorker.register("/sw.js").catch(() => undefined); // blocked by the browser's settings: nothing depends on it
  }, delayMs);
  return () => clearTimeout(timer);
}
