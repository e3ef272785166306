import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import type { Zoom } from "./fit-box.ts";

type Props = { zoom: Zoom; onZoom(zoom: Zoom): void; hasLens: boolean; onLens(hasLens: boolean): void };

const zooms: ReadonlyArray<{ value: Zoom; label: string }> = [
  { value: "fit", label: "Fit" },
  { value: 1, label: "1:1" },
  { value: 2, label: "2:1" },
];

/** Chooses between the whole picture and its pixels, and switches the lens. */
export function ZoomChoice({ zoom, onZoom, hasLens, onLens }: Props) {
  return (
    <div className="flex items-center gap-1">
      {zooms.map(({ value, label }) => (
        <Toggle key={value} isOn={zoom === value} onClick={() => onZoom(value)}>
          {label}
        </Toggle>
      ))}
      {zoom !== "fit" && !zooms.some(({ value }) => value === zoom) && (
        <span className="px-1 text-sm tabular-nums">{Math.round(100 * zoom)}%</span>
      )}
      {/* The lens follows a mouse. Touch has 1:1 and pinch zoom. */}
      <span className="hidden [@media(hover:hover)]:block">
        <Toggle isOn={hasLens && zoom === "fit"} isDisabled={zoom !== "fit"} onClick={() => onLens(!hasLens)}>
          <Search aria-hidden className="size-3.5" />
          Lens
        </Toggle>
      </span>
    </div>
  );
}

type ToggleProps = { isOn: boolean; isDisabled?: boolean; onClick(): void; children: ReactNode };

/** A small toggle button for the bar below the stage's picture. */
export function Toggle({ isOn, isDisabled = false, onClick, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      disabled={isDisabled}
      onClick={onClick}
      className={joinClasses(
        "inline-flex min-h-8 items-center gap-1.5 rounded-sm px-2 text-sm sm:px-2.5 transition-colors disabled:opacity-50",
        isOn ? "bg-line text-ink" : "text-muted hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}
