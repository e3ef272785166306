import { LayoutGrid, Maximize2, Minimize2, X } from "lucide-react";
import { countOf, formatBytes, formatSides } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { FileName } from "../../../../ui/file-name.tsx";
import { isBusy, type Picture } from "../../state/picture.ts";
import { isRunning } from "../../state/studio-state.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { EstimateSlot } from "../inspector.tsx";
import { FilePicker } from "./file-picker.tsx";
import { useFullScreen } from "./use-full-screen.ts";

/** The stage's header: a single picture's name or the number of pictures, with buttons to add, to remove and to show the grid. */
export function StageToolbar({ isGrid }: { isGrid: boolean }) {
  const studio = useStudio();
  const pictures = useStudioState((state) => state.pictures);
  const isWorking = useStudioState(isRunning);
  const selection = useStudioState((state) => state.selection);
  const selected = pictures.filter(({ id }) => selection.has(id)).length;
  const [only] = pictures;
  if (!only) return null;
  const isOne = pictures.length === 1;
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-1 border-b border-line px-3 py-1 sm:px-4 lg:flex-nowrap">
      <p className="min-w-0 text-sm max-lg:mr-auto lg:max-w-1/3">
        {isOne ? <OnePicture picture={only} /> : <ManyPictures pictures={pictures} />}
      </p>
      <EstimateSlot className="mx-auto min-w-0 max-lg:order-last max-lg:w-full" />
      {!isOne && (
        <Button
          kind="quiet"
          size="sm"
          aria-pressed={isGrid}
          onClick={() => studio.dispatch({ type: "grid-changed", grid: { isOpen: !isGrid } })}
          className={isGrid ? "bg-line text-ink" : undefined}
        >
          <LayoutGrid aria-hidden className="size-4" />
          Grid{selected > 0 && !isGrid ? ` · ${selected} selected` : ""}
        </Button>
      )}
      {!isWorking && (
        <FilePicker kind="quiet" size="sm">
          Add
        </FilePicker>
      )}
      {!isWorking && isOne && (
        <Button
          kind="quiet"
          size="sm"
          disabled={isBusy(only)}
          aria-label={`Remove ${only.name}`}
          onClick={() => studio.dispatch({ type: "pictures-removed", ids: [only.id] })}
        >
          <X aria-hidden className="size-4" />
          Remove
        </Button>
      )}
      {!isWorking && !isOne && (
        <Button kind="quiet" size="sm" onClick={() => studio.dispatch({ type: "pictures-cleared" })}>
          Remove all
        </Button>
      )}
      <FullScreen />
    </div>
  );
}

function FullScreen() {
  const { isOn, toggle } = useFullScreen();
  if (!toggle) return null;
  const Icon = isOn ? Minimize2 : Maximize2;
  const label = isOn ? "Leave full screen" : "Full screen";
  return (
    <Button
      kind="quiet"
      size="sm"
      aria-label={label}
      aria-keyshortcuts="F"
      title={`${label} (F)`}
      onClick={toggle}
      className="max-md:hidden"
    >
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}

function OnePicture({ picture: { name, address, sizeBytes, sides } }: { picture: Picture }) {
  const facts = [
    sizeBytes === 0 && address ? "Size unknown" : formatBytes(sizeBytes),
    ...(sides ? [formatSides(sides.widthPx, sides.heightPx)] : []),
  ];
  return (
    <>
      <FileName name={name} className="font-medium" />
      <span className="block text-xs text-muted">{facts.join(" · ")}</span>
    </>
  );
}

function ManyPictures({ pictures }: { pictures: readonly Picture[] }) {
  const bytes = pictures.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <>
      <span className="font-medium">{countOf(pictures.length, "image")}</span>
      {bytes > 0 && (
        <span className="whitespace-nowrap text-muted max-sm:block">
          <span className="max-sm:hidden"> · </span>
          {formatBytes(bytes)}
        </span>
      )}
    </>
  );
}
