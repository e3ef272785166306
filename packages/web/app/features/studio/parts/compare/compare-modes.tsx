import { type ComponentProps, useState } from "react";
import { CompareView, type Reveal } from "./compare-view.tsx";
import { SideBySide } from "./side-by-side.tsx";
import { Toggle } from "./zoom-choice.tsx";

export type CompareMode = "slider" | "side" | "press" | "difference";

const modes: ReadonlyArray<{ value: CompareMode; label: string; more?: string }> = [
  { value: "slider", label: "Slider" },
  { value: "side", label: "Side by side" },
  { value: "press", label: "Hold", more: "to compare" },
  { value: "difference", label: "Difference" },
];

export function ModeChoice({ mode, onMode }: { mode: CompareMode; onMode(mode: CompareMode): void }) {
  return (
    <fieldset className="flex items-center gap-1 sm:flex-wrap">
      <legend className="sr-only">Compare by</legend>
      {modes.map(({ value, label, more }) => (
        <Toggle key={value} isOn={mode === value} onClick={() => onMode(value)}>
          <span>
            {label}
            {more && <span className="sr-only">{` ${more}`}</span>}
          </span>
        </Toggle>
      ))}
    </fieldset>
  );
}

type Props = Omit<ComponentProps<typeof CompareView>, "reveal"> & { mode: CompareMode };

/** Compares two pictures in one of four modes. All modes share the zoom, and the two pictures move together. */
export function CompareModes({ mode, ...view }: Props) {
  const [isHeld, setIsHeld] = useState(false);
  if (mode === "side" && view.beforeUrl) return <SideBySide {...view} beforeUrl={view.beforeUrl} />;
  if (mode !== "press") return <CompareView {...view} reveal={mode === "difference" ? "difference" : "slider"} />;
  const reveal: Reveal = isHeld ? "before" : "after";
  const release = () => setIsHeld(false);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <CompareView {...view} hasLens={false} reveal={reveal} />
      <button
        type="button"
        aria-pressed={isHeld}
        onPointerDown={() => setIsHeld(true)}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        onKeyDown={({ key }) => (key === " " || key === "Enter") && setIsHeld(true)}
        onKeyUp={release}
        onBlur={release}
        onContextMenu={(event) => event.preventDefault()}
        className="absolute bottom-4 left-1/2 min-h-11 -translate-x-1/2 touch-none rounded-md bg-black/80 px-5 text-sm text-ink select-none"
      >
        Hold to see the original
      </button>
    </div>
  );
}
