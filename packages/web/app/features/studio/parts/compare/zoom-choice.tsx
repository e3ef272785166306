import type { ReactNode } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import type { Zoom } from "./fit-box.ts";

type Props = { zoom: Zoom; onZoom(zoom: Zoom): void };

const zooms: ReadonlyArray<{ value: Zoom; label: string }> = [
  { value: "fit", label: "Fit" },
  { value: 1, label: "1:1" },
];

/** Chooses between the whole picture and its pixels. */
export function ZoomChoice({ zoom, onZoom }: Props) {
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
    </div>
  );
}

type ToggleProps = { isOn: boolean; onClick(): void; children: ReactNode };

/** A small toggle button for the bar below the stage's picture. */
export function Toggle({ isOn, onClick, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={joinClasses(
        "inline-flex min-h-8 items-center gap-1.5 rounded-sm px-2 text-sm sm:px-2.5 transition-colors",
        isOn ? "bg-line text-ink" : "text-muted hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}
