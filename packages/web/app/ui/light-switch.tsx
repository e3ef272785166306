import { switchLight } from "../lib/light.ts";
import { MoonIcon, SunIcon } from "./icons.tsx";

/** Paper or darkroom. CSS picks the icon: the theme is not known during prerendering. */
export function LightSwitch() {
  return (
    <button
      type="button"
      onClick={switchLight}
      title="Switch between light and dark"
      aria-label="Switch between light and dark"
      className="inline-flex size-10 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-ink"
    >
      <MoonIcon className="only-paper size-4.5" />
      <SunIcon className="only-darkroom size-4.5" />
    </button>
  );
}
