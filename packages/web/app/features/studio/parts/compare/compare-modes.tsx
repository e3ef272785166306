import { Ellipsis } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Menu, MenuItem } from "../../../../ui/menu.tsx";
import { CompareView, type Reveal } from "./compare-view.tsx";
import { SideBySide } from "./side-by-side.tsx";
import { Toggle } from "./zoom-choice.tsx";

export type CompareMode = "slider" | "side" | "press" | "difference";

const modes: ReadonlyArray<{ value: CompareMode; label: string; more?: string }> = [
  { value: "slider", label: "Slider" },
  { value: "press", label: "Hold", more: "to compare" },
  { value: "side", label: "Side by side" },
];

type ChoiceProps = Pick<Props, "mode" | "onMode" | "hasLens" | "onLens" | "zoom">;

/** The ways to compare, upon the picture. */
function ModeChoice({ mode, onMode, hasLens, onLens, zoom }: ChoiceProps) {
  return (
    <fieldset className="pointer-events-none absolute inset-x-0 bottom-4 z-10 flex justify-center">
      <legend className="sr-only">Compare by</legend>
      <div className="pointer-events-auto flex items-center rounded-md bg-black/80 p-1">
        {modes.map(({ value, label, more }) => (
          <Toggle key={value} isOn={mode === value} onClick={() => onMode(value)}>
            <span>
              {label}
              {more && <span className="sr-only">{` ${more}`}</span>}
            </span>
          </Toggle>
        ))}
        <Menu
          aria-label="More ways to compare"
          label={mode === "difference" ? "Difference" : <Ellipsis aria-hidden className="size-4" />}
          className={mode === "difference" ? "bg-line text-ink" : undefined}
        >
          <MenuItem isOn={mode === "difference"} onClick={() => onMode("difference")}>
            Difference
          </MenuItem>
          {/* The lens follows a mouse. Touch has 1:1 and pinch zoom. */}
          <span className="hidden [@media(hover:hover)]:block">
            <MenuItem isOn={hasLens && zoom === "fit"} disabled={zoom !== "fit"} onClick={() => onLens(!hasLens)}>
              Lens
            </MenuItem>
          </span>
        </Menu>
      </div>
    </fieldset>
  );
}

type Props = Omit<ComponentProps<typeof CompareView>, "reveal"> & {
  mode: CompareMode;
  onMode(mode: CompareMode): void;
  onLens(hasLens: boolean): void;
};

/** Compares two pictures in one of four modes. All modes share the zoom, and the two pictures move together. */
export function CompareModes({ mode, onMode, onLens, ...view }: Props) {
  const { hasLens, zoom, beforeUrl } = view;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <Compared {...view} hasLens={hasLens && zoom === "fit"} mode={mode} />
      {beforeUrl && <ModeChoice {...{ mode, onMode, hasLens, onLens, zoom }} />}
    </div>
  );
}

function Compared({ mode, ...view }: Omit<Props, "onMode" | "onLens">) {
  const [isHeld, setIsHeld] = useState(false);
  if (mode === "side" && view.beforeUrl) return <SideBySide {...view} beforeUrl={view.beforeUrl} />;
  if (mode !== "press") return <CompareView {...view} reveal={mode === "difference" ? "difference" : "slider"} />;
  const reveal: Reveal = isHeld ? "before" : "after";
  const release = () => setIsHeld(false);
  return (
    <>
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
        className="absolute bottom-17 left-1/2 z-10 min-h-11 -translate-x-1/2 touch-none rounded-md bg-black/80 px-5 text-sm text-ink select-none"
      >
        Hold to see the original
      </button>
    </>
  );
}
