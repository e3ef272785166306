import { Copy, Download, FolderDown, PencilLine, Share } from "lucide-react";
import { useId } from "react";
import { MenuItem } from "../../../../ui/menu.tsx";
import type { StudioState } from "../../state/studio-state.ts";
import { finishedOf } from "../../state/summary.ts";
import { namesOf, patternFault, patternParts } from "../../work/download/name-pattern.ts";
import { supportedSaveMethods } from "../../work/download/save-methods.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { editOf } from "../edit/edit-settings.ts";

/** Ways to save results besides the download, each only if this browser supports it. */
export function SaveItems({ onRename }: { onRename(): void }) {
  const studio = useStudio();
  const pictures = useStudioState((state) => state.pictures);
  const run = useStudioState((state) => state.run);
  const tool = useStudioState((state) => state.tool);
  const selectedId = useStudioState((state) => state.selectedId);
  const ready = finishedOf({ pictures, run, tool });
  const supported = supportedSaveMethods(ready.map(({ result: { name, blob } }) => ({ name, blob })));
  const isTouch = matchMedia("(hover: none)").matches;
  const shown = ready.find(({ picture }) => picture.id === selectedId);
  const isCutOut = shown?.tool === "remove-background" && shown.result.format === "png";
  // A JPEG has no transparency.
  const isOnColour = isCutOut && editOf(shown.result, run?.orders.get(shown.picture.id)).ground !== "transparent";
  return (
    <>
      {shown && ready.length > 1 && (
        <MenuItem icon={<Download aria-hidden className="size-4" />} onClick={() => studio.saveOne(shown.picture.id)}>
          Download this image
        </MenuItem>
      )}
      {isCutOut && isOnColour && (
        <MenuItem
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => studio.saveAs(shown.picture.id, "jpeg")}
        >
          Download as JPEG
        </MenuItem>
      )}
      {isCutOut && (
        <MenuItem
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => studio.saveAs(shown.picture.id, "webp")}
        >
          Download as WebP
        </MenuItem>
      )}
      {supported.share && (
        <MenuItem icon={<Share aria-hidden className="size-4" />} onClick={() => studio.shareAll()}>
          {isTouch ? "Share, or save to Photos" : "Share"}
        </MenuItem>
      )}
      {supported.copy && (
        <MenuItem icon={<Copy aria-hidden className="size-4" />} onClick={() => studio.copyOne()}>
          Copy
        </MenuItem>
      )}
      {supported.folder && (
        <MenuItem icon={<FolderDown aria-hidden className="size-4" />} onClick={() => studio.saveToFolder()}>
          Save to folder
        </MenuItem>
      )}
      <MenuItem icon={<PencilLine aria-hidden className="size-4" />} onClick={onRename}>
        Rename
      </MenuItem>
    </>
  );
}

/** The pattern of the results' names. */
export function NamePattern() {
  const state = useStudioState(whole);
  const example = namesOf(state.namePattern, finishedOf(state))[0] ?? "";
  const studio = useStudio();
  const id = useId();
  const pattern = state.namePattern;
  const fault = patternFault(pattern);
  return (
    <div className="mt-2 max-w-md pb-1">
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        File names
      </label>
      <input
        id={id}
        value={pattern}
        placeholder="{name}-{width}w"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={fault ? true : undefined}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => studio.dispatch({ type: "names-set", pattern: target.value })}
        className="min-h-10 w-full rounded-md border border-edge bg-surface px-3 text-base aria-invalid:border-accent"
      />
      <p id={`${id}-hint`} aria-live="polite" className="mt-1.5 text-sm wrap-anywhere text-muted">
        {fault ? (
          <span className="text-accent-ink">{fault}</span>
        ) : (
          <>
            {patternParts.join(" ")} · First: {example}
          </>
        )}
      </p>
    </div>
  );
}

const whole = (state: StudioState) => state;
