/** Seconds after the page has loaded: the worker's files must not compete with the first picture. */
const delayMs = 3_000;

/** Makes the site an app that can be installed and opened offline. A browser without service workers has the site alone. */
export function registerWorker(): () => void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return () => undefined;
  const timer = setTimeout(() => {
    navigator.serviceWorker.register("/sw.js").catch(() => undefined); // refused by the person's settings: nothing depends on it
  }, delayMs);
  return () => clearTimeout(timer);
}
