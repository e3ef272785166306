/** The two themes of the site. Without a choice, the system's setting applies. */
type Light = "paper" | "darkroom";

const lightKey = "tintype.light";

/**
 * Runs in the head, before the first paint: the system's theme must not flash before the chosen one. The server's CSP
 * allows it by its hash.
 */
export const lightScript = `try{const l=localStorage.getItem("${lightKey}");if(l==="paper"||l==="darkroom")document.documentElement.dataset.light=l}catch{}`;

/** The theme that is on now. */
function currentLight(): Light {
  const chosen = document.documentElement.dataset["light"];
  if (chosen === "paper" || chosen === "darkroom") return chosen;
  return systemLight();
}

/** Switches the theme. A choice that equals the system's is dropped, so the page follows the system again. */
export function switchLight(): void {
  const next: Light = currentLight() === "paper" ? "darkroom" : "paper";
  const isOwnChoice = next !== systemLight();
  if (isOwnChoice) document.documentElement.dataset["light"] = next;
  else delete document.documentElement.dataset["light"];
  try {
    if (isOwnChoice) localStorage.setItem(lightKey, next);
    else localStorage.removeItem(lightKey);
  } catch {
    // Storage is denied: the choice lasts until the page is closed.
  }
}

const systemLight = (): Light => (matchMedia("(prefers-color-scheme: dark)").matches ? "darkroom" : "paper");
